import t from 'tap';
import { newestSessionsFirst, type SessionOrder } from '#shared/domain/charging/session-order.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { listPendingCosts } from '#shared/postgres/charging/pending-costs.ts';
import { findOrderedSessions } from '#shared/postgres/charging/ordered-sessions.ts';
import { listSessions, readSessions } from '#shared/postgres/charging/session-pages.ts';
import type { SessionFilter } from '#shared/postgres/charging/session-records.ts';
import { listTransactions } from '#shared/postgres/charging/transactions.statements.ts';
import { items, mintKey, register, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { copySession, endSession, startSession } from '#api/test/support/records.ts';

const scopeOf = (...networkIds: number[]) => ({
  networks: { all: false, networkIds } as const,
  userId: null,
});
const everything = { networks: { all: true } satisfies NetworkScope, userId: null } as const;

/** A session that runs, at a charger of its own, and completed copies of it. */
async function addSessions(api: TestApi, networkId: number, copies: number) {
  const { sql } = api.stores;
  const key = await mintKey(api, { networkIds: [networkId] });
  const charger = await register(api, key, { serial: `CP-${networkId}` });
  const session = await startSession(sql, {
    chargerUuid: charger.id,
    startedAt: new Date(Date.now() - 3_600_000),
  });
  await copySession(sql, session.uuid, copies);
}

async function addNetwork({ stores: { sql } }: TestApi): Promise<number> {
  const [third] = await sql<{ id: number }[]>`
    insert into networks (slug, name, currency) values ('third', 'Third', 'EUR') returning id`;
  return third?.id ?? 0;
}

const copies = 3000;
const fewRows = 300;

/** PostgreSQL makes a plan for each of the first five times, and may keep one for all others. */
const times = 8;

void t.test('finds the newest sessions in few rows alongside large networks', async (t) => {
  const api = await startTestApi(t);
  const large = api.network.id;
  await addSessions(api, large, copies);
  const few = scopeOf(api.otherNetwork.id);
  const fewTwice = scopeOf(api.otherNetwork.id, await addNetwork(api));
  const withLarge = scopeOf(large, ...fewTwice.networks.networkIds);
  const key = await mintKey(api);
  await startSession(api.stores.sql, { chargerUuid: (await register(api, key, { serial: 'quiet' })).id });
  const [quiet] = await api.stores.sql<{ uuid: string }[]>`
    select k.uuid from connectors k join chargers c on c.id = k.charger_id where c.uid = 'quiet'`;
  const first = { page: 1, pageSize: 50 };
  const halfAnHour = {
    from: new Date(Date.now() - 3 * 3_600_000),
    to: new Date(Date.now() - 2.5 * 3_600_000),
  };
  const oldestFirst = { by: 'startedAt', isAscending: true } as const;
  const cursor = async (
    sql: Queryable,
    scope: typeof few | typeof everything,
    filter: SessionFilter,
    order: SessionOrder = newestSessionsFirst,
  ) =>
    readSessions(
      sql,
      scope,
      await findOrderedSessions(sql, scope, filter, order, { after: null, asOf: new Date(), limit: 50 }),
    );
  const lists: [what: string, read: (sql: Queryable) => Promise<unknown>, maxRows?: number][] = [
    ['one network', (sql) => listSessions(sql, few, {}, first), 1],
    ['two networks', (sql) => listSessions(sql, fewTwice, {}, first), 1],
    ['transactions of one network', (sql) => listTransactions(sql, few, {}, first), 1],
    ['transactions of two networks', (sql) => listTransactions(sql, fewTwice, {}, first), 1],
    ['a large network and others', (sql) => cursor(sql, withLarge, {})],
    ['a large network and others, oldest first', (sql) => cursor(sql, withLarge, {}, oldestFirst)],
    ['all networks', (sql) => cursor(sql, everything, {})],
    ['all networks, oldest first', (sql) => cursor(sql, everything, {}, oldestFirst)],
    [
      'a search in all networks',
      (sql) => cursor(sql, everything, { search: { text: 'copy-7', chargerIds: [], userIds: [] } }),
    ],
    ['all networks, half an hour and its total', (sql) => listSessions(sql, everything, halfAnHour, first)],
    ['running ones of a large network', (sql) => cursor(sql, scopeOf(large), { status: 'ACTIVE' })],
    ['running ones of several networks', (sql) => cursor(sql, withLarge, { status: 'ACTIVE' })],
    ['running ones of all networks', (sql) => cursor(sql, everything, { status: 'ACTIVE' })],
    ['with a flag, of several networks', (sql) => cursor(sql, withLarge, { flag: 'estimated' })],
    [
      'counted ones of several networks',
      (sql) => cursor(sql, withLarge, { ends: { isCounted: true, timeZone: 'UTC' } }),
    ],
    ['of several networks, in a time zone', (sql) => cursor(sql, withLarge, { ends: { timeZone: 'UTC' } })],
    [
      'ended before all others, of several networks',
      (sql) =>
        cursor(sql, withLarge, { ends: { from: new Date(0), to: new Date(86_400_000), timeZone: 'UTC' } }),
    ],
    ['of a connector that had one', (sql) => cursor(sql, withLarge, { connectorUuid: quiet?.uuid })],
    // A job asks each second.
    ['whose price is due', (sql) => listPendingCosts(sql, 0n, 20, 60_000)],
    // No index has those, so all are looked through: once, and not for each network.
    ['invalid ones', (sql) => cursor(sql, withLarge, { status: 'INVALID' }), copies + fewRows],
  ];
  await api.stores.sql.begin(async (transaction) => {
    const rowsRead = async () => {
      const [row] = await transaction<{ read: number }[]>`
        select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables where relname = 'sessions'`;
      return row?.read ?? 0;
    };
    for (const [what, read, maxRows = fewRows] of lists) {
      const rows: number[] = [];
      for (let time = 0; time < times; time++) {
        const before = await rowsRead();
        await read(transaction);
        rows.push((await rowsRead()) - before);
      }
      t.ok(Math.max(...rows) < maxRows, `${what}: ${rows.join(' ')}`);
    }
  });
});

void t.test('returns consistent pages to concurrent callers', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  await addSessions(api, api.network.id, 1010);
  await addSessions(api, api.otherNetwork.id, 90);
  const one = scopeOf(api.network.id);
  const both = scopeOf(api.network.id, api.otherNetwork.id);
  const list = async (networkIds: readonly number[], by: 'started_at' | 'ended_at') => {
    const completed = by === 'ended_at' ? sql`and status = 'COMPLETED'` : sql``;
    const rows = await sql<{ id: bigint }[]>`
      select id from sessions where network_id = any(${[...networkIds]}::integer[]) ${completed} order by ${sql(by)} desc, id desc`;
    return rows.map(({ id }) => id);
  };
  type Find = typeof listSessions | typeof listTransactions;
  const isPage = async (find: Find, scope: typeof one, page: number, pageSize: number) => {
    // Asked for before anything is waited for: together with the others.
    const found = find(sql, scope, {}, { page, pageSize });
    const all = await list(scope.networks.networkIds, find === listSessions ? 'started_at' : 'ended_at');
    const { rows, total } = await found;
    const expected = all.slice((page - 1) * pageSize, page * pageSize);
    const what = `${find.name} of ${scope.networks.networkIds.length}, page ${page} of ${pageSize}`;
    t.strictSame([rows.map(({ id }) => id), total], [expected, all.length], what);
  };
  for (const find of [listSessions, listTransactions]) {
    for (const scope of [one, both]) {
      await isPage(find, scope, 2, 50);
      await isPage(find, scope, 20, 50);
      await isPage(find, scope, 21, 50);
      await isPage(find, scope, 22, 50);
      await isPage(find, scope, 11, 100);
      await isPage(find, scope, 30, 100);
    }
  }
  await Promise.all([
    isPage(listSessions, one, 1, 10),
    isPage(listSessions, one, 3, 7),
    isPage(listSessions, one, 3, 7),
    isPage(listSessions, scopeOf(api.otherNetwork.id), 2, 50),
    isPage(listSessions, one, 5, 100),
  ]);
});

