import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry as MetricsRegistry } from 'prom-client';
import type { CallObserver } from '#gateway/connections/call-server.ts';
import type { LogObserver } from '#gateway/ingest/shard-logs.ts';
import type { MetricsJson } from '#gateway/processes/worker-messages.ts';

/** Metrics of a shard; the supervisor aggregates them. */
export interface ShardMetrics {
  observeCall: CallObserver;
  observeStored: (rows: number, where: 'clickhouse' | 'spool') => void;
  observeLogged: LogObserver;
  /** Returns the registry as JSON, for `AggregatorRegistry.aggregate`. */
  collect: () => Promise<MetricsJson>;
}

/** Creates the metrics of one shard thread; the functions of `ask` are called at each collection. */
export function createShardMetrics(
  shard: number,
  ask: { connections(): number; spooledBatches(): number; spoolRoom(): Promise<number> },
): ShardMetrics {
  const registry = new MetricsRegistry();
  const registers = [registry];
  const calls = new Histogram({
    name: 'chargeway_ocpp_call_seconds',
    help: 'Time from the receipt of a CALL to its answer, by version, action and outcome',
    labelNames: ['version', 'action', 'outcome'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const rows = new Counter({
    name: 'chargeway_meter_rows_stored_total',
    help: 'Meter readings made durable, by where',
    labelNames: ['where'],
    registers,
  });
  const logged = new Counter({
    name: 'chargeway_log_rows_total',
    help: 'Rows of the message log and the status history, by log and by whether they were stored or dropped',
    labelNames: ['log', 'outcome'],
    registers,
  });
  new Gauge({
    name: 'chargeway_ocpp_connections',
    help: 'Chargers connected, by shard',
    labelNames: ['shard'],
    registers,
    collect() {
      this.set({ shard }, ask.connections());
    },
  });
  new Gauge({
    name: 'chargeway_spool_batches',
    help: 'Batches of meter readings that wait on disk for ClickHouse',
    aggregator: 'max',
    registers,
    collect() {
      this.set(ask.spooledBatches());
    },
  });
  new Gauge({
    name: 'chargeway_spool_room_bytes',
    help: 'Bytes that can be spooled until the disk is too full; 0: meter readings are refused while ClickHouse is unavailable',
    aggregator: 'min',
    registers,
    async collect() {
      this.set(await ask.spoolRoom());
    },
  });
  observeLoop(shard, registers);
  return {
    observeCall: ({ version, action, outcome, seconds }) =>
      calls.observe({ version, action: action ?? 'unknown', outcome }, seconds),
    observeStored: (count, where) => rows.inc({ where }, count),
    observeLogged: (log, count, outcome) => logged.inc({ log, outcome }, count),
    collect: () => registry.getMetricsAsJSON(),
  };
}

const loopSampleMs = 10;

/** Measures the delay of the shard's event loop since the last collection: a blocked loop delays every charger. */
function observeLoop(shard: number, registers: MetricsRegistry[]): void {
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
}
