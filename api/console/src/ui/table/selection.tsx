import { useTranslation } from 'react-i18next';
import styles from './selection.module.css';

/** Choice of rows, for what is done with many of them. */
export interface Selection<Row> {
  isSelected: (key: string) => boolean;
  /** True: every row of the list is chosen, loaded or not, and none can be left out. */
  isAll: boolean;
  toggle: (key: string) => void;
  toggleAll: () => void;
  /** Name of a row, for its box. */
  nameOf: (row: Row) => string;
}

/** Width in px of the column of boxes. */
export const selectionWidth = 40;

interface BoxProps {
  label: string;
  isSelected: boolean;
  isDisabled?: boolean;
  /** False: reached by its row and the space bar, so that the tab key passes the table. */
  isStop?: boolean;
  onToggle: () => void;
}

function Box({ label, isSelected, isDisabled = false, isStop = true, onToggle }: BoxProps) {
  return (
    <label className={styles['box']}>
      <input
        type="checkbox"
        aria-label={label}
        checked={isSelected}
        disabled={isDisabled}
        tabIndex={isStop ? 0 : -1}
        onChange={onToggle}
      />
    </label>
  );
}

/** Box in the head of a table, which chooses all rows. */
export function SelectAllCell<Row>({ selection: { isAll, toggleAll } }: { selection: Selection<Row> }) {
  const { t } = useTranslation();
  return (
    <div role="columnheader" className={styles['cell']}>
      <Box label={t('table.selectAll')} isSelected={isAll} onToggle={toggleAll} />
    </div>
  );
}

/** Box of a row. */
export function SelectCell<Row>({
  selection: { isSelected, isAll, toggle, nameOf },
  row,
  rowKey,
}: {
  selection: Selection<Row>;
  row: Row | undefined;
  rowKey: string;
}) {
  const { t } = useTranslation();
  return (
    <div role="cell" className={styles['cell']}>
      {row !== undefined && (
        <Box
          label={t('table.select', { name: nameOf(row) })}
          isSelected={isAll || isSelected(rowKey)}
          isDisabled={isAll}
          isStop={false}
          onToggle={() => toggle(rowKey)}
        />
      )}
    </div>
  );
}
