import { noPowerMs } from '#shared/domain/charging/idle.ts';
import type { SessionMeter } from '#shared/domain/charging/session-meter.ts';
import { meterStartMissing } from '#shared/domain/charging/session.ts';
import type { Fragment, Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';

/** Newest live values of one session. Null: not reported. */
export interface LiveRecord {
  sessionUuid: string;
  /** Energy charged so far. */
  energyWh: number | null;
  meter: SessionMeter;
  /** First value of its register in Wh, where the start reported none. */
  meterStartWh: number | null;
  powerW: number | null;
  /** Highest power since the last write. */
  peakPowerW: number | null;
  socPercent: number | null;
  /** The session charges, by its newest reading. */
  isCharging: boolean | null;
  /** Begin of the time for which `isCharging` is known: a register shows it for the time since the reading before. */
  isChargingSince: Date | null;
  time: Date;
}

/**
 * Writes the live values of many running sessions in one statement. Values older than the stored ones change nothing. A session
 * that charges is not idle; a session without power for a while is idle since the power stopped.
 */
export async function updateLiveValues(sql: Sql, values: LiveRecord[]): Promise<void> {
  const rows = values.map((value) => ({ ...value, time: value.time.toISOString() }));
  // Energy that was charged before the last state of the connector does not contradict that state.
  const charges = sql`(v."isCharging" is true
    and v."isChargingSince" >= coalesce(s.activity_at, v."isChargingSince"))`;
  // An idle period that the connector ended is over, though no power has flowed since before: no time is idle twice.
  const powerlessSince = sql`greatest(s.no_power_since, (s.idle_periods -> -1 ->> 'to')::timestamptz)`;
  const isPowerless = sql`(v."isCharging" is false and s.no_power_since is not null
    and v.time - ${powerlessSince} >= make_interval(secs => ${noPowerMs / 1000}))`;
  await sql`
    with v as materialized (
      select * from jsonb_to_recordset(${sql.json(rows as never)}) as v("sessionUuid" uuid,
        "energyWh" double precision, meter jsonb, "meterStartWh" double precision, "powerW" double precision, "peakPowerW" double precision,
        "socPercent" double precision, "isCharging" boolean, "isChargingSince" timestamptz, time timestamptz)
    ), locked as materialized (
      select s.id from sessions s join v on s.uuid = v."sessionUuid"
      where s.status in ('ACTIVE', 'STOPPING') order by s.id for no key update of s
    )
    update sessions s set
      energy_wh = coalesce(v."energyWh", s.energy_wh), meter = v.meter,
      meter_start_wh = coalesce(s.meter_start_wh, v."meterStartWh"),
      flags = case when s.meter_start_wh is null and v."meterStartWh" is not null
        then s.flags || ${[meterStartMissing]}::text[] else s.flags end,
      power_w = coalesce(v."powerW", s.power_w), peak_power_w = greatest(s.peak_power_w, v."peakPowerW"),
      soc_percent = coalesce(v."socPercent", s.soc_percent), live_at = v.time,
      no_power_since = case when v."isCharging" then null when v."isCharging" is false
        then coalesce(s.no_power_since, v.time) else s.no_power_since end,
      ${idleChanges(sql, {
        charges,
        begins: sql`case when ${isPowerless} and s.idle_started_at is null then 'NoPower' end`,
        beginsAt: powerlessSince,
        ends: charges,
        at: sql`v.time`,
      })},
      free_since = case when ${charges} then null else s.free_since end, updated_at = now()
    from v, locked
    where s.id = locked.id and s.uuid = v."sessionUuid" and (s.live_at is null or s.live_at <= v.time)`;
}

/** State of a connector, as it concerns the session that runs there. */
interface ConnectorActivity {
  chargerId: number;
  evse?: number;
  connector?: number;
  status: string;
  /** ISO 8601. */
  at: string;
}

/**
 * Applies the states of connectors to the newest session that runs at each: the session charges, is idle since then, or its
 * connector is free while its stop is missing. A state older than the last one changes nothing.
 */
export async function recordActivity(transaction: Transaction, states: ConnectorActivity[]): Promise<void> {
  const rows = states.filter(({ evse, status }) => evse !== undefined && status !== 'Reserved');
  if (rows.length === 0) return;
  const charges = transaction`(a.status = 'Charging')`;
  const isIdle = transaction`(a.status in ('SuspendedEV', 'SuspendedEVSE', 'Finishing', 'Preparing'))`;
  // Time that the charger suspends is kept apart from time that the driver pays for.
  const changesSide = transaction`((s.idle_cause = 'SuspendedEVSE') <> (a.status = 'SuspendedEVSE'))`;
  await transaction`
    with a as materialized (
      select r.status, r.at, newest.id
      from jsonb_to_recordset(${transaction.json(rows as never)}) as r("chargerId" integer, evse integer,
        connector integer, status text, at timestamptz)
      join connectors k on k.charger_id = r."chargerId" and k.evse_number = r.evse
        and k.evse_connector = r.connector and k.deleted_at is null
      join lateral (
        select id from sessions where connector_id = k.id and status in ('ACTIVE', 'STOPPING')
        order by started_at desc limit 1
      ) newest on true
    ), locked as materialized (
      select s.id from sessions s where s.id in (select id from a) order by s.id for no key update
    )
    update sessions s set
      no_power_since = case when ${charges} then null else s.no_power_since end,
      ${idleChanges(transaction, {
        charges,
        begins: transaction`case when ${isIdle} then a.status end`,
        beginsAt: transaction`a.at`,
        ends: transaction`case when ${isIdle} then ${changesSide} else a.status <> 'Occupied' end`,
        at: transaction`a.at`,
      })},
      free_since = case when a.status = 'Available' then coalesce(s.free_since, a.at) end,
      activity_at = a.at, updated_at = now()
    from a, locked
    where s.id = locked.id and s.id = a.id and s.status in ('ACTIVE', 'STOPPING')
      and a.at >= coalesce(s.activity_at, s.started_at)`;
}

/**
 * Assignments that begin and end the idle time of the session `s`. `begins` is the cause of a period that begins (null: none), `ends`
 * is true when the current one is over. A session can only be idle after it charged, except where the charger suspends it.
 */
function idleChanges(
  sql: Queryable,
  change: { charges: Fragment; begins: Fragment; beginsAt: Fragment; ends: Fragment; at: Fragment },
): Fragment {
  const { charges, begins, beginsAt, ends, at } = change;
  const hasCharged = sql`(s.has_charged or s.energy_wh > 0)`;
  const begun = sql`((${begins}) is not null and (${hasCharged} or (${begins}) = 'SuspendedEVSE')
    and (s.idle_started_at is null or (${ends})))`;
  return sql`
    has_charged = s.has_charged or ${charges},
    charging_ended_at = case when ${charges} then null
      when ${begun} and ${hasCharged} then coalesce(s.charging_ended_at, ${beginsAt})
      when (${ends}) and s.has_charged then coalesce(s.charging_ended_at, ${at})
      else s.charging_ended_at end,
    idle_periods = case when s.idle_started_at < ${at} and (${ends})
      then s.idle_periods || jsonb_build_object('from', s.idle_started_at, 'to', ${at}, 'cause', s.idle_cause)
      else s.idle_periods end,
    idle_cause = case when ${begun} then ${begins} when (${ends}) then null else s.idle_cause end,
    idle_started_at = case when ${begun} then ${beginsAt} when (${ends}) then null else s.idle_started_at end`;
}
