import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import t from 'tap';
import { withoutSocket } from '#shared/embedded/postgres/unix-socket.ts';
import { isPostgresDown, openPostgres } from '#shared/postgres/kernel/client.ts';
import { freePort } from '#shared/testing/free-port.ts';
import { testStores } from '#shared/testing/stores.ts';
import { untilSettled } from '#shared/testing/until.ts';

void t.test('connects to the first of several hosts that accepts writes', async (t) => {
  const stores = await testStores(t);
  const { sql: admin } = stores;
  const databaseUrl = withoutSocket(stores.databaseUrl);
  const { host, pathname } = new URL(databaseUrl);
  const nobody = `127.0.0.1:${await freePort()}`;
  const open = (hosts: string) => {
    const url = databaseUrl.replace(host, hosts);
    const sql = openPostgres(url, { name: 'hosts', connections: 2, timeoutMs: 60_000 });
    t.teardown(() => sql.end({ timeout: 0 }));
    return sql;
  };

  t.same(await open(`${nobody},${host}`)`select 1 as one`, [{ one: 1 }], 'after one that is down');
  const down = open(`${nobody},127.0.0.1:${await freePort()}`);
  for (let round = 0; round < 3; round += 1) {
    const error = await down`select 1`.catch((reason: unknown) => reason);
    t.ok(isPostgresDown(error), `one round over hosts that are down: ${String(error)}`);
  }

  const hangsUp = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => hangsUp.listen(0, '127.0.0.1', resolve));
  t.teardown(() => hangsUp.close());
  const closing = `127.0.0.1:${(hangsUp.address() as AddressInfo).port}`;
  await t.rejects(
    open(`${nobody},${closing}`)`select 1`,
    { code: 'CONNECTION_CLOSED' },
    'the last one hangs up',
  );

  const sql = open(`${host},${nobody}`);
  await sql`select 1`;
  const database = admin(pathname.slice(1));
  await admin`alter database ${database} set default_transaction_read_only = on`;
  const unsuitable = await open(`${host},${host}`)`select 1`.catch((reason: unknown) => reason);
  t.match(unsuitable, { code: 'UNSUITABLE_SERVER' });
  t.ok(isPostgresDown(unsuitable));
  await admin`alter database ${database} reset default_transaction_read_only`;

  const [before] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const refused = await sql
    .begin(async (transaction) => {
      await transaction`set transaction read only`;
      await transaction`create table refused ()`;
    })
    .catch((reason: unknown) => reason);
  t.ok(isPostgresDown(refused), `a demoted server: ${String(refused)}`);
  const [after] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  t.not(after?.pid, before?.pid, 'a connection that accepts no writes is left');
});

void t.test(
  'rejects all waiting queries after one round over a silent host and one that refuses',
  async (t) => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    t.teardown(() => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const hosts = `127.0.0.1:${(silent.address() as AddressInfo).port},127.0.0.1:${await freePort()}`;
    const sql = openPostgres(`postgres://user:password@${hosts}/database`, {
      name: 'hosts',
      connections: 1,
      timeoutMs: 500,
    });
    t.teardown(() => sql.end({ timeout: 0 }));
    const queries = Array.from({ length: 20 }, () => sql`select 1`);
    const outcomes = await untilSettled('one round over the hosts', Promise.allSettled(queries));
    t.same(
      outcomes.map((outcome) => outcome.status === 'rejected' && isPostgresDown(outcome.reason)),
      queries.map(() => true),
    );
    t.equal(sockets.length, 1, 'the silent host was asked once');
  },
);
