import t from 'tap';
import { findSessionPlaces } from '#shared/postgres/session-places.ts';
import { findTransactionPlaces } from '#shared/postgres/transactions.ts';
import { items, mintKey, register, startTestApi } from './fixtures.ts';
import { endSession, startSession } from './records.ts';

const sessionsOfOthers = 3000;

/** PostgreSQL makes five plans for a statement before one may serve for all of its parameters. */
const plansBeforeOneIsKept = 7;

void t.test('the newest sessions of a network are not looked for among those of others', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const charger = await register(api, await mintKey(api), { serial: 'CP-1' });
  const model = await startSession(sql, {
    chargerUuid: charger.id,
    startedAt: new Date(Date.now() - 3_600_000),
  });
  await sql`
    insert into sessions (network_id, charger_id, connector_id, ocpp_transaction_id, start_key, status, authorization_status,
      started_at, start_received_at, ended_at, currency)
    select network_id, charger_id, connector_id, 'copy-' || n, 'copy-' || n, 'COMPLETED', authorization_status,
      started_at - n * interval '1 minute', started_at, started_at, currency
    from sessions, generate_series(1, ${sessionsOfOthers}) n where uuid = ${model.uuid}`;
  await sql`analyze sessions`;

  const [third] = await sql<{ id: number }[]>`
    insert into networks (slug, name, currency) values ('third', 'Third', 'EUR') returning id`;
  const few = [api.otherNetwork.id, third?.id ?? 0];
  const reads = [
    ['of one network', findSessionPlaces, few.slice(0, 1)],
    ['of two networks', findSessionPlaces, few],
    ['that can be billed, of one network', findTransactionPlaces, few.slice(0, 1)],
    ['that can be billed, of two networks', findTransactionPlaces, few],
  ] as const;
  await sql.begin(async (transaction) => {
    const rowsRead = async () => {
      const [row] = await transaction<{ read: number }[]>`
        select (seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables where relname = 'sessions'`;
      return row?.read ?? 0;
    };
    for (const [what, find, networkIds] of reads) {
      const scope = { networks: { all: false, networkIds }, userId: null } as const;
      const before = await rowsRead();
      for (let time = 1; time <= plansBeforeOneIsKept; time++) {
        const page = await find(transaction, scope, {}, { page: time, pageSize: 50 });
        t.strictSame(page, { rows: [], total: 0 }, what);
      }
      t.equal((await rowsRead()) - before, 0, what);
    }
  });
});

void t.test('the sessions of several networks are one list, newest first', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const both = [api.network.id, api.otherNetwork.id];
  const keys = await Promise.all(both.map((id) => mintKey(api, { networkIds: [id] })));
  const chargers = await Promise.all(keys.map((key, n) => register(api, key, { serial: `CP-${n}` })));
  const uuids: string[] = [];
  // Of each network in turn, but for the fourth.
  for (const [hours, network] of [1, 0, 1, 1, 0, 1].entries()) {
    const startedAt = new Date(Date.now() - (hours + 2) * 3_600_000);
    const session = await startSession(sql, { chargerUuid: chargers[network]?.id ?? '', startedAt });
    await endSession(sql, session, 1000);
    uuids.push(session.uuid);
  }
  const [third] = await sql<{ id: number }[]>`
    insert into networks (slug, name, currency) values ('third', 'Third', 'EUR') returning id`;
  const networkIds = [...both, third?.id ?? 0];
  const emspKey = await mintKey(api, { apiFamily: 'emsp', scopes: [], networkIds });
  for (const path of ['charging/sessions', 'transactions']) {
    const page = async (query: string) => {
      const { json } = await api.call(emspKey, { url: `/emsp/v1/${path}?${query}` });
      return [items(json['data']).map(({ id }) => id), json['pagination']?.['total']];
    };
    t.strictSame(await page('pageSize=4'), [uuids.slice(0, 4), 6], path);
    t.strictSame(await page('pageSize=4&page=2'), [uuids.slice(4), 6], path);
    t.strictSame(await page('pageSize=1&page=3'), [uuids.slice(2, 3), 6], path);
    const threeHoursAgo = new Date(Date.now() - 3.5 * 3_600_000).toISOString();
    t.strictSame((await page(`to=${threeHoursAgo}`))[1], path === 'transactions' ? 3 : 4, path);
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
