import { newChargerRegistrations } from '#shared/domain/fleet/registration.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../texts/formats.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { fieldErrors } from '../../ui/field-errors.tsx';
import { Select, TextArea, TextField } from '../../ui/field.tsx';
import type { FieldName, sections } from './network-fields.ts';
import { ZoneChoice } from './zone-choice.tsx';

/** Fields with a sentence that explains them. */
const explained = [
  'timeZone',
  'language',
  'partyId',
  'iban',
  'bankAccount',
  'logoUrl',
  'primaryColor',
  'secondaryColor',
  'minimumBalance',
  'personalDataDays',
  'rateLimitPerMinute',
] as const;

interface Props {
  field: (typeof sections)[number]['fields'][number];
  value: string | boolean;
  currency: string;
  isReadOnly: boolean;
  /** The text is no number. */
  isWrongNumber: boolean;
  error: unknown;
  onChange: (name: FieldName, value: string | boolean) => void;
}

/** One field of a network. */
export function NetworkField({ field, value, currency, isReadOnly, isWrongNumber, error, onChange }: Props) {
  const { t } = useTranslation('networks');
  const formats = useFormats();
  const { name, kind, isCode, maxLength } = field;
  const hint = explained.find((each) => each === name);
  const description = hint === undefined ? undefined : t(`hint.${hint}`);
  const state = isWrongNumber
    ? { isInvalid: true, errorMessage: t('noNumber', { example: formats.number(1.5) }) }
    : fieldErrors(error)(name);
  if (kind === 'switch') {
    return (
      <Checkbox isSelected={value === true} isDisabled={isReadOnly} onChange={(next) => onChange(name, next)}>
        {t(`field.${name}`)}
      </Checkbox>
    );
  }
  const text = String(value);
  if (kind === 'zone') {
    return (
      <ZoneChoice value={text} isDisabled={isReadOnly} onChange={(timeZone) => onChange(name, timeZone)} />
    );
  }
  if (kind === 'registration') {
    return (
      <Select
        label={t(`field.${name}`)}
        options={newChargerRegistrations.map((id) => ({ id, text: t(`registration.${id}`) }))}
        value={text}
        isDisabled={isReadOnly}
        onChange={(id) => onChange(name, id)}
      />
    );
  }
  const shared = {
    label: name === 'minimumBalance' ? `${t('field.minimumBalance')} (${currency})` : t(`field.${name}`),
    value: text,
    isReadOnly,
    description,
    onChange: (next: string) => onChange(name, isCode === true ? next.toUpperCase() : next),
    ...(maxLength !== undefined && { maxLength }),
    ...state,
  };
  if (kind === 'lines') return <TextArea {...shared} rows={3} />;
  return (
    <TextField
      {...shared}
      {...(kind === 'number' && { inputMode: 'decimal' as const })}
      {...(kind === 'color' && { placeholder: '#0a5c8f' })}
    />
  );
}
