import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Default tariff that an EVSE of a station was given (OCPP 2.1 I07). */
export interface StationTariffRecord {
  evseId: number;
  tariffId: string;
  status: string;
  /** Null: none. */
  reason: string | null;
  sentAt: Date;
}

/** Open event stream with its monitored variable (N11). Null parts of a variable: the monitor was not reported. */
export interface EventStreamRecord {
  streamId: number;
  monitorId: number;
  intervalSeconds: number | null;
  maxValues: number | null;
  openedAt: Date;
  component: string | null;
  evseId: number | null;
  variable: string | null;
  variableInstance: string | null;
}

/** Control of distributed energy resources that a station began or ended (R04). */
export interface DerControlRecord {
  controlId: string;
  isActive: boolean;
  changedAt: Date;
}

/** Last alarm of a kind of control (R03). */
export interface DerAlarmRecord {
  controlType: string;
  gridEventFault: string | null;
  isActive: boolean;
  changedAt: Date;
}

/** Lists the tariffs that the EVSEs of a station were given. */
export function listStationTariffs(sql: Queryable, chargerId: number): Promise<StationTariffRecord[]> {
  return sql<StationTariffRecord[]>`
    select evse as "evseId", tariff_id as "tariffId", status, reason, sent_at as "sentAt"
    from station_tariffs where charger_id = ${chargerId} order by evse`;
}

/** Lists the open event streams of a station. */
export function listEventStreams(sql: Queryable, chargerId: number): Promise<EventStreamRecord[]> {
  return sql<EventStreamRecord[]>`
    select s.stream_id as "streamId", s.monitor_id as "monitorId", s.interval_seconds as "intervalSeconds",
      s.max_values as "maxValues", s.opened_at as "openedAt", m.component, nullif(m.evse, 0) as "evseId", m.variable,
      nullif(m.variable_instance, '') as "variableInstance"
    from event_streams s
    left join variable_monitors m on m.charger_id = s.charger_id and m.monitor_id = s.monitor_id
    where s.charger_id = ${chargerId} order by s.stream_id limit 1000`;
}

/** Number of the newest notifications of an action that the state of a station is derived from. */
const recentNotifications = 1000;

const recent = (sql: Queryable, chargerId: number, action: string) => sql`
  select id, payload, received_at from charger_notifications
  where charger_id = ${chargerId} and action = ${action} order by id desc limit ${recentNotifications}`;

/** Lists the last state of each control that a station reported. A control that begins ends those that it supersedes (R04). */
export function listDerControls(sql: Queryable, chargerId: number): Promise<DerControlRecord[]> {
  return sql<DerControlRecord[]>`
    select distinct on ("controlId") c."controlId", c."isActive", received_at as "changedAt"
    from (${recent(sql, chargerId, 'NotifyDERStartStop')}) n cross join lateral (
      select payload ->> 'controlId', (payload ->> 'started')::boolean
      union all select superseded, false from jsonb_array_elements_text(payload -> 'supersededIds') superseded
    ) c ("controlId", "isActive")
    order by "controlId", id desc, c."isActive" desc`;
}

/** Lists the last alarm of each kind of control that a station reported. */
export function listDerAlarms(sql: Queryable, chargerId: number): Promise<DerAlarmRecord[]> {
  return sql<DerAlarmRecord[]>`
    select distinct on ("controlType") payload ->> 'controlType' as "controlType",
      payload ->> 'gridEventFault' as "gridEventFault", not coalesce((payload ->> 'alarmEnded')::boolean, false) as "isActive",
      received_at as "changedAt"
    from (${recent(sql, chargerId, 'NotifyDERAlarm')}) n order by "controlType", id desc`;
}

/** Message of a charger that is stored as received. */
export interface NotificationRecord {
  id: number;
  action: string;
  payload: unknown;
  receivedAt: Date;
}

/** Lists the newest notifications of a charger before this one, newest first. What it knows about its customers is left out. */
export function listNotifications(
  sql: Queryable,
  chargerId: number,
  { action, before }: { action: string | undefined; before: number | null },
  limit: number,
): Promise<NotificationRecord[]> {
  return sql<NotificationRecord[]>`
    select id::double precision as id, action, payload, received_at as "receivedAt" from charger_notifications
    where charger_id = ${chargerId} and action <> 'NotifyCustomerInformation'
      ${action === undefined ? sql`` : sql`and action = ${action}`}
      ${before === null ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`;
}
