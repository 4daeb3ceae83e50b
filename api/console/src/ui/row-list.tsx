import { Plus, X } from './icons/icons.ts';
import { type ReactNode, useId } from 'react';
import { Button } from './button.tsx';
import styles from './row-list.module.css';

interface Props<Row> {
  label: string;
  description?: string | undefined;
  rows: readonly Row[];
  /** Rows that the API accepts at most. */
  max: number;
  /** Text of the button that adds a row. */
  add: string;
  /** Name of the button that removes a row. */
  remove: (index: number) => string;
  create: () => Row;
  onChange: (rows: Row[]) => void;
  /** Returns the fields of a row. `change` changes some of its values. */
  children: (row: Row, change: (part: Partial<Row>) => void, index: number) => ReactNode;
}

/** List of a form whose rows are added, edited and removed. */
export function RowList<Row extends object>({
  label,
  description,
  rows,
  max,
  add,
  remove,
  create,
  onChange,
  children,
}: Props<Row>) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className={styles['list']}>
      <span id={id} className={styles['label']}>
        {label}
      </span>
      {description !== undefined && <p className={styles['description']}>{description}</p>}
      {rows.map((row, index) => (
        // Rows have no identity of their own.
        <div key={`${index}-${rows.length}`} className={styles['row']}>
          <div className={styles['fields']}>
            {children(
              row,
              (part) => onChange(rows.map((each, at) => (at === index ? { ...each, ...part } : each))),
              index,
            )}
          </div>
          <Button
            kind="quiet"
            isIcon
            aria-label={remove(index)}
            onPress={() => onChange(rows.filter((_, at) => at !== index))}
          >
            <X aria-hidden size={15} />
          </Button>
        </div>
      ))}
      <div>
        <Button isDisabled={rows.length >= max} onPress={() => onChange([...rows, create()])}>
          <Plus aria-hidden size={15} />
          {add}
        </Button>
      </div>
    </div>
  );
}
