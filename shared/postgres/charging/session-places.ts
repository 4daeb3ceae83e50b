import type { SessionScope } from '#shared/domain/access/tenancy.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import { batchLoader } from '#shared/domain/kernel/loader.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';
import { newestFirst, type NewestFirst, newestSource } from './newest-sessions.ts';
import {
  matchingSessions,
  namedSessionRowVersion,
  namedSessionVersionTables,
  newestStarted,
  sessionColumns,
  type SessionFilter,
  type SessionRecord,
  sessionRowVersion,
  sessionTables,
  sessionVersionTables,
  visibleSessions,
} from './session-records.ts';
import { batchOptions } from '#shared/postgres/kernel/batch-options.ts';
import { withTotal } from '#shared/postgres/kernel/totals.ts';

/** Position of a session in a list. */
export interface SessionPlace {
  id: bigint;
  /** Version of its rows (`sessionRowVersion`). */
  version: string;
}

type Id = Pick<SessionPlace, 'id'>;

/** A list that is counted. */
interface SessionList extends NewestFirst {
  /** Key of the list, as JSON. */
  key: readonly unknown[];
}

/** A place as text: the id and the version. `concat_ws` would be slower. */
const placeText = (sql: Queryable, version = sessionRowVersion(sql)) => sql`s.id || ' ' || ${version}`;

function placeOf(text: string): SessionPlace {
  const space = text.indexOf(' ');
  return { id: BigInt(text.slice(0, space)), version: text.slice(space + 1) };
}

/**
 * Returns the sessions of a page. Finding them needs only an index of sessions, also far down a list. Reading
 * all shown columns in the same query would make PostgreSQL join every row before the page too, and plan six
 * tables for each page, since it cannot know beforehand how many rows a page has.
 */
export async function findPlaces(
  sql: Queryable,
  list: SessionList,
  { page, pageSize }: PageRequest,
): Promise<Page<SessionPlace>> {
  const before = (page - 1) * pageSize;
  const order = newestFirst(sql, list);
  const ids = await sql<Id[]>`
    select s.id from ${newestSource(sql, { ...list, order }, before + pageSize)} s where ${list.where()}
    ${order} limit ${pageSize} offset ${before}`;
  return withTotal(sql, counted(sql, list), { page, pageSize }, await placesOf(sql, ids));
}

/** Returns the sessions of one page, last started first. */
export async function findSessionPlaces(
  sql: Queryable,
  scope: SessionScope,
  filter: SessionFilter,
  page: PageRequest,
): Promise<Page<SessionPlace>> {
  const where = () => matchingSessions(sql, scope, filter);
  const list: SessionList = { ...newestStarted(scope, filter, where), key: ['sessions', scope, filter] };
  const newest = newestOf(scope, filter, page);
  if (newest === null) return findPlaces(sql, list, page);
  return withTotal(sql, counted(sql, list), page, (await readNewest(sql, newest)) ?? []);
}

/**
 * Returns the positions of the given sessions, in the same order. Visibility is not checked again: a session
 * stays in its network.
 */
export async function placesOf(sql: Queryable, sessions: Id[]): Promise<SessionPlace[]> {
  return sessions.length === 0 ? [] : ((await readVersions(sql, sessions)) ?? []);
}

/** Returns the positions of sessions that are shown with the names of their drivers, as `placesOf` does. */
export async function namedPlacesOf(sql: Queryable, sessions: Id[]): Promise<SessionPlace[]> {
  return sessions.length === 0 ? [] : ((await readNamedVersions(sql, sessions)) ?? []);
}

/** Key and filter of the count, which needs only sessions. */
const counted = (sql: Queryable, { key, where }: SessionList) => ({
  key,
  count: async () => {
    const [row] = await sql<
      { total: number }[]
    >`select count(*)::integer as total from sessions s where ${where()}`;
    return row?.total ?? 0;
  },
});

/**
 * Reads the positions of sessions with their versions, of all concurrent pages, as one text: a row for each
 * would be most of their cost.
 */
const versionReader = (version: (sql: Queryable) => Fragment, tables: (sql: Queryable) => Fragment) =>
  batchLoader({
    ...batchOptions,
    async read(sql: Queryable, pages: Id[][]) {
      const [row] = await sql<{ places: string | null }[]>`
        select string_agg(${placeText(sql, version(sql))}, ',') as places from ${tables(sql)}
        where s.id = any(${pages.flatMap((page) => page.map(({ id }) => String(id)))}::bigint[])`;
      const found = row?.places?.split(',').map(placeOf) ?? [];
      const places = new Map(found.map((place) => [place.id, place]));
      return new Map(pages.map((page) => [page, page.flatMap(({ id }) => places.get(id) ?? [])]));
    },
  });

