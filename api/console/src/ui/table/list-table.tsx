import type { UseQueryResult } from '@tanstack/react-query';
import { StaleNotice } from '../stale-notice.tsx';
import page from '../list-page.module.css';
import type { HeldRows } from './use-held-rows.ts';
import type { ComponentProps, ReactNode } from 'react';
import { ErrorNotice } from '../notice.tsx';
import { DataTable } from './data-table.tsx';

/** Rows of a query, as `useCursorList` returns them. */
interface RowList<Row> {
  error: Error | null;
  /** Undefined until the first rows are read. */
  data: unknown;
  refetch: () => unknown;
  count: number;
  rowAt: (index: number) => Row | undefined;
  onRange?: (first: number, last: number) => void;
}

type TableProps<Row> = Omit<ComponentProps<typeof DataTable<Row>>, 'count' | 'rowAt' | 'onRange' | 'keyOf'>;

interface Props<Row> extends TableProps<Row> {
  list: RowList<Row>;
  /** Shown in place of a table without rows. */
  empty: ReactNode;
  /** Number of rows shown as loading before the first page. */
  rowsAhead?: number;
}

/** Returns the rows of a query that reads all of them at once. */
export const allRows = <Row,>(
  query: Pick<UseQueryResult<readonly Row[]>, 'data' | 'error' | 'refetch'>,
): RowList<Row> => ({
  ...query,
  count: query.data?.length ?? 0,
  rowAt: (index) => query.data?.[index],
});

/** Table of a list: its rows, the error of the first page, or the words for an empty list. */
export function ListTable<Row extends { id: string | number }>({
  list,
  empty,
  rowsAhead = 20,
  ...table
}: Props<Row>) {
  const { error, data, refetch, count, rowAt, onRange } = list;
  if (error !== null && data === undefined) return <ErrorNotice error={error} retry={() => void refetch()} />;
  if (data !== undefined && count === 0) return empty;
  return (
    <DataTable
      {...table}
      count={data === undefined ? rowsAhead : count}
      rowAt={rowAt}
      keyOf={({ id }) => String(id)}
      {...(onRange !== undefined && { onRange })}
    />
  );
}

/** List of a page, which fills the height that the page leaves, with a notice while its rows are old. */
export function PageList<Row extends { id: string | number }>({
  list,
  held,
  isBusy = false,
  className = page['list'],
  ...table
}: Omit<Props<Row>, 'list'> & {
  list: RowList<Row> & ComponentProps<typeof StaleNotice>['query'];
  /** Rows that wait above the list while it is read. */
  held?: HeldRows<Row>;
  isBusy?: boolean;
  className?: string | undefined;
}) {
  const shown =
    held === undefined
      ? list
      : { ...list, count: list.count - held.waiting, rowAt: (index: number) => held.rows[index] };
  return (
    <>
      <StaleNotice query={list} />
      <div className={className} aria-busy={isBusy} {...held?.handlers}>
        <ListTable {...table} list={shown} />
      </div>
    </>
  );
}
