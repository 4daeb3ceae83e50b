import type {
  AlertDelivery,
  AlertKind,
  AlertResource,
  AlertSeverity,
  AlertStatus,
} from '#shared/domain/fleet/alert.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { AlertRuleSettings } from '#shared/domain/fleet/alert-rules.ts';
import { alertDetail } from './alert-detail.ts';
import type { AlertFinder } from './alert-finder.ts';
import { alertFinders } from './alert-finders.ts';
import { ruleRows } from './alert-rule-rows.ts';
import type { Fragment, Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { findDue } from '#shared/postgres/kernel/due-work.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

/** Changes of alerts in one round. */
interface AlertRound {
  opened: number;
  resolved: number;
}

/** Writes the events of the alerts of a common table expression. */
const alertEvents = (
  sql: Queryable,
  type: 'alert.raised' | 'alert.acknowledged' | 'alert.cleared',
  changed: Fragment,
) => sql`
  insert into outbox (network_id, type, subject_id, subject_uuid, charger_id, data)
  select a.network_id, ${type}, a.id, a.uuid, a.charger_id, jsonb_build_object('kind', a.kind, 'severity', a.severity,
    'status', a.status, 'resourceType', a.resource_type,
    'sessionId', (select s.uuid from sessions s where s.id = a.session_id))
  from ${changed} a`;

/**
 * Opens and resolves alerts by what is stored now. Any number of processes may do it side by side: of two that open the
 * same one, one does.
 */
export async function refreshAlerts(sql: Sql, settings: AlertRuleSettings): Promise<AlertRound> {
  const round = { opened: 0, resolved: 0 };
  const finders = alertFinders(settings);
  const areDue = await findDue(
    sql,
    finders.map((finder) => isKindDue(sql, finder)),
  );
  for (const finder of finders.filter((_, index) => areDue[index])) {
    // A transaction for each: none waits for the others.
    const { opened, resolved } = await sql.begin((transaction) => refreshKind(transaction, finder, settings));
    round.opened += opened;
    round.resolved += resolved;
  }
  return round;
}

/** Condition that alerts of a kind may open or be resolved: one statement for all kinds finds that there is nothing to do. */
const isKindDue = (sql: Sql, { kind, find }: AlertFinder): Fragment => sql`
  (exists (select from (${find(sql)}) found) or exists (select from alerts where kind = ${kind} and status <> 'resolved'))`;

async function refreshKind(
  sql: Transaction,
  { kind, resource, find, over, reopens, severity = () => sql`rule.severity` }: AlertFinder,
  settings: AlertRuleSettings,
): Promise<AlertRound> {
  const same = sql`a.kind = ${kind} and a.resource_id = f.resource_id and a.subject = f.subject`;
  const isOver = {
    gone: sql`not exists (select from found f where ${same})`,
    never: sql`false`,
  };
  const [round] = await sql<AlertRound[]>`
    with found as materialized (
      select condition.*, ${severity(sql)} as severity from (${find(sql)}) condition
      join (${ruleRows(sql, kind, settings)}) rule
        on coalesce(rule.network_id, 0) = coalesce(condition.network_id, 0) and rule.is_enabled
    ), over as (
      update alerts a set status = 'resolved', resolved_at = now()
      where a.kind = ${kind} and a.status <> 'resolved'
        and (${typeof over === 'string' ? isOver[over] : over(sql)}
          or exists (select from chargers c where c.id = a.charger_id and c.deleted_at is not null))
      returning a.*
    ), cleared as (
      ${alertEvents(sql, 'alert.cleared', sql`over`)}
    ), again as (
      update alerts a set last_occurred_at = f.occurred_at, message = f.message, details = f.details,
        status = case when ${reopens} then 'open' else a.status end,
        delivery = case when ${reopens} and a.status = 'acknowledged' then 'pending' else a.delivery end
      from found f
      where ${same} and a.status <> 'resolved' and a.last_occurred_at < f.occurred_at
    ), opened as (
      insert into alerts (network_id, kind, severity, resource_type, resource_id, resource_name, charger_id, session_id,
        subject, message, details, occurred_at, last_occurred_at)
      select f.network_id, ${kind}, f.severity, ${resource}, f.resource_id, f.resource_name, f.charger_id, f.session_id,
        f.subject, f.message, f.details, f.occurred_at, f.occurred_at
      from found f
      -- What an operator resolved is not opened for the same occurrence again.
      where not exists (
        select from alerts a where ${same} and (a.status <> 'resolved' or a.last_occurred_at >= f.occurred_at))
      on conflict do nothing
      returning *
    ), raised as (
      ${alertEvents(sql, 'alert.raised', sql`opened`)}
    )
    select (select count(*) from opened)::integer as opened, (select count(*) from over)::integer as resolved`;
  return round ?? { opened: 0, resolved: 0 };
}

/** An alert as the API reads it. */
export interface AlertRecord {
  id: number;
  uuid: string;
  networkId: number | null;
  kind: AlertKind;
  severity: AlertSeverity;
  status: AlertStatus;
  resourceType: AlertResource;
  resourceId: string;
  resourceName: string;
  chargerUuid: string | null;
  /** Error code, event, date or number. Null: the kind and the resource suffice. */
  detail: string | null;
  message: string;
  details: Record<string, unknown>;
  occurredAt: Date;
  lastOccurredAt: Date;
  acknowledgedAt: Date | null;
  acknowledgedBy: string | null;
  note: string | null;
  resolvedAt: Date | null;
  resolvedBy: string | null;
  delivery: AlertDelivery;
  /** Identifier of the notification. Null: none was made. */
  notificationUuid: string | null;
  /** Time its recipients were notified, and of the escalation. Null before. */
  notifiedAt: Date | null;
  escalatedAt: Date | null;
}

const columns = (sql: Queryable) => sql`
  a.id::double precision as id, a.uuid, a.network_id as "networkId", a.kind, a.severity, a.status,
  a.resource_type as "resourceType", a.resource_id as "resourceId", a.resource_name as "resourceName",
  c.uuid as "chargerUuid", ${alertDetail(sql)} as detail, a.message, a.details, a.occurred_at as "occurredAt", a.last_occurred_at as "lastOccurredAt",
  a.acknowledged_at as "acknowledgedAt", a.acknowledged_by as "acknowledgedBy", a.note,
  a.resolved_at as "resolvedAt", a.resolved_by as "resolvedBy", a.delivery, n.uuid as "notificationUuid",
  n.notified_at as "notifiedAt", n.escalated_at as "escalatedAt"`;

/** Tables of an alert. */
const tables = (sql: Queryable) => sql`
  alerts a left join chargers c on c.id = a.charger_id left join alert_notifications n on n.id = a.notification_id`;

/** Filter of a list of alerts. `from` and `to` bound the first occurrence, both inclusive. */
export interface AlertFilter {
  status?: AlertStatus | undefined;
  kind?: AlertKind | undefined;
  severity?: AlertSeverity | undefined;
  resourceId?: string | undefined;
  chargerUuid?: string | undefined;
  notificationUuid?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** The alerts in scope before this id, newest first; alerts of the whole system are only in the scope of all networks. */
export async function listAlerts(
  sql: Queryable,
  scope: NetworkScope,
  filter: AlertFilter,
  before: number | null,
  limit: number,
): Promise<AlertRecord[]> {
  const { status, kind, severity, resourceId, chargerUuid, notificationUuid, from, to } = filter;
  return sql<AlertRecord[]>`
    select ${columns(sql)} from ${tables(sql)}
    where ${inScope(sql, 'a.network_id', scope)}
      ${before === null ? sql`` : sql`and a.id < ${before}`}
      ${status === undefined ? sql`` : sql`and a.status = ${status}`}
      ${kind === undefined ? sql`` : sql`and a.kind = ${kind}`}
      ${severity === undefined ? sql`` : sql`and a.severity = ${severity}`}
      ${resourceId === undefined ? sql`` : sql`and a.resource_id = ${resourceId}`}
      ${chargerUuid === undefined ? sql`` : sql`and c.uuid = ${chargerUuid}`}
      ${notificationUuid === undefined ? sql`` : sql`and a.notification_id = (select id from alert_notifications where uuid = ${notificationUuid})`}
      ${from === undefined ? sql`` : sql`and a.occurred_at >= ${from}`}
      ${to === undefined ? sql`` : sql`and a.occurred_at < ${to}::timestamptz + interval '1 millisecond'`}
    order by a.id desc limit ${limit}`;
}

/** One alert in scope, or null. `lock`: for a change in this transaction. */
export async function findAlert(
  sql: Queryable,
  scope: NetworkScope,
  uuid: string,
  lock = false,
): Promise<AlertRecord | null> {
  const [row] = await sql<AlertRecord[]>`
    select ${columns(sql)} from ${tables(sql)}
    where a.uuid = ${uuid} and ${inScope(sql, 'a.network_id', scope)} ${lock ? sql`for update of a` : sql``}`;
  return row ?? null;
}

/** Stores an operator's acknowledgement or resolution of an alert; without a note the existing one stays. */
export async function updateAlert(
  sql: Transaction,
  id: number,
  { status, by, note }: { status: 'acknowledged' | 'resolved'; by: string | null; note: string | undefined },
): Promise<void> {
  const said =
    status === 'resolved'
      ? sql`resolved_at = now(), resolved_by = ${by}`
      : sql`acknowledged_at = now(), acknowledged_by = ${by}`;
  await sql`
    with settled as (
      update alerts set status = ${status}, ${said}, note = coalesce(${note ?? null}, note) where id = ${id} returning *
    )
    ${alertEvents(sql, status === 'resolved' ? 'alert.cleared' : 'alert.acknowledged', sql`settled`)}`;
}
