import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import type { Station } from '#shared/simulator/station.ts';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { ensureWallet } from '#shared/postgres/money/wallets.statements.ts';
import { promote, startPostgresPair } from '#shared/testing/postgres-pair.ts';
import { seedApiKey, seedNetwork, seedToken, seedUser } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import {
  gatewayEnvironment,
  startFleet,
  startGatewayProcess,
  startProcess,
  untilHealthy,
} from './support/system.ts';

const stations = 10;
const clients = 4;

/** Work that was acknowledged, and how to wait for more of it. */
class Acknowledged<Item> {
  readonly items: Item[] = [];

  async more(count: number, what: string): Promise<void> {
    const wanted = this.items.length + count;
    await until(
      `${count} more ${what}`,
      () => this.items.length >= wanted,
      () => this.items.length,
    );
  }
}

/** An ended session, as its charger knows it. */
interface EndedSession {
  uid: string;
  energyWh: number;
}

void t.test('a failover to a synchronous standby loses and doubles nothing acknowledged', async (t) => {
  const stores = await testStores(t);
  const pair = await startPostgresPair(t, { synchronous: true });
  const { primary, standby } = pair;
  // The standby comes first: connections have to look for the server that accepts writes.
  const databaseUrl = primary.url.replace(primary.host, `${standby.host},${primary.host}`);
  const env = await gatewayEnvironment(t, { ...stores, databaseUrl });
  const gateway = await startGatewayProcess(t, env);
  const api = startProcess(t, 'api/main.ts', env);
  const base = `http://127.0.0.1:${env['PORT']}`;
  await untilHealthy(api, `${base}/health/ready`);

  const network = await seedNetwork(primary.sql);
  const idToken = await seedToken(primary.sql, network.id);
  const key = await seedApiKey(primary.sql, 'cpms', { networkIds: [network.id], scopes: grantableScopes });
  const user = await seedUser(primary.sql, network.id);
  const opened = await ensureWallet(primary.sql, allNetworks, { uuid: user.uuid });
  const fleet = await startFleet(t, {
    sql: primary.sql,
    networkId: network.id,
    ocppUrl: gateway.ocppUrl,
    size: stations,
    idToken,
  });

  const enough = new AbortController();
  t.teardown(() => enough.abort());
  const sessions = new Acknowledged<EndedSession>();
  const charging = fleet.stations.map((station) => chargeUntil(enough.signal, station, idToken, sessions));
  const post = (path: string, body: object, idempotencyKey: string) =>
    fetch(`${base}/cpms/v1${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'idempotency-key': idempotencyKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const credit = async (idempotencyKey: string) => {
    const body = { amount: 1, reason: 'Test' };
    const response = await post(`/wallets/${opened?.wallet.uuid}/credit`, body, idempotencyKey);
    return response.status;
  };
  const credits = new Acknowledged<string>();
  /** Keys of credits whose outcome the failover left open. */
  const interrupted: string[] = [];
  const crediting = Array.from({ length: clients }, () =>
    repeatUntil(enough.signal, async () => {
      const idempotencyKey = randomUUID();
      const isAccepted = (await credit(idempotencyKey)) === 200;
      (isAccepted ? credits.items : interrupted).push(idempotencyKey);
      return isAccepted;
    }),
  );
  const commands = new Acknowledged<string>();
  const commanding = fleet.chargers.slice(0, clients).map(({ uuid }) =>
    repeatUntil(enough.signal, async () => {
      const body = { connectorNumber: 1, type: 'Operative' };
      const response = await post(`/chargers/${uuid}/change-availability`, body, randomUUID());
      if (response.status === 200) commands.items.push(uuid);
      return response.status === 200;
    }),
  );

  const progress = () =>
    Promise.all([
      sessions.more(stations, 'ended sessions'),
      credits.more(2 * clients, 'credits'),
      commands.more(2 * clients, 'commands'),
    ]);
  await progress();
  await pair.cutOff();
  await until('commits that wait for the standby', async () => {
    const [row] = await primary.sql<{ count: number }[]>`
      select count(*)::integer from pg_stat_activity where wait_event = 'SyncRep'`;
    return (row?.count ?? 0) >= 3;
  });
  const lostAt = performance.now();
  await primary.kill();
  await promote(standby);
  const promotedAt = performance.now();
  await Promise.race([sessions.more(1, 'ended session'), credits.more(1, 'credit')]);
  t.comment(`promoted after ${Math.round(promotedAt - lostAt)} ms`);
  t.comment(`first acknowledgement ${Math.round(performance.now() - promotedAt)} ms later`);
  await progress();
  enough.abort();
  await Promise.all([...charging, ...crediting, ...commanding]);

  await checkSessions(t, standby.sql, fleet.chargers, sessions.items);
  t.ok(interrupted.length > 0, 'requests were interrupted');
  // Claims of interrupted requests end by themselves after two minutes.
  await standby.sql`update idempotency_keys set claimed_until = now()`;
  const repeated = await Promise.all(interrupted.map(credit));
  t.same(new Set(repeated), new Set([200]));
  const [booked] = await standby.sql<{ count: number }[]>`
    select count(*)::integer from ledger_transactions where cause = 'CREDIT'`;
  t.equal(booked?.count, credits.items.length + interrupted.length, 'every credit is booked once');
});

/** Runs sessions at a station, one after another. */
async function chargeUntil(
  signal: AbortSignal,
  station: Station,
  idToken: string,
  ended: Acknowledged<EndedSession>,
): Promise<void> {
  while (!signal.aborted) {
    await station.stopSession({ meterStopWh: station.registerWh(1) + 1000 });
    ended.items.push({ uid: station.uid, energyWh: station.registerWh(1) });
    // Its authorization gets an error while no server accepts writes.
    await until('a session', async () => {
      if (!signal.aborted) await station.startSession({ idToken }).catch(() => undefined);
      return signal.aborted || station.session(1) !== undefined;
    });
  }
}

/** Sends requests, one after another. A refused one is followed by a pause: a process without its database refuses at once. */
async function repeatUntil(signal: AbortSignal, request: () => Promise<boolean>): Promise<void> {
  while (!signal.aborted) {
    await until('an accepted request', async () => (await request()) || signal.aborted);
  }
}

async function checkSessions(
  t: Test,
  sql: Sql,
  chargers: readonly { id: number; uid: string }[],
  ended: readonly EndedSession[],
): Promise<void> {
  const rows = await sql<{ uid: string; status: string; meterStop: number | null; count: number }[]>`
    select c.uid, s.status, s.meter_stop_wh::float8 as "meterStop", count(*)::integer
    from sessions s join chargers c on c.id = s.charger_id group by 1, 2, 3`;
  const stored = new Map(rows.map((row) => [`${row.uid} ${row.status} ${row.meterStop}`, row.count]));
  const missing = ended.filter(({ uid, energyWh }) => stored.get(`${uid} COMPLETED ${energyWh}`) !== 1);
  t.same(missing, [], 'every ended session is stored once');
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  t.ok(total <= ended.length + chargers.length, `${total} sessions for ${ended.length} ended ones`);
}
