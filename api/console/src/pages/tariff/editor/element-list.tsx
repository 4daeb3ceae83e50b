import { Plus, ArrowDown, ArrowUp, Copy, Trash2 } from '../../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { type ElementFields, newElement, nextId, usualVat, type ComponentFields } from './draft.ts';
import { GroupError, DraftField } from './field-errors.tsx';
import styles from './editor.module.css';
import { ConditionList } from './condition-list.tsx';
import { dimensions } from '../prices/price-words.ts';

const maxElements = 100;

interface Props {
  elements: readonly ElementFields[];
  currency: string;
  onChange: (elements: readonly ElementFields[]) => void;
}

/** Elements of a tariff in their order: of each component, the first whose conditions hold applies. */
export function ElementList({ elements, currency, onChange }: Props) {
  const { t } = useTranslation('tariffEditor');
  const move = (from: number, to: number) => {
    const [moved] = elements.slice(from, from + 1);
    if (moved === undefined) return;
    onChange(elements.toSpliced(from, 1).toSpliced(to, 0, moved));
    // It moved in the document: the focus goes with it.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`#element-${moved.id}`)?.focus());
  };
  const add = (element: ElementFields) => onChange([...elements, { ...element, id: nextId(elements) }]);
  return (
    <section className={styles['elements']} aria-label={t('elements')}>
      <header>
        <h2>{t('elements')}</h2>
        <p className={styles['hint']}>{t('elementsHint')}</p>
      </header>
      <GroupError field="elements" />
      {elements.map((element, index) => (
        <ElementEditor
          key={element.id}
          element={element}
          index={index}
          count={elements.length}
          currency={currency}
          onChange={(changed) =>
            onChange(elements.map((each) => (each.id === element.id ? { ...each, ...changed } : each)))
          }
          onMove={(to) => move(index, to)}
          onDuplicate={() => add(element)}
          onRemove={() => onChange(elements.filter(({ id }) => id !== element.id))}
        />
      ))}
      <div>
        <Button
          isDisabled={elements.length >= maxElements}
          onPress={() => add(newElement(0, 'ENERGY', usualVat({ elements })))}
        >
          <Plus aria-hidden size={15} />
          {t('addElement')}
        </Button>
      </div>
    </section>
  );
}

interface ElementEditorProps {
  element: ElementFields;
  index: number;
  count: number;
  currency: string;
  onChange: (changed: Partial<ElementFields>) => void;
  onMove: (to: number) => void;
  onDuplicate: () => void;
  onRemove: () => void;
}

/** One element: its prices, its conditions, and its position among the others. */
function ElementEditor({
  element,
  index,
  count,
  currency,
  onChange,
  onMove,
  onDuplicate,
  onRemove,
}: ElementEditorProps) {
  const { t } = useTranslation('tariffEditor');
  const number = index + 1;
  const title = t('element', { number });
  const actions = [
    { id: 'up', icon: ArrowUp, isDisabled: index === 0, run: () => onMove(index - 1) },
    { id: 'down', icon: ArrowDown, isDisabled: number === count, run: () => onMove(index + 1) },
    { id: 'copy', icon: Copy, isDisabled: false, run: onDuplicate },
    { id: 'remove', icon: Trash2, isDisabled: count === 1, run: onRemove },
  ] as const;
  return (
    <section id={`element-${element.id}`} aria-label={title} tabIndex={-1} className={styles['element']}>
      <header className={styles['elementHeader']}>
        <h3>{title}</h3>
        <div>
          {actions.map(({ id, icon: Icon, isDisabled, run }) => (
            <Button
              key={id}
              kind="quiet"
              isIcon
              isDisabled={isDisabled}
              aria-label={t(`elementAction.${id}`, { number })}
              onPress={run}
            >
              <Icon aria-hidden size={15} />
            </Button>
          ))}
        </div>
      </header>
      <ComponentList
        field={`elements.${index}.price_components`}
        components={element.components}
        currency={currency}
        onChange={(components) => onChange({ components })}
      />
      <ConditionList
        field={`elements.${index}.restrictions`}
        fields={element.conditions}
        onChange={(conditions) => onChange({ conditions })}
      />
    </section>
  );
}

interface ComponentListProps {
  field: string;
  components: readonly ComponentFields[];
  currency: string;
  onChange: (components: readonly ComponentFields[]) => void;
}

/** Prices of an element: at most one for each dimension. */
function ComponentList({ field, components, currency, onChange }: ComponentListProps) {
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
