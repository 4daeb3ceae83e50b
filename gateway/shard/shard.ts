import { openClickHouse } from '#shared/clickhouse/client.ts';
import type { Clock } from '#shared/domain/kernel/system-clock.ts';
import { createLogger } from '#shared/log/log.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import { recordHeartbeats } from '#shared/postgres/fleet/charger-state.statements.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { awaitBus, awaitRedis } from '#shared/stores/await-bus.ts';
import { startTracing, stopTracing, tracing } from '#shared/tracing/tracing.ts';
import { deliverThrough } from '#gateway/certificates/delivery.ts';
import { CertificateIssuer } from '#gateway/certificates/issuer.ts';
import { answerCommands } from '#gateway/commands/dispatch.ts';
import { Admission } from '#gateway/connections/admission.ts';
import type { AuthenticatedCharger } from '#gateway/connections/handshake-authentication.ts';
import { PasswordThrottle } from '#gateway/connections/password-throttle.ts';
import { RejectedConnections } from '#gateway/connections/rejected-connections.ts';
import { callDeadlineMs } from '#gateway/connections/call-server.ts';
import { HandshakeLimit } from '#gateway/connections/handshake-limit.ts';
import { CallTraces } from '#gateway/connections/call-traces.ts';
import { ChargerDirectory } from '#gateway/connections/charger-directory.ts';
import { ChargerPeer } from '#gateway/connections/charger-peer.ts';
import { ConnectionJournal } from '#gateway/connections/connection-journal.ts';
import { drainConnections } from '#gateway/connections/drain.ts';
import { openChargerLookup } from '#gateway/connections/charger-lookup.ts';
import { Registry } from '#gateway/connections/registry.ts';
import { Coalescer } from '#gateway/ingest/coalescer.ts';
import { MeterOverrides } from '#gateway/ingest/meter-overrides.ts';
import { LiveWatches } from '#gateway/ingest/live-watches.ts';
import { MessageTail } from '#gateway/ingest/message-tail.ts';
import { openShardLogs } from '#gateway/ingest/shard-logs.ts';
import { openReadingLog } from '#gateway/wal/open.ts';
import { storeDeadlineMs } from '#gateway/ingest/store-deadline.ts';
import { openContractVerifier } from './contract-verifier.ts';
import { openTokenAuthorizer } from './token-authorizer.ts';
import { openShardStores } from './shard-stores.ts';
import { StoreClock } from './store-clock.ts';
import { createShardMetrics, type ShardState } from './shard-metrics.ts';
import { ShardReporter } from './shard-reporter.ts';
import type { ShardOptions, StoreUrls } from '#gateway/supervisor/shard-options.ts';
import type { MetricsJson } from '#gateway/supervisor/shard-messages.ts';
import { ocpp16 } from '#gateway/ocpp16/table.ts';
import { ocpp201 } from '#gateway/ocpp201/table.ts';
import { ocpp21 } from '#gateway/ocpp21/table.ts';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { Protocol } from '#gateway/protocol/protocol.ts';
import { callRateOf } from '#gateway/socket/call-rate.ts';
import { listen } from '#gateway/socket/server.ts';

const served: Record<OcppVersion, Protocol> = { '1.6': ocpp16, '2.0.1': ocpp201, '2.1': ocpp21 };
const protocols = Object.values(served);
const maxMessageBytes = 1024 * 1024;
const idleTimeoutSeconds = 120;
/**
 * Interval of writing the chargers' last-seen times: short enough for a heartbeat to be half a minute late
 * (`handlers/boot.ts`).
 */
const heardEveryMs = 5000;

/**
 * Time in ms that a message waits for PostgreSQL; the charger then receives an error and repeats what must not be
 * lost.
 */
const postgresTimeoutMs = 15_000;

/** Maximum number of handshakes that wait for PostgreSQL; each takes about 2 KB. */
const maxUpgradesAtOnce = 2000;

/** Shard whose stores are open. */
interface PreparedShard {
  /**
   * Starts to listen for chargers.
   * @throws {Error} when the port is not available.
   */
  listen(): Promise<RunningShard>;
}

/** Shard that listens. */
export interface RunningShard {
  /** Returns the shard's metrics, for the supervisor. */
  collect(): Promise<MetricsJson>;
  /** Closes connections a slice at a time; accepted messages are stored before the thread ends. */
  stop(): Promise<void>;
  /** Closes all sockets at once, writes the waiting readings, and records that the chargers are offline. */
  abandon(cause: unknown): Promise<void>;
}

/**
 * Prepares a shard in this thread: opens the stores and connects the tables to the sockets. It holds no state that it cannot
 * rebuild from PostgreSQL.
 */
