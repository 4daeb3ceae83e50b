import t from 'tap';
import { isPostgresDown, openPostgres } from '#shared/postgres/kernel/client.ts';
import { fakeServer } from './support/fake-server.ts';

// The driver reads the array types as the first query of a connection. Nothing awaits that query, and a rejection
// without a handler ends the process.
void t.test('rejects only the query when the connection is lost while array types are read', async (t) => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.prependListener('unhandledRejection', note);
  t.teardown(() => process.off('unhandledRejection', note));
  const url = await fakeServer(t, (_type, _content, socket) => socket.destroy());
  const sql = openPostgres(url, { name: 'lost', connections: 1 });
  t.teardown(() => sql.end({ timeout: 1 }));
  const error = await sql`select 1`.catch((reason: unknown) => reason);
  t.ok(isPostgresDown(error), String(error));
  // Unhandled rejections are reported when the microtasks are done.
  await new Promise((resolve) => setImmediate(resolve));
  t.same(unhandled, []);
});
