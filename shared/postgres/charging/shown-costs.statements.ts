import type { ReservedTime } from '#shared/domain/charging/reservation.ts';
import type { SessionToSettle } from '#shared/pricing/settle-session.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Seconds between two costs that a station is sent of one session. */
const intervalSeconds = 60;

/** Maximum number of sessions that one process takes at once. */
const maxClaimed = 500;

/** The condition that a charger `c` reported a cost display that is switched on (TariffCostCtrlr.Enabled[Cost]). */
const showsCost = (sql: Queryable) => sql`
  exists (select 1 from device_variables d
    where d.charger_id = c.id and lower(d.component) = 'tariffcostctrlr' and lower(d.variable) = 'enabled'
      and lower(d.variable_instance) = 'cost' and d.attribute = 'Actual' and lower(d.value) = 'true')`;

/**
 * The condition that the station of a session `s` stops by our costs: it has a limit of the cost, and no tariff of ours to calculate
 * by itself (E16.FR.11).
 */
const stopsByCost = (sql: Queryable) => sql`
  exists (select 1 from station_transactions x
    where x.session_id = s.id and x.limits_sent ? 'maxCost' and x.tariff_id is null)`;

/** A running session at a station that shows its cost, or stops by it. */
export interface ShownSession
  extends
    Pick<
      SessionToSettle,
      'startedAt' | 'energyWh' | 'tariff' | 'idlePeriods' | 'idleStartedAt' | 'idleCause'
    >,
    ReservedTime {
  id: bigint;
  uuid: string;
  chargerId: number;
  charger: { uid: string; uuid: string; networkId: number };
  transactionId: string;
  /** Cost that the station has, with VAT; null: none. */
  shownMinor: bigint | null;
}

/** Takes the running sessions whose stations are due for a cost; no other process takes them for a minute. */
export function claimShownSessions(sql: Queryable): Promise<ShownSession[]> {
  return sql<ShownSession[]>`
    with due as (
      select s.id from sessions s join chargers c on c.id = s.charger_id
      left join shown_costs k on k.session_id = s.id
      where s.status in ('ACTIVE', 'STOPPING') and s.tariff is not null and (${showsCost(sql)} or ${stopsByCost(sql)})
        and c.disconnected_at is null
        and (k.claimed_at is null or k.claimed_at <= now() - make_interval(secs => ${intervalSeconds}))
      order by s.id limit ${maxClaimed}
    ), claimed as (
      insert into shown_costs as k (session_id, claimed_at) select id, now() from due
      on conflict (session_id) do update set claimed_at = now()
        where k.claimed_at <= now() - make_interval(secs => ${intervalSeconds})
      returning k.session_id, k.total_minor
    )
    select s.id, s.uuid, s.charger_id as "chargerId", jsonb_build_object('uid', c.uid, 'uuid', c.uuid, 'networkId', c.network_id) as charger,
      s.ocpp_transaction_id as "transactionId", s.started_at as "startedAt", 
      s.energy_wh as "energyWh", s.tariff, s.idle_periods as "idlePeriods",
      s.idle_started_at as "idleStartedAt", s.idle_cause as "idleCause", s.reserved_at as "reservedAt",
      s.reservation_end as "reservationEnd", claimed.total_minor as "shownMinor"
    from claimed join sessions s on s.id = claimed.session_id join chargers c on c.id = s.charger_id`;
}

/** Stores the cost that a station accepted. */
export async function storeShownCost(sql: Queryable, sessionId: bigint, totalMinor: bigint): Promise<void> {
  await sql`update shown_costs set total_minor = ${totalMinor} where session_id = ${sessionId}`;
}

/** Reads the final cost of a session at a station that shows costs; null: it shows none, or there is no final price yet. */
export async function readFinalCost(
  sql: Queryable,
  chargerId: number,
  transactionId: string,
): Promise<{ totalMinor: bigint; currency: string } | null> {
  const [row] = await sql<{ totalMinor: bigint; currency: string }[]>`
    select s.cost_minor as "totalMinor", s.currency from sessions s join chargers c on c.id = s.charger_id
    where s.charger_id = ${chargerId} and s.ocpp_transaction_id = ${transactionId} and s.ended_at is not null
      and s.cost_minor is not null and s.price_state = 'SETTLED' and ${showsCost(sql)}`;
  return row ?? null;
}
