import { isClickHouseDown } from '#shared/clickhouse/client.ts';
import { readMeterPoints } from '#shared/clickhouse/meter-points.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import type { MeterPoint } from '#shared/domain/charging/meter-sample.ts';
import { calmMs } from '#shared/postgres/charging/session-writes/price.ts';
import { listPendingCosts, type PendingSession } from '#shared/postgres/charging/pending-costs.ts';
import { settlePendingCost } from '#shared/postgres/charging/session-writes/price.ts';
import { priceSession } from '#shared/pricing/price-session.ts';
import { usageReadings } from '#shared/pricing/readings.ts';
import { readingsMissing, usageUntil } from '#shared/pricing/settle-session.ts';

/** Each may have as many readings as it was long in seconds. */
const sessionsAtOnce = 20;

/** Readings that a shard keeps on its disk are not waited for longer: the session is priced by those that are there. */
const longestWaitMs = 60 * 60_000;

/**
 * Prices the sessions that have ended and whose tariff needs their readings: power, or energy before and
 * after an hour of the day. The stop itself is answered earlier: it waits for PostgreSQL alone. Sessions wait
 * while ClickHouse is unreachable, and until the newest received reading is stored. Later readings cause a
 * new price. A session that cannot be priced holds back none of the others. Any number of processes can run
 * this.
 * @throws {AggregateError} the errors of sessions that could not be priced.
 */
export async function pricePendingSessions(
  { sql, clickhouse }: Pick<ApiDeps, 'sql' | 'clickhouse'>,
  waits: { longestMs: number; calmMs: number } = { longestMs: longestWaitMs, calmMs },
): Promise<void> {
  const failures: unknown[] = [];
  for (let after = 0n; ; ) {
    const sessions = await listPendingCosts(sql, after, sessionsAtOnce, waits.calmMs);
    const last = sessions.at(-1);
    if (last === undefined) break;
    after = last.id;
    const points = await readPoints(clickhouse, sessions);
    if (points === null) break;
    for (const session of sessions) {
      const ofSession = points.get(session.uuid) ?? [];
      const isMissing = !isComplete(session, ofSession);
      if (isMissing && Date.now() - session.pendingSince.getTime() < waits.longestMs) continue;
      await price({ sql }, session, ofSession, isMissing).catch((error: unknown) => failures.push(error));
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'sessions could not be priced');
}

/** Returns the readings. Null: ClickHouse is unreachable. */
async function readPoints(
  clickhouse: ApiDeps['clickhouse'],
  sessions: readonly PendingSession[],
): Promise<Map<string, MeterPoint[]> | null> {
  try {
    return await readMeterPoints(clickhouse, sessions, { everyMs: 1, current: true });
  } catch (error) {
    if (!isClickHouseDown(error)) throw error;
    return null;
  }
}

/** A spool drains in order: with its newest reading there, the ones before are; newer ones may go past it (ADR 16). */
function isComplete({ liveAt }: PendingSession, points: readonly MeterPoint[]): boolean {
  return liveAt === null || (points.at(-1)?.atMs ?? 0) >= liveAt.getTime();
}

async function price(
  { sql }: Pick<ApiDeps, 'sql'>,
  session: PendingSession,
  points: readonly MeterPoint[],
  isMissing: boolean,
): Promise<void> {
  // A price from all readings is better than one from those that ClickHouse still has.
  if (isMissing && session.isPriced) return void (await settlePendingCost(sql, session, null, []));
  if (session.tariff === null)
    throw new Error(`the session ${session.uuid} waits for a price without a tariff`);
  const usage = usageUntil(session, session.endedAt, usageReadings(points, session));
  const cost = priceSession(session.tariff, usage);
  await settlePendingCost(sql, session, cost, isMissing ? [readingsMissing] : []);
}
