import type { StationCost } from '#shared/domain/charging/station-transaction.ts';
import { partnerStated } from '#shared/domain/charging/partner-statement.ts';
import { firstRegisterWh, type SessionMeter } from '#shared/domain/charging/session-meter.ts';
import { approved, type SessionStop } from '#shared/domain/charging/session.ts';
import type { Cost } from '#shared/pricing/cost.ts';
import {
  nextPrice,
  type Price,
  type PriceEvent,
  priceTransitions,
  readingsLate,
  withPriceFlags,
} from '#shared/pricing/price-state.ts';
import { withStationCost } from '#shared/pricing/station-cost.ts';
import type { SessionResult } from '#shared/pricing/settle-session.ts';
import { type PendingSession, quietPeriodMs } from '#shared/postgres/charging/pending-costs.ts';
import type { AmendableSession } from '#shared/postgres/charging/session-amending.statements.ts';
import { stationCost } from '#shared/postgres/charging/station-transactions.statements.ts';
import type { LockedSession } from '#shared/postgres/charging/sessions.statements.ts';
import type { Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { storeCost } from '#shared/postgres/money/cost.statements.ts';
import { settle } from './settle.ts';

/** End of a session. */
type SessionEnding = Pick<SessionStop, 'endedAt' | 'meterStopWh'> & {
  /** Null: no stop was received, the end is estimated. */
  receivedAt: Date | null;
  reason: string | null;
  /** Time of the newest reading that is not written yet: the price of the session may wait for it. */
  liveAt?: Date | undefined;
  /** Readings, where some are not written yet. */
  meter?: SessionMeter;
};

/** Reason and author of an operator's decision on a session. */
interface Decision {
  reason: string;
  by: string | null;
}

/** Locked session with its price. */
type PricedSession = Pick<LockedSession, 'id' | keyof Price>;

/** Locked session at its end. What its roaming partner and its station stated while it ran is judged then. */
type EndingSession = PricedSession & Pick<LockedSession, 'partnerStatement' | 'stationCost'>;

/**
 * Ends a locked session with its final energy and price, or replaces its end, and returns its price. `final.flags` replace all
 * flags but those of the price. In the same transaction its wallet pays, or holds the plausible price while the price is in review.
 */
export async function completeSession(
  transaction: Transaction,
  session: EndingSession,
  stop: SessionEnding,
  final: SessionResult,
  event: Extract<PriceEvent, 'ended' | 'amended'> = 'ended',
): Promise<Price> {
  const stated =
    session.partnerStatement === null ? final.flags : [...new Set([...final.flags, partnerStated])];
  const flags = withStationCost(stated, session.stationCost, final.cost);
  const price = nextPrice(session, event, { ...final, flags });
  await transaction`
    update sessions set status = 'COMPLETED', ended_at = ${stop.endedAt}, stop_received_at = ${stop.receivedAt},
      meter_stop_wh = ${stop.meterStopWh},
      ${stop.meter === undefined ? transaction`` : meterColumns(transaction, stop.meter)} energy_wh = ${final.energyWh}, power_w = 0,
      live_at = greatest(live_at, ${stop.liveAt ?? null}), stop_reason = ${stop.reason},
      cost_minor = ${final.cost?.totalInclVatMinor ?? null}, cost = ${costJson(transaction, final.cost)},
      flags = ${withPriceFlags(flags, price)}, ${priceColumns(transaction, price)},
      plausible_cost_minor = ${final.plausibleCostMinor}, updated_at = now()
    where id = ${session.id}`;
  await settle(transaction, session.id);
  return price;
}

/** Assignments of the readings of a session. The first one is its start where that reported none. */
const meterColumns = (sql: Queryable, meter: SessionMeter) => sql`
  meter = ${sql.json(meter as never)}, meter_start_wh = coalesce(meter_start_wh, ${firstRegisterWh(meter)}),`;

/**
 * Corrects a locked, completed session for an operator, and returns its price. The values before are kept as a revision with the
 * reason. The wallet and the facts of analytics follow as in `completeSession`.
 */
export async function amendSession(
  transaction: Transaction,
  session: EndingSession & Pick<AmendableSession, 'version'>,
  ending: SessionEnding,
  result: SessionResult,
  { reason, by }: Decision,
): Promise<Price> {
  const price = await completeSession(transaction, session, ending, result, 'amended');
  await transaction`
    update session_revisions set reason = ${reason}, replaced_by = ${by}
    where session_id = ${session.id} and version = ${session.version}`;
  return price;
}

/**
 * Settles a locked session in review at the price that it has, and returns its new price. Its wallet pays. The approval is a
 * revision with the reason.
 */
export async function approvePrice(
  transaction: Transaction,
  session: PricedSession & Pick<AmendableSession, 'costMinor' | 'flags'>,
  { reason, by }: Decision,
): Promise<Price> {
  const { id, costMinor, flags } = session;
  const price = nextPrice(session, 'approved', { ...factsOf(costMinor), flags });
  await transaction`
    with revision as (
      insert into session_revisions (session_id, version, started_at, ended_at, energy_wh, meter_start_wh, meter_stop_wh,
        stop_reason, cost_minor, cost, flags, reason, replaced_by)
      select id, version, started_at, ended_at, energy_wh, meter_start_wh, meter_stop_wh, stop_reason, cost_minor, cost, flags,
        ${reason}, ${by}
      from sessions where id = ${id}
    )
    update sessions set version = version + 1, ${priceColumns(transaction, price)},
      flags = ${withPriceFlags([...flags, approved], price)}, updated_at = now()
    where id = ${id}`;
  await settle(transaction, id);
  return price;
}

/** Price that the readings of a session came to. */
interface ReadPrice {
  /** Null: the price that the session has stands. */
  cost: Cost | null;
  /** Every reading that was reported is counted. */
  isComplete: boolean;
}

/**
 * Stores the price of a session that waited for its readings, or whose readings came late, and has its wallet pay in the same
 * transaction. Returns false when the session changed since it was read. An equal price moves nothing. Any number of processes may
 * call this for one session.
 */
export async function settlePendingCost(
  sql: Sql,
  { id, version, startedAt, tariff, pendingSince }: PendingSession,
  { cost, isComplete }: ReadPrice,
): Promise<boolean> {
  return sql.begin(async (transaction) => {
    const stored = costJson(transaction, cost);
    const [pending] = await transaction<
      (Price &
        Pick<AmendableSession, 'costMinor' | 'flags'> & {
          isChanged: boolean;
          stationCost: StationCost | null;
        })[]
    >`
      select ${stored}::jsonb is not null and cost is distinct from ${stored}::jsonb as "isChanged",
        cost_minor as "costMinor", price_state as "priceState", price_readings as "priceReadings",
        price_decision as "priceDecision", flags, ${stationCost(transaction)} as "stationCost"
      from sessions s
      where id = ${String(id)}::bigint and version = ${version} and invoice_number is null
        and (price_state = 'PENDING' or price_readings in ('LATE', 'MISSING_LATE'))
        -- Its start, and with it the tariff, or more readings may have arrived meanwhile.
        and date_trunc('milliseconds', updated_at) = ${pendingSince}
        and date_trunc('milliseconds', started_at) = ${startedAt} and tariff = ${transaction.json(tariff as never)}
      for no key update`;
    if (pending === undefined) return false;
    const { isChanged } = pending;
    const flags = cost === null ? pending.flags : withStationCost(pending.flags, pending.stationCost, cost);
    const facts = { ...factsOf(cost?.totalInclVatMinor ?? pending.costMinor), flags };
    const price = nextPrice(pending, eventOf({ cost, isComplete }), facts);
    // One statement: the first price of a session that waited for it makes no revision.
    await transaction`
      update sessions set updated_at = now(),
        ${isChanged ? transaction`cost_minor = ${cost?.totalInclVatMinor ?? null}, cost = ${stored},` : transaction``}
        flags = ${withPriceFlags(flags, price)}, ${priceColumns(transaction, price)}
      where id = ${String(id)}::bigint`;
    if (isChanged) await settle(transaction, id);
    return true;
  });
}

/**
 * Marks the prices of sessions whose readings were stored after their end. Runs after the readings are in ClickHouse. A completed
 * session gets a new `updated_at`, by which caches of its readings notice. A price that may count such readings, and that no
 * operator decided on, is made again. Sessions that run, and unknown ones, stay as they are.
 * @param readings the time of the earliest one (ms since 1970) of each session, by its uuid.
 */
export async function recordLateReadings(sql: Sql, readings: ReadonlyMap<string, number>): Promise<void> {
  if (readings.size === 0) return;
  const times = [...readings.values()].map((time) => new Date(time).toISOString());
  await sql`
    with late as materialized (
      select s.id, case when ${countsLateReadings(sql)} and r.earliest < s.ended_at
        then ${sql.json(priceTransitions.late.readings)}::jsonb ->> s.price_readings end as readings
      from unnest(${[...readings.keys()]}::uuid[], ${times}::timestamptz[]) as r (uuid, earliest)
      join sessions s on s.uuid = r.uuid
      where s.status = 'COMPLETED'
        -- A charger may send readings long after the end. No price counts those, and the quiet period would never end.
        and (r.earliest < s.ended_at or s.updated_at < now() - make_interval(secs => ${quietPeriodMs / 1000}))
      order by s.id for no key update of s
    )
    update sessions s set updated_at = now(), price_readings = coalesce(late.readings, s.price_readings),
      flags = case when late.readings is null or s.flags @> ${[readingsLate]}::text[] then s.flags
        else array_append(s.flags, ${readingsLate}) end
    from late where s.id = late.id`;
}

/**
 * The condition that late readings may change the price of a session `s`. Without restrictions in its tariff a price counts no
 * readings, and a refused session without energy costs nothing.
 */
const countsLateReadings = (sql: Queryable) => sql`(
  s.price_state = any(${Object.keys(priceTransitions.late.states)}::text[]) and s.price_decision is null
  and s.cost is not null and jsonb_path_exists(s.tariff, '$.elements[*].restrictions')
  and (s.authorization_status = 'Accepted' or s.energy_wh > 0))`;

/** Assignments of the three parts of a price. */
export const priceColumns = (sql: Queryable, price: Price) => sql`
  price_state = ${price.priceState}, price_readings = ${price.priceReadings}, price_decision = ${price.priceDecision}`;

/** Converts a cost for storage. */
export function costJson(transaction: Transaction, cost: Cost | null) {
  return cost === null ? null : transaction.json(storeCost(cost));
}

function eventOf({ cost, isComplete }: ReadPrice): PriceEvent {
  if (cost === null) return 'kept';
  return isComplete ? 'priced' : 'part-priced';
}

function factsOf(costMinor: bigint | null) {
  return { cost: costMinor === null ? null : { totalInclVatMinor: costMinor }, needsReadings: false };
}
