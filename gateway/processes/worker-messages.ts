import type { AggregatorRegistry } from 'prom-client';

/** Metrics of one shard thread, in the form that prom-client aggregates. */
export type MetricsJson = Parameters<typeof AggregatorRegistry.aggregate>[0][number];

/** Message from a supervisor to its worker, a shard thread or a gateway process. */
export type ToWorker = { type: 'stop' } | { type: 'collect-metrics'; id: number };

/** Message from a worker to its supervisor. */
export type FromWorker =
  | { type: 'ready' }
  | { type: 'failed'; message: string }
  | { type: 'metrics'; id: number; metrics: MetricsJson[] };
