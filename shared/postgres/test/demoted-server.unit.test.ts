import postgres from 'postgres';
import t from 'tap';
import { isPostgresDown } from '#shared/postgres/kernel/client.ts';
import { failure, fakeServer, oneRow } from './support/fake-server.ts';

void t.test('rejects later queries of a connection that is closed after a refused write', async (t) => {
  const sent: string[] = [];
  const url = await fakeServer(t, (type, content, socket) => {
    if (type !== 'Q') return;
    sent.push(content.toString('utf8', 0, content.length - 1));
    if (sent.length === 1) socket.write(oneRow('first'));
    // All three answers arrive at once: the driver has them when it leaves the connection.
    if (sent.length === 4) {
      socket.write(Buffer.concat([failure('25006'), oneRow('second'), oneRow('third')]));
    }
    if (sent.length === 5) socket.write(oneRow('fourth'));
  });
  const sql = postgres(url, { max: 1, fetch_types: false });
  t.teardown(() => sql.end({ timeout: 1 }));
  t.same(await sql.unsafe('first'), [{ name: 'first' }]);
  const [refused, ...later] = await Promise.allSettled([
    sql.unsafe('refused'),
    sql.unsafe('second'),
    sql.unsafe('third'),
  ]);
  t.match(refused, { status: 'rejected', reason: { code: '25006' } });
  for (const outcome of later) {
    t.ok(outcome.status === 'rejected' && isPostgresDown(outcome.reason), JSON.stringify(outcome));
  }
  t.same(await sql.unsafe('fourth'), [{ name: 'fourth' }], 'the next connection answers');
  t.same(sent, ['first', 'refused', 'second', 'third', 'fourth'], 'no query is sent again');
});
