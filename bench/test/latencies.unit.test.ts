import t from 'tap';
import { Latencies } from '#bench/load/latencies.ts';

void t.test('returns percentiles by nearest rank', async (t) => {
  const latencies = new Latencies();
  for (let value = 100; value >= 1; value--) latencies.record(value);
  t.same(latencies.percentiles(0, 50, 99, 100), [1, 50, 99, 100]);
});

void t.test('keeps more values than its first buffer holds', async (t) => {
  const latencies = new Latencies();
  for (let value = 1; value <= 5000; value++) latencies.record(value);
  t.equal(latencies.count, 5000);
  t.equal(latencies.percentile(100), 5000);
});

void t.test('merges the values of several processes and grows further', async (t) => {
  const merged = Latencies.merged([Float32Array.of(3, 1), Float32Array.of(), Float32Array.of(2)]);
  t.same(merged.percentiles(1, 50, 100), [1, 2, 3]);
  merged.record(9);
  t.equal(merged.percentile(100), 9);
  t.equal(merged.count, 4);
});

void t.test('returns 0 of an empty list', async (t) => {
  t.equal(new Latencies().percentile(99), 0);
  t.equal(Latencies.merged([]).percentile(99), 0);
});
