import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import t from 'tap';
import { type ReportedStatus, reportedStatuses } from '#shared/domain/fleet/ocpi-evse.ts';
import {
  availabilityShare,
  countingOf,
  measuredShare,
  meetsTarget,
  noSums,
  portUptime,
  regulatedDefinitions,
  sumAvailability,
  totalShare,
  yearsOf,
} from '#shared/domain/reporting/availability/definition.ts';
import { type EvseChange, evseIntervals } from '#shared/domain/reporting/availability/evse-intervals.ts';
import { type ExclusionCause, exclusionCauses } from '#shared/domain/reporting/availability/exclusion.ts';
import { openIntervals } from '#shared/domain/reporting/availability/opening-hours.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const at = (text: string) => Date.parse(`${text}Z`);
const status = (text: string, status: ReportedStatus, connector = 1): EvseChange => ({
  kind: 'status',
  at: at(text),
  connector,
  status,
});
const socket = (text: string, isConnected: boolean): EvseChange => ({
  kind: 'socket',
  at: at(text),
  isConnected,
});

const span = 600;
const times = fc.uniqueArray(fc.integer({ min: -60, max: span + 60 }), { maxLength: 30 });
const pairs = times.map((all) => {
  const sorted = all.toSorted((one, other) => one - other);
  return sorted.flatMap((from, index) => {
    const to = sorted[index + 1];
    return index % 2 === 0 && to !== undefined ? [{ from: from * minute, to: to * minute }] : [];
  });
});
const change = fc.record({
  at: fc.integer({ min: -60, max: span + 60 }),
  connector: fc.integer({ min: -1, max: 2 }),
  status: fc.constantFrom(...reportedStatuses),
  isConnected: fc.boolean(),
});
const history = fc
  .array(change, { maxLength: 40 })
  .map((all) =>
    all
      .toSorted((one, other) => one.at - other.at)
      .map(({ at, connector, status, isConnected }): EvseChange =>
        connector < 0
          ? { kind: 'socket', at: at * minute, isConnected }
          : { kind: 'status', at: at * minute, connector, status },
      ),
  );
const causes = fc.array(fc.constantFrom(...exclusionCauses), { minLength: 15, maxLength: 15 });

/** Evaluates one instant from the beginning of the history, by the words of the standard. */
function naive(
  changes: readonly EvseChange[],
  now: number,
  open: readonly { from: number; to: number }[] | null,
  excluded: readonly { from: number; to: number; cause: ExclusionCause }[],
) {
  const before = changes.filter((one) => one.at <= now);
  const last = (connector: number) =>
    before.findLast((one) => one.kind === 'status' && one.connector === connector);
  const statusOf = (connector: number): ReportedStatus => {
    const found = last(connector);
    return found?.kind === 'status' ? found.status : 'UNKNOWN';
  };
  const station = statusOf(0);
  const reported = [statusOf(1), statusOf(2)];
  const used = (['CHARGING', 'RESERVED', 'AVAILABLE', 'INOPERATIVE', 'OUTOFORDER'] as const).find((status) =>
    reported.includes(status),
  );
  const closed = before.findLast((one) => one.kind === 'socket');
  const isBroken = station === 'INOPERATIVE' || station === 'OUTOFORDER';
  return {
    status: isBroken ? station : (used ?? ('UNKNOWN' as const)),
    isConnected: closed?.kind === 'socket' ? closed.isConnected : true,
    isOpen: open === null || open.some(({ from, to }) => from <= now && now < to),
    cause: excluded.find(({ from, to }) => from <= now && now < to)?.cause ?? null,
  };
}

