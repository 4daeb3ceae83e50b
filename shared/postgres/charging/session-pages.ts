import type { SessionScope } from '#shared/domain/access/tenancy.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';
import { newestFirst, type NewestFirst, newestSource } from './newest-sessions.ts';
import {
  matchingSessions,
  newestStarted,
  sessionColumns,
  type SessionFilter,
  type SessionRecord,
  sessionTables,
  visibleSessions,
} from './session-records.ts';
import { withTotal } from '#shared/postgres/kernel/totals.ts';

type Id = Pick<SessionRecord, 'id'>;

/** A list that is counted. */
interface SessionList extends NewestFirst {
  /** Key of the list, as JSON. */
  key: readonly unknown[];
}

/**
 * Returns the sessions of a page. Finding them needs only an index of sessions, also far down a list. Reading
 * all shown columns in the same query would make PostgreSQL join every row before the page too, and plan six
 * tables for each page, since it cannot know beforehand how many rows a page has.
 */
export async function newestSessionPage<Row extends object>(
  sql: Queryable,
  columns: Fragment,
  list: SessionList,
  { page, pageSize }: PageRequest,
): Promise<Page<Row>> {
  const before = (page - 1) * pageSize;
  const order = newestFirst(sql, list);
  const ids = await sql<Id[]>`
    select s.id from ${newestSource(sql, { ...list, order }, before + pageSize)} s where ${list.where()}
    ${order} limit ${pageSize} offset ${before}`;
  const count = async () => {
    const [row] = await sql<{ total: number }[]>`
      select count(*)::integer as total from sessions s where ${list.where()}`;
    return row?.total ?? 0;
  };
  const rows = await columnsOf<Row>(sql, columns, list.scope, ids);
  return withTotal(sql, { key: list.key, count }, { page, pageSize }, rows);
}

/** Returns the sessions of one page, last started first. */
export function listSessions(
  sql: Queryable,
  scope: SessionScope,
  filter: SessionFilter,
  page: PageRequest,
): Promise<Page<SessionRecord>> {
  const where = () => matchingSessions(sql, scope, filter);
  const list = { ...newestStarted(scope, filter, where), key: ['sessions', scope, filter] };
  return newestSessionPage<SessionRecord>(sql, sessionColumns(sql), list, page);
}

/** Returns the given sessions, in the same order. Those that are no longer visible to the caller are left out. */
export function readSessions(
  sql: Queryable,
  scope: SessionScope,
  ids: readonly Id[],
): Promise<SessionRecord[]> {
  return columnsOf<SessionRecord>(sql, sessionColumns(sql), scope, ids);
}

async function columnsOf<Row extends object>(
  sql: Queryable,
  columns: Fragment,
  scope: SessionScope,
  ids: readonly Id[],
): Promise<Row[]> {
  if (ids.length === 0) return [];
  return sql<Row[]>`
    select ${columns} from ${sessionTables(sql)}
    join unnest(array(select unnest(${ids.map(({ id }) => String(id))}::bigint[])))
      with ordinality as found (found_id, found_place) on s.id = found_id
    where ${visibleSessions(sql, scope)} order by found_place`;
}
