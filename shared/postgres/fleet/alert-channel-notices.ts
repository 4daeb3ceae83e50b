import type { AlertNoticeCause } from '#shared/domain/fleet/alert-delivery.ts';
import type { AlertKind, AlertSeverity } from '#shared/domain/fleet/alert.ts';
import {
  type AlertChannelDeliveryState,
  alertChannelPolicy,
  channelPaces,
} from '#shared/domain/fleet/alert-channel.ts';
import type { Fragment, Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { type AlertChannelRecord, channelColumns } from './alert-channels.statements.ts';
import type { AlertNotification } from './alert-notifications.ts';
import { type NoticeContent, readNoticeContents } from './alert-notices.ts';

/** Channels that one process serves in a round. */
const channelsAtOnce = 20;

/** Formats whose receivers keep the state of notifications. */
const statefulFormats = Object.entries(channelPaces).flatMap(([format, { isStateful }]) =>
  isStateful ? [format] : [],
);

/** Writes the notices of a notification to the channels that take it; returns their number. `dueAt` null: now. */
export async function insertChannelNotices(
  transaction: Transaction,
  { id }: Pick<AlertNotification, 'id'>,
  cause: Exclude<AlertNoticeCause, 'cleared'>,
  dueAt: Date | null,
): Promise<number> {
  const { count } = await transaction`
    insert into alert_channel_notices (channel_id, notification_id, cause, due_at)
    select c.id, n.id, ${cause}, coalesce(${dueAt}::timestamptz, now())
    from alert_notifications n join alert_channels c on c.network_id = n.network_id
    where n.id = ${id} and c.is_enabled and c.deleted_at is null
      and (c.kinds = '{}' or n.kind = any(c.kinds))
      and (c.minimum_severity = 'warning' or n.severity = 'critical')
    on conflict do nothing`;
  return count;
}

/**
 * Writes the notice that a notification is over to the channels that it may have reached. Drops what was not sent. Readers are notified of
 * what `isReported` only.
 */
export async function insertClearedChannelNotices(
  transaction: Transaction,
  { id, isReported }: Pick<AlertNotification, 'id' | 'isReported'>,
  dueAt: Date | null,
): Promise<void> {
  await transaction`
    with dropped as (
      update alert_channel_notices set state = 'dropped'
      where notification_id = ${id} and cause <> 'cleared' and state = 'waiting'
    )
    insert into alert_channel_notices (channel_id, notification_id, cause, due_at)
    select distinct n.channel_id, n.notification_id, 'cleared', coalesce(${dueAt}::timestamptz, now())
    from alert_channel_notices n join alert_channels c on c.id = n.channel_id
    where n.notification_id = ${id} and n.cause <> 'cleared' and c.deleted_at is null
      -- A request without an answer may have arrived.
      and (n.state = 'delivered' or (n.state <> 'failed' and n.tries > 0))
      and (${isReported} or c.format = any(${statefulFormats}::text[]))
    on conflict do nothing`;
}

/** Channels `c` to which something is to be sent now. */
const isDue = (sql: Queryable): Fragment => sql`
  c.is_enabled and c.deleted_at is null and c.due_at <= now() and coalesce(c.claimed_until <= now(), true) and exists (
    select from alert_channel_notices n where n.channel_id = c.id and n.state = 'waiting' and n.due_at <= now())`;

/** Condition that there is something to send to a channel. */
export const isChannelDue = (sql: Queryable): Fragment =>
  sql`(exists (select from alert_channels c where ${isDue(sql)}))`;

/** Claims channels for the length of a lease, so that no other process sends to them. Channels that another key sealed are left out. */
export async function claimChannels(sql: Sql, knownKeys: readonly string[]): Promise<AlertChannelRecord[]> {
  await dropSettled(sql);
  return sql<AlertChannelRecord[]>`
    with claimed as (
      update alert_channels set claimed_until = now() + make_interval(secs => ${alertChannelPolicy.leaseMs / 1000})
      where id in (
        select c.id from alert_channels c where ${isDue(sql)} and c.sealing_key = any(${[...knownKeys]}::text[])
        order by c.due_at limit ${channelsAtOnce} for update skip locked)
      returning *
    )
    select ${channelColumns(sql)} from claimed c join networks w on w.id = c.network_id`;
}

/** Drops due notices of alerts that were resolved or acknowledged before. */
async function dropSettled(sql: Sql): Promise<void> {
  await sql`
    update alert_channel_notices n set state = 'dropped'
    where n.state = 'waiting' and n.due_at <= now() and n.cause <> 'cleared'
      and not exists (select from alerts a where a.notification_id = n.notification_id and a.status = 'open')`;
}

/** Takes the next notices of a channel for a request, in the order in which they were made, and counts the try. */
export async function takeChannelNotices(
  sql: Sql,
  channelId: number,
  limit: number,
): Promise<NoticeContent[]> {
  const taken = await sql<{ id: bigint }[]>`
    update alert_channel_notices set tries = tries + 1, last_tried_at = now()
    where id in (
      select id from alert_channel_notices where channel_id = ${channelId} and state = 'waiting' and due_at <= now()
      order by id limit ${limit})
    returning id`;
  const ids = taken.map(({ id }) => String(id));
  return readNoticeContents(
    sql,
    sql`select * from alert_channel_notices where id = any(${ids}::bigint[])`,
    sql`due.id`,
  );
}

/** Stores that notices were delivered. */
export async function settleChannelNotices(
  sql: Sql,
  channelId: number,
  ids: readonly bigint[],
  httpStatus: number | null,
): Promise<void> {
  await sql`
    with settled as (
      update alert_channel_notices set state = 'delivered', http_status = ${httpStatus}, last_error = null
      where id = any(${ids.map(String)}::bigint[])
    )
    update alert_channels set failures = 0, last_delivered_at = now() where id = ${channelId}`;
}

/** Failure of a request. */
export interface ChannelFailure {
  error: string;
  /** Null without an answer. */
  httpStatus: number | null;
  /** True: the channel answered, and does not take the notices. They are given up after the tries of the policy. */
  isRefused: boolean;
}

/** Stores that a request failed; returns the number of notices that are given up. */
export async function failChannelNotices(
  sql: Sql,
  channelId: number,
  ids: readonly bigint[],
  { error, httpStatus, isRefused }: ChannelFailure,
): Promise<number> {
  const [row] = await sql<[{ failed: number }]>`
    with tried as (
      update alert_channel_notices set http_status = ${httpStatus}, last_error = ${error},
        state = case when ${isRefused} and state = 'waiting' and tries >= ${alertChannelPolicy.refusedTries} then 'failed' else state end
      where id = any(${ids.map(String)}::bigint[])
      returning state
    ), channel as (
      update alert_channels set failures = failures + 1, last_failed_at = now(), last_error = ${error} where id = ${channelId}
    )
    select count(*)::integer as failed from tried where state = 'failed'`;
  return row.failed;
}

/** Ends the claim of a channel. Nothing is sent to it before the pause is over, unless its target was changed meanwhile. */
export async function releaseChannel(
  sql: Sql,
  { id, version }: Pick<AlertChannelRecord, 'id' | 'version'>,
  pauseMs: number,
): Promise<void> {
  await sql`
    update alert_channels set claimed_until = null,
      due_at = case when version = ${version} then now() + make_interval(secs => ${pauseMs / 1000}) else due_at end
    where id = ${id}`;
}

/** Notice of a channel with its last attempt. */
export interface ChannelDelivery {
  id: number;
  cause: AlertNoticeCause;
  state: AlertChannelDeliveryState;
  dueAt: Date;
  tries: number;
  lastTriedAt: Date | null;
  httpStatus: number | null;
  lastError: string | null;
  notificationUuid: string;
  kind: AlertKind;
  severity: AlertSeverity;
  /** Name and city of the location. Null: the alerts are at no location, or at one without a name. */
  location: string | null;
  /** Alerts of the notification. */
  alerts: number;
  /** Name of the resource of its only alert; null for several. */
  resourceName: string | null;
}

/** Returns the notices of a channel before this id, newest first. */
export function listChannelDeliveries(
  sql: Queryable,
  channelId: number,
  before: number | null,
  limit: number,
): Promise<ChannelDelivery[]> {
  return sql<ChannelDelivery[]>`
    select o.id::double precision as id, o.cause, o.state, o.due_at as "dueAt", o.tries, o.last_tried_at as "lastTriedAt", o.http_status as "httpStatus",
      o.last_error as "lastError", n.uuid as "notificationUuid", n.kind, n.severity, l.name || ', ' || l.city as location,
      a.count as alerts, a.name as "resourceName"
    from alert_channel_notices o
    join alert_notifications n on n.id = o.notification_id
    left join locations l on l.id = n.location_id
    cross join lateral (
      select count(*)::integer as count, case when count(*) = 1 then min(resource_name) end as name
      from alerts where notification_id = n.id
    ) a
    where o.channel_id = ${channelId} ${before === null ? sql`` : sql`and o.id < ${before}`}
    order by o.id desc limit ${limit}`;
}

/** Counts the notices of all networks that are due, with the time that the oldest waits. */
export async function countWaitingChannelNotices(
  sql: Sql,
): Promise<{ waiting: number; oldestSeconds: number }> {
  const [row] = await sql<[{ waiting: number; oldestSeconds: number }]>`
    select count(*)::integer as waiting,
      greatest(0, coalesce(extract(epoch from now() - min(n.due_at)), 0))::double precision as "oldestSeconds"
    from alert_channel_notices n join alert_channels c on c.id = n.channel_id
    where n.state = 'waiting' and n.due_at <= now() and c.is_enabled and c.deleted_at is null`;
  return row;
}
