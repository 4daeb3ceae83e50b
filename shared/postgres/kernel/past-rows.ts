import type { Fragment, Sql, Transaction } from './client.ts';

/** Table from which rows are removed when their retention is over. */
export interface PastRows {
  /** Table with a column `id` that ascends with the time at which rows were added. */
  table: string;
  /** Column of that time. */
  time: string;
  /** True when the time of a row can become later, so that older rows may follow. All rows are looked at then. */
  isTimeRenewed?: boolean;
  /** Condition of the rows `r` that may go. `past` is the time before which rows are past their retention. Without it: all. */
  isClosed?: (sql: Transaction, past: Fragment) => Fragment;
  /** Removes rows of another table that refer to rows with these ids. */
  removeChildren?: (sql: Transaction, ids: readonly string[]) => Promise<unknown>;
  /** Rows that one transaction looks at, `rowsAtOnce` by default. Fewer where each of them has many rows of another table. */
  atOnce?: number;
}

/** Rows that one transaction looks at, so that no other one waits long for those that it removes. */
const rowsAtOnce = 5000;

/** Held by the transaction that removes rows. The number means nothing beyond being ours. */
const removalLock = 7_140_900_083;

/** Rows that a transaction looked at. */
interface SeenRows {
  /** Id of the last one, or null. */
  lastId: string | null;
  /** True when later rows may be past as well. */
  continues: boolean;
  /** Ids of those to be removed, which are locked. */
  ids: string[];
}

/**
 * Removes the rows of a table that are older than `days`, oldest first, and returns their number. Each of at most `maxBatches` batches
 * is a transaction; one process at a time has the lock, and another one leaves the rest to it. `prepare` runs first in each. No further one
 * begins once `stopping` is aborted.
 */
export async function removePast(
  sql: Sql,
  rows: PastRows,
  days: number,
  {
    maxBatches = 200,
    prepare,
    stopping = AbortSignal.any([]),
  }: {
    maxBatches?: number;
    prepare?: (sql: Transaction) => Promise<unknown>;
    stopping?: AbortSignal;
  } = {},
): Promise<number> {
  let [removed, after] = [0, '0'];
  for (let batch = 0; batch < maxBatches && !stopping.aborted; batch += 1) {
    const seen = await sql.begin(async (transaction) => {
      const [lock] = await transaction<{ isMine: boolean }[]>`
        select pg_try_advisory_xact_lock(${removalLock}) as "isMine"`;
      if (lock?.isMine !== true) return null;
      await prepare?.(transaction);
      return removeBatch(transaction, rows, days, after);
    });
    if (seen === null) break;
    removed += seen.ids.length;
    after = seen.lastId ?? after;
    if (!seen.continues) break;
  }
  return removed;
}

async function removeBatch(
  sql: Transaction,
  { table, time, isTimeRenewed = false, isClosed, removeChildren, atOnce = rowsAtOnce }: PastRows,
  days: number,
  after: string,
): Promise<SeenRows | null> {
  const past = sql`now() - make_interval(days => ${days})`;
  // Only by the primary key: the scan ends soon after the first row that is not past, and needs no other index.
  const [seen] = await sql<SeenRows[]>`
    with seen as materialized (
      select id, ${sql(time)} < ${past} as is_past from ${sql(table)}
      where id > ${after}::bigint order by id limit ${atOnce}
    ), closed as (
      select r.id from ${sql(table)} r
      where r.id in (select id from seen where is_past) ${isClosed === undefined ? sql`` : sql`and ${isClosed(sql, past)}`}
      for update of r skip locked
    )
    select (select max(id)::text from seen) as "lastId",
      (select count(*) = ${atOnce} and (${isTimeRenewed} or bool_and(is_past)) from seen) as continues,
      array(select id::text from closed) as ids`;
  if (seen === undefined || seen.ids.length === 0) return seen ?? null;
  await removeChildren?.(sql, seen.ids);
  await sql`delete from ${sql(table)} where id = any(${seen.ids}::bigint[])`;
  return seen;
}
