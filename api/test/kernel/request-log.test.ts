import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import t from 'tap';
import { until } from '#shared/testing/until.ts';
import { holdCharger, mintKey, register, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';

interface Line {
  level: number;
  msg: string;
  code?: string;
  err?: object;
}

/** Lines of the log at warn (40) and error (50). */
const troubles = (api: TestApi): Line[] =>
  api
    .log()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
    .filter(({ level }) => level >= 40);

void t.test('a request whose client goes away is no error in the log', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((api.app.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const arrival = once(api.app.server, 'request') as Promise<[IncomingMessage]>;
  socket.write(
    `POST /cpms/v1/chargers HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n` +
      'Content-Length: 100\r\n\r\n{"serial":',
  );
  const [request] = await arrival;
  await until('the body to be read', async () => request.listenerCount('data') > 0);
  socket.destroy();
  await until('the log', async () => api.log().includes('closed the connection'));
  t.same(troubles(api), []);
});

void t.test('an error that a charger answers is a warning without a stack', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  await holdCharger(api, 'CP-1', () => ({ ok: false, code: 'CHARGER_REFUSED', message: 'NotSupported' }));
  t.equal((await api.call(key, { method: 'POST', url: `/cpms/v1/chargers/${id}/reboot` })).status, 502);
  t.match(troubles(api), [{ level: 40, code: 'CHARGER_REFUSED', reason: 'NotSupported' }]);
  t.equal(troubles(api).length, 1);
  t.notMatch(api.log(), 'at async');
});
