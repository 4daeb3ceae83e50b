import { useSearchChange } from '../../../app/use-search-change.ts';
import { bound } from '../../../ui/bound.ts';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../../api/client.ts';
import { useCan } from '../../../app/caller.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Select } from '../../../ui/field.tsx';
import { Empty, ErrorNotice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useChargerCommand } from '../use-charger-command.ts';
import { ChangeLimitDialog } from './change-limit-dialog.tsx';
import { compositeQuery } from './composite-query.ts';
import { ConnectorLimits } from './connector-limits.tsx';
import { nominalVolts } from './profile-steps.ts';
import { ProfileTable } from './profile-table.tsx';
import { SetProfileDialog } from './set-profile-dialog.tsx';
import styles from './profiles.module.css';

/** Drawn durations in hours. */
const durations = { day: 24, days3: 72, week: 168 };
type Duration = keyof typeof durations;
const durationIds: readonly Duration[] = ['day', 'days3', 'week'];

type Dialog = 'set' | 'clear-all' | Schemas['ChargingProfile'];

/** Charging profiles of a charger: their limits over time, and the commands that change them. */
export function Profiles({ charger }: { charger: Schemas['Charger'] }) {
  const { t } = useTranslation('chargingProfiles');
  const canCommand = useCan('cpms:command:charging-profile');
  const queryKey = ['charging-profiles', charger.id];
  const profiles = useQuery({
    queryKey,
    queryFn: () =>
      api.GET('/cpms/v1/chargers/{chargerUuid}/charging-profiles', {
        params: { path: { chargerUuid: charger.id } },
      }),
  });
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [changed, setChanged] = useState<Schemas['ChargingProfile'] | null>(null);
  const view = useView();
  const composite = useQuery(compositeQuery(charger, view.hours));
  const clear = useChargerCommand(
    (query: { profileId?: number }) =>
      api.DELETE('/cpms/v1/chargers/{chargerUuid}/charging-profiles', {
        params: { path: { chargerUuid: charger.id }, query },
      }),
    { queryKey, done: t('clear.done') },
  );
  // Zero is the charger as a whole.
  const numbers = [0, ...charger.connectors.map(({ number }) => number)];
  return (
    <Card
      hasPadding={false}
      title={t('title')}
      actions={
        <>
          <ViewChoices view={view} />
          {canCommand && (
            <>
              <Button
                onPress={() => void composite.refetch()}
                isDisabled={!charger.isConnected || composite.isFetching}
              >
                {t(composite.isFetching ? 'composite.asking' : 'composite.ask')}
              </Button>
              <Button onPress={() => setDialog('set')} isDisabled={!charger.isConnected}>
                {t('set.open')}
              </Button>
              <Button
                isDangerous
                onPress={() => setDialog('clear-all')}
                isDisabled={!charger.isConnected || (profiles.data ?? []).length === 0}
              >
                {t('clear.allOpen')}
              </Button>
            </>
          )}
        </>
      }
    >
      {profiles.isPending && <Skeleton height={240} />}
      {profiles.error !== null && (
        <ErrorNotice error={profiles.error} retry={() => void profiles.refetch()} />
      )}
      {composite.error !== null && <ErrorNotice error={composite.error} />}
      {profiles.data !== undefined && (
        <>
          <div className={styles['charts']}>
            {numbers.map((number) => (
              <ConnectorLimits
                key={number}
                number={number}
                profiles={profiles.data}
                composite={composite.data?.find((each) => each.number === number)}
                span={view.span}
                unit={view.unit}
              />
            ))}
          </div>
          {profiles.data.length === 0 ? (
            <Empty title={t('empty')} />
          ) : (
            <>
              <p className={styles['hint']}>{t('hint', { volts: nominalVolts })}</p>
              <ProfileTable
                profiles={profiles.data}
                onClear={canCommand ? setDialog : null}
                onChange={canCommand && charger.isConnected ? setChanged : null}
              />
            </>
          )}
        </>
      )}
      {dialog === 'set' && (
        <SetProfileDialog charger={charger} queryKey={queryKey} onClose={() => setDialog(null)} />
      )}
      {changed !== null && (
        <ChangeLimitDialog
          charger={charger}
          profile={changed}
          queryKey={queryKey}
          onClose={() => setChanged(null)}
        />
      )}
      {dialog !== null && dialog !== 'set' && (
        <ConfirmDialog
          title={
            dialog === 'clear-all'
              ? t('clear.allTitle', { charger: charger.uid })
              : t('clear.title', { number: dialog.profileId })
          }
          action={t('clear.action')}
          onConfirm={() => clear.mutate(dialog === 'clear-all' ? {} : { profileId: dialog.profileId })}
          onClose={() => setDialog(null)}
        >
          <p>
            {dialog === 'clear-all'
              ? t('clear.allDetail', { count: profiles.data?.length ?? 0 })
              : t('clear.detail', { purpose: dialog.purpose, charger: charger.uid })}
          </p>
        </ConfirmDialog>
      )}
    </Card>
  );
}

/** Returns the drawn duration and unit, which the address holds. The span begins when it is chosen. */
function useView() {
  const { span: wanted, unit: wantedUnit } = useSearch({ from: '/signed-in/fleet/chargers/$uuid' });
  const duration = durationIds.find((each) => each === wanted) ?? 'day';
  const hours = durations[duration];
  const unit = wantedUnit === 'kW' ? ('kW' as const) : ('A' as const);
  const [now] = useState(() => Date.now());
  const span = useMemo(() => ({ from: now, to: now + hours * 3_600_000 }), [now, hours]);
  return { duration, hours, unit, span };
}

function ViewChoices({ view }: { view: ReturnType<typeof useView> }) {
  const { t } = useTranslation('chargingProfiles');
  const set: (changed: { span?: Duration; unit?: string }) => void = useSearchChange();
  return (
    <>
      <Select
        label={t('duration')}
        hidesLabel
        options={durationIds.map((id) => ({ id, text: t(`durations.${id}`) }))}
        value={view.duration}
        onChange={(span) => set({ span })}
      />
      <Select
        label={t('unit')}
        hidesLabel
        options={[
          { id: 'A', text: t('units.A') },
          { id: 'kW', text: t('units.kW') },
        ]}
        {...bound(view, set, 'unit')}
      />
    </>
  );
}
