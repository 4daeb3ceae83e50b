import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../../api/client.ts';
import { useChange } from '../../../app/use-change.ts';
import { numberOf } from '../../../texts/numbers.ts';
import { bound } from '../../../ui/bound.ts';
import { fieldErrors } from '../../../ui/field-errors.tsx';
import { TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { areLimits, plugBodyOf, type PlugDraft, PlugFields, unknown } from './plug-fields.tsx';

interface Draft extends PlugDraft {
  number: string;
}

/** Adds a connector to a charger: by default with the next number, and the plug of the last connector. */
export function NewConnectorDialog({
  charger: { id, connectors },
  onClose,
}: {
  charger: Schemas['Charger'];
  onClose: () => void;
}) {
  const { t } = useTranslation('evseForm');
  const [draft, setDraft] = useState<Draft>(() => ({
    number: String(Math.max(0, ...connectors.map(({ number }) => number)) + 1),
    standard: connectors.at(-1)?.standard ?? null,
    format: unknown,
    powerType: unknown,
    maxPower: '',
    maxVoltage: '',
    maxAmperage: '',
  }));
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const number = numberOf(draft.number) ?? null;
  const isNumber = number !== null && Number.isInteger(number) && number >= 1;
  const adding = useChange({
    mutationFn: () =>
      api.POST('/cpms/v1/chargers/{uuid}/connectors', {
        params: { path: { uuid: id } },
        body: bodyOf(draft, number),
      }),
    invalidates: ['charger', id],
    done: ({ connectorNumber }) => t('add.done', { number: connectorNumber }),
    onDone: onClose,
  });
  const errorOf = fieldErrors(adding.error);
  return (
    <FormDialog
      title={t('add.title')}
      action={t('add.action')}
      saving={adding}
      isReady={isNumber && areLimits(draft)}
      onSubmit={() => adding.mutate()}
      onClose={onClose}
    >
      <TextField
        label={t('add.number')}
        description={t('add.numberHint')}
        inputMode="numeric"
        {...bound(draft, change, 'number')}
        {...errorOf('connectorNumber')}
      />
      <PlugFields draft={draft} errorOf={errorOf} onChange={change} />
    </FormDialog>
  );
}

/** Returns the request; fields that are not known are absent. */
function bodyOf(draft: Draft, connectorNumber: number | null): Schemas['CreateConnectorRequest'] {
  const fields = Object.entries({ connectorNumber, ...plugBodyOf(draft) });
  return Object.fromEntries(fields.filter(([, value]) => value !== null));
}
