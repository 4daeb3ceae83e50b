import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { RejectionReason } from '#shared/domain/fleet/rejected-connection.ts';
import type { Fragment, Queryable, Sql } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

/** Attempts of one identity that were rejected for one reason. */
export interface RejectedAttempts {
  identity: string;
  reason: RejectionReason;
  /** Null: no charger has this identity. */
  chargerId: number | null;
  /** Address of the latest attempt. */
  remoteAddress: string;
  attempts: number;
  /** Times of the first and the latest attempt, in ms since 1970. */
  firstAt: number;
  lastAt: number;
}

/** Maximum number of stored unknown identities: anyone can send them. The earliest are removed. */
const maxUnknown = 10_000;

/** Number of unknown identities in the last hour from which on they write no events: a scan is not an event for each identity. */
const maxUnknownEvents = 100;

/**
 * Adds attempts to the stored ones of the same identity and reason. Writes an event for the first, and one in each hour with further
 * ones: a charger with a wrong password connects every few seconds.
 */
export async function addRejectedAttempts(sql: Sql, rejected: readonly RejectedAttempts[]): Promise<void> {
  const rows = rejected.map((each) => ({
    ...each,
    firstAt: new Date(each.firstAt).toISOString(),
    lastAt: new Date(each.lastAt).toISOString(),
  }));
  // In one order, so that two shards do not wait for each other.
  rows.sort((a, b) => (`${a.identity} ${a.reason}` < `${b.identity} ${b.reason}` ? -1 : 1));
  await sql`
    with n as (
      select * from unnest(${rows.map(({ identity }) => identity)}::text[], ${rows.map(({ reason }) => reason)}::text[],
        ${rows.map(({ chargerId }) => chargerId)}::integer[],
        ${rows.map(({ remoteAddress }) => remoteAddress)}::text[], ${rows.map(({ attempts }) => attempts)}::bigint[],
        ${rows.map(({ firstAt }) => firstAt)}::timestamptz[], ${rows.map(({ lastAt }) => lastAt)}::timestamptz[])
        as n (identity, reason, charger_id, remote_address, attempts, first_at, last_at)
    ), before as (
      select r.identity, r.reason, r.last_at from rejected_connections r join n using (identity, reason)
    ), written as (
      insert into rejected_connections as r
        (identity, reason, charger_id, remote_address, attempts, first_at, last_at)
      select identity, reason, charger_id, remote_address, attempts, first_at, last_at from n
      on conflict (identity, reason) do update set
        charger_id = excluded.charger_id,
        remote_address =
          case when excluded.last_at >= r.last_at then excluded.remote_address else r.remote_address end,
        attempts = excluded.attempts + case when ${isOver(sql)} then 0 else r.attempts end,
        first_at = case when ${isOver(sql)} then excluded.first_at else least(r.first_at, excluded.first_at) end,
        last_at = greatest(r.last_at, excluded.last_at)
      returning r.*
    )
    insert into outbox (network_id, type, subject_id, subject_uuid, charger_id, data)
    select c.network_id, 'connection.rejected', w.id, w.uuid, w.charger_id,
      jsonb_build_object('identity', w.identity, 'reason', w.reason, 'attempts', w.attempts)
    from written w left join before b using (identity, reason) left join chargers c on c.id = w.charger_id
    where (b.last_at is null or date_trunc('hour', b.last_at) <> date_trunc('hour', w.last_at))
      and (w.charger_id is not null or (
        select count(*) from rejected_connections r
        where r.charger_id is null and r.last_at > now() - interval '1 hour') < ${maxUnknownEvents})`;
  await sql`
    delete from rejected_connections where id in (
      select id from rejected_connections where charger_id is null
      order by last_at desc, id desc offset ${maxUnknown})`;
}

/** Condition that the charger of the row `r` has connected since: its attempts are counted from the start again. */
const isOver = (sql: Queryable): Fragment => sql`exists (
  select from chargers c where c.id = r.charger_id and c.connected_at > r.last_at)`;

/** Rejected connections of one identity and reason. */
export interface RejectedConnectionRecord {
  id: string;
  uuid: string;
  identity: string;
  reason: RejectionReason;
  /** Null: no charger has this identity. */
  chargerUuid: string | null;
  networkId: number | null;
  remoteAddress: string;
  attempts: number;
  firstAt: Date;
  lastAt: Date;
}

export interface RejectedConnectionFilter {
  reason: RejectionReason | undefined;
  chargerUuid: string | undefined;
}

/**
 * Rejected connections and their chargers. One is over as soon as its charger has connected; one of an unknown identity as soon as a
 * charger with this identity is registered.
 */
export const currentRejections = (sql: Queryable): Fragment => sql`
  rejected_connections r left join chargers c on c.id = r.charger_id
  where c.deleted_at is null and (c.connected_at is null or c.connected_at < r.last_at)
    and (r.charger_id is not null or not exists (
      select from chargers k where k.uid = r.identity and k.deleted_at is null and k.created_at > r.last_at))`;

/** Returns a page of current rejected connections, newest first by their first attempt. */
export function listRejectedConnections(
  sql: Queryable,
  scope: NetworkScope,
  { reason, chargerUuid }: RejectedConnectionFilter,
  before: { time: Date; id: string } | null,
  limit: number,
): Promise<RejectedConnectionRecord[]> {
  return sql<RejectedConnectionRecord[]>`
    select r.id::text, r.uuid, r.identity, r.reason, c.uuid as "chargerUuid", c.network_id as "networkId",
      r.remote_address as "remoteAddress", r.attempts::double precision, r.first_at as "firstAt", r.last_at as "lastAt"
    from ${currentRejections(sql)} and ${inScope(sql, 'c.network_id', scope)}
      ${reason === undefined ? sql`` : sql`and r.reason = ${reason}`}
      ${chargerUuid === undefined ? sql`` : sql`and c.uuid = ${chargerUuid}`}
      ${before === null ? sql`` : sql`and (r.first_at, r.id) < (${before.time}, ${before.id})`}
    order by r.first_at desc, r.id desc limit ${limit}`;
}
