import { Columns3 } from '../icons/icons.ts';
import { useState } from 'react';
import { Dialog as AriaDialog, DialogTrigger, Popover } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { Button } from '../button.tsx';
import { Checkbox } from '../checkbox.tsx';
import { useIsPhone } from '../media.ts';
import { type Column, isShownAtFirst } from './columns.ts';
import styles from './column-choice.module.css';

/** Returns the ids of the shown columns of a table, which the browser keeps, and sets them. */
export function useShownColumns<Row>(
  table: string,
  columns: readonly Column<Row>[],
): [shown: readonly string[], choose: (shown: readonly string[]) => void] {
  const key = `columns.${table}`;
  const [chosen, setChosen] = useState(() => localStorage.getItem(key)?.split(' ') ?? null);
  const isPhone = useIsPhone();
  const shown = chosen ?? columns.filter((column) => isShownAtFirst(column, isPhone)).map(({ id }) => id);
  const choose = (next: readonly string[]) => {
    localStorage.setItem(key, next.join(' '));
    setChosen([...next]);
  };
  return [shown, choose];
}

/** Choice of the columns that a table shows. At least one stays. */
export function ColumnChoice<Row>({
  columns,
  shown,
  onChoose,
}: {
  columns: readonly Column<Row>[];
  shown: readonly string[];
  onChoose: (shown: readonly string[]) => void;
}) {
  const { t } = useTranslation();
  return (
    <DialogTrigger>
      <Button kind="quiet">
        <Columns3 aria-hidden size={15} />
        {t('table.columns')}
      </Button>
      <Popover className={styles['popover']} placement="bottom end">
        <AriaDialog aria-label={t('table.columns')} className={styles['list']}>
          {columns.map(({ id, title }) => (
            <Checkbox
              key={id}
              isSelected={shown.includes(id)}
              onChange={(isSelected) => {
                const next = isSelected ? [...shown, id] : shown.filter((each) => each !== id);
                if (next.length > 0) onChoose(next);
              }}
            >
              {title}
            </Checkbox>
          ))}
        </AriaDialog>
      </Popover>
    </DialogTrigger>
  );
}
