import {
  type ThresholdComparison,
  thresholdComparisons,
  type ThresholdMetric,
  thresholdMetricNames,
  thresholdMetrics,
} from '#shared/domain/fleet/alert-threshold.ts';
import { alertSeverities } from '#shared/domain/fleet/alert.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../../api/client.ts';
import { useNetworkQuery } from '../../../app/network-switcher.tsx';
import { useChange } from '../../../app/use-change.ts';
import { numberOf } from '../../../texts/numbers.ts';
import { bound } from '../../../ui/bound.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Select, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import form from '../../../ui/form.module.css';

export type Threshold = Schemas['AlertThreshold'];

interface Draft {
  name: string;
  metric: ThresholdMetric;
  comparison: ThresholdComparison;
  value: string;
  forMinutes: string;
  severity: Threshold['severity'];
  isEnabled: boolean;
}

function draftOf(threshold: Threshold | null): Draft {
  return {
    name: threshold?.name ?? '',
    metric: threshold?.metric ?? 'chargers-offline',
    comparison: threshold?.comparison ?? 'above',
    value: threshold === null ? '' : String(threshold.value),
    forMinutes: String(threshold?.forMinutes ?? 10),
    severity: threshold?.severity ?? 'warning',
    isEnabled: threshold?.isEnabled ?? true,
  };
}

/** Creates a threshold, or edits one. */
export function ThresholdDialog({
  threshold,
  onClose,
}: {
  threshold: Threshold | null;
  onClose: () => void;
}) {
  const { t } = useTranslation(['alerts', 'common']);
  const [draft, setDraft] = useState(() => draftOf(threshold));
  const change = (changed: Partial<Draft>) => setDraft({ ...draft, ...changed });
  const saving = useSaving(threshold, onClose);
  const [value, minutes] = [numberOf(draft.value), numberOf(draft.forMinutes)];
  const unit = thresholdMetrics[draft.metric];
  return (
    <FormDialog
      title={threshold === null ? t('thresholds.new') : t('thresholds.edit', { name: threshold.name })}
      saving={saving}
      isReady={typeof value === 'number' && typeof minutes === 'number'}
      onSubmit={() => saving.mutate({ ...draft, value: value ?? 0, forMinutes: minutes ?? 0 })}
      onClose={onClose}
    >
      <TextField label={t('thresholds.name')} isRequired maxLength={100} {...bound(draft, change, 'name')} />
      <Select
        label={t('thresholds.metric')}
        options={thresholdMetricNames.map((id) => ({ id, text: t(`thresholds.metrics.${id}`) }))}
        {...bound(draft, change, 'metric')}
      />
      <div className={form['pair']}>
        <Select
          label={t('thresholds.comparison')}
          options={thresholdComparisons.map((id) => ({ id, text: t(`thresholds.comparisons.${id}`) }))}
          {...bound(draft, change, 'comparison')}
        />
        <TextField
          label={unit === '' ? t('thresholds.value') : t('thresholds.valueIn', { unit })}
          inputMode="decimal"
          isRequired
          isInvalid={value === undefined}
          errorMessage={t('rules.notNumber')}
          {...bound(draft, change, 'value')}
        />
      </div>
      <div className={form['pair']}>
        <TextField
          label={t('thresholds.forMinutes')}
          inputMode="numeric"
          isRequired
          isInvalid={minutes === undefined}
          errorMessage={t('rules.notNumber')}
          {...bound(draft, change, 'forMinutes')}
        />
        <Select
          label={t('columns.severity')}
          options={alertSeverities.map((id) => ({ id, text: t(`severity.${id}`) }))}
          {...bound(draft, change, 'severity')}
        />
      </div>
      <Checkbox isSelected={draft.isEnabled} onChange={(isEnabled) => change({ isEnabled })}>
        {t('thresholds.enabled')}
      </Checkbox>
    </FormDialog>
  );
}

function useSaving(threshold: Threshold | null, onDone: () => void) {
  const { t } = useTranslation('alerts');
  const network = useNetworkQuery();
  return useChange({
    mutationFn: (draft: Omit<Draft, 'value' | 'forMinutes'> & { value: number; forMinutes: number }) => {
      const body = { ...draft, name: draft.name.trim() };
      if (threshold === null) return api.POST('/cpms/v1/alert-thresholds', { body: { ...network, ...body } });
      const { id: uuid, version } = threshold;
      return api.PATCH('/cpms/v1/alert-thresholds/{uuid}', {
        params: { path: { uuid }, header: { 'if-match': `"${version}"` } },
        body,
      });
    },
    invalidates: ['alert-thresholds'],
    done: () => t('thresholds.saved'),
    onDone,
  });
}
