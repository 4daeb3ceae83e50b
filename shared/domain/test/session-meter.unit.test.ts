import * as fc from 'fast-check';
import t from 'tap';
import {
  canReach,
  energyDoubts,
  finalEnergy,
  type MeteredEnergy,
} from '#shared/domain/charging/final-energy.ts';
import {
  addReading,
  energySoFar,
  inUnit,
  type MeterFrame,
  type MeterReading,
  noReadings,
  type SessionMeter,
} from '#shared/domain/charging/session-meter.ts';

const begin = Date.UTC(2026, 10, 20);
const named = 'Outlet import';
const unnamed = 'unnamed Outlet import';

const frame: MeterFrame = { startedAt: new Date(begin), startWh: 0, ratedPowerW: 22_000 };

type Row = [minute: number, value: number | null, origin?: string, scale?: number | null];

/** Reads values by minute. */
function read(frame: MeterFrame, ...rows: Row[]): SessionMeter {
  return rows.reduce<SessionMeter>((meter, [minute, value, origin = named, scale = 1]) => {
    const reading: MeterReading = {
      atMs: begin + minute * 60_000,
      origin,
      value,
      scale,
      isSetAside: value === null,
    };
    return addReading(meter, inUnit(meter, reading, frame), frame);
  }, noReadings);
}

/** Values every ten minutes, from the tenth. */
const every10 = (origin: string, ...values: number[]): Row[] =>
  values.map((value, index) => [(index + 1) * 10, value, origin]);

/** Ends a session at a minute. */
function end(
  meter: SessionMeter,
  facts: MeterFrame,
  minute: number,
  registerWh: number | null,
): MeteredEnergy {
  return finalEnergy(meter, facts, { atMs: begin + minute * 60_000, registerWh });
}

/** Reasons for a review at the end of a session. */
function doubtsAt(meter: SessionMeter, facts: MeterFrame, minute: number, stopWh: number | null): string[] {
  const { flags } = end(meter, facts, minute, stopWh);
  return energyDoubts.filter((doubt) => flags.includes(doubt));
}

void t.test('counts a rising register as its difference to the start', async (t) => {
  const from1000 = { ...frame, startWh: 1000 };
  t.equal(energySoFar(read(from1000, [10, 1500], [20, 1500], [30, 4000]), from1000), 3000);
  const unknown = { ...frame, startWh: null };
  t.equal(
    energySoFar(read(unknown, [10, 1500], [20, 4000]), unknown),
    2500,
    'without a start, to the first reading',
  );
  t.equal(energySoFar(noReadings, frame), null);
});

void t.test('counts the register of the highest precedence only', async (t) => {
  const lower = [
    unnamed,
    'Cable import',
    'Inlet import',
    'Body import',
    'EV import',
    'Outlet net',
    'Outlet interval',
  ];
  for (const origin of [...lower, 'unnamed Outlet net', 'Body interval']) {
    const meter = read(
      frame,
      [5, 900, origin],
      [10, 1000],
      [15, 2800, origin],
      [20, 2000],
      [25, 4700, origin],
    );
    t.equal(energySoFar(meter, frame), 2000, origin);
  }
  const rows: Row[] = lower.toReversed().map((origin, index) => [10 + index, 1000 + index * 100, origin]);
  for (let length = 1; length < rows.length; length += 1) {
    const meter = read(frame, ...rows.slice(0, length));
    t.ok((energySoFar(meter, frame) ?? 0) > 0, 'a single register counts');
  }
  t.equal(energySoFar(read(frame, [10, 6000, 'Outlet power'], [20, 500, 'unnamed Body import']), frame), 500);
});

void t.test('keeps a lifetime register of the connector apart (F3)', async (t) => {
  for (const house of [21_500, 843_000, 1200]) {
    const rows = every10(named, 1000, 2000, 3000, 4000, 5000).flatMap((row, index): Row[] => [
      row,
      [row[0] + 5, house + index * 1000, unnamed],
    ]);
    const meter = read(frame, ...rows);
    t.equal(energySoFar(meter, frame), 5000);
    t.strictSame(end(meter, frame, 60, 6600), { energyWh: 6600, flags: [] });
    t.strictSame(end(meter, frame, 60, null), { energyWh: 5000, flags: ['meter-stop-missing'] });
  }
});

