import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry as MetricsRegistry } from 'prom-client';
import type { CallObserver } from '#gateway/connections/call-server.ts';
import type { LogObserver } from '#gateway/ingest/shard-logs.ts';
import type { CommandObserver } from '#gateway/commands/dispatch.ts';
import type { ClickHouseFault } from '#shared/clickhouse/faults.queries.ts';
import type { SegmentFault } from '#gateway/wal/segment-loader.ts';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { CallTimes } from './call-times.ts';
import type { MetricsJson } from '#gateway/supervisor/shard-messages.ts';

/** Metrics of a shard; the supervisor aggregates them. */
interface ShardMetrics {
  observeCall: CallObserver;
  /** Counts readings that are durable on this disk. */
  observeWritten: (rows: number) => void;
  /** Counts bytes of readings that are in ClickHouse. */
  observeLoaded: (bytes: number) => void;
  /** Counts segments of the write-ahead log that could not be loaded as a whole. */
  observeFaulty: (reason: SegmentFault) => void;
  /** Counts failed loads of the write-ahead log. */
  observeFailedLoad: (fault: ClickHouseFault) => void;
  observeLogged: LogObserver;
  observeCommand: CommandObserver;
  /** Numbers of calls and readings since the start. */
  counted: Readonly<{ calls: number; readings: number }>;
  /** Returns the registry as JSON, for `AggregatorRegistry.aggregate`. */
  collect: () => Promise<MetricsJson>;
  /** Ends the measurement of the event loop. */
  close(): void;
}

/** State of a shard, which is read at each collection. */
export interface ShardState {
  /** Number of connected chargers by version. */
  connections(): Record<OcppVersion, number>;
  waitingSegments(): number;
  /** Returns the seconds by which the clock of the machine is ahead of PostgreSQL's. */
  clockAhead(): number;
  /** Time in seconds since which readings wait for a store; 0: none waits longer than usual. */
  walLag(): number;
  walRoom(): Promise<number>;
}

/** Creates the metrics of one shard thread. */
export function createShardMetrics(shard: number, state: ShardState): ShardMetrics {
  const registry = new MetricsRegistry();
  const registers = [registry];
  const calls = new CallTimes();
  const counted = { calls: 0, readings: 0 };
  const rows = new Counter({
    name: 'chargeway_meter_rows_written_total',
    help: 'Meter readings in the write-ahead log, which are acknowledged',
    registers,
  });
  const flushes = new Histogram({
    name: 'chargeway_wal_flush_rows',
    help: 'Meter readings that were flushed to the disk at once',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
    registers,
  });
  const loaded = new Counter({
    name: 'chargeway_wal_loaded_bytes_total',
    help: 'Bytes of the write-ahead log that were moved to ClickHouse',
    registers,
  });
  const faulty = new Counter({
    name: 'chargeway_wal_faulty_segments_total',
    help: 'Segments of the write-ahead log that could not be loaded as a whole, by reason',
    labelNames: ['reason'],
    registers,
  });
  const failedLoads = new Counter({
    name: 'chargeway_wal_failed_loads_total',
    help: 'Loads of the write-ahead log that failed and are repeated, by the fault of the store',
    labelNames: ['fault'],
    registers,
  });
  const logged = new Counter({
    name: 'chargeway_log_rows_total',
    help: 'Rows of the message log and the status history, by log and by whether they were stored or dropped',
    labelNames: ['log', 'outcome'],
    registers,
  });
  const commands = new Counter({
    name: 'chargeway_commands_total',
    help: 'Commands to chargers, by their type and outcome',
    labelNames: ['command', 'outcome'],
    registers,
  });
  new Gauge({
    name: 'chargeway_ocpp_connections',
    help: 'Chargers connected, by shard and OCPP version',
    labelNames: ['shard', 'version'],
    registers,
    collect() {
      for (const [version, count] of Object.entries(state.connections())) this.set({ shard, version }, count);
    },
  });
  new Gauge({
    name: 'chargeway_wal_lag_seconds',
    help: 'Time since which meter readings wait on the disk for a store; 0: none waits longer than usual',
    aggregator: 'max',
    registers,
    collect() {
      this.set(state.walLag());
    },
  });
  new Gauge({
    name: 'chargeway_wal_waiting_segments',
    help: 'Segments of the write-ahead log that wait for a store longer than usual',
    registers,
    collect() {
      this.set(state.waitingSegments());
    },
  });
  new Gauge({
    name: 'chargeway_wal_room_bytes',
    help: 'Bytes that the write-ahead log can grow until the disk is too full; 0: meter readings are refused',
    aggregator: 'min',
    registers,
    async collect() {
      this.set(await state.walRoom());
    },
  });
  new Gauge({
    name: 'chargeway_gateway_clock_ahead_seconds',
    help: "Seconds by which the machine's clock is ahead of PostgreSQL's; from 5 on the gateway corrects its time",
    aggregator: 'average',
    registers,
    collect() {
      this.set(state.clockAhead());
    },
  });
  const loop = observeLoop(shard, registers);
  return {
    observeCall: (version, action, outcome, seconds) => {
      counted.calls += 1;
      calls.observe(version, action, outcome, seconds);
    },
    observeWritten: (count) => {
      counted.readings += count;
      rows.inc(count);
      flushes.observe(count);
    },
    observeLoaded: (bytes) => loaded.inc(bytes),
    observeFaulty: (reason) => faulty.inc({ reason }),
    observeFailedLoad: (fault) => failedLoads.inc({ fault }),
    observeLogged: (log, count, outcome) => logged.inc({ log, outcome }, count),
    observeCommand: (command, outcome) => commands.inc({ command, outcome }),
    counted,
    collect: async () => [...(await registry.getMetricsAsJSON()), calls.collect()],
    close: () => void loop.disable(),
  };
}

/** Interval of the samples. Each wakes an idle shard. */
const loopSampleMs = 100;

/** Measures the delay of the shard's event loop since the last collection: a blocked loop delays every charger. */
function observeLoop(shard: number, registers: MetricsRegistry[]): IntervalHistogram {
  const delay = monitorEventLoopDelay({ resolution: loopSampleMs });
  delay.enable();
  // The measured time between two samples includes the requested pause.
  const lateBy = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - loopSampleMs / 1000);
  new Gauge({
    name: 'chargeway_shard_loop_delay_seconds',
    help: 'Delay of the event loop of a shard since the last collection, by quantile',
    labelNames: ['shard', 'quantile'],
    registers,
    collect() {
      this.set({ shard, quantile: '0.5' }, lateBy(delay.percentile(50)));
      this.set({ shard, quantile: '0.99' }, lateBy(delay.percentile(99)));
      this.set({ shard, quantile: '1' }, lateBy(delay.max));
      delay.reset();
    },
  });
  return delay;
}
