import t from 'tap';
import { countMissing } from '#bench/load/stored-readings.ts';

function readings(uid: string, ...timesMs: number[]) {
  return { uid, timesMs };
}

void t.test('counts acknowledged readings that are not stored, by charger', async (t) => {
  const stored = new Map([
    ['A', new Set([1, 2, 3])],
    ['B', new Set([4])],
  ]);
  t.equal(countMissing([readings('A', 1, 3), readings('B', 4)], stored), 0);
  t.equal(countMissing([readings('A', 1, 4), readings('B', 4, 5)], stored), 2);
  t.equal(countMissing([readings('C', 1)], stored), 1);
});