void t.test('agrees with an evaluation of every minute', async (t) => {
  const window = { from: 0, to: span * minute };
  fc.assert(
    fc.property(history, fc.option(pairs), pairs, causes, (changes, open, some, named) => {
      const excluded = some.map((one, index) => ({ ...one, cause: named[index] ?? ('grid' as const) }));
      const intervals = evseIntervals(changes, window, { open, excluded });
      assert.equal(intervals[0]?.from, window.from);
      assert.equal(intervals.at(-1)?.to, window.to);
      for (const definition of Object.values(regulatedDefinitions)) {
        const expected = { up: 0, down: 0, closed: 0, 'not-measured': 0 };
        const found = { up: 0, down: 0, closed: 0, 'not-measured': 0 };
        for (const { from, to, ...state } of intervals) found[countingOf(state, definition)] += to - from;
        for (let now = 0; now < window.to; now += minute)
          expected[countingOf(naive(changes, now, open, excluded), definition)] += minute;
        assert.deepEqual(found, expected);
      }
      for (const [index, { from, to, ...state }] of intervals.entries()) {
        assert.ok(from < to);
        assert.equal(from, intervals[index - 1]?.to ?? window.from);
        for (let now = from; now < to; now += minute)
          assert.deepEqual(state, naive(changes, now, open, excluded));
      }
    }),
    { numRuns: 100 },
  );
  t.pass();
});

void t.test('measures a year with planted outages', async (t) => {
  const window = { from: at('2025-01-01T00:00'), to: at('2026-01-01T00:00') };
  const changes = [
    status('2024-12-31T12:00', 'AVAILABLE'),
    // A fault of 2 days: 2,880 minutes.
    status('2025-02-01T00:00', 'OUTOFORDER'),
    status('2025-02-03T00:00', 'AVAILABLE'),
    // Maintenance of 100 hours: 6,000 minutes, all of them entered.
    status('2025-04-01T00:00', 'INOPERATIVE'),
    status('2025-04-05T04:00', 'AVAILABLE'),
    // No socket for 10 hours: 600 minutes, 4 hours of them a failure of the grid.
    socket('2025-06-01T00:00', false),
    socket('2025-06-01T10:00', true),
    // Vandalism for 15 days: 21,600 minutes, all of them entered.
    status('2025-09-01T00:00', 'OUTOFORDER'),
    status('2025-09-16T00:00', 'CHARGING'),
  ];
  const excluded = [
    { from: at('2025-04-01T00:00'), to: at('2025-04-05T04:00'), cause: 'maintenance' as const },
    { from: at('2025-06-01T02:00'), to: at('2025-06-01T06:00'), cause: 'grid' as const },
    { from: at('2025-09-01T00:00'), to: at('2025-09-16T00:00'), cause: 'vandalism' as const },
    // An exclusion of a time without an outage changes nothing.
    { from: at('2025-11-01T00:00'), to: at('2025-11-02T00:00'), cause: 'weather' as const },
  ];
  const intervals = evseIntervals(changes, window, { open: null, excluded });
  const years = yearsOf(window, 'UTC');
  const sum = (name: keyof typeof regulatedDefinitions) =>
    sumAvailability(intervals, regulatedDefinitions[name], years);
  // Outages: 2,880 + 6,000 + 600 + 21,600 = 31,080 minutes. Excluded: 6,000 + 240 + 21,600 = 27,840. Counted: 3,240.
  // (525,600 - 3,240) / 525,600 = 0.99383562.
  t.match(sum('us'), {
    down: 3240 * minute,
    excluded: { maintenance: 6000 * minute, grid: 240 * minute, vandalism: 21_600 * minute, weather: 0 },
  });
  t.equal(portUptime(sum('us')).toFixed(8), '0.99383562');
  // Limits: maintenance 72 h = 4,320 minutes, vandalism 10 d = 14,400. Counted: 31,080 - 4,320 - 240 - 14,400 = 12,120.
  // (525,600 - 12,120) / 525,600 = 0.97694064.
  t.match(sum('california'), { down: 12_120 * minute });
  t.equal(availabilityShare(sum('california'))?.toFixed(8), '0.97694064');
  // Not measured: 600 minutes offline. Not reliable: 2,880 + 6,000 + 21,600 = 30,480 of 525,000 measured minutes.
  // (525,000 - 30,480) / 525,000 = 0.94194286.
  t.match(sum('uk'), { down: 30_480 * minute, notMeasured: 600 * minute });
  t.equal(availabilityShare(sum('uk'))?.toFixed(8), '0.94194286');
  // 525,000 / 525,600 = 0.99885845.
  t.equal(measuredShare(sum('uk'))?.toFixed(8), '0.99885845');
});

