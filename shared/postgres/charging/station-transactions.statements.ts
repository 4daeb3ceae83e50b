import type {
  LimitState,
  StationCost,
  StationLimitName,
  StationLimits,
  StationReport,
} from '#shared/domain/charging/station-transaction.ts';
import { toMajor } from '#shared/pricing/money.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { walletCounts } from '#shared/postgres/money/ledger.ts';

/** Reads the limits of a running session, and what its station knows of them; null: no such session. */
export async function readLimitState(sql: Queryable, sessionUuid: string): Promise<LimitState | null> {
  const [row] = await sql<
    {
      currency: string;
      maxCostMinor: bigint | null;
      maxDurationSeconds: number | null;
      maxEnergyWh: number | null;
      /** Amount that the wallet of the driver can pay for it. Null: no wallet pays. */
      payableMinor: bigint | null;
      supported: string | null;
      sent: StationLimits | null;
      reported: StationLimits | null;
    }[]
  >`
    select s.currency, s.max_cost_minor as "maxCostMinor", s.max_duration_s as "maxDurationSeconds",
      s.max_energy_wh as "maxEnergyWh",
      (coalesce(h.amount_minor, 0) + w.available_minor)::bigint as "payableMinor",
      (select d.value from device_variables d
        where d.charger_id = s.charger_id and lower(d.component) = 'txctrlr' and lower(d.variable) = 'supportedlimits'
          and d.attribute = 'Actual' order by d.id limit 1) as supported,
      x.limits_sent as sent, x.limits_reported as reported
    from sessions s
    left join wallet_holds h on h.session_id = s.id and h.status = 'held'
    left join wallets own on own.user_id = s.user_id and own.network_id = s.network_id and own.currency = s.currency
      and ${walletCounts(sql)}
    left join wallets w on w.id = coalesce(h.wallet_id, own.id)
    left join station_transactions x on x.session_id = s.id
    where s.uuid = ${sessionUuid}`;
  if (row === undefined) return null;
  const { currency, maxCostMinor, maxDurationSeconds, maxEnergyWh, payableMinor } = row;
  const maxCost = lowest(maxCostMinor, payableMinor);
  return {
    wanted: {
      ...(maxCost !== null && { maxCost: toMajor(maxCost, currency) }),
      ...(maxEnergyWh !== null && { maxEnergy: maxEnergyWh }),
      ...(maxDurationSeconds !== null && { maxTime: Math.round(maxDurationSeconds) }),
    },
    supported: row.supported,
    sent: row.sent ?? {},
    reported: row.reported ?? {},
  };
}

function lowest(one: bigint | null, other: bigint | null): bigint | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/** Cost that the station of a session `s` calculated (StationCost); null: none. */
export const stationCost = (sql: Queryable) =>
  sql`(select x.cost from station_transactions x where x.session_id = s.id)`;

/** Stores the limits that an answer carries. What the station reported of them before no longer holds. */
export async function storeSentLimits(
  sql: Queryable,
  sessionUuid: string,
  limits: StationLimits,
): Promise<void> {
  const sent = sql.json(limits as never);
  await sql`
    insert into station_transactions as x (session_id, limits_sent, limits_sent_at)
    select id, ${sent}, now() from sessions where uuid = ${sessionUuid}
    on conflict (session_id) do update set limits_sent = coalesce(x.limits_sent, '{}') || excluded.limits_sent,
      limits_sent_at = excluded.limits_sent_at, limits_reported = x.limits_reported - ${Object.keys(limits)}::text[]`;
}

