import t from 'tap';
import { bucketWidthMs } from '#shared/domain/charging/meter-series.ts';

void t.test('divides a range into at most as many buckets as points, of a round width', async (t) => {
  const minute = 60_000;
  const hour = 60 * minute;
  for (const [rangeMs, points, widthMs] of [
    [minute, 800, 1000],
    [hour, 61, minute],
    [24 * hour, 800, 2 * minute],
    [24 * hour, 110, 15 * minute],
    [30 * 24 * hour, 800, hour],
    [365 * 24 * hour, 800, 12 * hour],
  ] as const) {
    t.equal(bucketWidthMs({ from: 0, to: rangeMs }, points), widthMs, `${rangeMs / minute} min`);
    t.ok(Math.ceil(rangeMs / widthMs) < points);
  }
});
