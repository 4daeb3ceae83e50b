import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import type { RemoteStartStatus } from '#shared/domain/charging/remote-start.ts';
import type { ScheduledChargeStatus } from '#shared/domain/charging/scheduled-charge.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';
import { lockUser } from '#shared/postgres/people/users.statements.ts';

/** Requested limits of a scheduled session: kWh, minutes, major units of its currency. */
interface ScheduledLimits {
  maxEnergyKwh?: number | undefined;
  maxDurationMinutes?: number | undefined;
  maxCost?: number | undefined;
}

/** Session that a driver scheduled. */
export interface ScheduledChargeRecord {
  uuid: string;
  status: ScheduledChargeStatus;
  networkId: number;
  chargerUuid: string;
  chargerUid: string;
  connectorUuid: string;
  connectorNumber: number;
  locationUuid: string | null;
  locationName: string | null;
  idToken: string;
  limits: ScheduledLimits;
  startAt: Date;
  windowEndsAt: Date;
  /** Error of the newest attempt. Null: no attempt, or it led to a session. */
  errorCode: string | null;
  errorMessage: string | null;
  sessionUuid: string | null;
  createdAt: Date;
  endedAt: Date | null;
}

/** Status in responses: the session may begin before the job runs again. */
const shownStatus = (sql: Queryable) => sql`
  case when h.status = 'starting' and r.status = 'started' then 'started' else h.status end`;

const select = (sql: Queryable) => sql`
  select h.uuid, ${shownStatus(sql)} as status, h.network_id as "networkId", c.uuid as "chargerUuid", c.uid as "chargerUid",
    k.uuid as "connectorUuid", k.number as "connectorNumber", l.uuid as "locationUuid", l.name as "locationName",
    t.uid as "idToken", h.limits, h.start_at as "startAt", h.window_ends_at as "windowEndsAt",
    h.error_code as "errorCode", h.error_message as "errorMessage", s.uuid as "sessionUuid",
    h.created_at as "createdAt", coalesce(h.ended_at, s.created_at) as "endedAt"
  from scheduled_charges h
  join chargers c on c.id = h.charger_id
  join connectors k on k.id = h.connector_id
  join id_tokens t on t.id = h.id_token_id
  left join locations l on l.id = c.location_id
  left join remote_starts r on r.id = h.remote_start_id
  left join sessions s on s.id = r.session_id`;

/** Fields of a new scheduled session. */
interface NewScheduledCharge {
  networkId: number;
  userId: number;
  chargerId: number;
  connectorId: number;
  idTokenId: number;
  limits: ScheduledLimits;
  startAt: Date;
  windowEndsAt: Date;
}

/**
 * Returns the number of upcoming scheduled sessions of a driver, and locks them: no other is scheduled for
 * this driver until the transaction ends.
 */
export async function countScheduled(transaction: Transaction, userId: number): Promise<number> {
  await lockUser(transaction, userId);
  const [row] = await transaction<{ count: number }[]>`
    select count(*)::integer as count from scheduled_charges
    where user_id = ${userId} and status in ('scheduled', 'starting')`;
  return row?.count ?? 0;
}

export async function insertScheduledCharge(
  transaction: Transaction,
  charge: NewScheduledCharge,
): Promise<ScheduledChargeRecord> {
  const [row] = await transaction<{ uuid: string }[]>`
    insert into scheduled_charges (network_id, user_id, charger_id, connector_id, id_token_id, limits, start_at,
      window_ends_at)
    values (${charge.networkId}, ${charge.userId}, ${charge.chargerId}, ${charge.connectorId}, ${charge.idTokenId},
      ${transaction.json(charge.limits as never)}, ${charge.startAt}, ${charge.windowEndsAt})
    returning uuid`;
  const [record] = await transaction<ScheduledChargeRecord[]>`
    ${select(transaction)} where h.uuid = ${row?.uuid ?? null}`;
  if (record === undefined) throw new Error('the insert of a scheduled charge returned no row');
  return record;
}

/** Returns one page of a driver's scheduled sessions, the latest time first. */
export async function listScheduledCharges(
  sql: Queryable,
  of: { networks: NetworkScope; userId: number },
  status: ScheduledChargeStatus | undefined,
  { page, pageSize }: PageRequest,
): Promise<Page<ScheduledChargeRecord>> {
  const where = sql`
    h.user_id = ${of.userId} and ${inScope(sql, 'h.network_id', of.networks)}
    ${status === undefined ? sql`` : sql`and ${shownStatus(sql)} = ${status}`}`;
  const [rows, [count]] = await Promise.all([
    sql<ScheduledChargeRecord[]>`
      ${select(sql)} where ${where}
      order by h.start_at desc, h.id desc limit ${pageSize} offset ${(page - 1) * pageSize}`,
    sql<{ total: number }[]>`
      select count(*)::integer as total
      from scheduled_charges h left join remote_starts r on r.id = h.remote_start_id where ${where}`,
  ]);
  return { rows, total: count?.total ?? 0 };
}

