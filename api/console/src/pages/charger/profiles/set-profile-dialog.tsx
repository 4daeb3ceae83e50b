import { useChange } from '../../../app/use-change.ts';
import { bound } from '../../../ui/bound.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { profileKinds, profilePurposes, recurrencies } from '#shared/domain/charging/charging-profile.ts';
import { featuresOf } from '#shared/domain/fleet/ocpp-version.ts';
import { type QueryKey } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { usePageZone } from '../../../texts/page-zone.ts';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../../api/client.ts';
import { Select, TextField } from '../../../ui/field.tsx';
import form from '../../../ui/form.module.css';
import { useConnectorOptions } from '../connector-options.ts';
import { changedDraft, type Draft, hasStart, newDraft, previewOf, profileOf } from './draft.ts';
import { LimitChart } from './limit-chart.tsx';
import { PeriodFields } from './period-fields.tsx';
import { stepsOf } from './profile-steps.ts';

const dayMs = 86_400_000;

/** Writes a charging profile with a preview of its limits, and sends it to the charger. */
export function SetProfileDialog({
  charger,
  queryKey,
  onClose,
}: {
  charger: Schemas['Charger'];
  queryKey: QueryKey;
  onClose: () => void;
}) {
  const { t } = useTranslation(['chargingProfiles', 'common']);
  const timeZone = usePageZone();
  const [now] = useState(() => Date.now());
  const [draft, setDraft] = useState(() => newDraft(now, timeZone));
  const connectors = useConnectorOptions(charger);
  const first = String(charger.connectors[0]?.number ?? 1);
  const change = (part: Partial<Draft>) => setDraft((before) => changedDraft(before, part, first));
  const sending = useSending(charger, queryKey, onClose);
  const hasDynamicProfiles = featuresOf(charger.ocppVersion)?.hasDynamicProfiles === true;
  return (
    <FormDialog
      title={t('set.title', { charger: charger.uid })}
      shape="wide"
      action={t(sending.isPending ? 'set.sending' : 'set.action')}
      saving={sending}
      onSubmit={() => sending.mutate(draft)}
      onClose={onClose}
    >
      <div className={form['pair']}>
        <Select
          label={t('columns.purpose')}
          options={profilePurposes
            .filter((id) => id !== 'PriorityCharging' || hasDynamicProfiles)
            .map((id) => ({ id, text: t(`purposes.${id}`) }))}
          {...bound(draft, change, 'purpose')}
        />
        <Select
          label={t('columns.connector')}
          options={[{ id: '0', text: t('wholeCharger') }, ...connectors]}
          {...bound(draft, change, 'connector')}
          isDisabled={draft.purpose === 'StationMax'}
        />
        <TextField
          label={t('columns.level')}
          {...bound(draft, change, 'stackLevel')}
          inputMode="numeric"
          isRequired
        />
      </div>
      <ScheduleFields
        draft={draft}
        change={change}
        kinds={profileKinds.filter((kind) => kind !== 'Dynamic' || hasDynamicProfiles)}
      />
      <PeriodFields draft={draft} change={change} />
      <Preview draft={draft} now={now} />
    </FormDialog>
  );
}

function ScheduleFields({
  draft,
  change,
  kinds,
}: {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  kinds: readonly Draft['kind'][];
}) {
  const { t } = useTranslation('chargingProfiles');
  return (
    <div className={form['pair']}>
      <Select
        label={t('columns.kind')}
        options={kinds.map((id) => ({ id, text: t(`kinds.${id}`) }))}
        {...bound(draft, change, 'kind')}
      />
      {draft.kind === 'Recurring' && (
        <Select
          label={t('set.recurrency')}
          options={recurrencies.map((id) => ({ id, text: t(`recurrencies.${id}`) }))}
          {...bound(draft, change, 'recurrency')}
        />
      )}
      {draft.kind === 'Dynamic' && (
        <TextField label={t('set.interval')} {...bound(draft, change, 'interval')} inputMode="numeric" />
      )}
      {hasStart(draft) && (
        <TextField
          label={t('set.startsAt')}
          type="datetime-local"
          {...bound(draft, change, 'startsAt')}
          isRequired={draft.kind === 'Recurring'}
        />
      )}
      <TextField
        label={t('set.hours')}
        {...bound(draft, change, 'hours')}
        inputMode="decimal"
        placeholder={t('set.unlimited')}
      />
      <TextField label={t('set.validFrom')} type="datetime-local" {...bound(draft, change, 'validFrom')} />
      <TextField label={t('set.validTo')} type="datetime-local" {...bound(draft, change, 'validTo')} />
    </div>
  );
}

function Preview({ draft, now }: { draft: Draft; now: number }) {
  const { t } = useTranslation('chargingProfiles');
  const timeZone = usePageZone();
  const span = useMemo(() => ({ from: now, to: now + dayMs }), [now]);
  const lines = useMemo(() => {
    const profile = previewOf(draft, timeZone);
    return [
      {
        id: 'preview',
        title: t(`purposes.${draft.purpose}`),
        color: '--series-1' as const,
        unit: draft.unit,
        steps: stepsOf(profile, span),
      },
    ];
  }, [draft, span, timeZone, t]);
  return (
    <LimitChart
      title={t('set.preview')}
      lines={lines}
      span={span}
      unit={draft.unit === 'A' ? 'A' : 'kW'}
      height={140}
    />
  );
}

/** Sends a draft. A refusal stays in the dialog. */
function useSending(charger: Schemas['Charger'], queryKey: QueryKey, onDone: () => void) {
  const { t } = useTranslation(['chargingProfiles', 'charger']);
  const timeZone = usePageZone();
  return useChange({
    mutationFn: async (draft: Draft) => {
      const sent = await api.POST('/cpms/v1/chargers/{chargerUuid}/charging-profiles', {
        params: { path: { chargerUuid: charger.id } },
        body: profileOf(draft, timeZone),
      });
      if (!sent.accepted) throw new Error(t('charger:command.refused', { message: sent.message }));
      return sent;
    },
    invalidates: queryKey,
    done: ({ profileId }) => t('set.done', { number: profileId }),
    onDone: onDone,
  });
}
