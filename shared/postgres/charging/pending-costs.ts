import { readingsMissing, type SettledSession } from '#shared/pricing/settle-session.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';

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
