import type { ConnectorStatus } from '#shared/domain/fleet/charger.ts';

/** Reason why a session does not charge: the connector's status, or that no power flows. */
type IdleCause = ConnectorStatus | 'NoPower';

/** A time in which a session occupied its connector without charging: after it had charged, or held back by the charger. */
export interface IdlePeriod {
  from: Date;
  to: Date;
  cause: IdleCause;
}

/**
 * Power in W below which a car does not charge: the consumption of a meter and a charger's own electronics.
 */
export const idlePowerW = 100;

/** Time in ms without power after which a session is idle, whatever the connector reports. */
export const noPowerMs = 5 * 60 * 1000;

/** Idle time of a session: the periods that ended, and the one in progress. */
export interface IdleTime {
  idlePeriods: readonly { from: string; to: string; cause: string }[];
  idleStartedAt: Date | null;
  idleCause: string | null;
}

/** The idle periods of a session until `until`: its end, or now. */
export function idlePeriodsUntil(idle: IdleTime, until: Date): IdlePeriod[] {
  const ended = idle.idlePeriods.map(({ from, to, cause }) => ({
    from: new Date(from),
    to: new Date(to),
    cause: cause as IdleCause,
  }));
  const { idleStartedAt: from, idleCause } = idle;
  const open =
    from === null || idleCause === null ? [] : [{ from, to: until, cause: idleCause as IdleCause }];
  // An end that was amended may lie before what was noted until then.
  return [...ended, ...open]
    .map((period) => (period.to > until ? { ...period, to: until } : period))
    .filter(({ from, to }) => from < to);
}

/** Seconds of each period that the driver answers for: where the charger held back (SuspendedEVSE) they do not. */
export function chargeableSeconds(periods: readonly IdlePeriod[]): number[] {
  return periods.filter(({ cause }) => cause !== 'SuspendedEVSE').map(secondsOf);
}

/** Seconds of all periods. */
export function idleSeconds(periods: readonly IdlePeriod[]): number {
  return periods.reduce((total, period) => total + secondsOf(period), 0);
}

function secondsOf({ from, to }: IdlePeriod): number {
  return (to.getTime() - from.getTime()) / 1000;
}
