import t from 'tap';
import { intervalsOf, mergeNarrow } from '#shared/domain/fleet/status-intervals.ts';

const isSame = (one: string, other: string) => one === other;

void t.test('clips the state that held before the range, and joins repeats', (t) => {
  const changes = [
    { at: 0, state: 'Available' },
    { at: 50, state: 'Charging' },
    { at: 60, state: 'Charging' },
    { at: 60, state: 'Faulted' },
    { at: 60, state: 'Finishing' },
    { at: 100, state: 'Available' },
  ];
  t.same(intervalsOf(changes, { from: 10, to: 100 }, isSame), [
    { state: 'Available', from: 10, to: 50, changes: 0 },
    { state: 'Charging', from: 50, to: 60, changes: 0 },
    { state: 'Finishing', from: 60, to: 100, changes: 0 },
  ]);
  t.same(intervalsOf([{ at: 30, state: 'Charging' }], { from: 10, to: 100 }, isSame), [
    { state: 'Charging', from: 30, to: 100, changes: 0 },
  ]);
  t.same(intervalsOf([{ at: 300, state: 'Charging' }], { from: 10, to: 100 }, isSame), []);
  t.end();
});

void t.test('merges narrow intervals to the state that held longest', (t) => {
  const range = { from: 0, to: 10_000 };
  const changes = Array.from({ length: 1000 }, (_, n) => [
    { at: n * 10, state: 'Charging' },
    { at: n * 10 + 7, state: n === 500 ? 'Faulted' : 'Available' },
  ]).flat();
  const intervals = intervalsOf(changes, range, isSame);
  t.equal(intervals.length, 2000);
  t.same(mergeNarrow(intervals, range, 2000, isSame), intervals, 'few enough stay');
  const merged = mergeNarrow(intervals, range, 10, isSame);
  t.same(
    merged.map(({ state, from, to }) => ({ state, from, to })),
    [{ state: 'Charging', from: 0, to: 10_000 }],
  );
  t.ok((merged[0]?.changes ?? 0) > 1900);
  t.end();
});

void t.test('keeps a long interval between narrow ones', (t) => {
  const range = { from: 0, to: 1000 };
  const changes = [
    ...Array.from({ length: 50 }, (_, n) => ({ at: n, state: n % 2 === 0 ? 'Available' : 'Preparing' })),
    { at: 50, state: 'Faulted' },
    { at: 900, state: 'Available' },
  ];
  const merged = mergeNarrow(intervalsOf(changes, range, isSame), range, 10, isSame);
  t.match(merged, [
    { state: 'Available', from: 0, to: 50 },
    { state: 'Faulted', from: 50, to: 900, changes: 0 },
    { state: 'Available', from: 900, to: 1000, changes: 0 },
  ]);
  t.end();
});
