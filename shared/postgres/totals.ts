import type { Queryable } from './client.ts';

/** From so many rows on a total is remembered: few are counted anew faster than anybody asks. */
const large = 10_000;
const rememberedMs = 5000;
const mostRemembered = 1000;

interface Total {
  value: Promise<number>;
  until: number;
}

const totals = new WeakMap<Queryable, Map<string, Total>>();

/**
 * The total of a list, for its pages. To count a million rows takes a tenth of a second, and every page of every client
 * wants it: a large total may be ten seconds old, from five on it is counted anew while it is told, and who asks for one that is
 * counted for the first time waits for the same.
 * @param list what is counted: its name and everything that narrows it, as JSON can tell it apart.
 */
export function totalOf(
  sql: Queryable,
  list: readonly unknown[],
  count: () => Promise<number>,
): Promise<number> {
  const known = totals.get(sql) ?? new Map<string, Total>();
  totals.set(sql, known);
  const key = JSON.stringify(list);
  const now = Date.now();
  const last = known.get(key);
  if (last !== undefined && now < last.until) return last.value;
  if (known.size >= mostRemembered) known.clear();
  const counted = count();
  const total: Total =
    last !== undefined && now < last.until + rememberedMs
      ? { value: last.value, until: last.until + rememberedMs }
      : { value: counted, until: Number.POSITIVE_INFINITY };
  known.set(key, total);
  const settle = (value: number): void => {
    if (known.get(key) !== total) return;
    if (value < large) known.delete(key);
    else known.set(key, { value: counted, until: Date.now() + rememberedMs });
  };
  counted.then(settle, () => settle(0));
  return total.value;
}
