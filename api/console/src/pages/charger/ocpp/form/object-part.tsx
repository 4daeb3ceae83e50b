import { Plus, X } from '../../../../ui/icons/icons.ts';
import { type ComponentType, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/button.tsx';
import { type PartProps, useForm } from './form-context.ts';
import { descriptionOf, initialValue, type JsonSchema, propertiesOf } from './json-schema.ts';
import { pathOf } from './problems.ts';
import styles from './form.module.css';

interface Props extends PartProps {
  part: ComponentType<PartProps>;
}

/** Object within a form. One that is not required can be added and removed. */
export function ObjectPart({ part, ...props }: Props) {
  const { t } = useTranslation('ocpp');
  const { root, problems } = useForm();
  const id = useId();
  const { label, path, schema, isRequired, value, onChange } = props;
  if (value === undefined) {
    return (
      <div>
        <Button kind="quiet" onPress={() => onChange(initialValue(schema, root))}>
          <Plus aria-hidden size={15} />
          {t('form.add', { name: label })}
        </Button>
        {problems.has(path) && <p className={styles['problem']}>{problems.get(path)}</p>}
      </div>
    );
  }
  return (
    <div role="group" aria-labelledby={id} className={styles['group']}>
      <div className={styles['legend']}>
        <h4 id={id}>
          {label}
          {isRequired && <Required />}
        </h4>
        {!isRequired && (
          <Button
            kind="quiet"
            isIcon
            aria-label={t('form.remove', { name: label })}
            onPress={() => onChange(undefined)}
          >
            <X aria-hidden size={15} />
          </Button>
        )}
      </div>
      <Description schema={schema} />
      <ObjectFields part={part} path={path} schema={schema} value={value} onChange={onChange} />
    </div>
  );
}

/** Fields of an object, the required ones first. */
export function ObjectFields({
  part: Part,
  path,
  schema,
  value,
  onChange,
}: {
  part: ComponentType<PartProps>;
  path: string;
  schema: JsonSchema;
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const { root } = useForm();
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const change = (name: string, next: unknown) => {
    const { [name]: _, ...rest } = fields;
    onChange(next === undefined ? rest : { ...fields, [name]: next });
  };
  return (
    <div className={styles['fields']}>
      {propertiesOf(schema, root).map((property) => (
        <Part
          key={property.name}
          label={property.name}
          path={pathOf(path, property.name)}
          schema={property.schema}
          isRequired={property.isRequired}
          value={fields[property.name]}
          onChange={(next) => change(property.name, next)}
        />
      ))}
    </div>
  );
}

/** Description of the standard. */
export function Description({ schema }: { schema: JsonSchema }) {
  const text = descriptionOf(schema);
  return text === undefined ? null : <p className={styles['description']}>{text}</p>;
}

/** Mark of what must be filled in. */
export function Required() {
  const { t } = useTranslation('ocpp');
  return <span className={styles['required']}>{t('form.required')}</span>;
}