/** Locks a driver's scheduled session until the end of the transaction, so that no request is sent meanwhile. Returns it, or null. */
export async function lockScheduledCharge(
  transaction: Transaction,
  of: { networks: NetworkScope; userId: number },
  uuid: string,
): Promise<{ record: ScheduledChargeRecord; isAsked: boolean } | null> {
  const [locked] = await transaction`
    select 1 from scheduled_charges h
    where h.uuid = ${uuid} and h.user_id = ${of.userId} and ${inScope(transaction, 'h.network_id', of.networks)}
    for update`;
  if (locked === undefined) return null;
  // A second statement sees the start that the former holder of the lock may have stored.
  const [row] = await transaction<(ScheduledChargeRecord & { isAsked: boolean })[]>`
    select found.*, exists (
      select 1 from scheduled_charges h join remote_starts r on r.id = h.remote_start_id
      where h.uuid = found.uuid and r.status = 'pending' and r.expires_at > now()) as "isAsked"
    from (${select(transaction)} where h.uuid = ${uuid}) found`;
  if (row === undefined) throw new Error('the scheduled charge that was locked is gone');
  const { isAsked, ...record } = row;
  return { record, isAsked };
}

/** Scheduled session whose time has come. */
export interface DueCharge {
  uuid: string;
  networkId: number;
  userId: number;
  /** E-mail address of the driver. Null: the driver was removed. */
  email: string | null;
  language: string | null;
  chargerUuid: string;
  chargerUid: string;
  /** Time zone of the location, else of the network. */
  timeZone: string;
  connectorUuid: string;
  idToken: string;
  limits: ScheduledLimits;
  startAt: Date;
  windowEndsAt: Date;
  errorCode: string | null;
  errorMessage: string | null;
  /** Newest start requested for it. Null: none. */
  remoteStartId: bigint | null;
  startStatus: RemoteStartStatus | null;
}

/** Begins another attempt at a scheduled session. Returns null when it ended or was cancelled. */
export async function takeUpCharge(sql: Queryable, uuid: string): Promise<DueCharge | null> {
  const [row] = await sql<DueCharge[]>`
    with due as (
      update scheduled_charges set status = 'starting'
      where uuid = ${uuid} and status in ('scheduled', 'starting') returning *
    )
    select h.uuid, h.network_id as "networkId", h.user_id as "userId",
      case when u.deleted_at is null then u.email end as email, u.language, c.uuid as "chargerUuid", c.uid as "chargerUid",
      coalesce(l.time_zone, n.time_zone) as "timeZone", k.uuid as "connectorUuid", t.uid as "idToken", h.limits, h.start_at as "startAt",
      h.window_ends_at as "windowEndsAt", h.error_code as "errorCode", h.error_message as "errorMessage",
      h.remote_start_id as "remoteStartId",
      case when r.status = 'pending' and r.expires_at <= now() then 'expired' else r.status end as "startStatus"
    from due h join networks n on n.id = h.network_id join users u on u.id = h.user_id
    join chargers c on c.id = h.charger_id join connectors k on k.id = h.connector_id
    join id_tokens t on t.id = h.id_token_id left join locations l on l.id = c.location_id
    left join remote_starts r on r.id = h.remote_start_id`;
  return row ?? null;
}

/**
 * Records the start that is about to be requested for a scheduled session. Returns false when the session is
 * no longer upcoming, or another start was requested since.
 */
export async function recordStart(
  transaction: Transaction,
  { uuid, remoteStartId }: Pick<DueCharge, 'uuid' | 'remoteStartId'>,
  startId: bigint,
): Promise<boolean> {
  const { count } = await transaction`
    update scheduled_charges set remote_start_id = ${startId}, error_code = null, error_message = null
    where uuid = ${uuid} and status = 'starting' and remote_start_id is not distinct from ${remoteStartId}`;
  return count > 0;
}

/**
 * Stores the error of an attempt. While a start is pending only CHARGER_TIMEOUT is stored: another process that finds the
 * connector occupied has found that start.
 */
export async function recordFailedAttempt(
  sql: Queryable,
  uuid: string,
  error: { code: string; message: string },
): Promise<void> {
  await sql`
    update scheduled_charges h set error_code = ${error.code}, error_message = ${error.message}
    where uuid = ${uuid} and status = 'starting' and (${error.code} = 'CHARGER_TIMEOUT'
      or not exists (select 1 from remote_starts r
        where r.id = h.remote_start_id and r.status = 'pending' and r.expires_at > now()))`;
}

/** Ends a scheduled session. Returns false when it had ended. */
export async function endScheduledCharge(
  sql: Queryable,
  uuid: string,
  status: 'started' | 'failed' | 'cancelled',
): Promise<boolean> {
  const { count } = await sql`
    update scheduled_charges set status = ${status}, ended_at = now()
    where uuid = ${uuid} and status in ('scheduled', 'starting')`;
  return count > 0;
}
