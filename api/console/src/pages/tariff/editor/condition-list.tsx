import { Plus, X } from '../../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../texts/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Select } from '../../../ui/field.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { weekday } from '../../session/price/restriction-words.ts';
import {
  type Bound,
  type Condition,
  type ConditionFields,
  conditionNames,
  conditions,
  days,
} from './conditions.ts';
import { DraftField, GroupError } from './field-errors.tsx';
import styles from './editor.module.css';

interface Props {
  field: string;
  fields: ConditionFields;
  onChange: (fields: ConditionFields) => void;
}

/** Conditions of an element. All of them must hold; without one, it always applies. */
export function ConditionList({ field, fields, onChange }: Props) {
  const { t } = useTranslation('tariffEditor');
  const { shown } = fields;
  const missing = conditionNames.filter((name) => !shown.includes(name));
  const add = (name: Condition) =>
    onChange({
      ...fields,
      shown: [...shown, name],
      ...(name === 'reservation' ? { values: { ...fields.values, reservation: 'RESERVATION' } } : {}),
    });
  return (
    <div className={styles['conditions']}>
      {shown.length === 0 && <p className={styles['hint']}>{t('always')}</p>}
      {shown.map((name) => (
        <div key={name} role="group" aria-label={t(`condition.${name}`)} className={styles['condition']}>
          <span className={styles['dimension']}>{t(`condition.${name}`)}</span>
          <ConditionInputs name={name} field={field} fields={fields} onChange={onChange} />
          <Button
            kind="quiet"
            isIcon
            aria-label={t('removeCondition', { condition: t(`condition.${name}`) })}
            onPress={() => onChange({ ...fields, shown: shown.filter((each) => each !== name) })}
          >
            <X aria-hidden size={15} />
          </Button>
        </div>
      ))}
      <GroupError field={field} />
      {missing.length > 0 && (
        <div>
          <Menu
            label={t('addCondition')}
            trigger={
              <Button kind="quiet">
                <Plus aria-hidden size={15} />
                {t('addCondition')}
              </Button>
            }
            groups={[
              missing.map((name) => ({
                id: name,
                text: t(`condition.${name}`),
                onAction: () => add(name),
              })),
            ]}
          />
        </div>
      )}
    </div>
  );
}

interface InputProps extends Props {
  name: Condition;
}

function ConditionInputs({ name, field, fields, onChange }: InputProps) {
  const { t } = useTranslation('tariffEditor');
  const set = (bound: Bound, value: string) =>
    onChange({ ...fields, values: { ...fields.values, [bound]: value } });
  if (name === 'days') return <Days field={field} fields={fields} onChange={onChange} />;
  if (name === 'reservation') {
    return (
      <Select
        label={t('condition.reservation')}
        hidesLabel
        options={(['RESERVATION', 'RESERVATION_EXPIRES'] as const).map((id) => ({
          id,
          text: t(`reservation.${id}`),
        }))}
        value={fields.values.reservation ?? null}
        onChange={(value) => set('reservation', value)}
      />
    );
  }
  const type = name === 'time' ? 'time' : name === 'dates' ? 'date' : 'text';
  return conditions[name].map((bound) => (
    <DraftField
      key={bound}
      field={`${field}.${bound}`}
      label={t(`bound.${bound}`)}
      type={type}
      value={fields.values[bound] ?? ''}
      isNumber={type === 'text'}
      onChange={(value) => set(bound, value)}
    />
  ));
}

function Days({ field, fields, onChange }: Props) {
  const formats = useFormats();
  return (
    <div className={styles['days']}>
      {days.map((day) => (
        <Checkbox
          key={day}
          isSelected={fields.days.includes(day)}
          onChange={(isSelected) =>
            onChange({
              ...fields,
              days: days.filter((each) => (each === day ? isSelected : fields.days.includes(each))),
            })
          }
        >
          {weekday(formats, day)}
        </Checkbox>
      ))}
      <GroupError field={`${field}.day_of_week`} />
    </div>
  );
}
