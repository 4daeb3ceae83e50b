import { Plus, X } from '../../../../ui/icons/icons.ts';
import { type ComponentType, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/button.tsx';
import { type PartProps, useForm } from './form-context.ts';
import { initialValue, resolved } from './json-schema.ts';
import { Description, Required } from './object-part.tsx';
import { pathOf } from './problems.ts';
import styles from './form.module.css';

interface Props extends PartProps {
  part: ComponentType<PartProps>;
}

/** List within a form, whose items are added and removed. */
export function ListPart({ part: Part, label, path, schema, isRequired, value, onChange }: Props) {
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
