import { ArrowDown, ArrowUp, Copy, Trash2 } from '../../../ui/icons/icons.ts';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { ComponentList } from './component-list.tsx';
import { ConditionList } from './condition-list.tsx';
import type { ElementFields } from './draft.ts';
import styles from './editor.module.css';

interface Props {
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
export function ElementEditor({
  element,
  index,
  count,
  currency,
  onChange,
  onMove,
  onDuplicate,
  onRemove,
}: Props) {
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
