import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api, dataOf, type Schemas } from '../../../api/client.ts';
import { useCan } from '../../../app/caller.tsx';
import { absent, useFormats } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, type Fact, Facts } from '../../../ui/card.tsx';
import { StationTariff } from '../../charger/station/station-tariff.tsx';
import { useChargerCommand } from '../../charger/use-charger-command.ts';
import { isRunning, type Session, stationQuery } from '../session-queries.ts';
import styles from './station.module.css';

type Station = Schemas['SessionStation'];

const limitNames = ['maxCost', 'maxEnergyKwh', 'maxDurationMinutes', 'maxSocPercent'] as const;
type LimitName = (typeof limitNames)[number];

/** Limits and cost that the station of a session applies and calculates itself. Nothing for stations without them. */
export function Station({ session }: { session: Session }) {
  const { t } = useTranslation('session');
  const { data: station } = useQuery(stationQuery(session));
  if (station === undefined || !(station.isSupported || hasValues(station))) return null;
  return (
    <Card
      title={t('station.title')}
      actions={isRunning(session) && station.isSupported && <Priority session={session} station={station} />}
    >
      <CostNotice station={station} />
      <StationFacts station={station} currency={session.cost?.currency ?? null} />
    </Card>
  );
}

function hasValues({ limitsSent, limitsReported, cost }: Station): boolean {
  return limitsSent !== null || limitsReported !== null || cost !== null;
}

function CostNotice({ station }: { station: Station }) {
  const { t } = useTranslation('session');
  if (!station.isCostDifferent) return null;
  return <p className={styles['different']}>{t('station.different')}</p>;
}

function StationFacts({ station, currency }: { station: Station; currency: string | null }) {
  const { t } = useTranslation('session');
  const formats = useFormats();
  const { cost, ownTotalInclVat, limitReached, tariffId, isPriorityCharging } = station;
  const unit = cost?.currency ?? currency ?? 'EUR';
  const money = (amount: number | null) => (amount === null ? absent : formats.money(amount, unit));
  const difference =
    cost === null || cost.totalInclVat === null || ownTotalInclVat === null
      ? null
      : cost.totalInclVat - ownTotalInclVat;
  const value: Record<LimitName, (limit: number) => string> = {
    maxCost: (limit) => formats.money(limit, unit),
    maxEnergyKwh: (limit) => formats.energy(limit),
    maxDurationMinutes: (limit) => formats.duration(limit * 60),
    maxSocPercent: (limit) => formats.percent(limit / 100),
  };
  const limits = limitNames.map((name): Fact => {
    const sent = station.limitsSent?.[name] ?? null;
    const reported = station.limitsReported?.[name] ?? null;
    const limit = reported ?? sent;
    if (limit === null) return false;
    const text = value[name](limit);
    return [t(`station.limit.${name}`), reported === null ? t('station.unconfirmed', { limit: text }) : text];
  });
  return (
    <Facts
      facts={[
        [t('station.cost'), cost?.failure == null ? money(cost?.totalInclVat ?? null) : t('station.failed')],
        [t('station.own'), money(ownTotalInclVat)],
        difference !== null && [t('station.difference'), money(difference)],
        tariffId !== null && [t('station.tariff'), <StationTariff key="tariff" tariffId={tariffId} />],
        ...limits,
        limitReached !== null && [t('station.reached'), t(`station.reachedLimit.${limitReached}`)],
        isPriorityCharging !== null && [
          t('station.priority'),
          t(isPriorityCharging ? 'station.withPriority' : 'station.withoutPriority'),
        ],
      ]}
    />
  );
}

/** Begins or ends priority charging of a running session. */
function Priority({ session, station }: { session: Session; station: Station }) {
  const { t } = useTranslation('session');
  const canCommand = useCan('cpms:command:charging-profile');
  const isActive = station.isPriorityCharging !== true;
  const command = useChargerCommand(
    () =>
      dataOf(
        api.POST('/cpms/v1/sessions/{uuid}/priority-charging', {
          params: { path: { uuid: session.id } },
          body: { isActive },
        }),
      ),
    {
      queryKey: stationQuery(session).queryKey,
      done: t(isActive ? 'station.withPriority' : 'station.withoutPriority'),
    },
  );
  if (!canCommand) return null;
  return (
    <Button kind="quiet" isDisabled={command.isPending} onPress={() => command.mutate()}>
      {t(isActive ? 'station.usePriority' : 'station.endPriority')}
    </Button>
  );
}
