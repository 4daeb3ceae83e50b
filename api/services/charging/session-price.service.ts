import { isClickHouseDown } from '#shared/clickhouse/client.ts';
import type { SessionRecord } from '#shared/postgres/charging/session-records.ts';
import { readCost } from '#shared/postgres/money/cost.statements.ts';
import type { Cost } from '#shared/pricing/cost.ts';
import { explainPrice, type PriceExplanation } from '#shared/pricing/explain-price.ts';
import { priceSession } from '#shared/pricing/price-session.ts';
import { needsReadings } from '#shared/pricing/rating.ts';
import { usageUntil } from '#shared/pricing/settle-session.ts';
import type { UsageReading } from '#shared/pricing/usage.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { sessionCost } from './session-cost.ts';
import { runningReadings } from './session-readings.ts';
import { readUsage } from './session-usage.ts';
import { requireSession } from './sessions.service.ts';

export type { ExplainedLine, ExplainedPart, ExplainedPeriod } from '#shared/pricing/explain-price.ts';
export { decimalText, majorText } from '#shared/pricing/money.ts';
export { type CostLine as VatLine, vatTotals } from '#shared/pricing/cost.ts';
export { daysOfWeek } from '#shared/pricing/tariff.ts';

/** Price of a session with its explanation. */
export interface ExplainedPrice {
  session: SessionRecord;
  /** End of the session, or the time until which it is priced. */
  until: Date;
  /** Null: no price, for the reason in `unavailable`. */
  price: (PriceExplanation & { cost: Cost; isFinal: boolean }) | null;
  unavailable: ReturnType<typeof sessionCost>['costUnavailable'];
}

/**
 * Explains the price of one of the caller's sessions: the stored one of an ended session, the price so far of a running one.
 * @throws {DomainError} SESSION_NOT_FOUND.
 */
export async function explainSessionPrice(
  deps: ServiceDeps,
  caller: Caller,
  uuid: string,
): Promise<ExplainedPrice> {
  const session = await requireSession(deps, caller, uuid);
  const now = new Date();
  const until = session.endedAt ?? now;
  const { costUnavailable } = sessionCost(session, now);
  if (costUnavailable !== null) return { session, until, price: null, unavailable: costUnavailable };
  const usage = usageUntil(session, until, await readingsOf(deps, session, now));
  const cost = costOf(session, usage);
  const isFinal = session.cost !== null && session.priceState !== 'REVIEW';
  const price = { ...explainPrice(session.tariff, usage, cost), cost, isFinal };
  return { session, until, price, unavailable: null };
}

function costOf({ uuid, cost, tariff }: SessionRecord, usage: ReturnType<typeof usageUntil>): Cost {
  if (cost !== null) return readCost(cost);
  if (tariff === null) throw new Error(`the session ${uuid} has neither a price nor a tariff`);
  return priceSession(tariff, usage);
}

/** Returns the readings that the price of a session counts, none where its tariff needs none or ClickHouse is unavailable. */
async function readingsOf(
  deps: ServiceDeps,
  session: SessionRecord,
  now: Date,
): Promise<readonly UsageReading[]> {
  const { endedAt, tariff, uuid } = session;
  if (endedAt === null) return (await runningReadings(deps, [session], now)).get(uuid) ?? [];
  if (tariff === null || !needsReadings(tariff, usageUntil(session, endedAt))) return [];
  try {
    return (await readUsage(deps, [session], { everyMs: 1, current: true })).get(uuid) ?? [];
  } catch (error) {
    if (!isClickHouseDown(error)) throw error;
    return [];
  }
}
