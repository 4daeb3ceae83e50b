import { monitorEventLoopDelay } from 'node:perf_hooks';
import { AggregatorRegistry } from 'prom-client';
import t from 'tap';
import { createShardMetrics } from '#gateway/shard/shard-metrics.ts';
import { until } from '#shared/testing/until.ts';

void t.test('does not count the pause between two samples as a delay of the event loop', async (t) => {
  const metrics = createShardMetrics(0, {
    connections: () => ({ '1.6': 0, '2.0.1': 0, '2.1': 0 }),
    waitingSegments: () => 0,
    clockAhead: () => 0,
    walLag: () => 0,
    walRoom: async () => 0,
  });
  // Samples of the same loop, with the pause.
  const sampled = monitorEventLoopDelay({ resolution: 10 });
  sampled.enable();
  t.teardown(() => {
    metrics.close();
    sampled.disable();
  });
  await until('samples', () => sampled.count > 50);
  const text = await AggregatorRegistry.aggregate([await metrics.collect()]).metrics();
  const median = Number(/loop_delay_seconds\{.*quantile="0.5".*\} (\S+)/.exec(text)?.[1]);
  t.ok(median >= 0 && median < sampled.percentile(50) / 1e9 - 0.005, `${median} s`);
});
