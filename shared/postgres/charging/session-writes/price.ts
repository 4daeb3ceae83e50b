import { approved, corrected, type SessionStop } from '#shared/domain/charging/session.ts';
import type { Cost } from '#shared/pricing/cost.ts';
import { nextPriceState, type PriceEvent, type PriceState } from '#shared/pricing/price-state.ts';
import {
  costPending,
  readingsLate,
  readingsMissing,
  type SessionResult,
} from '#shared/pricing/settle-session.ts';
import type { PendingSession } from '#shared/postgres/charging/pending-costs.ts';
import type { AmendableSession } from '#shared/postgres/charging/session-amending.ts';
import type { LockedSession } from '#shared/postgres/charging/sessions.ts';
import type { Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { storeCost } from '#shared/postgres/money/cost.ts';
import { settle } from './settle.ts';

/** End of a session. */
export type SessionEnding = Pick<SessionStop, 'endedAt' | 'meterStopWh'> & {
  /** Null: no stop was received, the end is estimated. */
  receivedAt: Date | null;
  reason: string | null;
  /** Time of the newest reading that is not written yet: the price of the session may wait for it. */
  liveAt?: Date | undefined;
};

/** Reason and author of an operator's decision on a session. */
export interface Decision {
  reason: string;
  by: string | null;
}

/**
 * Ends a locked session with its final energy and price, or replaces its end, and returns the state of its price. `final.flags`
 * replace all flags. In the same transaction its wallet pays, or holds the plausible price while the price is in review.
 */
export async function completeSession(
  transaction: Transaction,
  { id, priceState }: Pick<LockedSession, 'id' | 'priceState'>,
  stop: SessionEnding,
  final: SessionResult,
  event: PriceEvent = 'ended',
): Promise<PriceState> {
  const state = nextPriceState(priceState, event, final);
  await transaction`
    update sessions set status = 'COMPLETED', ended_at = ${stop.endedAt}, stop_received_at = ${stop.receivedAt},
      meter_stop_wh = ${stop.meterStopWh}, energy_wh = ${final.energyWh}, power_w = 0,
      live_at = greatest(live_at, ${stop.liveAt ?? null}), stop_reason = ${stop.reason},
      cost_minor = ${final.cost?.totalInclVatMinor ?? null}, cost = ${costJson(transaction, final.cost)},
      flags = ${final.flags}, price_state = ${state}, plausible_cost_minor = ${final.plausibleCostMinor},
      updated_at = now()
    where id = ${id}`;
  await settle(transaction, id);
  return state;
}

/**
 * Corrects a locked, completed session for an operator, and returns the state of its price. The values before are kept as a
 * revision with the reason. The wallet and the facts of analytics follow as in `completeSession`.
 */
export async function amendSession(
  transaction: Transaction,
  session: Pick<AmendableSession, 'id' | 'version' | 'priceState'>,
  ending: SessionEnding,
  result: SessionResult,
  { reason, by }: Decision,
): Promise<PriceState> {
  const priceState = await completeSession(transaction, session, ending, result, 'amended');
  await transaction`
    update session_revisions set reason = ${reason}, replaced_by = ${by}
    where session_id = ${session.id} and version = ${session.version}`;
  return priceState;
}

/**
 * Settles a locked session in review at the price that it has, and returns the state of its price. Its wallet pays. The approval
 * is a revision with the reason.
 */
export async function approvePrice(
  transaction: Transaction,
  session: Pick<AmendableSession, 'id' | 'priceState' | 'costMinor' | 'flags'>,
  { reason, by }: Decision,
): Promise<PriceState> {
  const { id, costMinor } = session;
  const flags = [...session.flags, approved];
  const cost = costMinor === null ? null : { totalInclVatMinor: costMinor };
  const priceState = nextPriceState(session.priceState, 'approved', { cost, flags });
  await transaction`
    with revision as (
      insert into session_revisions (session_id, version, started_at, ended_at, energy_wh, meter_start_wh, meter_stop_wh,
        stop_reason, cost_minor, cost, flags, reason, replaced_by)
      select id, version, started_at, ended_at, energy_wh, meter_start_wh, meter_stop_wh, stop_reason, cost_minor, cost, flags,
        ${reason}, ${by}
      from sessions where id = ${id}
    )
    update sessions set version = version + 1, price_state = ${priceState}, flags = ${flags}, updated_at = now()
    where id = ${id}`;
  await settle(transaction, id);
  return priceState;
}

/** Returns a cost as it is stored. */
export function costJson(transaction: Transaction, cost: Cost | null) {
  return cost === null ? null : transaction.json(storeCost(cost));
}

/**
 * Gives a session its pending price, and has its wallet pay in the same transaction; answers whether it was still
 * pending, and the same. What is no other price than it had moves nothing. Any number of processes may try.
 * @param cost null: that which it has stands.
 */
export async function settlePendingCost(
  sql: Sql,
  { id, version, startedAt, tariff, pendingSince }: PendingSession,
  cost: Cost | null,
  flags: readonly string[],
): Promise<boolean> {
  return sql.begin(async (transaction) => {
    const stored = cost === null ? null : transaction.json(storeCost(cost));
    const [pending] = await transaction<Pending[]>`
      select ${stored}::jsonb is not null and cost is distinct from ${stored}::jsonb as "isChanged",
        cost_minor as "costMinor", price_state as "priceState", flags
      from sessions
      where id = ${String(id)}::bigint and version = ${version} and flags && ${pendingFlags}::text[]
        and invoice_number is null
        -- Its start may have been told meanwhile, and the tariff with it, or more readings.
        and date_trunc('milliseconds', updated_at) = ${pendingSince}
        and date_trunc('milliseconds', started_at) = ${startedAt} and tariff = ${transaction.json(tariff as never)}
      for no key update`;
    if (pending === undefined) return false;
    const { isChanged } = pending;
    const costMinor = cost?.totalInclVatMinor ?? pending.costMinor;
    const left = [...pending.flags.filter((flag) => !judgedFlags.has(flag)), ...flags];
    const state = nextPriceState(pending.priceState, 'priced', {
      cost: costMinor === null ? null : { totalInclVatMinor: costMinor },
      flags: left,
    });
    // In one statement: the first price of a session that had to wait for it makes no revision.
    await transaction`
      update sessions set updated_at = now(),
        ${isChanged ? transaction`cost_minor = ${cost?.totalInclVatMinor ?? null}, cost = ${stored},` : transaction``}
        flags = ${left}, price_state = ${state}
      where id = ${String(id)}::bigint`;
    if (isChanged) await settle(transaction, id);
    return true;
  });
}

/** A locked session that waits for its price. */
interface Pending {
  isChanged: boolean;
  costMinor: bigint | null;
  priceState: PriceState;
  flags: string[];
}

const pendingFlags = [costPending, readingsLate];
const judgedFlags: ReadonlySet<string> = new Set([...pendingFlags, readingsMissing]);

/** More readings may come of a session that has its price: it is told anew when none came for so long (ms). */
export const calmMs = 60_000;

/**
 * Notes that readings of these sessions are in ClickHouse since now; to be called after they were stored. Of those that have
 * ended whoever keeps their readings learns it by `updated_at`; a price that may have been told from readings, and that no
 * operator has set or approved, is flagged: it is priced again. Sessions that run, and unknown ones, stay as they are.
 * @param readings the time of the earliest one (ms since 1970) of each session, by its uuid.
 */
export async function noteLateReadings(sql: Sql, readings: ReadonlyMap<string, number>): Promise<void> {
  if (readings.size === 0) return;
  const times = [...readings.values()].map((time) => new Date(time).toISOString());
  await sql`
    with late as materialized (
      select s.id, r.earliest
      from unnest(${[...readings.keys()]}::uuid[], ${times}::timestamptz[]) as r (uuid, earliest)
      join sessions s on s.uuid = r.uuid
      where s.status = 'COMPLETED'
        -- What a charger goes on telling after the end is in no price, and who waits for calm would wait for ever.
        and (r.earliest < s.ended_at or s.updated_at < now() - make_interval(secs => ${calmMs / 1000}))
      order by s.id for no key update of s
    )
    update sessions s set updated_at = now(), flags = case
      when s.cost is not null and late.earliest < s.ended_at and not s.flags && ${[approved, corrected, readingsLate]}::text[]
        -- Without restrictions no reading is in the price, and what was refused and took nothing costs nothing.
        and jsonb_path_exists(s.tariff, '$.elements[*].restrictions')
        and (s.authorization_status = 'Accepted' or s.energy_wh > 0)
      then array_append(s.flags, ${readingsLate}) else s.flags end
    from late where s.id = late.id`;
}
