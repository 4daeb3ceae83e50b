import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import type { Queryable } from './client.ts';

/** From so many rows on a total is remembered: few are counted anew faster than anybody asks. */
const large = 10_000;
/** Younger ones are told as they are. */
const freshMs = 5000;
/** Older ones are not told any more. */
const usableMs = 10_000;
const maxRemembered = 1000;

interface Total {
  /** Of the count that ended last; null: none has. */
  last: { value: number; countedAt: number } | null;
  /** The count under way. */
  next: Promise<number> | null;
}

const totals = new WeakMap<Queryable, Map<string, Total>>();

/** A list that has a total. */
interface CountedList {
  /** What tells the list from others, as JSON can: its name and everything that narrows it. */
  key: readonly unknown[];
  count: () => Promise<number>;
}

/** A page of a list with its total. One that is not full is the last: nothing needs to be counted. */
export async function withTotal<Row>(
  sql: Queryable,
  { key, count }: CountedList,
  { page, pageSize }: PageRequest,
  rows: Row[],
): Promise<Page<Row>> {
  const before = (page - 1) * pageSize;
  const isLast = rows.length < pageSize && (rows.length > 0 || before === 0);
  if (isLast) return { rows, total: before + rows.length };
  const total = await totalOf(sql, key, count);
  // An old total may be below what the page shows.
  return { rows, total: rows.length === 0 ? total : Math.max(before + rows.length, total) };
}

/**
 * The total of a list, for its pages. To count a million rows takes a tenth of a second, and every page of every client
 * wants it: a large total may be ten seconds old. From five on it is counted anew while the old one is told, and who asks for one
 * that nobody knows waits for the count that is under way.
 * @param list what is counted: its name and everything that narrows it, as JSON can tell it apart.
 */
export async function totalOf(
  sql: Queryable,
  list: readonly unknown[],
  count: () => Promise<number>,
): Promise<number> {
  const known = totals.get(sql) ?? new Map<string, Total>();
  totals.set(sql, known);
  const key = JSON.stringify(list);
  if (known.size >= maxRemembered && !known.has(key)) known.clear();
  const total = known.get(key) ?? { last: null, next: null };
  known.set(key, total);
  const { last } = total;
  const age = last === null ? Number.POSITIVE_INFINITY : Date.now() - last.countedAt;
  if (last !== null && age < freshMs) return last.value;
  total.next ??= countAnew(known, key, total, count);
  if (last === null || age >= usableMs) return total.next;
  // Who asks when it is too old is told of a failure.
  total.next.catch(() => undefined);
  return last.value;
}

async function countAnew(
  known: Map<string, Total>,
  key: string,
  total: Total,
  count: () => Promise<number>,
): Promise<number> {
  try {
    const value = await count();
    total.last = value < large ? null : { value, countedAt: Date.now() };
    return value;
  } finally {
    total.next = null;
    if (total.last === null && known.get(key) === total) known.delete(key);
  }
}
