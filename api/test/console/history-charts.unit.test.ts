import t from 'tap';
import { placeSeries } from '#api/console/src/pages/charger/history/placed-series.ts';
import { joinedSteps, readingInterval } from '#api/console/src/pages/charger/history/reading-steps.ts';
import { chartsOf } from '#api/console/src/pages/charger/history/history-charts.ts';
import { valueAt } from '#api/console/src/ui/chart/series.ts';

const quarter = 900;

/** Times from 0 on, by the steps between them. */
const timesOf = (...steps: number[]) =>
  steps.reduce((times, step) => [...times, (times.at(-1) ?? 0) + step], [0]);

const connector = (time: number[], energyKwh: (number | null)[], power = energyKwh) => ({
  connectorNumber: 1,
  time,
  energyKwh,
  powerKw: { min: power, mean: power, max: power },
  currentA: null,
  currentL1A: null,
  currentL2A: null,
  currentL3A: null,
  voltageV: null,
  voltageL1V: null,
  voltageL2V: null,
  voltageL3V: null,
  socPercent: null,
  temperatureC: null,
});
const names = { connector: String, phase: String };
type Connectors = Parameters<typeof chartsOf>[0];

void t.test('joins quarter-hour readings next to dense ones', async (t) => {
  const steps = [20, 20, 20, 20, 20, 20, quarter, quarter, quarter];
  t.same(
    joinedSteps(timesOf(...steps), 20),
    steps.map(() => true),
  );
});

void t.test('breaks a line where dense readings pause', async (t) => {
  t.same(joinedSteps(timesOf(20, 20, quarter, 20, 20), 20), [true, true, false, true, true]);
  const night = 9 * 3600;
  t.same(joinedSteps(timesOf(quarter, quarter, night, quarter), 60), [true, true, false, true]);
});

void t.test('joins two readings that are the only ones, and those within a bucket', async (t) => {
  t.same(joinedSteps([0, quarter], 20), [true]);
  t.same(joinedSteps(timesOf(1, 1, 25, 1), 20), [true, true, true, true]);
  t.same(joinedSteps([], 20), []);
});

void t.test('ends each line of its own, at the times of all', async (t) => {
  const { times, series } = placeSeries([
    { times: timesOf(20, 20, quarter, 20), bucketSeconds: 20, columns: [[1, 2, 3, 4, 5]] },
    { times: [0, quarter], bucketSeconds: 20, columns: [[7, 8]] },
  ]);
  t.same(times, [0, 20, 40, 60, 900, 920, 940, 960, 980]);
  t.same(series[0], [[1, 2, 3, null, null, null, 4, 5, null]]);
  t.same(series[1], [[7, undefined, undefined, undefined, 8, null, null, null, null]]);
});

void t.test('finds the interval of the sparsest readings, without missed ones and pauses', async (t) => {
  t.equal(readingInterval(timesOf(20, 20, 20, quarter, quarter, quarter, 20)), quarter);
  t.equal(readingInterval(timesOf(quarter, 2 * quarter, quarter)), quarter);
  t.equal(readingInterval(timesOf(60, 9 * 3600, 9 * 3600, 60)), 60);
  t.equal(readingInterval([0, quarter]), 0);
});

void t.test('sums energy in buckets that are not narrower than the interval of the readings', async (t) => {
  const time = [0, 20, 40, 900, 1800, 2700].map((at) => at + 7200);
  const read = [connector(time, [0.1, 0.1, 0.1, 2.7, 2.7, 2.7])] as unknown as Connectors;
  const { times, charts } = chartsOf(read, 20, names);
  const [power, energy] = charts;
  t.match(
    [power, energy],
    [
      { quantity: 'power', bucketSeconds: 20 },
      { quantity: 'energy', bucketSeconds: quarter },
    ],
  );
  const shown = times.flatMap((at, index) => {
    const value = energy?.series[0]?.mean[index];
    return typeof value === 'number' ? [[at - 7200, Number(value.toFixed(3))]] : [];
  });
  t.same(shown, [
    [0, 0.3],
    [900, 2.7],
    [1800, 2.7],
    [2700, 2.7],
  ]);
});

void t.test('sums energy in buckets of a round duration', async (t) => {
  for (const [interval, bucketSeconds, width] of [
    [1771, 120, 1800],
    [614, 60, 900],
    [61, 12, 120],
    [20, 20, 20],
  ] as const) {
    const read = [connector(timesOf(interval, interval, interval), [1, 1, 1, 1])] as unknown as Connectors;
    const energy = chartsOf(read, bucketSeconds, names).charts.find(({ quantity }) => quantity === 'energy');
    t.equal(energy?.bucketSeconds, width, `${interval} s in buckets of ${bucketSeconds} s`);
  }
});

void t.test('keeps the buckets of readings that are denser', async (t) => {
  const read = [connector([0, 60, 120, 180], [1, 2, 3, 4])] as unknown as Connectors;
  const energy = chartsOf(read, 60, names).charts.find(({ quantity }) => quantity === 'energy');
  t.match(energy, { bucketSeconds: 60, series: [{ mean: [1, 2, 3, 4, null] }] });
});

void t.test('reads the value at the cursor', async (t) => {
  const times = [0, 100, 200, 300, 400, 500];
  const values = [1, undefined, 3, null, 5, null];
  const line = (time: number) => valueAt(times, values, { time, nearSeconds: 10 }, false);
  t.same([0, 90, 110, 200].map(line), [1, 1, 3, 3], 'the nearer of two joined values');
  t.same([209, 211, 320, 389].map(line), [3, null, null, null], 'nothing in a gap');
  t.same([391, 400, 410, 411].map(line), [5, 5, 5, null], 'a single value near the cursor');
  t.same([-11, -9].map(line), [null, 1], 'nothing before the first value');
  const step = (time: number) => valueAt(times, values, { time, nearSeconds: 10 }, true);
  t.same([99, 199, 299, 301, 450, 501].map(step), [1, 1, 3, null, 5, null], 'a step holds for its bucket');
  t.equal(valueAt([], [], { time: 1, nearSeconds: 1 }, false), null);
});
