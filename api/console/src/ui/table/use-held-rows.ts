import { useMemo, useState } from 'react';

interface Handlers {
  onPointerEnter: () => void;
  onPointerLeave: () => void;
  onFocus: () => void;
  onBlur: () => void;
  onScrollCapture: (event: { target: EventTarget }) => void;
}

/** List whose new rows wait above it while it is being read. */
export interface HeldRows<Row> {
  rows: readonly Row[];
  /** Number of rows that wait. */
  waiting: number;
  show: () => void;
  /** Handlers of the element around the table, by which reading is noticed. */
  handlers: Handlers;
}

/**
 * Holds new rows of a list, newest first, back while the pointer or the focus is in its table, or while it is
 * scrolled: rows would jump. Once rows wait, they wait for `show`.
 * @param list name of the list, by its filters; null holds nothing: another order, or rows of another list
 */
export function useHeldRows<Row extends { id: string }>(
  rows: readonly Row[],
  list: string | null,
): HeldRows<Row> {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [isScrolled, setScrolled] = useState(false);
  // Rows that are above the new ones; null: none wait.
  const [known, setKnown] = useState<{ of: string; ids: ReadonlySet<string> } | null>(null);
  const isRead = list !== null && (isPointed || isFocused || isScrolled);
  const ids = useMemo(() => new Set(rows.map(({ id }) => id)), [rows]);
  // Nothing of what is known is listed any longer: the list is another one.
  const waiting =
    known === null || known.of !== list
      ? 0
      : Math.max(
          0,
          rows.findIndex(({ id }) => known.ids.has(id)),
        );
  // Waiting rows stay until `show`: the pointer leaves the table on its way to the button.
  if (!isRead && waiting === 0 && known !== null) setKnown(null);
  if (isRead && known?.of !== list && ids.size > 0) setKnown({ of: list, ids });
  return {
    rows: waiting === 0 ? rows : rows.slice(waiting),
    waiting,
    show: () => setKnown(list === null ? null : { of: list, ids }),
    handlers: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: () => setFocused(false),
      onScrollCapture: ({ target }) => setScrolled(target instanceof Element && target.scrollTop > 0),
    },
  };
}