void t.test(
  'counts values without the transaction, or of another location, where there are no others (F1, F2)',
  async (t) => {
    const from1000 = { ...frame, startWh: 1000 };
    for (const origin of [unnamed, 'Body import', 'Inlet import', 'unnamed Cable import', 'Outlet net']) {
      const meter = read(from1000, ...every10(origin, 2000, 3000, 4000, 5000, 6000));
      t.equal(energySoFar(meter, from1000), 5000, origin);
      t.strictSame(end(meter, from1000, 60, null), { energyWh: 5000, flags: ['meter-stop-missing'] }, origin);
      t.strictSame(end(meter, from1000, 60, 7000), { energyWh: 6000, flags: [] }, origin);
    }
  },
);

void t.test('counts a register that fell to r as at least r (F9)', async (t) => {
  const from = { ...frame, startWh: 4_076_334 };
  const meter = read(from, ...every10(named, 1000, 2000, 3000, 4000, 5000, 6000));
  t.equal(energySoFar(meter, from), 6000);
  t.match(end(meter, from, 60, null), { energyWh: 6000, flags: ['meter-stop-missing', 'register-fell'] });
  t.match(
    end(meter, from, 60, 4_082_334),
    { energyWh: 6000, flags: ['register-fell'] },
    'the stop is of the other register',
  );
  t.match(end(meter, from, 70, 6500), { energyWh: 6500, flags: ['meter-reset', 'register-fell'] });
  const inside = read(frame, ...every10(named, 2000, 4000, 1500, 3500, 5500));
  t.equal(energySoFar(inside, frame), 9500);
  t.match(end(inside, frame, 60, 7500), { energyWh: 11_500, flags: ['meter-reset', 'register-fell'] });
});

void t.test('recognizes a reset after the register passes its earlier value', async (t) => {
  const passed = read(frame, ...every10(named, 2000, 4000, 100, 2100, 4000, 6000, 8000));
  t.equal(energySoFar(passed, frame), 4000 + 8000);
  t.match(end(passed, frame, 80, 9000), { energyWh: 13_000, flags: ['meter-reset', 'register-fell'] });
});

void t.test('ignores one wrong reading', async (t) => {
  const from = { ...frame, startWh: 500_000 };
  for (const [wrong, name] of [
    [0, 'a zero'],
    [20_000, 'another meter'],
    [4_000_000_000, 'a leap'],
    [500_990, 'a smaller digit'],
  ] as const) {
    const meter = read(from, ...every10(named, 501_000, wrong, 503_000));
    t.equal(energySoFar(meter, from), 3000, name);
    t.match(end(meter, from, 40, 504_000), { energyWh: 4000 }, name);
  }
  const ambiguous = read(frame, ...every10(named, 1000, 2000, 500, 2300));
  t.strictSame(doubtsAt(ambiguous, frame, 40, null), ['energy-estimated'], 'a reset or a wrong reading');
});

void t.test('reads a value without unit in the unit that the register had before', async (t) => {
  const meter = read(
    frame,
    [0, 0, named, 1000],
    [10, 150.16, named, 1000],
    [20, 300.09, named, 1000],
    [30, 0.356_26, named, null],
  );
  t.equal(energySoFar(meter, frame), 356.26);
  const kilo = { ...frame, startWh: 5_000_000 };
  const later = read(
    kilo,
    [10, 5_001_000, named, 1000],
    [20, 5003, named, null],
    [30, 5_004_000, named, 1000],
  );
  t.equal(energySoFar(later, kilo), 4000);
  const wh = read(frame, [10, 1000, named, 1], [20, 2000, named, null]);
  t.equal(energySoFar(wh, frame), 2000, 'a register in Wh stays one');
});

void t.test('judges rises by the rating of the connector', async (t) => {
  const leap = every10(named, 1000, 19_000, 20_000);
  t.equal(energySoFar(read(frame, ...leap), frame), 1000, 'more than 22 kW deliver');
  const fast = { ...frame, ratedPowerW: 150_000 };
  t.equal(energySoFar(read(fast, ...leap), fast), 20_000);
  const unrated = { ...frame, ratedPowerW: null };
  t.equal(energySoFar(read(unrated, ...leap), unrated), 20_000);
  t.equal(energySoFar(read(unrated, ...every10(named, 1000, 3_000_000, 2000)), unrated), 2000, 'up to 4 MW');
});

