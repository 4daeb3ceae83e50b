import t from 'tap';
import { startTestApi } from './fixtures.ts';

void t.test('the server bounds headers, silence and whole requests', async (t) => {
  const { server } = (await startTestApi(t)).app;
  t.equal(server.headersTimeout, 15_000);
  t.equal(server.timeout, 75_000);
  t.equal(server.requestTimeout, 900_000);
});
