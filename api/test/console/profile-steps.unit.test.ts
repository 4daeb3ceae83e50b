import t from 'tap';
import {
  type DrawnProfile,
  limitIn,
  stepsOf,
} from '#api/console/src/pages/charger/profiles/profile-steps.ts';

const hour = 3_600_000;
const from = Date.parse('2026-05-04T00:00:00Z');
const span = { from, to: from + 48 * hour };
const profile: DrawnProfile = {
  kind: 'Absolute',
  recurrency: null,
  startsAt: from,
  durationSeconds: null,
  validFrom: null,
  validTo: null,
  unit: 'A',
  periods: [
    { startSeconds: 0, limit: 32, phases: null },
    { startSeconds: 7200, limit: 16, phases: 1 },
  ],
};

/** Steps as `from-to: limit`, in hours of the span. */
const written = (steps: ReturnType<typeof stepsOf>) =>
  steps.map((step) => `${(step.from - from) / hour}-${(step.to - from) / hour}: ${step.limit}`);

void t.test('an absolute schedule applies from its start to the end of the span', async (t) => {
  t.same(written(stepsOf({ ...profile, startsAt: from - hour }, span)), ['0-1: 32', '1-48: 16']);
});

void t.test('a schedule ends after its duration and outside its validity', async (t) => {
  const ends = { ...profile, durationSeconds: 4 * 3600, validFrom: from + hour, validTo: from + 3 * hour };
  t.same(written(stepsOf(ends, span)), ['1-2: 32', '2-3: 16']);
});

void t.test('a daily schedule repeats, beginning with the one that is running', async (t) => {
  const daily = { ...profile, kind: 'Recurring', recurrency: 'Daily', startsAt: from - 240 * hour - hour };
  t.same(written(stepsOf(daily, span)), ['0-1: 32', '1-23: 16', '23-25: 32', '25-47: 16', '47-48: 32']);
});

void t.test('a relative schedule is drawn from the start of the span', async (t) => {
  const relative = { ...profile, kind: 'Relative', startsAt: null, durationSeconds: 3 * 3600 };
  t.same(written(stepsOf(relative, span)), ['0-2: 32', '2-3: 16']);
});

void t.test('a limit in A is converted to kW by its phases, and back', async (t) => {
  const step = { from, to: from + hour, limit: 16, phases: 3 };
  t.equal(limitIn('kW', step, 'A'), 11.04);
  t.equal(limitIn('A', { ...step, limit: 11_040 }, 'W'), 16);
  t.equal(limitIn('A', { ...step, phases: 1 }, 'A'), 16);
});
