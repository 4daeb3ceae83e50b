import type { SessionScope } from '#shared/domain/access/tenancy.ts';
import type { SessionMark, SessionOrder, SessionSort } from '#shared/domain/charging/session-order.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';
import { lateJoinPage } from '#shared/postgres/kernel/late-join-page.ts';
import { newestSource, type SessionsInOrder } from './newest-sessions.ts';
import { matchingSessions, newestStarted, type SessionFilter } from './session-records.ts';

/** Value of sessions `s` that a list is ordered by, which is never null. */
const keys: Record<SessionSort, (sql: Queryable, asOf: Date) => Fragment> = {
  startedAt: (sql) => sql`s.started_at`,
  energy: (sql) => sql`s.energy_wh`,
  cost: (sql) => sql`coalesce(s.cost_minor, -1)`,
  duration: (sql, asOf) =>
    sql`(extract(epoch from coalesce(s.ended_at, ${asOf}) - s.started_at) * 1000)::bigint`,
};

/** Value of a mark, in the type of the key. */
const markedKeys: Record<SessionSort, (sql: Queryable, key: string) => Fragment> = {
  startedAt: (sql, key) => sql`${new Date(Number(key))}::timestamptz`,
  energy: (sql, key) => sql`${key}::double precision`,
  cost: (sql, key) => sql`${key}::bigint`,
  duration: (sql, key) => sql`${key}::bigint`,
};

/** Session of an ordered list, with the value that it is ordered by. */
export interface OrderedSession {
  id: bigint;
  key: string;
}

/**
 * Returns the sessions in scope after a mark, in an order, before anything is joined to them. An index has the sessions by
 * their start. For another order PostgreSQL reads all that match.
 */
export async function findOrderedSessions(
  sql: Queryable,
  scope: SessionScope,
  filter: SessionFilter,
  order: SessionOrder,
  { after, asOf, limit }: { after: SessionMark | null; asOf: Date; limit: number },
): Promise<OrderedSession[]> {
  const key = keys[order.by](sql, asOf);
  const direction = sql.unsafe(order.isAscending ? 'asc' : 'desc');
  const beyond = () => (after === null ? sql`` : sql`and ${isBeyond(sql, key, order, after)}`);
  const where = () => sql`${matchingSessions(sql, scope, filter)} ${beyond()}`;
  const by = sql`order by ${key} ${direction}, s.id ${direction}`;
  const rows = sql`
    select s.id, s.started_at, s.ended_at, s.energy_wh, s.cost_minor
    from ${sourceOf(sql, { ...newestStarted(scope, filter, where), order: by }, filter, order, limit)} s where ${where()}`;
  const found = await sql<{ id: bigint; key: Date | number | bigint }[]>`
    select s.id, ${key} as key from ${lateJoinPage(sql, 's', rows, by, { limit })} s ${by}`;
  return found.map(({ id, key }) => ({ id, key: String(key instanceof Date ? key.getTime() : key) }));
}

function isBeyond(sql: Queryable, key: Fragment, { by, isAscending }: SessionOrder, after: SessionMark) {
  const mark = sql`(${markedKeys[by](sql, after.key)}, ${after.id}::bigint)`;
  return isAscending ? sql`(${key}, s.id) > ${mark}` : sql`(${key}, s.id) < ${mark}`;
}

function sourceOf(
  sql: Queryable,
  list: SessionsInOrder,
  filter: SessionFilter,
  order: SessionOrder,
  limit: number,
): Fragment {
  // The offset keeps PostgreSQL from reading all sessions in order for the few that a search finds.
  if (filter.search !== undefined) return sql`(select * from sessions s where ${list.where()} offset 0)`;
  return order.by === 'startedAt' ? newestSource(sql, list, limit) : sql`sessions`;
}
