import { alertDelivery, type AlertNoticeCause } from '#shared/domain/fleet/alert-delivery.ts';
import type { AlertKind, AlertSeverity } from '#shared/domain/fleet/alert.ts';
import type { Fragment, Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { alertDetail } from './alert-detail.ts';
import type { AlertNotification } from './alert-notifications.ts';
import type { AlertAddress } from './alert-recipients.ts';
import { isConnected } from './connections.ts';

/** Recipients handled in one round. */
const recipientsAtOnce = 200;

/** Writes the notices of a notification; an address gets each cause once. `dueAt` null: now. */
export async function insertNotices(
  transaction: Transaction,
  { id, networkId }: Pick<AlertNotification, 'id' | 'networkId'>,
  cause: AlertNoticeCause,
  addresses: readonly AlertAddress[],
  dueAt: Date | null,
): Promise<void> {
  await transaction`
    insert into alert_notices (notification_id, network_id, cause, recipient, language, due_at)
    select ${id}, ${networkId}, ${cause}, a.email, a.language, coalesce(${dueAt}::timestamptz, now())
    from jsonb_to_recordset(${transaction.json(addresses as never)}) as a(email text, language text)
    on conflict do nothing`;
}

/** Writes the notice that a notification is over, to those who were notified. Drops the notices that were not sent. */
export async function insertClearedNotices(
  transaction: Transaction,
  { id, networkId }: Pick<AlertNotification, 'id' | 'networkId'>,
  dueAt: Date | null,
): Promise<void> {
  await transaction`
    with dropped as (
      update alert_notices set dropped_at = now()
      where notification_id = ${id} and sent_at is null and dropped_at is null
    )
    insert into alert_notices (notification_id, network_id, cause, recipient, language, due_at)
    select distinct on (recipient) ${id}::bigint, ${networkId}::integer, 'cleared', recipient, language, coalesce(${dueAt}::timestamptz, now())
    from alert_notices where notification_id = ${id} and sent_at is not null and cause <> 'cleared'
    on conflict do nothing`;
}

/** Drops due notices of alerts that were resolved or acknowledged before. */
export async function dropSettledNotices(transaction: Transaction): Promise<void> {
  await transaction`
    update alert_notices o set dropped_at = now()
    where o.due_at <= now() and o.sent_at is null and o.dropped_at is null and o.cause <> 'cleared'
      and not exists (select from alerts a where a.notification_id = o.notification_id and a.status = 'open')`;
}

/** Address with notices that may be sent to it now. */
export interface DueRecipient {
  networkId: number | null;
  recipient: string;
  language: string | null;
}

/** Returns the addresses with due notices that are within the bounds of a network's e-mails, longest waiting first. */
export function listDueRecipients(transaction: Transaction): Promise<DueRecipient[]> {
  const sent = (seconds: number) => transaction`
    from alert_notices s
    where s.recipient = due.recipient and coalesce(s.network_id, 0) = coalesce(due."networkId", 0)
      and s.mail_id is not null and s.sent_at > now() - make_interval(secs => ${seconds})`;
  return transaction<DueRecipient[]>`
    select due."networkId", due.recipient, due.language from (
      select o.network_id as "networkId", o.recipient, min(o.language) as language, min(o.id) as first from alert_notices o
      where o.due_at <= now() and o.sent_at is null and o.dropped_at is null
      group by o.network_id, o.recipient
    ) due
    where not exists (select ${sent(alertDelivery.mailIntervalSeconds)})
      and (select count(distinct s.mail_id) ${sent(3600)}) < ${alertDelivery.mailsPerHour}
    order by due.first limit ${recipientsAtOnce}`;
}

/** Notice with the present state of its notification. */
export interface NoticeContent {
  noticeId: bigint;
  cause: AlertNoticeCause;
  kind: AlertKind;
  severity: AlertSeverity;
  isFlapping: boolean;
  /** Name and city of the location. */
  location: string | null;
  /** Of the location, else of the network. */
  timeZone: string;
  /** Open alerts; of a cleared notification those that were notified. 0: they moved to another notification. */
  count: number;
  notificationUuid: string;
  /** Present when it is the only alert. */
  alertUuid: string | null;
  since: Date;
  until: Date | null;
  /** Names of the resources, in order, with what distinguishes the alert. */
  names: string[];
  namesCount: number;
  /** Chargers of a location that are offline, although its alert is cleared. */
  stillOffline: number;
}

/** Returns the due notices of an address, the most severe first. */
export function listNoticeContents(
  transaction: Transaction,
  { networkId, recipient }: DueRecipient,
): Promise<NoticeContent[]> {
  const due = transaction`
    select * from alert_notices
    where coalesce(network_id, 0) = ${networkId ?? 0} and recipient = ${recipient}
      and due_at <= now() and sent_at is null and dropped_at is null`;
  return readNoticeContents(transaction, due, transaction`due.cause = 'cleared', n.severity, due.id`);
}

/**
 * Returns the present state of the notifications of notices.
 * @param due query of the notices: id, notification_id, cause.
 */
export function readNoticeContents(sql: Queryable, due: Fragment, order: Fragment): Promise<NoticeContent[]> {
  return sql<NoticeContent[]>`
    with due as (${due})
    select due.id as "noticeId", due.cause, n.kind, n.severity,
      n.is_flapping as "isFlapping", l.name || ', ' || l.city as location, coalesce(l.time_zone, w.time_zone, 'UTC') as "timeZone", a.count, n.uuid as "notificationUuid",
      case when a.count = 1 then a.uuid end as "alertUuid", a.since, n.cleared_at as until, names.list as names,
      names.count as "namesCount", a."stillOffline"
    from due
    join alert_notifications n on n.id = due.notification_id
    left join locations l on l.id = n.location_id
    left join networks w on w.id = n.network_id
    cross join lateral (
      select count(*)::integer as count, min(a.uuid::text) as uuid,
        coalesce(min(coalesce((a.details ->> 'since')::timestamptz, a.occurred_at)), n.created_at) as since,
        sum(case when n.kind = 'location-offline' and n.state = 'cleared'
          then ${offlineOf(sql)} else 0 end)::integer as "stillOffline"
      from alerts a where a.notification_id = n.id and ${isReported(sql)}
    ) a
    cross join lateral (
      select count(*)::integer as count,
        coalesce((array_agg(name order by name))[1:${alertDelivery.namesPerEntry}::integer], '{}') as list
      from alerts a cross join lateral (${namesOf(sql)}) named(name)
      where a.notification_id = n.id and ${isReported(sql)}
    ) names
    order by ${order}`;
}

const isReported = (sql: Queryable) =>
  sql`(case due.cause when 'cleared' then a.delivery in ('notified', 'cleared') else a.status = 'open' end)`;

const offlineOf = (sql: Queryable) => sql`(
  select count(*) from chargers c
  where c.uuid in (select named.value::uuid from jsonb_array_elements_text(a.details -> 'chargerIds') named)
    and c.deleted_at is null and not ${isConnected(sql)})`;

/** Names that an alert `a` lists: the chargers of a location, or the resource with its error code, event or expiry. */
const namesOf = (sql: Queryable) => sql`
  select jsonb_array_elements_text(a.details -> 'chargerNames') where a.kind = 'location-offline'
  union all
  select a.resource_name || coalesce(' (' || (${alertDetail(sql)}) || ')', '')
  where a.kind <> 'location-offline'`;

/** Marks notices as sent in an e-mail. */
export async function markNoticesSent(
  transaction: Transaction,
  ids: readonly bigint[],
  mailId: number,
): Promise<void> {
  await transaction`
    update alert_notices set sent_at = now(), mail_id = ${mailId} where id = any(${ids.map(String)}::bigint[])`;
}
