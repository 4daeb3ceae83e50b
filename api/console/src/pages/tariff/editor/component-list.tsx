import { Plus, Trash2 } from '../../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { dimensions } from '../prices/price-words.ts';
import type { ComponentFields } from './draft.ts';
import { DraftField, GroupError } from './field-errors.tsx';
import styles from './editor.module.css';

interface Props {
  field: string;
  components: readonly ComponentFields[];
  currency: string;
  onChange: (components: readonly ComponentFields[]) => void;
}

/** Prices of an element: at most one for each dimension. */
export function ComponentList({ field, components, currency, onChange }: Props) {
  const { t } = useTranslation(['tariffEditor', 'tariffs']);
  const missing = dimensions.filter((type) => components.every((component) => component.type !== type));
  const vat = components.find((component) => component.vat !== '')?.vat ?? '';
  return (
    <div className={styles['components']}>
      {components.map((component, index) => (
        <div
          key={component.type}
          role="group"
          aria-label={t(`tariffs:dimension.${component.type}`)}
          className={styles['component']}
        >
          <span className={styles['dimension']}>{t(`tariffs:dimension.${component.type}`)}</span>
          <DraftField
            field={`${field}.${index}.price`}
            label={t(`priceOf.${component.type}`, { currency })}
            value={component.price}
            isNumber
            onChange={(price) => onChange(replaced(components, index, { price }))}
          />
          <DraftField
            field={`${field}.${index}.vat`}
            label={t('vat')}
            value={component.vat}
            placeholder={t('noVat')}
            isNumber
            onChange={(next) => onChange(replaced(components, index, { vat: next }))}
          />
          {component.type === 'FLAT' ? (
            <span />
          ) : (
            <DraftField
              field={`${field}.${index}.step_size`}
              label={t(component.type === 'ENERGY' ? 'stepWh' : 'stepSeconds')}
              value={component.step}
              isNumber
              onChange={(step) => onChange(replaced(components, index, { step }))}
            />
          )}
          <Button
            kind="quiet"
            isIcon
            isDisabled={components.length === 1}
            aria-label={t('removePrice', { dimension: t(`tariffs:dimension.${component.type}`) })}
            onPress={() => onChange(components.toSpliced(index, 1))}
          >
            <Trash2 aria-hidden size={15} />
          </Button>
        </div>
      ))}
      <GroupError field={field} />
      <div className={styles['adds']}>
        {missing.map((type) => (
          <Button
            key={type}
            kind="quiet"
            onPress={() => onChange([...components, { type, price: '', vat, step: '1' }])}
          >
            <Plus aria-hidden size={15} />
            {t(`tariffs:dimension.${type}`)}
          </Button>
        ))}
      </div>
    </div>
  );
}

function replaced(
  components: readonly ComponentFields[],
  index: number,
  changed: Partial<ComponentFields>,
): ComponentFields[] {
  return components.map((component, at) => (at === index ? { ...component, ...changed } : component));
}
