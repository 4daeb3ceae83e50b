import type postgres from 'postgres';
import t, { type Test } from 'tap';
import { callCounter } from './support/call-counter.ts';
import { losableServer } from './support/losable-server.ts';

/** Number of connections that must fail before the server takes connections again. */
const failures = 4;

/** Opens a pool whose connections can be lost until several attempts to connect have failed. */
async function listenScene(t: Test) {
  const server = await losableServer(t);
  const closed = callCounter();
  const sql = server.driver({
    backoff() {
      closed.call();
      return 0.02;
    },
  });
  return {
    server,
    sql,
    loseForLong: async (): Promise<void> => {
      const before = closed.count();
      await server.close();
      await server.cut();
      await closed.reached(before + 1 + failures, 'failed attempts to connect');
      await server.open();
    },
  };
}

/** Resolves when the statements that waited for the connection of the listeners have been answered. */
async function settle(sql: postgres.Sql): Promise<void> {
  // The driver sends them in two batches. Each of these two statements follows one of them.
  const last = await sql.listen('last', () => undefined);
  await last.unlisten();
}

void t.test('reports a new connection once to the listener of each channel', async (t) => {
  const { sql, loseForLong } = await listenScene(t);
  const first = callCounter();
  const second = callCounter();
  await sql.listen('first', () => undefined, first.call);
  await sql.listen('second', () => undefined, second.call);
  t.same([first.count(), second.count()], [1, 1]);
  for (const connection of [2, 3]) {
    await loseForLong();
    await first.reached(connection, 'the first listener');
    await second.reached(connection, 'the second listener');
    await settle(sql);
    t.same([first.count(), second.count()], [connection, connection]);
  }
});

void t.test('reports a new connection once to each of two listeners of a channel', async (t) => {
  const { sql, loseForLong } = await listenScene(t);
  const first = callCounter();
  const second = callCounter();
  await sql.listen('news', () => undefined, first.call);
  await sql.listen('news', () => undefined, second.call);
  // A further channel, so that statements of several attempts wait.
  await sql.listen('other', () => undefined);
  await loseForLong();
  await first.reached(2, 'the first listener');
  await second.reached(2, 'the second listener');
  await settle(sql);
  t.same([first.count(), second.count()], [2, 2]);
});

void t.test('stops a listener that was connected again', async (t) => {
  const { server, sql, loseForLong } = await listenScene(t);
  const connected = callCounter();
  const heard: string[] = [];
  const received = callCounter();
  const receive = (channel: string) => (payload: string) => {
    heard.push(`${channel}: ${payload}`);
    received.call();
  };
  const stopped = await sql.listen('stopped', receive('stopped'), connected.call);
  const kept = await sql.listen('stopped', receive('kept'));
  await sql.listen('other', receive('other'), connected.call);
  await loseForLong();
  await connected.reached(4, 'both listeners');

  await stopped.unlisten();
  await server.watch.notify('stopped', '1');
  await received.reached(1, 'the listener that is left');
  t.same(heard, ['kept: 1']);
  await kept.unlisten();
  await server.watch.notify('stopped', '2');
  // PostgreSQL delivers notifications in the order of their transactions.
  await server.watch.notify('other', '3');
  await received.reached(2, 'the other channel');
  t.same(heard, ['kept: 1', 'other: 3']);
});
