import t from 'tap';
import { chargeableSeconds, idlePeriodsUntil, idleSeconds } from '#shared/domain/charging/idle.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute));
const period = (from: number, to: number, cause = 'SuspendedEV') => ({
  from: at(from).toISOString(),
  to: at(to).toISOString(),
  cause,
});

void t.test('ends the current period with the session or now', async (t) => {
  const idle = { idlePeriods: [period(10, 15)], idleStartedAt: at(30), idleCause: 'Finishing' };
  const periods = idlePeriodsUntil(idle, at(40));
  t.equal(idleSeconds(periods), 15 * 60);
  t.strictSame(chargeableSeconds(periods), [300, 600]);
  t.strictSame(idlePeriodsUntil({ idlePeriods: [], idleStartedAt: null, idleCause: null }, at(40)), []);
});

void t.test('cuts periods after an amended end', async (t) => {
  const idle = { idlePeriods: [period(10, 15)], idleStartedAt: at(30), idleCause: 'Finishing' };
  t.equal(idleSeconds(idlePeriodsUntil(idle, at(12))), 120);
  t.equal(idleSeconds(idlePeriodsUntil(idle, at(5))), 0);
});

void t.test('bills no period in which the charger suspends', async (t) => {
  const idle = { idlePeriods: [period(0, 20, 'SuspendedEVSE')], idleStartedAt: at(20), idleCause: 'NoPower' };
  const periods = idlePeriodsUntil(idle, at(30));
  t.equal(idleSeconds(periods), 30 * 60, 'it is parking time');
  t.strictSame(chargeableSeconds(periods), [600]);
});
