import t from 'tap';
import { withPeriods } from '#api/services/roaming/charging-periods.ts';
import { hours } from '#api/services/roaming/wire/numbers.ts';

const startedAt = new Date('2026-01-31T12:00:00.000Z');
const at = (seconds: number) => new Date(startedAt.getTime() + seconds * 1000);
const idle = (from: number, to: number) => ({
  from: at(from).toISOString(),
  to: at(to).toISOString(),
  cause: 'SuspendedEV',
});

/** Total duration, and hours of the charging periods by dimension, of a session that ended. */
function totalsOf(seconds: number, idlePeriods: object[] = []) {
  const session = {
    status: 'COMPLETED',
    startedAt,
    endedAt: at(seconds),
    energyWh: 5000,
    currency: 'EUR',
    tariff: null,
    idlePeriods,
    idleStartedAt: null,
    idleCause: null,
    reservedAt: null,
    reservationEnd: null,
  };
  const { periods, durationSeconds } = withPeriods({} as never, session as never, at(90_000));
  const sum = (...types: string[]) =>
    periods
      .flatMap(({ dimensions }) => dimensions)
      .reduce((total, { type, volume }) => (types.includes(type) ? total + volume : total), 0);
  return {
    total: hours(durationSeconds),
    time: Number(sum('TIME').toFixed(4)),
    parts: Number(sum('TIME', 'PARKING_TIME').toFixed(4)),
  };
}

void t.test(
  'total_time of a session that charges throughout equals its TIME, to the fraction of a second',
  (t) => {
    for (const seconds of [0.4, 1.44, 3600, 3600.5, 4321.987]) {
      const { total, time } = totalsOf(seconds);
      t.equal(total, time, `${seconds} s`);
    }
    t.equal(totalsOf(3601.44).total, 1.0004);
    t.end();
  },
);

void t.test('total_time equals the sum of the periods that charge and that do not', (t) => {
  const pauses = [1000.11, 1400.37, 1800.51, 2200.73, 2600.97].map((from) => idle(from, from + 123.457));
  const { total, time, parts } = totalsOf(3600.7, pauses);
  t.equal(parts, total);
  t.ok(time < total);
  t.end();
});
