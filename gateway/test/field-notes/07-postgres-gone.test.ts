import t from 'tap';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { testServers } from '#shared/testing/test-servers.ts';
import { dialects } from './support/dialect.ts';
import { after, charging, openScene } from './support/scene.ts';

void t.test('field note 7: makes chargers repeat while PostgreSQL is unavailable', async (t) => {
  const scene = await openScene(t);
  const { sql, databaseUrl } = scene.rig.stores;
  const admin = openPostgres(testServers().databaseUrl, { name: 'chargeway-test-admin', connections: 1 });
  const database = new URL(databaseUrl).pathname.slice(1);
  const open = (isOpen: boolean) =>
    admin.unsafe(`alter database ${database} with allow_connections ${isOpen ? 'true' : 'false'}`);
  t.teardown(async () => {
    await open(true);
    await admin.end();
  });

  for (const dialect of dialects) {
    await t.test(dialect.version, async (t) => {
      const charger = await scene.charger();
      const socket = await scene.socket(charger, dialect);
      t.match(await socket.call('before', ...dialect.authorize(scene.token)), [3, 'before', Object]);
      await open(false);
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database}`;

      const said = charging(scene, { name: 'outage' });
      const transaction = dialect.version === 'ocpp1.6' ? 1 : said.name;
      for (const [id, call] of [
        ['start', dialect.start(said)],
        ['stop', dialect.stop(said, transaction, { at: after(said, 60), registerWh: 2000 }, 1)],
        ['authorize', dialect.authorize(scene.token)],
        ['status', dialect.status(1, 'Available')],
        ['boot', dialect.boot],
      ] as const) {
        const answer = await socket.call(id, ...call);
        t.same(answer.slice(0, 3), [4, id, 'InternalError'], id);
      }
      t.match(await socket.call('alive', 'Heartbeat', {}), [3, 'alive', Object], 'the shard lives on');

      await open(true);
      const [type, , answer] = await socket.call('again', ...dialect.start(said));
      t.equal(type, 3, 'the same start succeeds when PostgreSQL is back');
      const info = { status: 'Accepted' };
      if (dialect.version === 'ocpp1.6') t.match(answer, { transactionId: Number, idTagInfo: info });
      else t.same(answer, { idTokenInfo: info });
      t.not(dialect.transactionOf(said, answer), 0);
      t.match(await socket.call('status-again', ...dialect.status(1, 'Available')), [3, 'status-again', {}]);
      t.match(await scene.sessions(charger), [{ status: 'ACTIVE', idToken: scene.token }]);
      const [kept] = await sql<{ stops: number }[]>`select count(*)::integer as stops from unmatched_stops`;
      t.equal(kept?.stops, 0, 'a stop that was refused was not kept either');
    });
  }
});
