import type { LimitedSession } from '#shared/postgres/charging/session-limits.statements.ts';
import { priceSession } from '#shared/pricing/price-session.ts';
import { usageUntil } from '#shared/pricing/settle-session.ts';
import type { UsageReading } from '#shared/pricing/usage.ts';

/**
 * Time in ms that a session continues until its charger has stopped it: the job's interval, the command, the
 * relay.
 */
const aheadMs = 30_000;

/** Time in ms after its newest reading for which a session is assumed to draw the same power. */
const believedMs = 15 * 60_000;

/**
 * Returns the sessions to stop because their wallet runs out: at the time of a stop they would cost more
 * together than their holds and the available balance. A session within its own hold continues.
 */
export function shortOfBalance(
  sessions: readonly LimitedSession[],
  readings: ReadonlyMap<string, UsageReading[]>,
  now: Date,
): Set<bigint> {
  const excesses = sessions.flatMap((session) => {
    if (session.walletId === null || session.tariff === null) return [];
    const excessMinor =
      priceSoon(session, session.tariff, readings.get(session.uuid), now) - session.heldMinor;
    return excessMinor > 0n ? [{ ...session, excessMinor }] : [];
  });
  const byWallet = Map.groupBy(excesses, ({ walletId }) => walletId);
  const short = [...byWallet.values()].filter((sessions) => {
    const together = sessions.reduce((sum, { excessMinor }) => sum + excessMinor, 0n);
    return together >= (sessions[0]?.availableMinor ?? 0n);
  });
  return new Set(short.flat().map(({ id }) => id));
}

/**
 * Returns the cost of a session at the earliest time when it could be stopped, if it continues as by its
 * newest reading; minor units.
 */
function priceSoon(
  session: LimitedSession,
  tariff: NonNullable<LimitedSession['tariff']>,
  readings: readonly UsageReading[] | undefined,
  now: Date,
): bigint {
  const until = new Date(now.getTime() + aheadMs);
  const sinceMs = session.liveAt === null ? 0 : until.getTime() - session.liveAt.getTime();
  const flowingWh = ((session.powerW ?? 0) * Math.min(Math.max(0, sinceMs), believedMs)) / 3_600_000;
  const soon = { ...session, energyWh: session.energyWh + flowingWh };
  return priceSession(tariff, usageUntil(soon, until, readings)).totalInclVatMinor;
}
