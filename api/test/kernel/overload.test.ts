import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import t, { type Test } from 'tap';
import { holdCharger, mintKey, register, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { until } from '#shared/testing/until.ts';
import { VirtualClock } from '#shared/testing/virtual-clock.ts';

const chargers = '/cpms/v1/chargers';
const metrics = async ({ app }: Pick<TestApi, 'app'>): Promise<string> => (await app.inject('/metrics')).body;

/** An API that serves one request at a time. */
async function scene(t: Test) {
  const clock = new VirtualClock();
  const api = await startTestApi(t, { maxRequests: 1, clock });
  const key = await mintKey(api);
  return {
    ...api,
    clock,
    key,
    /** Holds the only place: a change waits for a lock until `end` is called. */
    async occupy() {
      const locked = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      const lock = api.stores.sql.begin(async (transaction) => {
        await transaction`lock table locations in access exclusive mode`;
        locked.resolve();
        await released.promise;
      });
      await locked.promise;
      const answer = api.call(key, { url: '/cpms/v1/locations' });
      await until('the request is served', async () =>
        (await metrics(api)).includes('chargeway_api_requests{state="running"} 1'),
      );
      return async (): Promise<number> => {
        released.resolve();
        await lock;
        return (await answer).status;
      };
    },
  };
}

void t.test('refuses requests with a code and Retry-After while the process is overloaded', async (t) => {
  const api = await scene(t);
  const end = await api.occupy();
  const waiting = api.call(api.key, { url: chargers });
  await until('a request waits', async () =>
    (await metrics(api)).includes('chargeway_api_requests{state="waiting"} 1'),
  );
  api.clock.advance(500);
  const refused = [
    await api.call(api.key, { url: chargers }),
    await api.call(null, { url: '/emsp/v1/chargers' }),
    await api.call(null, { url: '/ocpi/versions' }),
  ];
  t.match(refused, [
    { status: 503, json: { success: false, error: { code: 'OVERLOADED' } } },
    { status: 503, json: { code: 'OVERLOADED' } },
    { status: 503, json: { status_code: 3000, status_message: /^OVERLOADED: / } },
  ]);
  for (const { headers } of refused) {
    const seconds = Number(headers['retry-after']);
    t.ok(seconds >= 1 && seconds <= 5, `Retry-After: ${seconds}`);
  }
  t.equal((await api.app.inject('/health/live')).statusCode, 200);
  t.match(await metrics(api), 'chargeway_api_refused_requests_total{caller="other"} 3');
  t.equal(api.log().split('the API is overloaded').length - 1, 1, 'one line for all');
  t.equal(await end(), 200);
  t.equal((await waiting).status, 200);
  t.equal((await api.call(api.key, { url: chargers })).status, 200);
});

void t.test('serves an operator at the console before requests that came earlier', async (t) => {
  const api = await scene(t);
  const signIn = await api.app.inject({
    method: 'POST',
    url: '/cpms/v1/auth/sessions',
    payload: { apiKey: api.key },
  });
  const cookie = String(signIn.headers['set-cookie']).split(';')[0] ?? '';
  const end = await api.occupy();
  const order: string[] = [];
  const first = api.call(api.key, { url: chargers }).then(() => order.push('key'));
  const operator = api
    .call(null, { url: chargers, headers: { cookie } })
    .then(({ status }) => order.push(`operator ${status}`));
  await until('both wait', async () =>
    (await metrics(api)).includes('chargeway_api_requests{state="waiting"} 2'),
  );
  await end();
  await Promise.all([first, operator]);
  t.strictSame(order, ['operator 200', 'key']);
});

void t.test('serves others while a command waits for its charger', async (t) => {
  const api = await scene(t);
  const { id } = await register(api, api.key, { serial: 'CP-1' });
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await holdCharger(api, 'CP-1', async () => {
    asked.resolve();
    await answered.promise;
    const result = {
      accepted: true,
      status: 'Accepted',
      payload: { status: 'Accepted' },
      transactionId: null,
    };
    return { ok: true, ocppVersion: '1.6', action: 'Reset', result };
  });
  const command = api.call(api.key, { method: 'POST', url: `${chargers}/${id}/reboot`, payload: {} });
  await asked.promise;
  t.equal((await api.call(api.key, { url: chargers })).status, 200);
  answered.resolve();
  t.equal((await command).status, 200);
});

void t.test('serves others while the body of a request arrives', async (t) => {
  const api = await scene(t);
  const url = new URL(await api.app.listen({ host: '127.0.0.1', port: 0 }));
  const slow = httpRequest({
    host: url.hostname,
    port: url.port,
    method: 'POST',
    path: chargers,
    headers: { 'x-api-key': api.key, 'content-type': 'application/json', 'content-length': 20 },
  });
  const arrived = once(api.app.server, 'request');
  slow.write('{"serial":');
  await arrived;
  await until('the wait for the body', async () =>
    (await metrics(api)).includes('chargeway_api_requests{state="running"} 0'),
  );
  t.equal((await api.call(api.key, { url: '/cpms/v1/me' })).status, 200);
  const answer = once(slow, 'response');
  slow.end(' "CP-77" }');
  const [response] = (await answer) as [{ statusCode: number; resume(): void }];
  response.resume();
  t.equal(response.statusCode, 201);
  t.match(await metrics(api), 'chargeway_api_requests{state="running"} 0');
});
