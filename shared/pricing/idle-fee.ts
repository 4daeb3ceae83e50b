import { chargeableSeconds, type IdlePeriod } from '#shared/domain/charging/idle.ts';

/** The whole seconds of idle periods that the driver pays for: each beyond a grace of its own. */
export function idleSecondsBeyond(graceMinutes: number, periods: readonly IdlePeriod[]): number {
  const grace = Math.round(graceMinutes * 60);
  return chargeableSeconds(periods)
    .map((seconds) => Math.max(0, Math.round(seconds) - grace))
    .reduce((total, seconds) => total + seconds, 0);
}
