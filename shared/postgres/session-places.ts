import type { Page, PageRequest } from '#shared/domain/page.ts';
import { readTogether } from '#shared/domain/loader.ts';
import type { Fragment, Queryable } from './client.ts';
import {
  matchingSessions,
  newestSource,
  sessionColumns,
  type SessionFilter,
  type SessionRecord,
  type SessionScope,
  sessionTables,
  visibleSessions,
} from './session-records.ts';
import { together } from './together.ts';
import { withTotal } from './totals.ts';

/** Where a session is in a list. */
export interface SessionPlace {
  id: bigint;
  /**
   * Another one as soon as a list may show the session otherwise: it names the transactions that wrote its row and that of
   * its location last (`xmin`; a charger that moves writes both of its locations, so that no version comes back). What else
   * is shown, of its charger, connector, network and driver, never changes.
   */
  version: string;
}

type Id = Pick<SessionPlace, 'id'>;

/** A list of sessions `s`, the newest first. */
interface SessionList {
  /** What they meet; it names no other table. */
  where: () => Fragment;
  newestBy: 'started_at' | 'ended_at';
  /** Where the first so many of them are looked for; among all sessions, where it is not said. */
  source?: (most: number) => Fragment;
  /** What tells the list from others, as JSON can. */
  key: readonly unknown[];
}

/** What versions of sessions `s` name besides. */
const joinVersioned = (sql: Queryable) => sql`
  join chargers c on c.id = s.charger_id left join locations l on l.id = c.location_id`;

const versionOf = (sql: Queryable) => sql`concat_ws('-', s.xmin, l.id, l.xmin)`;

/**
 * Where the sessions of a page are. To find them takes no more than an index of sessions, also far down a list; with all
 * that is shown of them in the same query PostgreSQL joins every row before the page too, and plans six tables anew for each page,
 * since it cannot know beforehand how many rows a page has.
 */
export async function findPlaces(
  sql: Queryable,
  list: SessionList,
  { page, pageSize }: PageRequest,
): Promise<Page<SessionPlace>> {
  const { where, newestBy, source } = list;
  const before = (page - 1) * pageSize;
  const ids = await sql<Id[]>`
    select s.id from ${source?.(before + pageSize) ?? sql`sessions`} s where ${where()}
    order by s.${sql(newestBy)} desc, s.id desc limit ${pageSize} offset ${before}`;
  const rows = ids.length === 0 ? [] : await readVersions(sql, ids);
  return withTotal(sql, counted(sql, list), { page, pageSize }, rows ?? []);
}

/** Where the sessions of one page are, those that started last first. */
export async function findSessionPlaces(
  sql: Queryable,
  scope: SessionScope,
  filter: SessionFilter,
  page: PageRequest,
): Promise<Page<SessionPlace>> {
  const where = () => matchingSessions(sql, scope, filter);
  const source = (most: number) => newestSource(sql, scope, filter, most);
  const list: SessionList = { where, newestBy: 'started_at', source, key: ['sessions', scope, filter] };
  const newest = newestOf(scope, filter, page);
  if (newest === null) return findPlaces(sql, list, page);
  return withTotal(sql, counted(sql, list), page, (await readNewest(sql, newest)) ?? []);
}

/** The list as it is counted, from sessions alone. */
const counted = (sql: Queryable, { key, where }: SessionList) => ({
  key,
  count: async () => {
    const [row] = await sql<
      { total: number }[]
    >`select count(*)::integer as total from sessions s where ${where()}`;
    return row?.total ?? 0;
  },
});

/** The places of sessions with their versions, of all pages that are asked for at once. */
const readVersions = readTogether({
  ...together,
  async read(sql: Queryable, pages: Id[][]) {
    const rows = await sql<SessionPlace[]>`
      select s.id, ${versionOf(sql)} as version from sessions s ${joinVersioned(sql)}
      where s.id = any(${pages.flatMap((page) => page.map(({ id }) => String(id)))}::bigint[])`;
    const places = new Map(rows.map((place) => [place.id, place]));
    return new Map(pages.map((page) => [page, page.flatMap(({ id }) => places.get(id) ?? [])]));
  },
});

/** A page of what every app opens with: all sessions of a network, or of a driver. */
interface Newest {
  networkId: number;
  userId: number | null;
  pageSize: number;
  before: number;
}

/** To find a page further down takes longer than others should wait for. */
const mostRows = 1000;

function newestOf(
  { networks, userId }: SessionScope,
  filter: SessionFilter,
  { page, pageSize }: PageRequest,
): Newest | null {
  if (networks.all || Object.values(filter).some((value) => value !== undefined)) return null;
  const [networkId, ...others] = networks.networkIds;
  const before = (page - 1) * pageSize;
  if (networkId === undefined || others.length > 0 || before + pageSize > mostRows) return null;
  return { networkId, userId, pageSize, before };
}

/** The sessions of all such pages that are asked for at once. */
const readNewest = readTogether({
  ...together,
  // From an index of drivers' sessions, or of networks'.
  kindOf: ({ userId }: Newest) => (userId === null ? 'networks' : 'drivers'),
  async read(sql: Queryable, asked: Newest[]) {
    // Many look at the same page.
    const pages = Map.groupBy(asked, (page) => JSON.stringify(page));
    const wanted = [...pages.values()].flatMap(([page]) => page ?? []);
    // Not as a parameter: PostgreSQL takes a limit that it does not know for a tenth of all rows.
    const bound = sql.unsafe(String(mostRows));
    const isOfDrivers = wanted.every(({ userId }) => userId !== null);
    const rows = await sql<(SessionPlace & { number: number })[]>`
      select wanted.number::integer as number, s.id, ${versionOf(sql)} as version
      from unnest(${wanted.map(({ networkId }) => networkId)}::integer[], ${wanted.map(({ userId }) => userId)}::integer[],
          ${wanted.map(({ pageSize }) => pageSize)}::integer[], ${wanted.map(({ before }) => before)}::integer[])
        with ordinality as wanted (network_id, user_id, page_size, before, number)
      cross join lateral (
        select * from (
          select s.id, s.started_at, s.charger_id, s.xmin from sessions s
          where s.network_id = wanted.network_id ${isOfDrivers ? sql`and s.user_id = wanted.user_id` : sql``}
          order by s.started_at desc, s.id desc limit ${bound}
        ) newest
        order by newest.started_at desc, newest.id desc limit wanted.page_size offset wanted.before
      ) s ${joinVersioned(sql)}
      order by wanted.number, s.started_at desc, s.id desc`;
    const places = Map.groupBy(rows, ({ number }) => number);
    return new Map(
      [...pages.values()].flatMap((same, index) => {
        const found = (places.get(index + 1) ?? []).map(({ id, version }) => ({ id, version }));
        return same.map((page) => [page, found] as const);
      }),
    );
  },
});

/** What is read of sessions whose places were found, in any order. One that is the caller's no more since then is left out. */
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