export async function prepareShard(
  options: ShardOptions,
  urls: StoreUrls,
  machine: Clock,
): Promise<PreparedShard> {
  const log = createLogger(`gateway-shard-${options.index}`, options.logLevel);
  await startTracing(options.tracing, 'chargeway-gateway', log);
  const clock = new StoreClock(machine, log);
  const sql = openPostgres(urls.databaseUrl, {
    name: 'chargeway-gateway',
    connections: 8,
    timeoutMs: postgresTimeoutMs,
    endsSlowStatements: true,
  });
  const clickhouse = openClickHouse(urls.clickhouseUrl, {
    name: 'chargeway-gateway',
    connections: 4,
    timeoutMs: 10_000,
  });
  const bus = await awaitBus({
    redisUrl: urls.redisUrl ?? undefined,
    localName: options.localBusName,
    node: options.node,
    log,
  });
  const registry = await awaitRedis({ log }, () => Registry.open(bus, log));
  const state: ShardState = {
    connections: () => registry.countByVersion(),
    waitingSegments: () => readings.waitingSegments(),
    walLag: () => readings.lagSeconds(),
    walRoom: () => readings.room(),
    clockAhead: () => clock.aheadSeconds,
  };
  const metrics = createShardMetrics(options.index, state);
  const readings = await openReadingLog({
    dataDir: options.dataDir,
    shard: options.index,
    shards: options.shards,
    floorBytes: options.walFloorBytes,
    deadlineMs: storeDeadlineMs,
    answerWithinMs: callDeadlineMs,
    clickhouse,
    sql,
    written: metrics.observeWritten,
    loaded: metrics.observeLoaded,
    faulty: metrics.observeFaulty,
    failed: metrics.observeFailedLoad,
    log,
    clock,
  });
  const tail = new MessageTail(bus, clock);
  await awaitRedis({ log }, () => tail.listen());
  const logs = openShardLogs({ clickhouse, log, observe: metrics.observeLogged, tail, clock });
  const { history, messages } = logs;
  const certificates = new CertificateIssuer({
    sql,
    log,
    // Loaded at the first request: reading certificates takes memory that most shards never need.
    async openAuthority() {
      const { openLocalAuthority } = await import('#shared/certificates/local-authority.ts');
      return openLocalAuthority(options.authorityDirectory);
    },
    deliver: deliverThrough(registry),
  });
  const meterOverrides = await MeterOverrides.open(sql, log);
  const journal = await ConnectionJournal.open({
    sql,
    history,
    waitingSegments: () => readings.waitingSegments(),
    storeTime: (at, sentAt) => clock.compare(at, sentAt),
    log,
    clock,
  });
  const reporter = new ShardReporter({
    sql,
    node: bus.node,
    shard: options.index,
    state,
    counted: metrics.counted,
    clock,
    outages: new OutageLog(log, { failed: 'the figures of the shard were not stored' }),
  });
  const watches = new LiveWatches(bus, clock);
  await awaitRedis({ log }, () => watches.listen());
  const stores = openShardStores({
    sql,
    wal: readings.wal,
    history,
    journal,
    certificates,
    watches,
    meterOverrides,
    roaming: openTokenAuthorizer(bus, log),
    contracts: openContractVerifier(bus, log),
    log,
    clock,
  });
  const lastHeard = new Coalescer<number, number>({
    name: 'times of heartbeats',
    everyMs: heardEveryMs,
    deadlineMs: storeDeadlineMs,
    write: (heard) => recordHeartbeats(sql, heard),
    log,
    clock,
  });

  // Before the first charger connects: a command may arrive as soon as its presence is claimed.
  await awaitRedis({ log }, () =>
    answerCommands(bus, {
      registry,
      sql,
      log,
      clock,
      observe: metrics.observeCommand,
    }),
  );

  const directory = await ChargerDirectory.open(sql, registry, log);
  const lookup = openChargerLookup(sql);
  const rejected = new RejectedConnections({ sql, log, clock });
  const admission = new Admission({
    protocols,
    throttle: new PasswordThrottle(() => clock.steady()),
    rejected,
  });
  const handshakes = new HandshakeLimit({
    authenticateKnown(request) {
      const credentials = directory.get(request.uid);
      return credentials === undefined ? null : admission.decide(credentials, request);
    },
    authenticate: async (request) => admission.decide(await lookup.credentials(request.uid), request),
    maxAtOnce: maxUpgradesAtOnce,
  });
  // A call that succeeds may have needed no store, so nothing signals the end of the outage here.
  const callOutages = new OutageLog(log, { failed: 'calls fail: a store is unavailable' });
  const traces = tracing();
  const shard = {
    stores,
    lookup,
    registry,
    journal,
    messages,
    lastHeard,
    log,
    clock,
    callOutages,
    observe: metrics.observeCall,
    callRate: callRateOf(options.callsPerSecond),
    traces: traces && new CallTraces(traces),
  };

  return {
    async listen() {
      const server = await listen<AuthenticatedCharger>({
        host: options.host,
        port: options.port,
        maxMessageBytes,
        idleTimeoutSeconds,
        trust: options.trust,
        now: () => clock.now(),
        authenticate: (request) => handshakes.authenticate(request),
        open: (identity, socket) => new ChargerPeer(identity, socket, shard),
        log,
      });
      return {
        collect: metrics.collect,
        async stop() {
          server.stopListening();
          handshakes.close();
          // A server that is silent answers late, and chargers do not wait for that.
          const subscriptionsClosed = Promise.allSettled([directory.close(), meterOverrides.close()]);
          await drainConnections(registry);
          // uWebSockets.js aborts the process when a thread ends with an open app, and the supervisor ends a thread that stops too slowly.
          server.close();
          await stores.drain();
          await readings.close();
          await lastHeard.close();
          await rejected.close();
          await journal.close();
          await reporter.close();
          await logs.close();
          await watches.close();
          await tail.close();
          await bus.close();
          await sql.end({ timeout: 5 });
          await subscriptionsClosed;
          await clickhouse.close();
          metrics.close();
          await stopTracing();
        },
        async abandon(cause) {
          log.fatal({ err: cause }, 'shard failed; its chargers reconnect to other shards');
          server.close();
          // One that fails does not end the others.
          await Promise.allSettled([readings.close(), journal.close(), logs.close(), bus.close()]);
        },
      };
    },
  };
}
