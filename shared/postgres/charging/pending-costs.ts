import type { Cost } from '#shared/pricing/cost.ts';
import { nextPriceState, type PriceState } from '#shared/pricing/price-state.ts';
import {
  costPending,
  readingsLate,
  readingsMissing,
  type SettledSession,
} from '#shared/pricing/settle-session.ts';
import type { Queryable, Sql } from '#shared/postgres/kernel/client.ts';
import { storeCost } from '#shared/postgres/money/cost.ts';
import { settleWallet } from '#shared/postgres/money/wallet-holds.ts';

/** A session that has ended and whose tariff needs its readings; or one that was priced before more of them came. */
export interface PendingSession
  extends Pick<
    SettledSession,
    'startedAt' | 'meterStartWh' | 'energyWh' | 'tariff' | 'idlePeriods' | 'idleStartedAt' | 'idleCause'
  > {
  id: bigint;
  uuid: string;
  chargerId: number;
  endedAt: Date;
  /** Of the newest reading that was heard of while it ran. */
  liveAt: Date | null;
  /** Counts its ends: one that was put right meanwhile is another. */
  version: number;
  /** It has a price, which was told from all readings that were heard of by then. */
  isPriced: boolean;
  pendingSince: Date;
}

/**
 * Up to `limit` sessions whose price is pending after this id, oldest first. One that has a price waits until no more
 * readings came for `calmMs`, and where it is on an invoice until that is credited.
 */
export async function listPendingCosts(
  sql: Queryable,
  after: bigint,
  limit: number,
  calmMs: number,
): Promise<PendingSession[]> {
  return sql<PendingSession[]>`
    select id, uuid, charger_id as "chargerId", started_at as "startedAt", ended_at as "endedAt", version,
      meter_start_wh as "meterStartWh", energy_wh as "energyWh", tariff, idle_periods as "idlePeriods",
      idle_started_at as "idleStartedAt", idle_cause as "idleCause", live_at as "liveAt", updated_at as "pendingSince",
      cost is not null and not flags @> ${[readingsMissing]}::text[] as "isPriced"
    from sessions
    -- In these words there is an index of them.
    where flags && '{cost-pending,readings-late}' and invoice_number is null and id > ${String(after)}::bigint
      and (cost is null or updated_at <= now() - make_interval(secs => ${calmMs / 1000}))
    order by id limit ${limit}`;
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
    if (isChanged) await settleWallet(transaction, id);
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
