import t from 'tap';
import { systemClock } from '#shared/domain/kernel/system-clock.ts';
import { createLogger } from '#shared/log/log.ts';
import { RejectedConnections } from '#gateway/connections/rejected-connections.ts';
import { listRejectedConnections } from '#shared/postgres/fleet/rejected-connections.statements.ts';
import { seedCharger, seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import { attempt } from './support/handshakes.ts';
import { startRig } from './support/rig.ts';

const everywhere = { all: true } as const;
const any = { reason: undefined, chargerUuid: undefined };

function requestOf(uid: string) {
  return {
    uid,
    basic: null,
    protocols: [],
    requestedAt: 0,
    transport: { remoteAddress: '203.0.113.7', isTls: false, certificate: null, isPretending: false },
  };
}

void t.test('rejected connections', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const list = () => listRejectedConnections(sql, everywhere, any, null, 100);
  const rejectedOf = (identity: string) =>
    until(`the rejected connections of ${identity}`, async () => {
      const rows = (await list()).filter((row) => row.identity === identity);
      return rows.length > 0 && rows;
    });

  await t.test('are counted by identity and reason, with the latest address', async (t) => {
    const charger = await seedCharger(sql, rig.network.id);
    await attempt(rig, charger, { password: 'wrong' });
    await attempt(rig, charger, { password: 'wrong', from: '127.0.0.2' });
    t.match(await rejectedOf(charger.uid), [
      {
        reason: 'wrong-credentials',
        chargerUuid: charger.uuid,
        networkId: rig.network.id,
        remoteAddress: '127.0.0.2',
        attempts: 2,
      },
    ]);
    await attempt(rig, charger);
    await until('both reasons', async () => (await rejectedOf(charger.uid)).length === 2);
    t.same((await rejectedOf(charger.uid)).map(({ reason }) => reason).toSorted(), [
      'missing-credentials',
      'wrong-credentials',
    ]);
    t.equal(await attempt(rig, charger, { password: charger.password }), 101);
    await until('the end of its rejections', async () =>
      (await list()).every((row) => row.identity !== charger.uid),
    );
  });

  await t.test('of an unknown identity belong to no network until it is registered', async (t) => {
    t.equal(await attempt(rig, { uid: 'NOT-KNOWN' }, { password: 'x' }), 404);
    t.match(await rejectedOf('NOT-KNOWN'), [
      { reason: 'unknown-identity', chargerUuid: null, networkId: null, attempts: 1 },
    ]);
    const own = { all: false, networkIds: [rig.network.id] } as const;
    const seen = await listRejectedConnections(sql, own, any, null, 100);
    t.notOk(
      seen.some(({ identity }) => identity === 'NOT-KNOWN'),
      'hidden from callers of networks',
    );
    await seedCharger(sql, rig.network.id, { uid: 'NOT-KNOWN' });
    t.notOk((await list()).some(({ identity }) => identity === 'NOT-KNOWN'));
  });

  await t.test('keep names that no store accepts, and long ones, out of the store', async (t) => {
    t.equal(await attempt(rig, { uid: `%00${'x'.repeat(300)}` }), 404);
    t.match(await rejectedOf('x'.repeat(255)), [{ reason: 'unknown-identity' }]);
  });

  await t.test('of wrong passwords are throttled for one identity at one address', async (t) => {
    const charger = await seedCharger(sql, rig.network.id);
    const { password } = charger;
    const statuses = [];
    for (let index = 0; index < 11; index += 1) {
      statuses.push(await attempt(rig, charger, { password: 'wrong' }));
    }
    t.same(statuses, [...Array.from({ length: 10 }, () => 401), 429]);
    t.equal(await attempt(rig, charger, { password }), 429, 'the right one is not checked either');
    t.equal(await attempt(rig, charger, { password, from: '127.0.0.3' }), 101, 'the charger elsewhere');
    const neighbour = await seedCharger(sql, rig.network.id);
    t.equal(await attempt(rig, neighbour, { password: neighbour.password }), 101);
  });
});

void t.test('keeps the attempts of a charger during a flood of unknown identities', async (t) => {
  const { sql } = await testStores(t);
  const { id: networkId } = await seedNetwork(sql);
  const charger = await seedCharger(sql, networkId);
  const rejected = new RejectedConnections({ sql, log: createLogger('test', 'silent'), clock: systemClock });
  for (let index = 0; index < 500; index += 1) {
    rejected.add(requestOf(`SCAN-${index}`), null, 'unknown-identity');
  }
  rejected.add(requestOf(charger.uid), charger.id, 'wrong-credentials');
  await rejected.close();
  const rows = await listRejectedConnections(sql, everywhere, any, null, 1000);
  t.equal(rows.filter(({ chargerUuid }) => chargerUuid === null).length, 100, 'further ones are dropped');
  t.match(
    rows.filter(({ chargerUuid }) => chargerUuid !== null),
    [{ identity: charger.uid, attempts: 1 }],
  );
});

void t.test('drops attempts that cannot be written and goes on', async (t) => {
  const { sql } = await testStores(t, { fresh: true });
  const rejected = new RejectedConnections({
    sql,
    log: createLogger('test', 'silent'),
    clock: systemClock,
  });
  rejected.add(requestOf('LOST'), null, 'unknown-identity');
  await sql`alter table rejected_connections rename to unavailable`;
  await rejected.close();
  await sql`alter table unavailable rename to rejected_connections`;
  rejected.add(requestOf('KEPT'), null, 'unknown-identity');
  await rejected.close();
  const rows = await listRejectedConnections(sql, everywhere, any, null, 10);
  t.same(
    rows.map(({ identity }) => identity),
    ['KEPT'],
  );
});
