import type { Cost } from '#shared/pricing/cost.ts';
import { costPending, readingsMissing, type SettledSession } from '#shared/pricing/settle-session.ts';
import type { Sql } from './client.ts';
import { storeCost } from './cost.ts';
import { settleWallet } from './wallet-holds.ts';

/** A session that has ended and whose tariff needs its readings; or one that had a price before more of them came. */
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
  pendingSince: Date;
}

/** Up to `limit` sessions whose price is pending after this id, oldest first. */
export async function listPendingCosts(sql: Sql, after: bigint, limit: number): Promise<PendingSession[]> {
  return sql<PendingSession[]>`
    select id, uuid, charger_id as "chargerId", started_at as "startedAt", ended_at as "endedAt", version,
      meter_start_wh as "meterStartWh", energy_wh as "energyWh", tariff, idle_periods as "idlePeriods",
      idle_started_at as "idleStartedAt", idle_cause as "idleCause", live_at as "liveAt", updated_at as "pendingSince"
    from sessions where flags @> ${[costPending]}::text[] and id > ${String(after)}::bigint
    order by id limit ${limit}`;
}

/**
 * Gives a session its pending price, and has its wallet pay in the same transaction; answers whether it was still
 * pending, and the same. Any number of processes may try.
 */
export async function settlePendingCost(
  sql: Sql,
  { id, version, startedAt, tariff, pendingSince }: PendingSession,
  cost: Cost,
  flags: readonly string[],
): Promise<boolean> {
  return sql.begin(async (transaction) => {
    const { count } = await transaction`
      update sessions set cost_minor = ${cost.totalInclVatMinor}, cost = ${transaction.json(storeCost(cost))},
        flags = array_remove(array_remove(flags, ${costPending}), ${readingsMissing}) || ${flags as string[]}::text[],
        updated_at = now()
      where id = ${String(id)}::bigint and version = ${version} and flags @> ${[costPending]}::text[]
        -- Its start may have been told meanwhile, and the tariff with it, or more readings.
        and date_trunc('milliseconds', updated_at) = ${pendingSince}
        and date_trunc('milliseconds', started_at) = ${startedAt} and tariff = ${transaction.json(tariff as never)}`;
    if (count > 0) await settleWallet(transaction, id);
    return count > 0;
  });
}