const readVersions = versionReader(sessionRowVersion, sessionVersionTables);

const readNamedVersions = versionReader(namedSessionRowVersion, namedSessionVersionTables);

/** A page of what every app opens with: all sessions of a network, or of a driver. */
interface Newest {
  networkId: number;
  userId: number | null;
  pageSize: number;
  before: number;
}

/** To find a page further down takes longer than others should wait for. */
const maxRows = 1000;

function newestOf(
  { networks, userId }: SessionScope,
  filter: SessionFilter,
  { page, pageSize }: PageRequest,
): Newest | null {
  if (networks.all || Object.values(filter).some((value) => value !== undefined)) return null;
  const [networkId, ...others] = networks.networkIds;
  const before = (page - 1) * pageSize;
  if (networkId === undefined || others.length > 0 || before + pageSize > maxRows) return null;
  return { networkId, userId, pageSize, before };
}

/**
 * Reads the positions on all concurrent pages. Each list is scanned once, to the end of the last requested
 * page, and returned as one text, which begins with the first of those pages: a row for each position would
 * be most of the cost.
 */
const readNewest = batchLoader({
  ...batchOptions,
  // From an index of drivers' sessions, or of networks'.
  kindOf: ({ userId }: Newest) => (userId === null ? 'networks' : 'drivers'),
  async read(sql: Queryable, asked: Newest[]) {
    const lists = [...Map.groupBy(asked, ({ networkId, userId }) => `${networkId} ${userId}`).values()];
    const isOfDrivers = asked.every(({ userId }) => userId !== null);
    const rows = await sql<{ list: number; places: string | null }[]>`
      select wanted.list::integer as list, newest.places
      from unnest(${lists.map(([first]) => first?.networkId ?? null)}::integer[], ${lists.map(([first]) => first?.userId ?? null)}::integer[],
          ${lists.map(firstOf)}::integer[], ${lists.map((pages) => Math.max(...pages.map(endOf)))}::integer[])
        with ordinality as wanted (network_id, user_id, first, most, list)
      cross join lateral (
        select string_agg(${placeText(sql)}, ',' order by s.started_at desc, s.id desc) as places
        from (
          select * from (
            select s.id, s.started_at, s.charger_id, s.xmin from sessions s
            where s.network_id = wanted.network_id ${isOfDrivers ? sql`and s.user_id = wanted.user_id` : sql``}
            order by s.started_at desc, s.id desc limit ${sql.unsafe(String(maxRows))}
          ) s
          order by s.started_at desc, s.id desc limit wanted.most - wanted.first offset wanted.first
        ) s join chargers c on c.id = s.charger_id left join locations l on l.id = c.location_id
      ) newest`;
    const found = new Map(rows.map(({ list, places }) => [list, places?.split(',') ?? []]));
    return new Map(
      lists.flatMap((pages, index) => {
        const places = found.get(index + 1) ?? [];
        const first = firstOf(pages);
        return pages.map((page) => [
          page,
          places.slice(page.before - first, endOf(page) - first).map(placeOf),
        ]);
      }),
    );
  },
});

const firstOf = (pages: Newest[]) => Math.min(...pages.map(({ before }) => before));

const endOf = ({ before, pageSize }: Newest) => before + pageSize;

/**
 * Reads the columns of found sessions, in any order. A session that is no longer visible to the caller is
 * left out.
 */
export async function readPlaces<Row extends { id: bigint }>(
  sql: Queryable,
  columns: Fragment,
  scope: SessionScope,
  places: readonly SessionPlace[],
): Promise<Row[]> {
  if (places.length === 0) return [];
  return sql<Row[]>`
    select ${columns} from ${sessionTables(sql)}
    where s.id = any(${places.map(({ id }) => String(id))}::bigint[]) and ${visibleSessions(sql, scope)}`;
}

/** The sessions at such places, in any order. */
export function readSessions(
  sql: Queryable,
  scope: SessionScope,
  places: readonly SessionPlace[],
): Promise<SessionRecord[]> {
  return readPlaces<SessionRecord>(sql, sessionColumns(sql), scope, places);
}
