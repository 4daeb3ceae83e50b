import { Plus } from '../../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { type ElementFields, newElement, nextId, usualVat } from './draft.ts';
import { ElementEditor } from './element-editor.tsx';
import { GroupError } from './field-errors.tsx';
import styles from './editor.module.css';

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
