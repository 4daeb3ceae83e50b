import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { buffer, text } from 'node:stream/consumers';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { RPCClient } from 'ocpp-rpc';
import t, { type Test } from 'tap';
import { seedApiKey, seedCharger, type SeededCharger, seedNetwork } from '#shared/testing/seed.ts';
import { type TestStores, testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import { createTestAuthority, type KeyedCertificate } from '#shared/testing/certificates.ts';
import { startProxy, type TestProxy } from './support/haproxy.ts';
import {
  type GatewayProcess,
  gatewayEnvironment,
  startGatewayProcess,
  startProcess,
  untilHealthy,
} from './support/system.ts';

const secret = 'the-secret-between-proxy-and-gateway';

interface Attempt {
  password?: string;
  certificate?: KeyedCertificate;
  headers?: Record<string, string>;
  from?: string;
  tls?: ConnectionOptions;
}

/** A gateway behind a proxy, both as they ship, and the authorities of a test. */
async function startSystem(t: Test) {
  const stores = await testStores(t);
  const network = await seedNetwork(stores.sql);
  const environment = await gatewayEnvironment(t, stores);
  const gateway = await startGatewayProcess(t, {
    ...environment,
    LOG_LEVEL: 'info',
    TRUSTED_PROXIES: '127.0.0.1',
    PROXY_SECRET: secret,
  });
  const [ours, foreign, server] = await Promise.all(
    ['Chargers', 'Foreign', 'Server'].map((name) => createTestAuthority(name)),
  );
  if (ours === undefined || foreign === undefined || server === undefined) throw new Error('no authority');
  const proxy = await startProxy(t, {
    server: await server.issue('localhost', { forServer: true }),
    chargerAuthority: ours.root,
    environment: {
      GATEWAY_PORT: environment['OCPP_PORT'] ?? '',
      GATEWAY_HEALTH_PORT: environment['GATEWAY_METRICS_PORT'] ?? '',
      API_PORT: environment['PORT'] ?? '',
      PROXY_SECRET: secret,
      BODY_TIMEOUT: '500ms',
    },
  });
  const system = { stores, network, environment, gateway, proxy, ours, foreign, serverRoot: server.root };
  const probe = await seedCharger(stores.sql, network.id, { securityProfile: 2 });
  await until('the proxy to find the gateway', async () => (await attempt(t, system, probe)) !== 503);
  return system;
}

type StartedSystem = Awaited<ReturnType<typeof startSystem>>;

interface System {
  stores: TestStores;
  network: { id: number; uuid: string };
  gateway: GatewayProcess;
  proxy: TestProxy;
  serverRoot: string;
}

/** Connects over TLS with the independent client; resolves to it, or to the HTTP status that refused it. */
async function attempt(
  t: Test,
  { proxy, serverRoot }: System,
  { uid }: SeededCharger,
  { password, certificate, headers, from, tls }: Attempt = {},
): Promise<RPCClient | number> {
  const options = {
    endpoint: proxy.ocppUrl,
    identity: uid,
    password,
    protocols: ['ocpp1.6'],
    strictMode: true,
    reconnect: false,
    headers,
    wsOpts: { ca: serverRoot, localAddress: from, ...certificate, ...tls },
  };
  // The package's types ask for every option that it has a default for.
  const client = new RPCClient(options as unknown as ConstructorParameters<typeof RPCClient>[0]);
  try {
    await client.connect();
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'number') return error.code;
    throw error;
  }
  t.teardown(() => client.close({ force: true }));
  return client;
}

/** Lets a charger in, and has it answered. */
async function letIn(t: Test, system: System, charger: SeededCharger, how: Attempt): Promise<void> {
  const client = await attempt(t, system, charger, how);
  if (typeof client === 'number') {
    t.fail(`refused with ${client}`);
    return;
  }
  t.match(await client.call('Heartbeat', {}), { currentTime: String });
  await client.close();
}

void t.test('the proxy before a gateway and an API', async (t) => {
  const system = await startSystem(t);
  await t.test('chargers over TLS', (t) => testChargers(t, system));
  await t.test('the API', (t) => testApi(t, system));
});

