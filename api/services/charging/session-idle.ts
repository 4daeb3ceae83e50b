import { idlePeriodsUntil, idleSeconds } from '#shared/domain/charging/idle.ts';
import type { SessionRecord } from '#shared/postgres/charging/session-records.ts';

/** Time for which a session has occupied its connector without charging. */
export interface SessionIdle {
  isIdle: boolean;
  /** Null: it is not idle, the charger itself holds back, or its tariff has no idle fee. */
  gracePeriodEndsAt: Date | null;
  /** Total of all idle periods. */
  idleSeconds: number;
  /** Null: it charges, or has not charged yet. */
  chargingEndedAt: Date | null;
}

/** The idle time of a session, until `now` while it runs. */
export function sessionIdle(session: SessionRecord, now: Date): SessionIdle {
  const { endedAt, idleStartedAt, idleCause, tariff } = session;
  const grace = tariff?.idle?.grace_minutes;
  const isFree = idleStartedAt === null || idleCause === 'SuspendedEVSE' || grace === undefined;
  return {
    isIdle: endedAt === null && idleStartedAt !== null,
    gracePeriodEndsAt: isFree ? null : new Date(idleStartedAt.getTime() + grace * 60_000),
    idleSeconds: Math.round(idleSeconds(idlePeriodsUntil(session, endedAt ?? now))),
    chargingEndedAt: earlier(session.chargingEndedAt, endedAt),
  };
}

/** A session that ended while it charged stopped charging then, and none later. */
function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
