import { isClickHouseDown } from '#shared/clickhouse/client.ts';
import { readUsage } from '#api/services/charging/session-usage.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import {
  listPendingCosts,
  type PendingSession,
  quietPeriodMs,
} from '#shared/postgres/charging/pending-costs.ts';
import { settlePendingCost } from '#shared/postgres/charging/session-writes/price.statements.ts';
import { priceSession } from '#shared/pricing/price-session.ts';
import { usageUntil } from '#shared/pricing/settle-session.ts';
import type { UsageReading } from '#shared/pricing/usage.ts';

/** Sessions that are priced at once. Each may have a reading for every second. */
const sessionsAtOnce = 20;

/** Maximum wait for readings that a gateway keeps on its disk. Then the session is priced by those that are stored. */
const longestWaitMs = 60 * 60_000;

/**
 * Prices the completed sessions whose tariff needs their readings: power, or energy before and after an hour of the day. The stop
 * is answered before that, since it waits only for PostgreSQL. Sessions wait while ClickHouse is unavailable, and until their
 * newest reported reading is stored. A session whose readings were stored late is priced again. A session that cannot be priced
 * does not delay the others. Any number of processes may run this. Ends after a batch when the process stops.
 * @throws {AggregateError} with the reason for each session that could not be priced.
 */
export async function pricePendingSessions(
  { sql, clickhouse }: Pick<ApiDeps, 'sql' | 'clickhouse'>,
  waits: { longestMs: number; quietPeriodMs: number } = { longestMs: longestWaitMs, quietPeriodMs },
  stopping = AbortSignal.any([]),
): Promise<void> {
  const failures: unknown[] = [];
  for (let after = 0n; !stopping.aborted;) {
    const sessions = await listPendingCosts(sql, after, sessionsAtOnce, waits.quietPeriodMs);
    const last = sessions.at(-1);
    if (last === undefined) break;
    after = last.id;
    const readings = await readAll({ sql, clickhouse }, sessions);
    if (readings === null) break;
    for (const session of sessions) {
      const ofSession = readings.get(session.uuid) ?? [];
      const isMissing = !isComplete(session, ofSession);
      if (isMissing && Date.now() - session.pendingSince.getTime() < waits.longestMs) continue;
      await price({ sql }, session, ofSession, isMissing).catch((error: unknown) => failures.push(error));
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'sessions could not be priced');
}

/** Returns the readings by session, or null while ClickHouse is unavailable. */
async function readAll(
  deps: Pick<ApiDeps, 'sql' | 'clickhouse'>,
  sessions: readonly PendingSession[],
): Promise<Map<string, UsageReading[]> | null> {
  try {
    return await readUsage(deps, sessions, { everyMs: 1, current: true });
  } catch (error) {
    if (!isClickHouseDown(error)) throw error;
    return null;
  }
}

/**
 * Returns true when the newest reported reading is stored. A gateway loads its readings in order, so those before it are stored too; newer
 * ones may overtake it (ADR 16).
 */
function isComplete({ liveAt }: PendingSession, readings: readonly UsageReading[]): boolean {
  return liveAt === null || (readings.at(-1)?.at.getTime() ?? 0) >= liveAt.getTime();
}

async function price(
  { sql }: Pick<ApiDeps, 'sql'>,
  session: PendingSession,
  readings: readonly UsageReading[],
  isMissing: boolean,
): Promise<void> {
  const isComplete = !isMissing;
  // A price from all readings is better than one from those that ClickHouse still has.
  if (isMissing && session.isPriced) {
    await settlePendingCost(sql, session, { cost: null, isComplete });
    return;
  }
  if (session.tariff === null)
    throw new Error(`the session ${session.uuid} waits for a price without a tariff`);
  const usage = usageUntil(session, session.endedAt, readings);
  const cost = priceSession(session.tariff, usage);
  await settlePendingCost(sql, session, { cost, isComplete });
}
