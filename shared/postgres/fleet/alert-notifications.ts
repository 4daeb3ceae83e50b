import { alertDelivery } from '#shared/domain/fleet/alert-delivery.ts';
import type { AlertKind, AlertSeverity } from '#shared/domain/fleet/alert.ts';
import type { Fragment, Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { isMuted, locationOfAlert } from './alert-mutes.statements.ts';
import { isConnected } from './connections.ts';

/** Held while notifications are made. The number means nothing beyond being ours. */
const deliveryLock = 7_140_900_056;

/** Alerts and notifications handled in one round. */
const alertsAtOnce = 5000;
const notificationsAtOnce = 200;

/** Locks the delivery for a transaction. Returns false while another process delivers. */
export async function lockDelivery(transaction: Transaction): Promise<boolean> {
  const [lock] = await transaction<{ isMine: boolean }[]>`
    select pg_try_advisory_xact_lock(${deliveryLock}) as "isMine"`;
  return lock?.isMine === true;
}

/** Condition that there is something to deliver. */
export const isDeliveryDue = (sql: Queryable): Fragment => sql`
  (exists (select from alerts where delivery = 'pending')
    or exists (select from alert_notifications where state = 'collecting' and collects_until <= now())
    or exists (select from alert_notifications where escalates_at <= now())
    or exists (select from alert_notices where due_at <= now() and sent_at is null and dropped_at is null)
    or exists (${overNotifications(sql)}))`;

/** Notified alerts whose notification has no unresolved alert left. */
const overNotifications = (sql: Queryable): Fragment => sql`
  select a.notification_id as id from alerts a
  where a.delivery = 'notified' and a.status = 'resolved' and not exists (
    select from alerts open
    where open.notification_id = a.notification_id and open.delivery = 'notified' and open.status <> 'resolved')`;

/** Hands alerts to the next notification whose mute ended, or that are open for long after they flapped. */
export async function releaseHeldAlerts(transaction: Transaction): Promise<void> {
  await transaction`
    update alerts a set delivery = 'pending', notification_id = null
    where a.delivery in ('muted', 'flapping') and a.status <> 'resolved' and a.status = 'open'
      and case a.delivery when 'muted' then not ${isMuted(transaction)}
        else a.opened_at < now() - interval '1 hour' end`;
}

/** Alert that no notification has. */
export interface PendingAlert {
  id: bigint;
  networkId: number | null;
  kind: AlertKind;
  severity: AlertSeverity;
  locationId: number | null;
  isOpen: boolean;
  /** Notification of its acknowledged occurrence; null without one. */
  notificationId: bigint | null;
  /** True when it opened more often within an hour than is reported. */
  isFlapping: boolean;
  /** True when that was reported within the hour before. */
  isKnownToFlap: boolean;
}

/** Returns alerts that no notification has, oldest first. */
export function listPendingAlerts(transaction: Transaction): Promise<PendingAlert[]> {
  const earlier = transaction`
    from alerts e
    where e.kind = a.kind and e.resource_id = a.resource_id and e.subject = a.subject and e.id < a.id
      and e.opened_at > now() - interval '1 hour'`;
  return transaction<PendingAlert[]>`
    select a.id, a.network_id as "networkId", a.kind, a.severity, ${locationOfAlert(transaction)} as "locationId",
      a.notification_id as "notificationId", a.status = 'open' as "isOpen",
      (select count(*) from (select ${earlier} limit ${alertDelivery.openingsPerHour}) few)
        = ${alertDelivery.openingsPerHour} as "isFlapping",
      exists (select ${earlier} and (e.delivery = 'flapping' or exists (
        select from alert_notifications n where n.id = e.notification_id and n.is_flapping))) as "isKnownToFlap"
    from alerts a where a.delivery = 'pending' order by a.id limit ${alertsAtOnce}`;
}

/** Sets the delivery of alerts that get no notification. The end of an alert that had one is sent. */
export async function holdAlerts(
  transaction: Transaction,
  ids: readonly bigint[],
  delivery: 'flapping' | 'silent',
): Promise<void> {
  if (ids.length === 0) return;
  await transaction`
    update alerts set delivery = case when ${delivery} = 'silent' and notification_id is not null then 'notified' else ${delivery} end
    where id = any(${ids.map(String)}::bigint[]) and delivery = 'pending'`;
}

interface NewNotification {
  networkId: number | null;
  kind: AlertKind;
  locationId: number | null;
  severity: AlertSeverity;
  isFlapping: boolean;
  groupWindowSeconds: number;
  alertIds: readonly bigint[];
}

/** Adds alerts to the collecting notification of their network, kind and location, or begins one. */
export async function groupAlerts(
  transaction: Transaction,
  { networkId, kind, locationId, severity, isFlapping, groupWindowSeconds, alertIds }: NewNotification,
): Promise<void> {
  await transaction`
    with notification as (
      insert into alert_notifications as n (network_id, kind, location_id, severity, is_flapping, collects_until)
      values (${networkId}, ${kind}, ${locationId}, ${severity}, ${isFlapping},
        now() + make_interval(secs => ${groupWindowSeconds}))
      on conflict (coalesce(network_id, 0), kind, coalesce(location_id, 0), is_flapping) where state = 'collecting'
      -- The more severe one comes first in the alphabet.
      do update set severity = least(n.severity, excluded.severity)
      returning id
    )
    update alerts a set delivery = 'grouped', notification_id = notification.id from notification
    where a.id = any(${alertIds.map(String)}::bigint[])`;
}

/** Notification at a step of its life. */
export interface AlertNotification {
  id: bigint;
  networkId: number | null;
  timeZone: string;
  kind: AlertKind;
  isFlapping: boolean;
  /** False: people are not notified of its end. It flaps, or its offline chargers are named by the alert of their location now. */
  isReported: boolean;
}

const columns = (sql: Queryable) => sql`
  n.id, n.network_id as "networkId", coalesce(w.time_zone, 'UTC') as "timeZone", n.kind, n.is_flapping as "isFlapping",
  not n.is_flapping and not (n.kind = 'charger-offline' and exists (
    select from alerts a join chargers c on c.id = a.charger_id
    where a.notification_id = n.id and a.delivery = 'notified' and c.deleted_at is null
      and not ${isConnected(sql)})) as "isReported"`;

/** Returns notifications whose window is over. */
export function listCollected(transaction: Transaction): Promise<AlertNotification[]> {
  return transaction<AlertNotification[]>`
    select ${columns(transaction)} from alert_notifications n left join networks w on w.id = n.network_id
    where n.state = 'collecting' and n.collects_until <= now() order by n.id limit ${notificationsAtOnce}`;
}

/** Takes muted alerts out of a collected notification. Returns the number of open alerts that remain. */
export async function settleCollected(transaction: Transaction, id: bigint): Promise<number> {
  await transaction`
    update alerts a set delivery = 'muted', notification_id = null
    where a.notification_id = ${id} and a.delivery = 'grouped' and a.status = 'open' and ${isMuted(transaction)}`;
  const [row] = await transaction<{ open: number }[]>`
    select count(*)::integer as open from alerts
    where notification_id = ${id} and delivery = 'grouped' and status = 'open'`;
  return row?.open ?? 0;
}

/** Ends a collected notification without sending it. */
export async function silenceNotification(transaction: Transaction, id: bigint): Promise<void> {
  await transaction`update alert_notifications set state = 'silent' where id = ${id}`;
  await transaction`update alerts set delivery = 'silent' where notification_id = ${id} and delivery = 'grouped'`;
}

/** Marks a notification whose notices were written. */
export async function markNotified(
  transaction: Transaction,
  id: bigint,
  escalateAfterMinutes: number | null,
): Promise<void> {
  await transaction`
    update alert_notifications set state = 'notified', notified_at = now(),
      escalates_at = now() + make_interval(mins => ${escalateAfterMinutes}::integer) where id = ${id}`;
  await transaction`
    update alerts set delivery = case status when 'open' then 'notified' else 'silent' end
    where notification_id = ${id} and delivery = 'grouped'`;
}

/**
 * Returns notifications whose escalation is due and of which no alert was acknowledged. Ends the escalations of the others; while all
 * alerts are muted an escalation waits.
 */
export async function takeEscalations(transaction: Transaction): Promise<AlertNotification[]> {
  const open = transaction`select from alerts a where a.notification_id = n.id and a.status = 'open'`;
  await transaction`
    update alert_notifications n set escalates_at = null
    where n.escalates_at <= now() and (not exists (${open}) or exists (
      select from alerts a where a.notification_id = n.id and a.acknowledged_at is not null))`;
  await transaction`
    update alert_notifications n set escalates_at = now() + interval '5 minutes'
    where n.escalates_at <= now() and not exists (${open} and not ${isMuted(transaction)})`;
  return transaction<AlertNotification[]>`
    with due as (
      update alert_notifications n set escalates_at = null, escalated_at = now() where n.escalates_at <= now()
      returning n.*
    )
    select ${columns(transaction)} from due n left join networks w on w.id = n.network_id`;
}

/** Ends the notifications whose alerts are all resolved, and returns them. */
export async function takeCleared(transaction: Transaction): Promise<AlertNotification[]> {
  return transaction<AlertNotification[]>`
    with over as materialized (select distinct id from (${overNotifications(transaction)}) o limit ${notificationsAtOnce}),
    settled as (
      update alerts a set delivery = 'cleared' from over where a.notification_id = over.id and a.delivery = 'notified'
    ), cleared as (
      update alert_notifications n set state = 'cleared', cleared_at = now(), escalates_at = null
      from over where n.id = over.id returning n.*
    )
    select ${columns(transaction)} from cleared n left join networks w on w.id = n.network_id`;
}

/** Ends notifications whose alerts have all moved to other notifications, and returns them. */
export async function takeAbandoned(
  transaction: Transaction,
  ids: readonly bigint[],
): Promise<AlertNotification[]> {
  if (ids.length === 0) return [];
  return transaction<AlertNotification[]>`
    with abandoned as (
      update alert_notifications n set state = 'cleared', cleared_at = now(), escalates_at = null
      where n.id = any(${ids.map(String)}::bigint[]) and n.state = 'notified' and not exists (
        select from alerts a where a.notification_id = n.id and a.delivery = 'notified')
      returning n.*
    )
    select ${columns(transaction)} from abandoned n left join networks w on w.id = n.network_id`;
}

/** Deletes notifications, with the addresses of their notices, and mutes that are over, after these days. */
export async function removeOldNotifications(sql: Sql, days: number): Promise<void> {
  await sql`
    delete from alert_notifications n where n.created_at < now() - make_interval(days => ${days})
      and (n.state in ('silent', 'cleared') or not exists (select from alerts a where a.notification_id = n.id))`;
  await sql`delete from alert_mutes where until < now() - make_interval(days => ${days})`;
}
