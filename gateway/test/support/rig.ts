import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { randomBytes } from 'node:crypto';
import { RPCClient } from 'ocpp-rpc';
import type { Test } from 'tap';
import { pricePendingSessions } from '#api/jobs/session-pricer.ts';
import { type LaunchShard, startGateway } from '#gateway/supervisor/supervisor.ts';
import { openBus } from '#shared/bus/open.ts';
import type { Bus } from '#shared/bus/contract.ts';
import type { ChargerCommand, CommandReply } from '#shared/domain/commands/commands.ts';
import { gatewayChannel } from '#shared/domain/commands/commands.ts';
import { createLogger } from '#shared/log/log.ts';
import type { NetworkRecord } from '#shared/postgres/fleet/networks.statements.ts';
import { ocpp21Validator } from '#shared/testing/ocpp21-validator.ts';
import { testConfig } from '#shared/testing/config.ts';
import { seedCharger, type SeededCharger, seedNetwork } from '#shared/testing/seed.ts';
import { type TestStores, testStores } from '#shared/testing/stores.ts';
import { type StoredSample, storedSamples } from '#shared/testing/stored-samples.ts';
import { until } from '#shared/testing/until.ts';
import { launchKept } from './kept-threads.ts';
import { walEmpty } from './wal-empty.ts';

export type Version = `ocpp${OcppVersion}`;

/** A gateway on stores of its own, and what a test needs to talk to it as chargers and as the API do. */
export interface Rig {
  stores: TestStores;
  network: NetworkRecord;
  ocppUrl: string;
  bus: Bus;
  /** Registers a charger, by default in `network`, and connects it with the independent client. */
  connect(
    version: Version,
    inNetwork?: NetworkRecord,
  ): Promise<{ charger: SeededCharger; client: RPCClient }>;
  /** A client for a charger that is registered already. */
  client(charger: SeededCharger, version: Version): RPCClient;
  /** Sends a command over the bus, as the API does. */
  command(uid: string, command: ChargerCommand, timeoutMs?: number): Promise<CommandReply>;
  /** Returns whether every shard listens. */
  isReady(): boolean;
  /** Resolves when every acknowledged reading is in ClickHouse. */
  readingsLoaded(): Promise<void>;
  /** Returns the readings of a session, or of a charger without one, once all of them are in ClickHouse. */
  storedSamples(key: { chargerId: number; sessionId: string }): Promise<StoredSample[]>;
  /** Prices the sessions that wait, once their readings are in ClickHouse. */
  priceSessions(waits?: Parameters<typeof pricePendingSessions>[1]): Promise<void>;
  /** Returns how many chargers all shards hold, by the metrics. */
  connections(): Promise<number>;
}

/** With `FRESH=1`, the shards of each test run in threads of their own. */
const launchByDefault = process.env['FRESH'] === '1' ? undefined : launchKept;

/**
 * Starts a gateway with one shard on the real stores and Redis; `environment` changes its variables, such as `SHARDS`. Its shards run
 * in the threads of gateways that have stopped, which have imported everything; `launchShard` changes that.
 */
export async function startRig(
  t: Pick<Test, 'teardown'>,
  environment: Record<string, string> = {},
  launchShard: LaunchShard | undefined = launchByDefault,
): Promise<Rig> {
  const stores = await testStores(t);
  const config = await testConfig(t, stores, { SHARDS: '1', ...environment });
  const localBusName = `rig-${randomBytes(4).toString('hex')}`;
  const gateway = await startGateway({
    config,
    urls: stores,
    localBusName,
    log: createLogger('rig', config.logLevel),
    launchShard,
  });
  const bus = await openBus({ redisUrl: stores.redisUrl, localName: localBusName });
  const clients: RPCClient[] = [];
  // tap runs these in the opposite order of the stores' own: the gateway ends before its databases do.
  t.teardown(async () => {
    for (const client of clients) await client.close({ force: true });
    await bus.close();
    await gateway.stop();
  });
  const network = await seedNetwork(stores.sql);
  const ocppUrl = `ws://127.0.0.1:${config.ocppPort}/ocpp`;
  const client = (charger: SeededCharger, version: Version): RPCClient => {
    const options = {
      endpoint: ocppUrl,
      identity: charger.uid,
      password: charger.password,
      protocols: [version],
      strictMode: true,
      strictModeValidators: version === 'ocpp2.1' ? [ocpp21Validator()] : [],
      reconnect: false,
      callTimeoutMs: 60_000,
    };
    // The package's types ask for every option that it has a default for.
    const made = new RPCClient(options as ConstructorParameters<typeof RPCClient>[0]);
    clients.push(made);
    return made;
  };
  const readingsLoaded = () => walEmpty(config.dataDir);
  return {
    stores,
    network,
    ocppUrl,
    bus,
    client,
    async connect(version, inNetwork = network) {
      const charger = await seedCharger(stores.sql, inNetwork.id, { connectors: 2 });
      const connected = client(charger, version);
      await connected.connect();
      await until('the presence of the charger', () => bus.presence.lookup(charger.uid));
      return { charger, client: connected };
    },
    async command(uid, command, timeoutMs = 30_000) {
      const held = await until(`the presence of ${uid}`, () => bus.presence.lookup(uid));
      const request = { uid, command, timeoutMs };
      const reply = await bus.request(gatewayChannel(held.node), request, { timeoutMs: timeoutMs + 60_000 });
      return reply as CommandReply;
    },
    isReady: () => gateway.isReady(),
    readingsLoaded,
    async storedSamples(key) {
      await readingsLoaded();
      return storedSamples(stores.clickhouse, key);
    },
    async priceSessions(waits) {
      await readingsLoaded();
      await pricePendingSessions(stores, waits);
    },
    async connections() {
      const held = (await gateway.metrics()).matchAll(/^chargeway_ocpp_connections\{[^}]*\} (\d+)$/gm);
      return [...held].reduce((sum, [, count]) => sum + Number(count), 0);
    },
  };
}
