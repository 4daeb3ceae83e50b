import { useChange } from '../../app/use-change.ts';
import { bound } from '../../ui/bound.ts';
import { phaseRules } from '#shared/domain/fleet/meter-override.ts';
import { Plus, X } from '../../ui/icons/icons.ts';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schemas } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import form from '../../ui/form.module.css';
import styles from './models.module.css';

type Override = Schemas['MeterOverride'];
type Measurand = Override['measurand'];

const measurands: readonly Measurand[] = [
  'Energy.Active.Import.Register',
  'Power.Active.Import',
  'Current.Import',
  'Voltage',
  'SoC',
  'Temperature',
  'meterStart',
  'meterStop',
];
const phaseChoices = ['standard', ...phaseRules] as const;

/** Correction in the form, with a key for the list. */
interface Row extends Omit<Override, 'factor'> {
  key: number;
  factor: string;
}

let lastKey = 0;
const rowOf = (override: Override): Row => ({
  ...override,
  key: (lastKey += 1),
  factor: String(override.factor),
});
function overrideOf({ measurand, firmware, saidUnit, unit, factor, phases }: Row): Override {
  return { measurand, firmware, saidUnit, unit, factor: numberOf(factor), phases };
}
const added: Override = {
  measurand: 'Energy.Active.Import.Register',
  firmware: null,
  saidUnit: null,
  unit: null,
  factor: 1,
  phases: null,
};

interface Props {
  modelId: string;
  stored: Schemas['MeterOverrides'];
  isReadOnly: boolean;
}

/** Corrections of the meters of a model, in the order in which they are tried. */
export function MeterOverrides({ modelId, stored, isReadOnly }: Props) {
  const { t } = useTranslation('models');
  const [rows, setRows] = useState(() => stored.overrides.map(rowOf));
  const saving = useChange({
    mutationFn: () =>
      api.PATCH('/cpms/v1/charger-models/{id}/meter-overrides', {
        params: { path: { id: modelId }, header: { 'if-match': `"${stored.version}"` } },
        body: { overrides: rows.map(overrideOf) },
      }),
    invalidates: ['models', 'overrides', modelId],
    done: () => t('meter.saved'),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form className={form['form']} onSubmit={submit}>
      <p className={form['hint']}>{t('meter.why')}</p>
      {rows.length === 0 && <p>{t('meter.none')}</p>}
      {rows.map((row, index) => (
        <OverrideRow
          key={row.key}
          row={row}
          number={index + 1}
          isReadOnly={isReadOnly}
          onChange={(part) =>
            setRows((all) => all.map((each) => (each.key === row.key ? { ...each, ...part } : each)))
          }
          onRemove={() => setRows((all) => all.filter(({ key }) => key !== row.key))}
        />
      ))}
      {saving.error !== null && (
        <p role="alert" className={form['error']}>
          {saving.error.message}
        </p>
      )}
      {!isReadOnly && (
        <div className={styles['actions']}>
          <Button onPress={() => setRows((all) => [...all, rowOf(added)])}>
            <Plus aria-hidden size={15} />
            {t('meter.add')}
          </Button>
          <Button
            kind="primary"
            type="submit"
            isDisabled={saving.isPending || rows.some(({ factor }) => !(numberOf(factor) > 0))}
          >
            {t('meter.save')}
          </Button>
        </div>
      )}
    </form>
  );
}

interface RowProps {
  row: Row;
  number: number;
  isReadOnly: boolean;
  onChange: (part: Partial<Row>) => void;
  onRemove: () => void;
}

function OverrideRow({ row, number, isReadOnly, onChange, onRemove }: RowProps) {
  const { t } = useTranslation('models');
  return (
    <div className={styles['override']} role="group" aria-label={`${row.measurand} (${number})`}>
      <Select
        label={t('meter.measurand')}
        options={measurands.map((id) => ({ id, text: id }))}
        {...bound(row, onChange, 'measurand')}
        isDisabled={isReadOnly}
      />
      <TextField
        label={t('meter.firmware')}
        placeholder={t('meter.any')}
        value={row.firmware ?? ''}
        isReadOnly={isReadOnly}
        onChange={(text) => onChange({ firmware: text === '' ? null : text })}
        maxLength={50}
      />
      <TextField
        label={t('meter.saidUnit')}
        placeholder={t('meter.any')}
        value={row.saidUnit ?? ''}
        isReadOnly={isReadOnly}
        onChange={(text) => onChange({ saidUnit: text === '' ? null : text })}
        maxLength={50}
      />
      <TextField
        label={t('meter.unit')}
        value={row.unit ?? ''}
        isReadOnly={isReadOnly}
        onChange={(text) => onChange({ unit: text === '' ? null : text })}
        maxLength={20}
      />
      <TextField
        label={t('meter.factor')}
        {...bound(row, onChange, 'factor')}
        isReadOnly={isReadOnly}

        inputMode="decimal"
      />
      <Select
        label={t('meter.phases')}
        options={phaseChoices.map((id) => ({ id, text: t(`meter.phaseRule.${id}`) }))}
        value={row.phases ?? 'standard'}
        isDisabled={isReadOnly}
        onChange={(phases) => onChange({ phases: phases === 'standard' ? null : phases })}
      />
      {!isReadOnly && (
        <Button kind="quiet" isIcon aria-label={t('meter.removeAt', { number })} onPress={onRemove}>
          <X aria-hidden size={15} />
        </Button>
      )}
    </div>
  );
}

const numberOf = (text: string) => Number(text.trim().replace(',', '.'));