/** Stores what a station reported about its transaction at `at`; earlier parts that the report lacks stay. */
export async function storeStationReport(
  sql: Queryable,
  charger: { id: number; transactionId: string },
  { limits, reached, tariffId, cost }: StationReport,
  at: Date,
): Promise<void> {
  await sql`
    insert into station_transactions as x (session_id, limits_reported, limits_reported_at, limit_reached, limit_reached_at,
      tariff_id, cost, cost_at)
    select id, ${limits && sql.json(limits as never)}::jsonb, ${limits && at}::timestamptz, ${reached}, ${reached && at}::timestamptz,
      ${tariffId}, ${cost && sql.json(cost as never)}::jsonb, ${cost && at}::timestamptz
    from sessions where charger_id = ${charger.id} and ocpp_transaction_id = ${charger.transactionId}
    on conflict (session_id) do update set
      limits_reported = coalesce(x.limits_reported || excluded.limits_reported, excluded.limits_reported, x.limits_reported),
      limits_reported_at = coalesce(excluded.limits_reported_at, x.limits_reported_at),
      limit_reached = coalesce(excluded.limit_reached, x.limit_reached),
      limit_reached_at = coalesce(excluded.limit_reached_at, x.limit_reached_at),
      tariff_id = coalesce(excluded.tariff_id, x.tariff_id),
      cost = coalesce(excluded.cost, x.cost), cost_at = coalesce(excluded.cost_at, x.cost_at)`;
}

/** Stores that priority charging of a transaction began or ended, with an event for a change (OCPP 2.1 K21, K22). It is off at first. */
export async function storePriorityCharging(
  sql: Queryable,
  charger: { id: number; transactionId: string; isActive: boolean },
  at: Date,
): Promise<void> {
  await sql`
    with changed as (
      insert into station_transactions as x (session_id, priority_charging, priority_charging_at)
      select id, ${charger.isActive}, ${at} from sessions
      where charger_id = ${charger.id} and ocpp_transaction_id = ${charger.transactionId}
        and (${charger.isActive} or exists (
          select from station_transactions t where t.session_id = sessions.id and t.priority_charging))
      on conflict (session_id) do update set priority_charging = excluded.priority_charging,
        priority_charging_at = excluded.priority_charging_at
      where x.priority_charging is distinct from excluded.priority_charging
      returning session_id, priority_charging
    )
    insert into outbox (network_id, type, subject_id, subject_uuid, charger_id, data)
    select s.network_id, 'session.priority_charging_changed', s.id, s.uuid, s.charger_id,
      jsonb_build_object('isActive', changed.priority_charging)
    from changed join sessions s on s.id = changed.session_id`;
}

/** Limits, tariff and cost that a station knows and reported of its transaction. */
export interface StationTransaction {
  limitsSent: StationLimits | null;
  limitsSentAt: Date | null;
  limitsReported: StationLimits | null;
  limitsReportedAt: Date | null;
  limitReached: StationLimitName | null;
  limitReachedAt: Date | null;
  tariffId: string | null;
  cost: StationCost | null;
  costAt: Date | null;
  /** Null: neither requested nor reported, or the session ended. */
  isPriorityCharging: boolean | null;
  priorityChargingAt: Date | null;
}

/** Reads what the station of a session reported, and its OCPP version; null: no such session. */
export async function findStationTransaction(
  sql: Queryable,
  sessionId: bigint,
): Promise<(StationTransaction & { ocppVersion: string | null }) | null> {
  const [row] = await sql<(StationTransaction & { ocppVersion: string | null })[]>`
    select c.ocpp_version as "ocppVersion", x.limits_sent as "limitsSent", x.limits_sent_at as "limitsSentAt",
      x.limits_reported as "limitsReported", x.limits_reported_at as "limitsReportedAt", x.limit_reached as "limitReached",
      x.limit_reached_at as "limitReachedAt", x.tariff_id as "tariffId", x.cost, x.cost_at as "costAt",
      case when s.ended_at is null then x.priority_charging end as "isPriorityCharging", x.priority_charging_at as "priorityChargingAt"
    from sessions s join chargers c on c.id = s.charger_id left join station_transactions x on x.session_id = s.id
    where s.id = ${String(sessionId)}`;
  return row ?? null;
}
