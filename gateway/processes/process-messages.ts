import type { AggregatorRegistry } from 'prom-client';

/** The metrics of one shard thread, as prom-client adds them up. */
export type MetricsJson = Parameters<typeof AggregatorRegistry.aggregate>[0][number];

/** The first process of a gateway to one of those that it started. */
export type ToProcess = { type: 'stop' } | { type: 'collect-metrics'; id: number };

/** The way back. */
export type FromProcess =
  | { type: 'ready' }
  | { type: 'failed'; message: string }
  | { type: 'metrics'; id: number; metrics: MetricsJson[] };
