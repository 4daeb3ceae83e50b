import { columnVisibilityFeature, createColumnHelper, tableFeatures } from '@tanstack/react-table';
import type { ReactNode } from 'react';

export const features = tableFeatures({ columnVisibilityFeature });

/** Column of a data table. */
export interface Column<Row> {
  id: string;
  title: string;
  /** Width in px. `grow` columns share what is left, from this width on. */
  width: number;
  grow?: boolean;
  /** Width in px on a phone. False: hidden there until it is chosen. Left out: as elsewhere. */
  phone?: number | false;
  /** Figures are aligned at the right. */
  isNumber?: boolean;
  /** Name by which the server sorts. Left out: the column is not sortable. */
  sortBy?: string;
  /** False: hidden until it is chosen. */
  isShown?: boolean;
  cell: (row: Row) => ReactNode;
}

/** Returns whether a column is shown before anything is chosen. */
export function isShownAtFirst<Row>({ isShown = true, phone }: Column<Row>, isPhone: boolean): boolean {
  return isShown && !(isPhone && phone === false);
}

/** Columns in the form of TanStack Table. */
export function tableColumns<Row>(columns: readonly Column<Row>[]) {
  const helper = createColumnHelper<typeof features, { row: Row | undefined }>();
  return columns.map((column) =>
    helper.display({
      id: column.id,
      header: column.title,
      cell: ({ row }) => (row.original.row === undefined ? null : column.cell(row.original.row)),
    }),
  );
}

/** Template of a grid row with these columns. */
export function gridTemplate<Row>(columns: readonly Column<Row>[]): string {
  return columns
    .map(({ width, grow = false }) => (grow ? `minmax(${width}px, ${width}fr)` : `${width}px`))
    .join(' ');
}

/** Returns the columns of a table of values by id. */
export function columnsOf<Row, Id extends string>(
  columns: Record<Id, Omit<Column<Row>, 'id' | 'title'>>,
  titleOf: (id: Id) => string,
): Column<Row>[] {
  const ids = Object.keys(columns) as Id[];
  return ids.map((id) => ({ id, title: titleOf(id), ...columns[id] }));
}
