import { bound } from '../../../ui/bound.ts';
import { Plus, Trash2 } from '../../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { ComboBox } from '../../../ui/combo-box.tsx';
import { Select, TextField } from '../../../ui/field.tsx';
import { numberOf, textOf } from '../../../texts/numbers.ts';
import {
  chargingMinutes,
  type PartFields,
  partsOf,
  type SessionFields,
  shapes,
} from './simulated-session.ts';
import styles from './simulator.module.css';

interface Props {
  fields: SessionFields;
  onChange: (changed: Partial<SessionFields>) => void;
}

const maxParts = 100;

/** Zones to choose from; UTC is not among those that browsers list. */
const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((id) => ({
  id,
  text: id.replaceAll('_', ' '),
}));

/** Inputs of the simulated session: power curve, energy, duration, parking, start and time zone. */
export function SessionForm({ fields, onChange }: Props) {
  const { t } = useTranslation('tariffSimulator');
  return (
    <div className={styles['form']}>
      <div className={styles['fields']}>
        <Select
          label={t('shape')}
          options={shapes.map((id) => ({ id, text: t(`shapes.${id}`) }))}
          value={fields.shape}
          onChange={(shape) => onChange({ shape, ...(shape === 'own' ? ownParts(fields) : {}) })}
        />
        {fields.shape !== 'own' && <CurveFields fields={fields} onChange={onChange} />}
        <TextField label={t('parking')} inputMode="decimal" {...bound(fields, onChange, 'parking')} />
        <div className={styles['start']}>
          <TextField label={t('start')} type="datetime-local" {...bound(fields, onChange, 'start')} />
        </div>
        <ComboBox
          label={t('zone')}
          options={zones}
          value={fields.zone}
          onChange={(zone) => zone !== null && onChange({ zone })}
        />
      </div>
      {fields.shape === 'own' && <Parts fields={fields} onChange={onChange} />}
    </div>
  );
}

/** Returns the parts of another curve as a start for parts of one's own. */
function ownParts(fields: SessionFields): Pick<SessionFields, 'parts'> {
  const parts = partsOf(fields) ?? [{ minutes: 60, powerKw: 11 }];
  return {
    parts: parts.map(({ minutes, powerKw }, id) => ({
      id,
      minutes: String(Math.round(minutes * 10) / 10),
      power: String(powerKw),
    })),
  };
}

/** Power, energy and the duration that follows from them. */
function CurveFields({ fields, onChange }: Props) {
  const { t } = useTranslation('tariffSimulator');
  const formats = useFormats();
  const parts = partsOf(fields);
  const minutes = parts === null ? null : chargingMinutes(parts);
  return (
    <>
      <TextField
        label={t(fields.shape === 'falling' ? 'peakPower' : 'power')}
        inputMode="decimal"
        {...bound(fields, onChange, 'power')}
      />
      <TextField label={t('energy')} inputMode="decimal" {...bound(fields, onChange, 'energy')} />
      {fields.shape === 'constant' ? (
        <DurationField
          key={`${fields.power} ${fields.energy}`}
          minutes={minutes}
          onChange={(next) => {
            const power = numberOf(fields.power);
            if (power != null) onChange({ energy: textOf(Math.round((power * next * 1000) / 60) / 1000) });
          }}
        />
      ) : (
        <p className={styles['duration']}>
          <span>{t('duration')}</span>
          {formats.duration(minutes === null ? null : minutes * 60)}
        </p>
      )}
    </>
  );
}

/** Duration in minutes. It is taken over when the input is left, because it changes the energy. */
function DurationField({ minutes, onChange }: { minutes: number | null; onChange: (next: number) => void }) {
  const { t } = useTranslation('tariffSimulator');
  return (
    <TextField
      label={t('minutes')}
      inputMode="decimal"
      defaultValue={minutes === null ? '' : String(Math.round(minutes * 10) / 10)}
      onBlur={(event) => {
        const next = numberOf(event.target.value);
        if (next != null && next > 0 && Math.abs(next - (minutes ?? 0)) > 0.05) onChange(next);
      }}
    />
  );
}

function Parts({ fields: { parts }, onChange }: Props) {
  const { t } = useTranslation('tariffSimulator');
  const update = (id: number, changed: Partial<PartFields>) =>
    onChange({ parts: parts.map((part) => (part.id === id ? { ...part, ...changed } : part)) });
  const last = parts.at(-1);
  return (
    <fieldset className={styles['parts']}>
      <legend>{t('parts')}</legend>
      {parts.map((part, index) => (
        <div key={part.id} className={styles['part']}>
          <TextField
            label={t('minutesOf', { number: index + 1 })}
            inputMode="decimal"
            value={part.minutes}
            onChange={(minutes) => update(part.id, { minutes })}
          />
          <TextField
            label={t('powerOf', { number: index + 1 })}
            inputMode="decimal"
            value={part.power}
            onChange={(power) => update(part.id, { power })}
          />
          <Button
            kind="quiet"
            isIcon
            aria-label={t('removePart', { number: index + 1 })}
            isDisabled={parts.length === 1}
            onPress={() => onChange({ parts: parts.filter(({ id }) => id !== part.id) })}
          >
            <Trash2 aria-hidden size={15} />
          </Button>
        </div>
      ))}
      <Button
        isDisabled={parts.length >= maxParts}
        onPress={() =>
          onChange({
            parts: [...parts, { id: (last?.id ?? 0) + 1, minutes: '30', power: last?.power ?? '11' }],
          })
        }
      >
        <Plus aria-hidden size={15} />
        {t('addPart')}
      </Button>
    </fieldset>
  );
}
