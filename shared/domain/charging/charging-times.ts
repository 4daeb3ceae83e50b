import { idlePeriodsUntil, type IdleTime } from './idle.ts';
import { type Interval, subtract } from '#shared/domain/kernel/intervals.ts';

/** The times in which a session charged, until its end or now: all but its idle periods, in order. */
export function chargingTimes(session: IdleTime & { startedAt: Date }, until: Date): Interval[] {
  const idle = idlePeriodsUntil(session, until).map(({ from, to }) => ({
    from: from.getTime(),
    to: to.getTime(),
  }));
  return subtract([{ from: session.startedAt.getTime(), to: until.getTime() }], idle);
}