void t.test('sums intervals, each once (F10)', async (t) => {
  const unknown = { ...frame, startWh: null };
  const interval = 'Outlet interval';
  const meter = read(unknown, ...every10(interval, 1000, 1000, 1000, 1000, 1000, 1000), [60, 1000, interval]);
  t.strictSame(end(meter, unknown, 60, null), { energyWh: 6000, flags: ['meter-stop-missing'] });
  const late = read(unknown, ...every10(interval, 1000, 1000), [5, 1000, interval]);
  t.strictSame(doubtsAt(late, unknown, 20, null), ['energy-estimated']);
});

void t.test('a session is never settled silently by energy that was not measured', async (t) => {
  const unknown = { ...frame, startWh: null };
  t.strictSame(doubtsAt(noReadings, unknown, 60, null), ['energy-unmeasured'], 'no register at all');
  t.strictSame(doubtsAt(noReadings, frame, 60, null), ['energy-unmeasured'], 'no register after the start');
  t.strictSame(doubtsAt(noReadings, unknown, 60, 7000), ['energy-unmeasured'], 'no register before the stop');
  t.strictSame(doubtsAt(read(unknown, [60, 7000]), unknown, 60, null), ['energy-unmeasured'], 'one register');
  const power = read(frame, ...every10('Outlet power', 6000, 6000, 6000));
  t.equal(energySoFar(power, frame), 3000);
  t.strictSame(doubtsAt(power, frame, 30, null), ['energy-from-power']);
  const unread = read(frame, [10, null], [20, 2000], [30, 3000]);
  t.strictSame(doubtsAt(unread, frame, 30, null), ['energy-values-set-aside']);
  t.strictSame(doubtsAt(unread, frame, 30, 3000), [], 'both ends are known');
  const rows = every10(named, 1000, 2000, 3000);
  t.strictSame(
    doubtsAt(read(frame, ...rows), frame, 90, null),
    ['energy-estimated'],
    'the last hour is unknown',
  );
  t.strictSame(
    doubtsAt(read(unknown, [60, 5000], [70, 6000]), unknown, 70, 6000),
    ['energy-estimated'],
    'the first hour is unknown',
  );
  t.match(end(read(frame, ...rows), frame, 40, 0), { energyWh: 3000 }, 'a stop of 0');
  t.strictSame(doubtsAt(read(frame, ...rows), frame, 40, 0), []);
  t.strictSame(
    end(read(frame, ...rows), frame, 40, 29_000),
    { energyWh: 29_000, flags: ['register-differs'] },
    'a stop that is too high',
  );
  t.strictSame(
    end(read(frame, ...rows), frame, 40, 1500),
    { energyWh: 1500, flags: ['register-differs'] },
    'a stop below a reading',
  );
});

void t.test('a stop is of a session whose register can have reached it', async (t) => {
  const from = { ...frame, startWh: 40_000 };
  const meter = read(from, [10, 43_000]);
  const reaches = (registerWh: number | null, minute: number, known = meter) =>
    canReach(known, from, { atMs: begin + minute * 60_000, registerWh });
  t.ok(reaches(46_000, 20));
  t.ok(reaches(null, 20), 'a stop without a register');
  t.notOk(reaches(52_000, 20), 'more than the connector delivers');
  t.notOk(reaches(42_000, 20), 'less than its last reading');
  t.notOk(reaches(39_000, 20, noReadings), 'less than its start');
  t.ok(reaches(46_000, 20, noReadings));
});

void t.test(
  'energy never falls while a register rises and never exceeds the sum of increments and resets',
  async (t) => {
    const registers = fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 1, maxLength: 30 });
    const unrated = { ...frame, ratedPowerW: null };
    fc.assert(
      fc.property(registers, (values) => {
        let meter = noReadings;
        let most = 0;
        let before = 0;
        for (const [index, value] of values.entries()) {
          const reading = { atMs: begin + index * 60_000, origin: named, value, scale: 1, isSetAside: false };
          meter = addReading(meter, reading, unrated);
          most += value >= before ? value - before : value;
          before = value;
          const energyWh = energySoFar(meter, unrated) ?? 0;
          if (energyWh < 0 || energyWh > most + 1) return false;
        }
        return true;
      }),
    );
    t.pass('held for every sample');
  },
);