void t.test('the sessions of several networks are one list, newest first', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const both = [api.network.id, api.otherNetwork.id];
  const keys = await Promise.all(both.map((id) => mintKey(api, { networkIds: [id] })));
  const chargers = await Promise.all(keys.map((key, n) => register(api, key, { serial: `CP-${n}` })));
  const uuids: string[] = [];
  // By the network of each, in no regular order, the newest first.
  for (const [hours, network] of [1, 0, 1, 1, 0, 1].entries()) {
    const startedAt = new Date(Date.now() - (hours + 2) * 3_600_000);
    const session = await startSession(sql, { chargerUuid: chargers[network]?.id ?? '', startedAt });
    await endSession(sql, session, 1000);
    uuids.push(session.uuid);
  }
  const networkIds = [...both, await addNetwork(api)];
  const emspKey = await mintKey(api, { apiFamily: 'emsp', networkIds });
  for (const path of ['charging/sessions', 'transactions']) {
    const page = async (query: string) => {
      const { json } = await api.call(emspKey, { url: `/emsp/v1/${path}?${query}` });
      return [items(json['data']).map(({ id }) => id), json['pagination']?.['total']];
    };
    t.strictSame(await page('pageSize=4'), [uuids.slice(0, 4), 6], path);
    t.strictSame(await page('pageSize=4&page=2'), [uuids.slice(4), 6], path);
    t.strictSame(await page('pageSize=1&page=3'), [uuids.slice(2, 3), 6], path);
    const earlier = new Date(Date.now() - 3.5 * 3_600_000).toISOString();
    t.strictSame((await page(`to=${earlier}`))[1], path === 'transactions' ? 3 : 4, path);
  }
  const cpmsKey = await mintKey(api, { networkIds });
  let cursor = '';
  for (const uuid of uuids) {
    const { json } = await api.call(cpmsKey, { url: `/cpms/v1/sessions?pageSize=1${cursor}` });
    t.strictSame(items(json['data'])[0]?.['id'], uuid);
    cursor = `&cursor=${(json['nextCursor'] as unknown as string | null) ?? 'none'}`;
  }
  t.equal(cursor, '&cursor=none');
});
