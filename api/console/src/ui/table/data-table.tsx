import { useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from '../icons/icons.ts';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Skeleton } from '../skeleton.tsx';
import { useIsPhone } from '../media.ts';
import { type Column, features, gridTemplate, isShownAtFirst, tableColumns } from './columns.ts';
import type { Sort } from './sort.ts';
import { SelectAllCell, SelectCell, type Selection, selectionWidth } from './selection.tsx';
import styles from './data-table.module.css';

interface Props<Row> {
  label: string;
  columns: readonly Column<Row>[];
  /** Ids of the shown columns, in the order of `columns`. */
  shown?: readonly string[];
  /** Number of all rows, loaded or not. */
  count: number;
  /** Returns a row, or undefined while it is not loaded. */
  rowAt: (index: number) => Row | undefined;
  keyOf: (row: Row) => string;
  /** Reports the rows that are in view, so that they are loaded. */
  onRange?: (first: number, last: number) => void;
  sort?: Sort | undefined;
  onSort?: (sort: Sort) => void;
  /** Opens a row: press, Enter. */
  onOpen?: (row: Row) => void;
  selectedKey?: string | undefined;
  /** Boxes before the rows; the space bar chooses a row. */
  selection?: Selection<Row> | undefined;
  rowHeight?: number;
  /** Height of the body: `fill` takes the place that the page leaves, a number limits it. */
  height?: 'fill' | number;
}

/**
 * Virtual table: as many rows as the server has, of which those in view exist. Arrow keys and j/k move, Enter opens,
 * Home and End jump, the space bar chooses.
 */
export function DataTable<Row>({
  label,
  columns,
  shown,
  count,
  rowAt,
  keyOf,
  onRange,
  sort,
  onSort,
  onOpen,
  selectedKey,
  selection,
  rowHeight = 32,
  height = 'fill',
}: Props<Row>) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const isPhone = useIsPhone();
  const visible = useMemo(() => {
    const chosen = columns.filter((column) =>
      shown === undefined ? isShownAtFirst(column, isPhone) : shown.includes(column.id),
    );
    return isPhone ? chosen.map((column) => ({ ...column, width: column.phone || column.width })) : chosen;
  }, [columns, shown, isPhone]);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  useEffect(() => {
    if (last >= first) onRange?.(first, last);
  }, [first, last, onRange]);

  const definitions = useMemo(() => tableColumns(visible), [visible]);
  // TanStack Table renders the rows in view; the server sorts and filters.
  const table = useTable({
    features,
    columns: definitions,
    data: items.map(({ index }) => ({ row: rowAt(index) })),
  });
  const rows = table.getRowModel().rows;
  const boxes = selection === undefined ? 0 : selectionWidth;
  const columnTracks = gridTemplate(visible);
  const template = { gridTemplateColumns: boxes === 0 ? columnTracks : `${boxes}px ${columnTracks}` };
  // Head and body are as wide as their columns, so that both grow alike.
  const minWidth = visible.reduce((sum, { width }) => sum + width, boxes);

  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const target = event.target as HTMLElement;
    const index = Number(target.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? -1);
    if (event.ctrlKey || event.metaKey || event.altKey || isTextInput(target)) return;
    const goals: Record<string, number> = {
      ArrowDown: index + 1,
      j: index + 1,
      ArrowUp: index - 1,
      k: index - 1,
      Home: 0,
      End: count - 1,
      PageDown: index + 20,
      PageUp: index - 20,
    };
    const goal = goals[event.key];
    if (goal === undefined || count === 0) return;
    event.preventDefault();
    const bounded = Math.max(0, Math.min(count - 1, goal));
    virtualizer.scrollToIndex(bounded);
    // The row exists after the next frame.
    requestAnimationFrame(() => {
      scroller.current?.querySelector<HTMLElement>(`[data-index="${bounded}"]`)?.focus();
    });
  };

  return (
    <div
      ref={scroller}
      className={styles['scroller']}
      style={height === 'fill' ? undefined : { maxHeight: height }}
      data-fill={height === 'fill'}
      role="table"
      aria-label={label}
      aria-rowcount={count + 1}
      onKeyDown={move}
    >
      <div role="rowgroup" className={styles['head']} style={{ minWidth }}>
        <div role="row" aria-rowindex={1} className={styles['row']} style={template}>
          {selection !== undefined && <SelectAllCell selection={selection} />}
          {visible.map((column) => (
            <HeaderCell
              key={column.id}
              column={column}
              sort={sort}
              onSort={onSort}
              words={[t('table.sortedAscending'), t('table.sortedDescending')]}
            />
          ))}
        </div>
      </div>
      <div
        role="rowgroup"
        className={styles['body']}
        style={{ height: virtualizer.getTotalSize(), minWidth }}
      >
        {items.map((item, position) => {
          const row = rowAt(item.index);
          const key = row === undefined ? `row-${item.index}` : keyOf(row);
          return (
            <div
              key={key}
              role="row"
              tabIndex={item.index === first ? 0 : -1}
              data-index={item.index}
              aria-rowindex={item.index + 2}
              aria-selected={row !== undefined && selectedKey === key}
              className={`${styles['row']} ${onOpen === undefined ? '' : styles['opens']}`}
              style={{ ...template, height: rowHeight, transform: `translateY(${item.start}px)` }}
              onClick={(event) => {
                const isControl = (event.target as HTMLElement).closest('a, button, input, label') !== null;
                if (row !== undefined && !isControl) onOpen?.(row);
              }}
              onKeyDown={(event) => {
                if (event.target !== event.currentTarget || row === undefined) return;
                if (event.key === 'Enter') onOpen?.(row);
                if (event.key !== ' ' || selection === undefined || selection.isAll) return;
                event.preventDefault();
                selection.toggle(key);
              }}
            >
              {selection !== undefined && <SelectCell selection={selection} row={row} rowKey={key} />}
              {row === undefined
                ? visible.map(({ id }) => (
                    <div key={id} role="cell" className={styles['cell']}>
                      <Skeleton width="70%" height={10} />
                    </div>
                  ))
                : rows[position]?.getAllCells().map((cell, index) => (
                    <div
                      key={cell.id}
                      role="cell"
                      className={`${styles['cell']} ${visible[index]?.isNumber === true ? styles['number'] : ''}`}
                    >
                      <table.FlexRender cell={cell} />
                    </div>
                  ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Returns true in fields in which arrow keys and letters mean something. */
const isTextInput = (target: HTMLElement) => target instanceof HTMLInputElement && target.type !== 'checkbox';

function HeaderCell<Row>({
  column: { title, isNumber = false, sortBy },
  sort,
  onSort,
  words,
}: {
  column: Column<Row>;
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
  words: [ascending: string, descending: string];
}) {
  const isSorted = sortBy !== undefined && sort?.by === sortBy;
  const isDescending = isSorted && sort.isDescending;
  const direction = isDescending ? 'descending' : 'ascending';
  return (
    <div
      role="columnheader"
      aria-sort={isSorted ? direction : undefined}
      className={`${styles['cell']} ${styles['header']} ${isNumber ? styles['number'] : ''}`}
    >
      {sortBy === undefined || onSort === undefined ? (
        title
      ) : (
        <button
          type="button"
          className={styles['sort']}
          title={isSorted ? words[isDescending ? 1 : 0] : undefined}
          onClick={() => onSort({ by: sortBy, isDescending: isSorted && !isDescending })}
        >
          {title}
          {isSorted &&
            (isDescending ? <ArrowDown aria-hidden size={13} /> : <ArrowUp aria-hidden size={13} />)}
        </button>
      )}
    </div>
  );
}