void t.test('requires more than 97 % in the US, and takes the mean of the ports', async (t) => {
  const { us, california } = regulatedDefinitions;
  // 3 % of 525,600 minutes are 15,768.
  const limit = { ...noSums(), up: 300 * day, down: 15_768 * minute };
  t.equal(meetsTarget(portUptime(limit), us), false);
  t.equal(meetsTarget(portUptime(limit), california), true);
  t.equal(meetsTarget(portUptime({ ...limit, down: 15_767 * minute }), us), true);
  t.equal(meetsTarget(null, us), null);
  t.equal(totalShare([limit, { ...noSums(), up: day }], us)?.toFixed(8), '0.98500000');
  t.equal(totalShare([], us), null);
});

void t.test('ignores the last report of a deleted connector', async (t) => {
  const window = { from: at('2025-01-01T00:00'), to: at('2025-01-02T00:00') };
  const changes: EvseChange[] = [
    status('2024-12-01T00:00', 'OUTOFORDER', 1),
    status('2024-12-01T00:00', 'AVAILABLE', 2),
    { kind: 'removal', at: at('2025-01-01T12:00'), connector: 2 },
  ];
  t.match(evseIntervals(changes, window, { open: null, excluded: [] }), [
    { status: 'AVAILABLE', to: at('2025-01-01T12:00') },
    { status: 'OUTOFORDER' },
  ]);
});

void t.test('applies the limit of a cause to each calendar year', async (t) => {
  const window = { from: at('2025-12-30T00:00'), to: at('2026-01-06T00:00') };
  const changes = [status('2025-12-01T00:00', 'INOPERATIVE')];
  const excluded = [{ ...window, cause: 'maintenance' as const }];
  const intervals = evseIntervals(changes, window, { open: null, excluded });
  const sums = sumAvailability(intervals, regulatedDefinitions.california, yearsOf(window, 'UTC'));
  // 48 h in 2025, all of them covered, and 120 h in 2026, of which 72 are.
  t.match(sums, { excluded: { maintenance: 120 * hour }, down: 48 * hour });
});

void t.test('takes opening hours from the clocks of the location', async (t) => {
  const weekdays = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
    weekday,
    periodBegin: '01:30',
    periodEnd: '03:30',
  }));
  const times = { twentyFourSeven: false, regularHours: weekdays };
  const hoursOn = (date: string) =>
    openIntervals(
      times,
      { from: at(`${date}T00:00`) - 2 * hour, to: at(`${date}T00:00`) + 22 * hour },
      'Europe/Amsterdam',
    )
      ?.filter(({ from }) => from >= at(`${date}T00:00`) - 2 * hour)
      .map(({ from, to }) => (to - from) / minute);
  t.same(hoursOn('2025-06-10'), [120]);
  t.same(hoursOn('2025-03-30'), [60], 'an hour is left out');
  t.same(hoursOn('2025-10-26'), [180], 'an hour is repeated');
  const window = { from: at('2025-06-09T00:00'), to: at('2025-06-16T00:00') };
  const all = { twentyFourSeven: true };
  t.equal(openIntervals(all, window, 'UTC'), null);
  t.equal(openIntervals(null, window, 'UTC'), null);
  const closing = { periodBegin: '2025-06-10T00:00:00Z', periodEnd: '2025-06-11T00:00:00Z' };
  t.same(openIntervals({ ...all, exceptionalClosings: [closing] }, window, 'UTC'), [
    { from: window.from, to: window.from + day },
    { from: window.from + 2 * day, to: window.to },
  ]);
  const late = {
    twentyFourSeven: false,
    regularHours: [{ weekday: 2, periodBegin: '22:00', periodEnd: '23:59' }],
  };
  t.same(openIntervals({ ...late, exceptionalOpenings: [closing] }, window, 'UTC'), [
    { from: window.from + day, to: window.from + 2 * day },
  ]);
});
