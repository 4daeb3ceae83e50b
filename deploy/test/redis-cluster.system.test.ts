import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { createStation16 } from '#shared/simulator/station16.ts';
import { createStation201 } from '#shared/simulator/station201.ts';
import { openBus } from '#shared/bus/open.ts';
import { startRedisCluster } from '#shared/bus/test/support/redis-cluster.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import { ensureWallet, moveMoney } from '#shared/postgres/money/wallets.statements.ts';
import { freePort } from '#shared/testing/free-port.ts';
import {
  seedApiKey,
  seedCharger,
  type SeededCharger,
  seedNetwork,
  seedTariff,
  seedUser,
} from '#shared/testing/seed.ts';
import { testStores, type TestStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import {
  type GatewayProcess,
  gatewayEnvironment,
  startGatewayProcess,
  startProcess,
  untilHealthy,
} from './support/system.ts';

interface Answer {
  status: number;
  json: { id: string; sessionId: string | null; status: string; data: { accepted: boolean } };
}

/** Sends a request to an API process. */
type Ask = (path: string, body?: object) => Promise<Answer>;

/** An API process, as a driver and as an operator see it. */
interface Api {
  name: string;
  driver: Ask;
  operator: Ask;
}

const triggered = { status: 200, json: { data: { accepted: true } } };

void t.test('two gateways and two API processes over a Redis Cluster', async (t) => {
  const cluster = await startRedisCluster();
  t.teardown(() => cluster.stop());
  const stores: TestStores = { ...(await testStores(t)), redisUrl: cluster.url };
  const { sql } = stores;
  const network = await seedNetwork(sql);
  await seedTariff(sql, network.id);
  const driver = await seedDriver(stores, network.id);
  const operatorKey = await seedApiKey(sql, 'cpms', { networkIds: [network.id], scopes: grantableScopes });
  const keys = { driver, operator: operatorKey };
  const environment = async () => ({ ...(await gatewayEnvironment(t, stores)), SHARDS: '1' });
  const [gateway1, gateway2, api1, api2] = await Promise.all([
    environment().then((env) => startGatewayProcess(t, env)),
    environment().then((env) => startGatewayProcess(t, env)),
    startApi(t, 'API 1', await environment(), keys),
    startApi(t, 'API 2', await environment(), keys),
  ]);
  const bus = await openBus({ redisUrl: cluster.url, localName: 'none' });
  t.teardown(() => bus.close());

  const location = await seedLocation(stores, network.id);
  const seed = async () => {
    const charger = await seedCharger(sql, network.id, { connectors: 1 });
    await sql`update chargers set location_id = ${location}, is_public = true where id = ${charger.id}`;
    return charger;
  };
  const [one, two] = [await seed(), await seed()];
  const left = Promise.withResolvers<void>();
  const connectTo = (
    { ocppUrl }: GatewayProcess,
    { uid, password }: SeededCharger,
    create: typeof createStation16 | typeof createStation201,
    onLost?: () => void,
  ) => {
    const about = { connectors: 1, vendor: 'Test', model: 'Test', ...(onLost && { onLost }) };
    const station = create({ ocppUrl, uid, password, ...about });
    t.teardown(() => station.close());
    return station.connect().then(() => station.boot());
  };
  await connectTo(gateway1, one, createStation16, () => left.resolve());
  await connectTo(gateway2, two, createStation201);
  const nodeOf = async ({ uid }: SeededCharger) => (await bus.presence.lookup(uid))?.node;

  await t.test('relay starts and stops of a driver to the gateway of the charger', async (t) => {
    await charge(t, two, api1, api2);
    await charge(t, one, api2, api1);
  });

  await t.test('relay commands from each API to each gateway', async (t) => {
    t.not(await nodeOf(one), await nodeOf(two), 'each gateway has one of the chargers');
    for (const api of [api1, api2])
      for (const charger of [one, two]) t.match(await trigger(api, charger), triggered, api.name);
  });

  await t.test('follow a charger that moves while its old socket is open', async (t) => {
    const before = await nodeOf(one);
    await connectTo(gateway2, one, createStation16);
    await left.promise;
    const held = await until('the claim of the other gateway', async () => {
      const now = await nodeOf(one);
      return now !== before && now;
    });
    t.equal(held, await nodeOf(two), 'one gateway has both');
    for (const api of [api1, api2]) t.match(await trigger(api, one), triggered, api.name);
    await charge(t, one, api1, api2);
  });

  await t.test('recover over a replica when a master is killed, with all sockets open', async (t) => {
    const held = await bus.presence.list();
    await cluster.masters[0].kill();
    await until('the promotion of the replica', async () =>
      (await cluster.replica.client.info('replication')).includes('role:master'),
    );
    for (const api of [api1, api2]) {
      for (const charger of [one, two]) {
        await until(`an answer to ${api.name}`, async () => (await trigger(api, charger)).status === 200);
      }
    }
    const claims = await until('the claims of both chargers', async () => {
      const found = await bus.presence.list().catch(() => []);
      return found.length === 2 && found;
    });
    t.same(sorted(claims), sorted(held), 'no charger had to connect again');
    await charge(t, one, api1, api2);
    await charge(t, two, api2, api1);
  });
});

/** Asks a charger through an API for a heartbeat. */
function trigger(api: Api, { uuid }: SeededCharger): Promise<Answer> {
  return api.operator(`/chargers/${uuid}/trigger-message`, { requestedMessage: 'Heartbeat' });
}

/** Charges at a charger: one API begins the session, the other one ends it. */
async function charge(t: Test, charger: SeededCharger, begin: Api, end: Api): Promise<void> {
  const start = await begin.driver('/charging/start', { chargerId: charger.uuid });
  t.equal(start.status, 200, `${begin.name} accepts the start`);
  const sessionId = await until('the session of the start', async () => {
    const { json } = await end.driver(`/charging/starts/${start.json.id}`);
    return json.status === 'started' && json.sessionId;
  });
  const stop = await end.driver('/charging/stop', { sessionId });
  t.match(stop, { status: 200, json: { id: sessionId, status: 'COMPLETED' } }, `${end.name} stops it`);
}

function sorted<Claim extends { key: string }>(claims: readonly Claim[]): Claim[] {
  return claims.toSorted((a, b) => a.key.localeCompare(b.key));
}

/** Returns the key of a driver with money. */
async function seedDriver({ sql }: TestStores, networkId: number): Promise<string> {
  const user = await seedUser(sql, networkId);
  const wallet = (await ensureWallet(sql, allNetworks, { id: user.id }))?.wallet;
  if (wallet === undefined) throw new Error('no wallet');
  const credit = { cause: 'CREDIT', counter: 'adjustments', amountMinor: 100_000n, mayOwe: false } as const;
  await sql.begin((transaction) => moveMoney(transaction, wallet.id, { ...credit, causeId: randomUUID() }));
  return seedApiKey(sql, 'emsp', { networkIds: [networkId], userId: user.id });
}

async function seedLocation({ sql }: TestStores, networkId: number): Promise<number> {
  const [location] = await sql<{ id: number }[]>`
    insert into locations (network_id, name, address, city, country, latitude, longitude)
    values (${networkId}, 'Harbour', 'Quay 1', 'Rotterdam', 'NLD', 51.9, 4.5) returning id`;
  if (location === undefined) throw new Error('no location');
  return location.id;
}

async function startApi(
  t: Test,
  name: string,
  env: Record<string, string>,
  keys: { driver: string; operator: string },
): Promise<Api> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const api = startProcess(t, 'api/main.ts', { ...env, PORT: String(port) });
  await untilHealthy(api, `${url}/health/ready`);
  const asker =
    (family: string, key: string): Ask =>
    async (path, body) => {
      const response = await fetch(`${url}/${family}/v1${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, json: (await response.json()) as Answer['json'] };
    };
  return { name, driver: asker('emsp', keys.driver), operator: asker('cpms', keys.operator) };
}
