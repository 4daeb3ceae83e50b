import type { AggregatorRegistry } from 'prom-client';
import type { StoreUrls } from './shard-options.ts';

/** Metrics of one shard thread, in the form that prom-client aggregates. */
export type MetricsJson = Parameters<typeof AggregatorRegistry.aggregate>[0][number];

/** Message from the supervisor to a shard thread. */
export type ToShard = { type: 'stop' } | { type: 'collect-metrics'; id: number };

/** First message to a shard thread. `stop`: there are no stores. */
export type FirstToShard = { type: 'start'; urls: StoreUrls } | { type: 'stop' };

/** Message from a shard thread to the supervisor. */
export type FromShard =
  | { type: 'ready' }
  | { type: 'failed'; message: string }
  | { type: 'metrics'; id: number; metrics: MetricsJson };
