import assert from 'node:assert/strict';
import { array, assert as check, integer, property, record, uniqueArray } from 'fast-check';
import t from 'tap';
import { type Interval, spread, subtract, union } from '#shared/domain/kernel/intervals.ts';

const end = 60;
const intervals = array(record({ from: integer({ min: 0, max: end }), to: integer({ min: 0, max: end }) }), {
  maxLength: 8,
});

/** Returns whether each whole instant lies in one of the intervals. */
const instants = (some: Interval[]) =>
  Array.from({ length: end }, (_, at) => some.some(({ from, to }) => from <= at && at < to));

void t.test('union and difference hold exactly the expected instants, disjoint and in order', async (t) => {
  const holds = property(intervals, intervals, (some, others) => {
    const both = union([...some, ...others]);
    const left = subtract(some, others);
    const [inSome, inOthers] = [instants(some), instants(others)];
    assert.deepEqual(
      instants(both),
      inSome.map((is, at) => is || inOthers[at]),
    );
    assert.deepEqual(
      instants(left),
      inSome.map((is, at) => is && !inOthers[at]),
    );
    for (const apart of [both, left]) {
      assert(apart.every(({ from, to }, index) => from < to && (apart[index - 1]?.to ?? -1) < from));
    }
  });
  t.doesNotThrow(() => check(holds, { numRuns: 300 }));
});

void t.test('divides intervals over buckets exactly', async (t) => {
  const borders = uniqueArray(integer({ min: 0, max: end }), { minLength: 2, maxLength: 8 });
  const holds = property(intervals, borders, (some, unordered) => {
    const starts = unordered.toSorted((a, b) => a - b);
    const buckets = starts.slice(1).map((to, index) => ({ from: starts[index] ?? 0, to }));
    const expected = buckets.map((bucket) =>
      some.reduce(
        (sum, { from, to }) => sum + Math.max(0, Math.min(to, bucket.to) - Math.max(from, bucket.from)),
        0,
      ),
    );
    assert.deepEqual(spread(some, buckets), expected);
  });
  t.doesNotThrow(() => check(holds, { numRuns: 300 }));
  t.strictSame(spread([{ from: 1, to: 2 }], []), []);
});
