import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import t from 'tap';
import type { Test } from 'tap';
import { BusUnavailableError } from '#shared/bus/contract.ts';
import { createRedisBus } from '#shared/bus/redis.ts';
import { redisConnection } from '#shared/bus/redis-connection.ts';
import { parseRedisUrl } from '#shared/domain/kernel/redis-address.ts';
import { createTestAuthority } from '#shared/testing/certificates.ts';
import { freePort } from '#shared/testing/free-port.ts';
import { startOwnRedis } from '#shared/testing/redis.ts';
import { documentedUser } from './support/documented-user.ts';
import { startRedisCluster } from './support/redis-cluster.ts';

const directory = await mkdtemp(join(tmpdir(), 'chargeway-redis-access-'));
t.teardown(() => rm(directory, { recursive: true }));
const authority = await createTestAuthority('Authority of the test');
const [server, client] = [
  await authority.issue('redis', { forServer: true }),
  await authority.issue('chargeway'),
];
const file = async (name: string, text: string): Promise<string> => {
  const path = join(directory, name);
  await writeFile(path, text);
  return path;
};
const [certificate, key] = [await file('client.pem', client.cert), await file('client.key', client.key)];
const cacert = await file('ca.pem', authority.root);
const tlsSettings = Object.entries({
  '--tls-cert-file': await file('server.pem', server.cert),
  '--tls-key-file': await file('server.key', server.key),
  '--tls-ca-cert-file': cacert,
  '--tls-client-cert-file': certificate,
  '--tls-client-key-file': key,
}).flat();
const [keyword = '', ...rule] = (await documentedUser('chargeway')).split(' ');
const userSettings = [`--${keyword}`, ...rule];
const credentials = 'chargeway:PASSWORD@';
const certificates = new URLSearchParams({ cacert, cert: certificate, key }).toString();

void t.test('works with the documented user over TLS with a client certificate', async (t) => {
  const tlsPort = await freePort();
  const redis = await startOwnRedis({
    settings: ['--tls-port', `${tlsPort}`, ...tlsSettings, ...userSettings],
  });
  t.teardown(() => redis.stop());
  const url = (query: string, login = credentials) => `rediss://${login}127.0.0.1:${tlsPort}?${query}`;
  await usesEverything(t, url(certificates));
  t.strictSame(await refusals(redis.url), []);
  for (const [reason, wrong] of [
    ['no authority', url('')],
    ['no client certificate', url(`cacert=${cacert}`)],
    ['a wrong password', url(certificates, 'chargeway:wrong@')],
    ['keys of another installation', url(`${certificates}&prefix=other`)],
  ] as const) {
    await t.rejects(createRedisBus({ url: wrong }), BusUnavailableError, reason);
  }
});

void t.test('outlives each error of a socket', async (t) => {
  const redis = await startOwnRedis();
  const connection = redisConnection(parseRedisUrl(redis.url), { autoPipelining: false });
  t.teardown(async () => {
    connection.disconnect();
    await redis.stop();
  });
  await connection.connect();
  const { stream } = connection;
  // Those of a certificate that the peer refuses too: their number depends on what arrives first.
  for (const text of ['unable to verify', 'alert decode error', 'ECONNRESET'])
    stream.emit('error', new Error(text));
  stream.destroy();
  await once(connection, 'ready');
  t.equal(await connection.ping(), 'PONG');
});

void t.test('works with the documented user in a cluster over TLS', async (t) => {
  const cluster = await startRedisCluster({ settings: [...tlsSettings, ...userSettings], withTls: true });
  t.teardown(() => cluster.stop());
  await usesEverything(t, `${cluster.tlsUrl.replace('://', `://${credentials}`)}?${certificates}`);
  for (const { port } of cluster.masters) t.strictSame(await refusals(`redis://127.0.0.1:${port}`), []);
});

async function usesEverything(t: Test, url: string): Promise<void> {
  const [a, b] = await Promise.all([createRedisBus({ url }), createRedisBus({ url })]);
  await b.respond('echo', async (message) => message);
  t.equal(await a.request('echo', 'hello', { timeoutMs: 5000 }), 'hello');
  const unsubscribe = await b.subscribe('news', () => undefined);
  await a.publish('news', 1);
  await unsubscribe();
  await a.presence.claim('one', 'first');
  t.equal((await b.presence.claim('one', 'second'))?.connectionId, 'first');
  t.equal((await a.presence.lookup('one'))?.connectionId, 'second');
  t.equal((await a.presence.list()).length, 1);
  t.equal(await b.presence.release('one', 'second'), true);
  t.equal((await a.count('counter', 1000)).count, 1);
  await a.ping();
  await Promise.all([a.close(), b.close()]);
}

/** Returns what the ACL refused, as the server logged it. */
async function refusals(url: string): Promise<unknown> {
  const admin = new Redis(url);
  const log = await admin.acl('LOG');
  admin.disconnect();
  return log;
}
