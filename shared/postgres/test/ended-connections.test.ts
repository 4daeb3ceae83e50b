// oxlint-disable-next-line time/no-sleep -- one timer that starts after the driver's, and so fires after it
import { setImmediate as immediate, setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import t from 'tap';
import { isPostgresDown } from '#shared/postgres/kernel/client.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until, untilSettled } from '#shared/testing/until.ts';
import { callCounter } from './support/call-counter.ts';
import { freezableServer } from './support/freezable-server.ts';
import { losableServer } from './support/losable-server.ts';

void t.test('ends a pool whose connection is lost meanwhile', async (t) => {
  const server = await losableServer(t);
  const sql = server.pool(1);
  const running = sql`select pg_sleep(60)`.catch((error: unknown) => error);
  await server.waiting('%pg_sleep%', 1);
  const ended = sql.end();
  await server.cut();
  t.ok(isPostgresDown(await untilSettled('the query', running)));
  await untilSettled('the end', ended);
  await t.rejects(sql`select 1`, { code: 'CONNECTION_ENDED' });
});

void t.test('ends a pool once its reserved connection is released', async (t) => {
  const server = await losableServer(t);
  const sql = server.pool(1);
  const held = await sql.reserve();
  const ended = sql.end();
  t.same(await held`select 1 as one`, [{ one: 1 }], 'a reservation is not ended');
  await t.rejects(
    untilSettled('the reservation', sql.reserve()),
    { code: 'CONNECTION_ENDED' },
    'a reservation that comes late',
  );
  held.release();
  await untilSettled('the end', ended);
});

void t.test('does not reconnect a listener of a pool that was ended', async (t) => {
  const { databaseUrl } = await testStores(t);
  const server = await freezableServer(t, databaseUrl);
  const delayMs = 1000;
  const lost = callCounter();
  const sql = postgres(server.databaseUrl, {
    backoff() {
      // The driver asks for the delay when a connection has closed, and connects again after it.
      lost.call();
      return delayMs / 1000;
    },
  });
  await sql.listen('news', () => undefined);
  const survivor = postgres(server.databaseUrl, { backoff: () => (2 * delayMs) / 1000 });
  t.teardown(() => survivor.end({ timeout: 0 }));
  await survivor.listen('news', () => undefined);
  t.equal(server.accepted(), 2);
  await server.close();
  await lost.reached(1, 'the loss');
  // The listener asks for the next connection in microtasks that follow.
  await immediate();
  await sql.end({ timeout: 0 });
  await server.open();
  await until('a listener with a longer delay is back', () => server.accepted() > 2);
  t.equal(server.accepted(), 3, 'the listener of the ended pool is not');
});

void t.test('replaces an idle connection that ended while its server was silent', async (t) => {
  const { databaseUrl } = await testStores(t);
  const server = await freezableServer(t, databaseUrl);
  const idleMs = 200;
  const closed = callCounter();
  const sql = postgres(server.databaseUrl, {
    max: 1,
    idle_timeout: idleMs / 1000,
    answer_timeout: 5,
    connect_timeout: 5,
    onclose: closed.call,
  });
  t.teardown(() => sql.end({ timeout: 0 }));
  await sql`select 1`;
  server.freeze();
  // Starts after the driver's own timer, so that it fires after it.
  await wait(2 * idleMs);
  await t.rejects(
    untilSettled('a query of a frozen server', sql`select 1`),
    { code: 'CONNECT_TIMEOUT' },
    'it waits for a new connection',
  );
  await closed.reached(2, 'the close of the idle connection and of the one that failed');
  server.thaw();
  t.same(await untilSettled('a query', sql`select 1 as one`), [{ one: 1 }]);
});