async function testChargers(t: Test, system: StartedSystem): Promise<void> {
  const { gateway, ours, foreign, network } = system;
  const { sql } = system.stores;
  const register = (securityProfile: number, names: { certificateCn?: string; uid?: string } = {}) =>
    seedCharger(sql, network.id, { securityProfile, ...names });

  await t.test('profile 2: requires the password, over TLS only', async (t) => {
    const charger = await register(2);
    const { uid, password } = charger;
    await letIn(t, system, charger, { password });
    t.equal(await attempt(t, system, charger, { password: 'wrong' }), 401);
    t.equal(await attempt(t, system, charger), 401);
    const plain = { ...system, proxy: { ...system.proxy, ocppUrl: gateway.ocppUrl } };
    t.equal(await attempt(t, plain, charger, { password }), 403, 'plain');
    await letIn(t, system, charger, { password, certificate: await foreign.issue('its maker’s') });
    const basic = await register(1);
    await letIn(t, system, basic, { password: basic.password });
    await letIn(t, plain, basic, { password: basic.password });
    t.notOk(gateway.output().includes(password), 'no password in the log');
    t.notOk(gateway.output().includes(Buffer.from(`${uid}:${password}`).toString('base64')));
  });

  await t.test('profile 3: requires the certificate', async (t) => {
    const charger = await register(3);
    const { uid, password } = charger;
    const neighbour = await register(3);
    const named = await register(3, { certificateCn: 'Série 12:3', uid: '/Étoile 2%?' });
    await letIn(t, system, charger, { certificate: await ours.issue(uid) });
    await letIn(t, system, named, { certificate: await ours.issue('Série 12:3') });
    const proxy = { ...system.proxy, ocppUrl: system.proxy.ocppUrl.replace(/\/ocpp$/, '//ocpp/') };
    await letIn(t, { ...system, proxy }, named, { certificate: await ours.issue(named.uid) });
    t.equal(await attempt(t, system, charger, { password }), 403, 'none');
    const expired = await ours.issue(uid, { notAfter: new Date(Date.now() - 60_000) });
    for (const [certificate, what] of [
      [await foreign.issue(uid), 'of an unknown authority'],
      [await ours.issue(neighbour.uid), 'of another charger'],
      [expired, 'expired'],
      [await foreign.issue(uid, { notAfter: new Date(Date.now() - 60_000) }), 'unknown and expired'],
    ] as const) {
      t.equal(await attempt(t, system, charger, { password, certificate }), 403, what);
    }
  });

  await t.test('refuses a bad certificate on a resumed TLS session', async (t) => {
    const charger = await register(3);
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      for (const [authority, status] of [
        [foreign, 403],
        [ours, 101],
      ] as const) {
        const certificate = await authority.issue(charger.uid);
        const first = await upgrade(system, charger, { ...certificate, maxVersion: version });
        const again = await upgrade(system, charger, {
          ...certificate,
          maxVersion: version,
          session: first.session,
        });
        t.equal(again.isResumed, true, `${version}: resumed`);
        t.same([first.status, again.status], [status, status], version);
      }
    }
  });

  await t.test('removes proxy headers that a charger sends', async (t) => {
    const charger = await register(3);
    const headers = {
      'X-Chargeway-Proxy-Secret': secret,
      'X-Chargeway-Tls': 'TLSv1.3',
      'X-Chargeway-Client-Verify': '0',
      'X-Chargeway-Client-Cn': Buffer.from(charger.uid).toString('base64'),
      'X-Forwarded-For': '192.0.2.1',
    };
    t.equal(await attempt(t, system, charger, { headers, from: '127.0.0.9' }), 403, 'through the proxy');
    t.equal(
      await attempt(t, system, charger, { headers, certificate: await foreign.issue('x') }),
      403,
      'with a certificate of any kind',
    );
    const refused = await until('the log line', async () => {
      const lines = gateway.output().split('\n');
      const line = lines.find((text) => text.includes(charger.uid) && text.includes('no client certificate'));
      return line !== undefined && (JSON.parse(line) as { from: string });
    });
    t.equal(refused.from, '127.0.0.9', 'the address is the one that the proxy saw');
    t.notOk(gateway.output().includes(secret), 'the secret is not logged');
  });

  await t.test('accepts TLS 1.2 with the cipher suites of OCPP only', async (t) => {
    t.equal(await handshake(system, { maxVersion: 'TLSv1.3' }), 'TLSv1.3');
    t.equal(await handshake(system, { maxVersion: 'TLSv1.2' }), 'TLSv1.2');
    for (const ciphers of ['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384']) {
      t.equal(await handshake(system, { maxVersion: 'TLSv1.2', ciphers }), 'TLSv1.2', ciphers);
    }
    t.equal(await handshake(system, { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' }), null);
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const;
    t.equal(await handshake(system, old), null);
  });
}

async function testApi(t: Test, system: StartedSystem): Promise<void> {
  const { proxy, serverRoot, stores, network, environment } = system;
  const key = await seedApiKey(stores.sql, 'cpms', {
    networkIds: [network.id],
    scopes: ['cpms:read:networks', 'cpms:write:networks'],
  });
  const api = startProcess(t, 'api/main.ts', environment);
  await untilHealthy(api, `http://127.0.0.1:${environment['PORT']}/health/ready`);
  const ask = async (path: string, { body, ...options }: RequestOptions & { body?: string } = {}) => {
    const asked = request(`${proxy.apiUrl}${path}`, { ca: serverRoot, agent: false, ...options }).end(body);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return answer;
  };
  const get = async (path: string, headers: Record<string, string> = {}) =>
    (await ask(path, { headers })).resume();
  await until('the proxy to find the API', async () => (await get('/cpms/v1/me')).statusCode === 401);
  const me = await get('/cpms/v1/me', { 'X-API-Key': key });
  t.equal(me.statusCode, 200);
  t.match(me.headers['strict-transport-security'], /max-age=/);
  for (const path of ['/metrics', '/health/ready', '/%6detrics', '/h%65alth/ready']) {
    t.equal((await get(path)).statusCode, 404, path);
  }

  await t.test('compresses answers and keeps ETags usable', async (t) => {
    const compressed = { 'X-API-Key': key, 'Accept-Encoding': 'gzip' };
    const list = await ask('/cpms/v1/networks', { headers: compressed });
    t.equal(list.headers['content-encoding'], 'gzip');
    t.match(JSON.parse(gunzipSync(await buffer(list)).toString()), { data: [{ id: network.uuid }] });
    t.equal((await get('/cpms/v1/networks', { 'X-API-Key': key })).headers['content-encoding'], undefined);
    const url = `/cpms/v1/networks/${network.uuid}`;
    const { etag } = (await get(url, compressed)).headers;
    t.equal(etag, 'W/"1"');
    const change = { method: 'PATCH', body: '{"name":"Other"}' };
    const send = async (ifMatch: string) => {
      const headers = { ...compressed, 'Content-Type': 'application/json', 'If-Match': ifMatch };
      return (await ask(url, { ...change, headers })).resume().statusCode;
    };
    t.strictSame([await send(etag ?? ''), await send(etag ?? '')], [200, 412]);
  });

  /** The answer to a request whose body never ends. */
  const stall = async (method: string, path: string) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': 100, 'X-API-Key': 'wrong' };
    const stalled = request(`${proxy.apiUrl}${path}`, { ca: serverRoot, agent: false, method, headers });
    t.teardown(() => stalled.destroy());
    stalled.write('{"name":');
    const [answer] = (await once(stalled, 'response')) as [IncomingMessage];
    return answer;
  };

  await t.test('answers 408 to a body that stalls', async (t) => {
    const answer = await stall('POST', '/cpms/v1/networks');
    t.equal(answer.statusCode, 408);
    t.equal(answer.headers['content-type'], 'application/problem+json');
    t.match(JSON.parse(await text(answer)), { status: 408, code: 'BODY_TIMEOUT' });
  });

  await t.test('streams a firmware image', async (t) => {
    const answer = await stall('PUT', '/cpms/v1/firmware-images/x/content');
    t.equal(answer.statusCode, 401, 'the answer of the API');
  });
}

void t.test('the proxy limits connections by source address', async (t) => {
  const authority = await createTestAuthority('Server');
  const start = async (environment: Record<string, string>) =>
    startProxy(t, {
      server: await authority.issue('localhost', { forServer: true }),
      chargerAuthority: authority.root,
      environment,
    });
  /** Connects to a port of the proxy from an address of this machine; resolves to null when it is refused. */
  const open = async (url: string, from: string): Promise<TLSSocket | null> => {
    const { hostname: host, port } = new URL(url);
    const options: ConnectionOptions & { localAddress: string } = {
      host,
      port: Number(port),
      ca: authority.root,
      localAddress: from,
    };
    const socket = connectTls(options);
    t.teardown(() => socket.destroy());
    return once(socket, 'secureConnect').then(
      () => socket,
      () => null,
    );
  };

  await t.test('connections at a time', async (t) => {
    const { ocppUrl, apiUrl } = await start({ CHARGERS_PER_ADDRESS: '3', CLIENTS_PER_ADDRESS: '2' });
    for (const [url, limit] of [
      [ocppUrl, 3],
      [apiUrl, 2],
    ] as const) {
      const held: (TLSSocket | null)[] = [];
      for (let count = 0; count < limit; count++) held.push(await open(url, '127.0.0.2'));
      t.notOk(held.includes(null), `${limit} are accepted`);
      t.equal(await open(url, '127.0.0.2'), null, 'one more is refused');
      t.ok(await open(url, '127.0.0.3'), 'another address is not affected');
      held[0]?.destroy();
      await until('room for another one', async () => (await open(url, '127.0.0.2')) !== null);
    }
  });

  await t.test('new connections', async (t) => {
    const { ocppUrl, apiUrl } = await start({ NEW_PER_ADDRESS: '5' });
    let addresses = 2;
    for (const url of [ocppUrl, apiUrl]) {
      // The proxy counts within 10 s. A machine that is slow needs another address, and another try.
      const refused = await until('six connections within the period', async () => {
        const from = `127.0.0.${addresses++}`;
        const begin = performance.now();
        for (let count = 0; count < 5; count++) (await open(url, from))?.destroy();
        const sixth = await open(url, from);
        // oxlint-disable-next-line time/no-elapsed-bound -- a slow try is repeated
        return performance.now() - begin < 10_000 && { sixth };
      });
      t.equal(refused.sixth, null, 'the sixth within the period is refused');
      t.ok(await open(url, '127.0.0.99'), 'another address is not affected');
    }
  });
});

/** An upgrade request without the help of a client: its HTTP status, and the TLS session to come back with. */
async function upgrade(system: System, charger: SeededCharger, options: ConnectionOptions) {
  const { hostname, port, pathname } = new URL(system.proxy.ocppUrl);
  const socket = connectTls({ host: hostname, port: Number(port), ca: system.serverRoot, ...options });
  let session: Buffer | undefined;
  socket.on('session', (given) => (session = given));
  await once(socket, 'secureConnect');
  const isResumed = socket.isSessionReused();
  socket.write(
    [
      `GET ${pathname}/${charger.uid} HTTP/1.1`,
      `Host: ${hostname}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Protocol: ocpp1.6',
      '\r\n',
    ].join('\r\n'),
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return { status: Number(head.toString('latin1').split(' ')[1]), session, isResumed };
}

/** The TLS version that is agreed on; null when the proxy refuses. */
async function handshake(system: System, options: ConnectionOptions): Promise<string | null> {
  const { hostname, port } = new URL(system.proxy.ocppUrl);
  const socket: TLSSocket = connectTls({
    host: hostname,
    port: Number(port),
    ca: system.serverRoot,
    ...options,
  });
  try {
    await once(socket, 'secureConnect');
    return socket.getProtocol();
  } catch {
    return null;
  } finally {
    socket.destroy();
  }
}
