import { useTranslation } from 'react-i18next';
import { numberOf } from '../../../../texts/numbers.ts';
import { usePageZone } from '../../../../texts/page-zone.ts';
import { instantOf, zonedInput } from '../../../../texts/zoned-time.ts';
import { Select, TextArea, TextField } from '../../../../ui/field.tsx';
import { type PartProps, useForm } from './form-context.ts';
import { descriptionOf, type JsonSchema } from './json-schema.ts';

const unset = '';
/** Length in characters from which a text may have several lines, as certificates have. */
const longText = 500;

/** Field of a text, a choice, a number, a time, or yes and no. */
export function ScalarField({ label, path, schema, isRequired, value, onChange }: PartProps) {
  const { t } = useTranslation(['ocpp', 'common']);
  const timeZone = usePageZone();
  const problem = useForm().problems.get(path);
  const name = isRequired ? `${label} (${t('form.required')})` : label;
  const choices = choicesOf(schema, { true: t('common:yes'), false: t('common:no') });
  if (choices !== null) {
    const options = choices.map(({ value: id, text }) => ({ id: String(id), text }));
    return (
      <Select
        label={name}
        options={isRequired ? options : [{ id: unset, text: t('form.unset') }, ...options]}
        value={value === undefined ? (isRequired ? null : unset) : textOf(value)}
        placeholder={t('form.choose')}
        description={descriptionOf(schema)}
        errorMessage={problem}
        onChange={(id) => onChange(choices.find((choice) => String(choice.value) === id)?.value)}
      />
    );
  }
  const field = {
    label: name,
    description: [
      descriptionOf(schema),
      limitOf(schema, t('form.maxLength', { count: schema.maxLength ?? 0 })),
    ]
      .filter((part) => part !== undefined)
      .join(' '),
    isInvalid: problem !== undefined,
    ...(problem !== undefined && { errorMessage: problem }),
  };
  if (schema.format === 'date-time') {
    return (
      <TextField
        {...field}
        type="datetime-local"
        value={
          typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? zonedInput(value, timeZone) : ''
        }
        onChange={(text) => onChange(instantOf(text, timeZone))}
      />
    );
  }
  const isNumber = schema.type === 'integer' || schema.type === 'number';
  const change = (text: string) => onChange(text === '' ? undefined : isNumber ? valueOf(text) : text);
  const shown = textOf(value);
  if (!isNumber && (schema.maxLength ?? 0) > longText)
    return <TextArea {...field} value={shown} onChange={change} />;
  return (
    <TextField
      {...field}
      value={shown}
      onChange={change}
      {...(isNumber && { inputMode: 'decimal' as const })}
    />
  );
}

function choicesOf(schema: JsonSchema, words: { true: string; false: string }) {
  if (schema.type === 'boolean')
    return [true, false].map((value) => ({ value, text: value ? words.true : words.false }));
  return schema.enum?.map((value) => ({ value, text: value })) ?? null;
}

const limitOf = ({ maxLength, format }: JsonSchema, text: string) =>
  maxLength === undefined || format === 'date-time' ? undefined : text;

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the number, or the text itself, which the check then refuses. */
function valueOf(text: string): number | string {
  return /[.,]$/.test(text) ? text : (numberOf(text) ?? text);
}
