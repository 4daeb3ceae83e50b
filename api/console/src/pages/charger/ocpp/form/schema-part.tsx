import { type PartProps, useForm } from './form-context.ts';
import { ObjectPart, Description, Required } from './object-part.tsx';
import { Plus, X } from '../../../../ui/icons/icons.ts';
import { type ComponentType, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/button.tsx';
import { initialValue, resolved, descriptionOf, type JsonSchema } from './json-schema.ts';
import { pathOf } from './problems.ts';
import styles from './form.module.css';
import { numberOf } from '../../../../texts/numbers.ts';
import { usePageZone } from '../../../../texts/page-zone.ts';
import { instantOf, zonedInput } from '../../../../texts/zoned-time.ts';
import { Select, TextArea, TextField } from '../../../../ui/field.tsx';

/** Part of a form by the type of its schema: an object, a list, or a field. */
export function SchemaPart(props: PartProps) {
  if (props.schema.type === 'object') return <ObjectPart {...props} part={SchemaPart} />;
  if (props.schema.type === 'array') return <ListPart {...props} part={SchemaPart} />;
  return <ScalarField {...props} />;
}

interface Props extends PartProps {
  part: ComponentType<PartProps>;
}

/** List within a form, whose items are added and removed. */
function ListPart({ part: Part, label, path, schema, isRequired, value, onChange }: Props) {
  const { t } = useTranslation('ocpp');
  const { root, problems } = useForm();
  const id = useId();
  const items: unknown[] = Array.isArray(value) ? value : [];
  const item = resolved(schema.items ?? {}, root);
  const { maxItems } = schema;
  // A list that is not required is left out when it is empty.
  const change = (next: unknown[]) => onChange(next.length === 0 && !isRequired ? undefined : next);
  const hasPlace = maxItems === undefined || items.length < maxItems;
  return (
    <div role="group" aria-labelledby={id} className={styles['group']}>
      <div className={styles['legend']}>
        <h4 id={id}>
          {label}
          {isRequired && <Required />}
        </h4>
      </div>
      <Description schema={schema} />
      {problems.has(path) && <p className={styles['problem']}>{problems.get(path)}</p>}
      {items.map((each, index) => (
        // Items have no identity of their own.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={styles['item']}>
          <Part
            label={`${label} ${index + 1}`}
            path={pathOf(path, index)}
            schema={item}
            isRequired
            value={each}
            onChange={(next) => change(items.with(index, next))}
          />
          <Button
            kind="quiet"
            isIcon
            aria-label={t('form.remove', { name: `${label} ${index + 1}` })}
            onPress={() => change(items.toSpliced(index, 1))}
          >
            <X aria-hidden size={15} />
          </Button>
        </div>
      ))}
      {hasPlace && (
        <div>
          <Button kind="quiet" onPress={() => change([...items, initialValue(item, root) ?? ''])}>
            <Plus aria-hidden size={15} />
            {t('form.add', { name: label })}
          </Button>
        </div>
      )}
    </div>
  );
}

const unset = '';
/** Length in characters from which a text may have several lines, as certificates have. */
const longText = 500;

/** Field of a text, a choice, a number, a time, or yes and no. */
function ScalarField({ label, path, schema, isRequired, value, onChange }: PartProps) {
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
