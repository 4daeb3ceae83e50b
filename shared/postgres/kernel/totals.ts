import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import type { Queryable } from './client.ts';

/** Number of rows from which a total is cached: fewer rows are counted faster than totals are requested. */
const large = 10_000;
/** Maximum age in ms of a total that is returned without a new count. */
const freshMs = 5000;
/** Maximum age in ms of a total that is returned at all. */
const usableMs = 10_000;
const maxRemembered = 1000;

interface Total {
  /** Result of the last count. Null: none yet. */
  last: { value: number; countedAt: number } | null;
  /** Count in progress. */
  next: Promise<number> | null;
}

const totals = new WeakMap<Queryable, Map<string, Total>>();

/** A list that has a total. */
interface CountedList {
  /** Key of the list, as JSON: its name and everything that narrows it. */
  key: readonly unknown[];
  count: () => Promise<number>;
}

/**
 * Returns a page of a list with its total. A page that is not full is the last, so that no count is needed.
 */
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
 * Returns the total of a list, for its pages. Counting a million rows takes a tenth of a second, and every
 * page of every client requests it: a large total may be ten seconds old. From five seconds on it is counted
 * again while the old one is returned. Concurrent callers without a cached total share one count.
 * @param list key of the list: its name and everything that narrows it, distinguishable as JSON.
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
  // A caller that finds the total too old receives the failure.
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
