import { once } from 'node:events';
import { connect } from 'node:net';
import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { pino } from 'pino';
import { startApi } from '#api/server.ts';
import { enforceScopes } from '#api/plugins/scopes.ts';
import { openBus } from '#shared/bus/open.ts';
import type { CommandRequest } from '#shared/domain/commands/commands.ts';
import { authorizerChannel } from '#shared/domain/roaming/roaming.ts';
import { startOwnRedis } from '#shared/testing/redis.ts';
import { testStores } from '#shared/testing/stores.ts';
import { testSettings } from '#api/test/support/deps.ts';
import { accepted, holdCharger, mintKey, register, startTestApi } from '#api/test/support/fixtures.ts';
import { startSession } from '#api/test/support/records.ts';
import { until } from '#shared/testing/until.ts';

const log = pino({ level: 'silent' });
const config = {
  host: '127.0.0.1',
  port: 0,
  trustedProxies: [],
  corsOrigins: [],
  mapTiles: null,
  apiMaxConnections: 100,
  apiMaxRequests: 100,
  databasePoolerUrl: null,
  databaseReadUrl: null,
  ...testSettings,
};

void t.test('listens, answers and closes the port on stop', async (t) => {
  const urls = await testStores(t);
  const bus = await openBus({ localName: randomUUID(), hub: true });
  t.teardown(() => bus.close());
  const api = await startApi({
    config,
    urls,
    bus,
    log,
  });
  // A part that answers late counts as down.
  const ready = await until('all parts answer in time', async () => {
    const answer = await fetch(`${api.url}/health/ready`);
    return answer.status === 200 && answer.json();
  });
  t.strictSame(ready, { status: 'ready', parts: { postgresql: 'up', clickhouse: 'up', bus: 'up' } });
  await api.stop();
  await t.rejects(fetch(`${api.url}/health/live`));
  await bus.ping();
});

/** Joins a Redis that stalls then, and starts an API. Resolves when the API waits. */
async function startWithStalledRedis(t: Test, stopping?: AbortSignal) {
  const urls = await testStores(t);
  const redis = await startOwnRedis();
  t.teardown(() => redis.stop());
  const bus = await openBus({ redisUrl: redis.url, localName: '' });
  t.teardown(() => bus.close());
  process.kill(redis.pid, 'SIGSTOP');
  t.teardown(() => process.kill(redis.pid, 'SIGCONT'));
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const starting = startApi({ config, urls, bus, log, stopping });
  const failed = starting.then(() => Promise.reject(new Error('it did not wait')));
  const waiting = until('the wait for Redis', () => lines.join('').includes('this process waits for it'));
  await Promise.race([waiting, failed]);
  return { redis, starting };
}

void t.test('waits for a Redis that stalls during the start, and goes on', async (t) => {
  const { redis, starting } = await startWithStalledRedis(t);
  process.kill(redis.pid, 'SIGCONT');
  const api = await starting;
  t.teardown(() => api.stop());
  const other = await openBus({ redisUrl: redis.url, localName: '' });
  t.teardown(() => other.close());
  t.type(await other.request(authorizerChannel, null, { timeoutMs: 60_000 }), 'string');
});

void t.test('ends the wait for a Redis that stalls when the process stops', async (t) => {
  const stopping = new AbortController();
  const { starting } = await startWithStalledRedis(t, stopping.signal);
  stopping.abort();
  await t.rejects(starting, { name: 'AbortError' });
});

void t.test('the API closes connections beyond the configured limit', async (t) => {
  const urls = await testStores(t);
  const bus = await openBus({ localName: randomUUID(), hub: true });
  const api = await startApi({
    config: { ...config, apiMaxConnections: 1 },
    urls,
    bus,
    log,
  });
  const { port } = new URL(api.url);
  const first = connect(Number(port), '127.0.0.1');
  await once(first, 'connect');
  await t.rejects(fetch(`${api.url}/health/live`));
  first.destroy();
  await api.stop();
  await bus.close();
});

void t.test('stops a session past its limit in any API process', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  const session = await startSession(api.stores.sql, { chargerUuid: id });
  await api.stores.sql`update sessions set max_duration_s = 60`;
  const asked = Promise.withResolvers<CommandRequest>();
  await holdCharger(api, 'CP-1', (request) => {
    asked.resolve(request);
    return accepted;
  });
  const started = await startApi({
    config,
    urls: api.stores,
    bus: api.bus,
    log,
  });
  t.teardown(() => started.stop());
  t.match(await asked.promise, {
    uid: 'CP-1',
    command: { type: 'remote-stop', transactionId: session.transactionId },
  });
});

void t.test('a port in use is named together with its variable', async (t) => {
  const urls = await testStores(t);
  const bus = await openBus({ localName: randomUUID(), hub: true });
  t.teardown(() => bus.close());
  const first = await startApi({
    config,
    urls,
    bus,
    log,
  });
  t.teardown(() => first.stop());
  const port = Number(new URL(first.url).port);
  const second = startApi({
    config: { ...config, port },
    urls,
    bus,
    log,
  });
  await t.rejects(second, { message: new RegExp(`port ${port} is in use: set PORT`) });
});

void t.test('metrics count requests by route, never by path, and carry the gateway’s', async (t) => {
  const api = await startTestApi(t, { gatewayMetrics: async () => 'chargeway_gateway_up 1\n' });
  await api.call(null, { url: '/emsp/v1/chargers/6b6f7f0a-6d2e-4c7a-9f52-0c1d5a0c8a11' });
  await api.call(null, { url: '/nothing' });
  const { status, headers, text } = await api.call(null, { url: '/metrics' });
  t.equal(status, 200);
  t.match(headers['content-type'], 'text/plain');
  t.match(
    text,
    /request_duration_seconds_count\{route="\/emsp\/v1\/chargers\/:id",method="GET",status="401"\} 1/,
  );
  t.match(text, /route="unknown",method="GET",status="404"\} 1/);
  t.match(text, 'process_cpu_seconds_total');
  t.match(text, '\nchargeway_gateway_up 1\n');
  t.notMatch(text, '6b6f7f0a');
});

void t.test('metrics are served without the gateway’s when those fail', async (t) => {
  const api = await startTestApi(t, { gatewayMetrics: () => Promise.reject(new Error('no shard')) });
  t.match(await api.call(null, { url: '/metrics' }), { status: 200 });
  t.match(api.log(), 'no shard');
});

void t.test('reports the API as not ready without the bus', async (t) => {
  const api = await startTestApi(t);
  await api.shard.close();
  await api.bus.close();
  t.match(await api.call(null, { url: '/health/ready' }), { status: 503, json: { parts: { bus: 'down' } } });
});

void t.test('an operator route that declares no scope cannot be registered', async (t) => {
  const { default: Fastify } = await import('fastify');
  const app = Fastify();
  enforceScopes(app.withTypeProvider());
  t.throws(() => app.get('/open', () => 'all'), { message: /GET \/open declares no scope/ });
});
