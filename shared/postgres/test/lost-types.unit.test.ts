import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import t, { type Test } from 'tap';
import { isPostgresDown, openPostgres } from '#shared/postgres/kernel/client.ts';

/** AuthenticationOk and ReadyForQuery of PostgreSQL's protocol 3.0. */
const welcome = Buffer.from('R\0\0\0\u0008\0\0\0\0Z\0\0\0\u0005I', 'latin1');

/** Starts a server that welcomes each connection and closes it at its first query, and returns its URL. */
async function closingServer(t: Test): Promise<string> {
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(welcome);
      socket.once('data', () => socket.destroy());
    });
  }).listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  return `postgres://user:password@127.0.0.1:${(server.address() as AddressInfo).port}/database`;
}

// The driver reads the array types as the first query of a connection. Nothing awaits that query, and a rejection
// without a handler ends the process.
void t.test('rejects a query alone when the connection is lost while array types are read', async (t) => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.prependListener('unhandledRejection', note);
  t.teardown(() => process.off('unhandledRejection', note));
  const sql = openPostgres(await closingServer(t), { name: 'lost', connections: 1 });
  t.teardown(() => sql.end({ timeout: 1 }));
  const error = await sql`select 1`.catch((reason: unknown) => reason);
  t.ok(isPostgresDown(error), String(error));
  // Unhandled rejections are reported when the microtasks are done.
  await new Promise((resolve) => setImmediate(resolve));
  t.same(unhandled, []);
});
