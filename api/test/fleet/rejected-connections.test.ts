import t from 'tap';
import { alertScene } from '#api/test/support/alert-scene.ts';
import { items, mintKey, register } from '#api/test/support/fixtures.ts';
import type { RejectionReason } from '#shared/domain/fleet/rejected-connection.ts';
import { addRejectedAttempts } from '#shared/postgres/fleet/rejected-connections.statements.ts';
import { seedConnection, seedNetwork } from '#shared/testing/seed.ts';

const url = '/cpms/v1/rejected-connections';

/** Returns the begin of an hour that has ended, the same at any minute. */
const sinceHour = (ago: number) => ({ minutesAgo: (Date.now() % 3_600_000) / 60_000 + ago * 60 });

void t.test('rejected connections', async (t) => {
  const scene = await alertScene(t);
  const { api, key } = scene;
  const { sql } = api.stores;
  const unrestricted = await mintKey(api, { unrestricted: true, networkIds: [] });
  const { id: uuid } = await register(api, key, { serial: 'QUAY-1' });
  const [charger] = await sql<{ id: number }[]>`select id from chargers where uuid = ${uuid}`;
  const reject = (
    reason: RejectionReason,
    {
      identity = 'QUAY-1',
      attempts = 1,
      minutesAgo = 0,
    }: { identity?: string; attempts?: number; minutesAgo?: number } = {},
  ) => {
    const at = Date.now() - minutesAgo * 60_000;
    const chargerId = identity === 'QUAY-1' ? charger!.id : null;
    const remoteAddress = '203.0.113.7';
    return addRejectedAttempts(sql, [
      { identity, reason, chargerId, remoteAddress, attempts, firstAt: at, lastAt: at },
    ]);
  };
  const list = async (query = '', asKey = key) =>
    items((await api.call(asKey, { url: `${url}${query}` })).json['data']);

  await t.test('are listed with their charger, the latest first, in pages', async (t) => {
    await reject('tls-required', { minutesAgo: 2 });
    await reject('wrong-credentials', { minutesAgo: 1, attempts: 2 });
    const all = await list();
    t.match(all, [
      {
        identity: 'QUAY-1',
        reason: 'wrong-credentials',
        chargerId: uuid,
        networkId: api.network.id,
        remoteAddress: '203.0.113.7',
        attempts: 2,
      },
      { reason: 'tls-required', attempts: 1 },
    ]);
    t.same(await list('?reason=tls-required'), [all[1]]);
    t.same(await list(`?chargerId=${uuid}`), all);
    t.same(await list(`?chargerId=${api.network.uuid}`), []);
    const first = await api.call(key, { url: `${url}?pageSize=1` });
    const nextCursor = first.json['nextCursor'] as unknown as string;
    t.same(await list(`?pageSize=1&cursor=${nextCursor}`), [all[1]]);
  });

  await t.test('of an unknown identity are visible to an unrestricted caller only', async (t) => {
    await reject('unknown-identity', { identity: 'STRAY' });
    t.notOk((await list()).some(({ identity }) => identity === ('STRAY' as never)));
    t.match(await list('?reason=unknown-identity', unrestricted), [
      { identity: 'STRAY', chargerId: null, networkId: null },
    ]);
  });

  await t.test('are hidden from other networks, drivers and anonymous callers', async (t) => {
    const other = await seedNetwork(sql);
    t.same(await list('', await mintKey(api, { networkIds: [other.id] })), []);
    const driver = await mintKey(api, { apiFamily: 'emsp' });
    t.match(await api.call(driver, { url }), { status: 403 });
    t.match(await api.call(null, { url }), { status: 401 });
    t.match(await api.call(await mintKey(api, { scopes: ['cpms:read:alerts'] }), { url }), { status: 403 });
  });

  await t.test('write an event the first time and once in each hour after that', async (t) => {
    await reject('no-common-version', sinceHour(3));
    await reject('no-common-version', sinceHour(3));
    await reject('no-common-version', sinceHour(1));
    const events = await sql<{ data: object }[]>`
      select data from outbox where type = 'connection.rejected' and data ->> 'reason' = 'no-common-version' order by id`;
    t.same(
      events.map(({ data }) => data),
      [1, 3].map((attempts) => ({ identity: 'QUAY-1', reason: 'no-common-version', attempts })),
    );
  });

  await t.test('write no events for each identity of a scan', async (t) => {
    for (const from of [0, 100]) {
      const at = Date.now();
      await addRejectedAttempts(
        sql,
        Array.from({ length: 100 }, (_, index) => ({
          identity: `SCAN-${from + index}`,
          reason: 'unknown-identity',
          chargerId: null,
          remoteAddress: '198.51.100.1',
          attempts: 1,
          firstAt: at,
          lastAt: at,
        })),
      );
    }
    const [events] = await sql<{ count: number }[]>`
      select count(*)::integer as count from outbox
      where type = 'connection.rejected' and data ->> 'identity' like 'SCAN-%'`;
    t.equal(events?.count, 100);
  });

  await t.test('raise an alert from the third attempt on, until the charger connects', async (t) => {
    await scene.watch();
    t.same(await scene.states('?kind=connection-rejected'), [], 'two attempts are too few');
    await reject('wrong-credentials');
    await reject('too-many-attempts');
    await scene.watch();
    t.match(await scene.list('?kind=connection-rejected'), [
      {
        severity: 'warning',
        resourceName: 'QUAY-1',
        message: 'Connections of QUAY-1 are rejected: wrong credentials.',
        details: { reason: 'wrong-credentials', attempts: 3, remoteAddress: '203.0.113.7' },
      },
    ]);
    t.match(await scene.list('?kind=password-guessing'), [{ severity: 'critical', resourceName: 'QUAY-1' }]);
    await seedConnection(sql, uuid);
    await scene.watch();
    t.same(await scene.states('?status=open'), []);
    t.same(await list(), [], 'the charger is connected');
    await sql`update chargers set connected_at = now() - interval '1 minute' where uuid = ${uuid}`;
    await sql`update rejected_connections set last_at = last_at - interval '1 hour' where charger_id = ${charger!.id}`;
    await reject('wrong-credentials');
    t.match(await list(), [{ reason: 'wrong-credentials', attempts: 1 }], 'earlier attempts are over');
    await scene.watch();
    t.same(await scene.states('?status=open'), [], 'one attempt is too few again');
    await sql`delete from rejected_connections where charger_id = ${charger!.id}`;
  });

  await t.test('of chargers outlast a scan of identities', async (t) => {
    await reject('tls-required', { minutesAgo: 0.5 });
    const at = Date.now();
    const remoteAddress = '198.51.100.1';
    await sql`
      insert into rejected_connections (identity, reason, remote_address, attempts, first_at, last_at)
      select 'FLOOD-' || n, 'unknown-identity', ${remoteAddress}, 1, now(), now() from generate_series(1, 10100) n`;
    await addRejectedAttempts(sql, [
      {
        identity: 'LAST',
        reason: 'unknown-identity',
        chargerId: null,
        remoteAddress,
        attempts: 1,
        firstAt: at,
        lastAt: at,
      },
    ]);
    t.match(await list(), [{ identity: 'QUAY-1', reason: 'tls-required' }]);
    const [stored] = await sql<
      { count: number }[]
    >`select count(*)::integer as count from rejected_connections`;
    t.equal(stored?.count, 10_001, 'the earliest unknown identities are gone');
    await sql`delete from rejected_connections`;
  });

  await t.test('raise no alert when the last attempt is more than an hour ago', async (t) => {
    const { id } = await register(api, key, { serial: 'QUAY-2' });
    const [quiet] = await sql<{ id: number }[]>`select id from chargers where uuid = ${id}`;
    const at = Date.now() - 61 * 60_000;
    await addRejectedAttempts(sql, [
      {
        identity: 'QUAY-2',
        reason: 'tls-required',
        chargerId: quiet!.id,
        remoteAddress: '::1',
        attempts: 9,
        firstAt: at,
        lastAt: at,
      },
    ]);
    await scene.watch();
    t.same(await scene.states('?status=open'), []);
    t.match(await list(), [{ identity: 'QUAY-2', attempts: 9 }], 'it is listed');
  });
});
