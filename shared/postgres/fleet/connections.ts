import { onlineThresholdMs } from '#shared/domain/fleet/charger.ts';
import { lockedInOrder } from './charger-locks.ts';
import type { Fragment, Queryable, Sql } from '#shared/postgres/kernel/client.ts';

/** Seconds for which a gateway thread counts as alive after its last heartbeat. */
export const shardTtlSeconds = 10;

/** Seconds without a heartbeat after which other threads release the sockets of a thread. */
const shardDeadAfterSeconds = 20;

/** One socket of a charger: still open while `disconnectedAt` is null. Times in ms since 1970. */
export interface ConnectionRecord {
  chargerId: number;
  connectionId: string;
  connectedAt: number;
  disconnectedAt: number | null;
}

/** The condition that the newest socket of a charger `c` is open, held by a gateway thread that lives. */
export const isConnected = (sql: Queryable) => sql`
  (c.connection_id is not null and c.disconnected_at is null and exists (
    select 1 from gateway_shards g
    where g.id = c.connected_shard and g.seen_at > now() - make_interval(secs => ${shardTtlSeconds})))`;

/** Condition that a charger `c` is online: connected, with a message within `onlineThresholdMs`. */
export const isOnline = (sql: Queryable) => sql`
  (${isConnected(sql)} and coalesce(
    c.last_heartbeat_at >= now() - make_interval(secs => ${onlineThresholdMs / 1000}), false))`;

/** Condition that the newest socket of a charger `c` is open, whether or not its gateway thread lives. */
export const hasOpenSocket = (sql: Queryable, c: Fragment) => sql`
  (${c}.connection_id is not null and ${c}.disconnected_at is null)`;

/** Returns the identities of those chargers that are connected. */
export async function listConnected(sql: Queryable, chargerIds: readonly number[]): Promise<string[]> {
  const rows = await sql<{ uid: string }[]>`
    select c.uid from chargers c where c.id = any(${[...chargerIds]}::integer[]) and ${isConnected(sql)} order by c.uid`;
  return rows.map(({ uid }) => uid);
}

/** Writes the events of the chargers of a common table expression that connected or disconnected. */
export const connectionEvents = (sql: Queryable, changed: Fragment, reason: 'closed' | 'gateway-lost') => sql`
  insert into outbox (network_id, type, subject_id, subject_uuid, charger_id, data)
  select network_id, case when disconnected_at is null then 'charger.connected' else 'charger.disconnected' end, id, uuid, id,
    case when disconnected_at is null then jsonb_build_object('connectedAt', connected_at)
      else jsonb_build_object('disconnectedAt', disconnected_at, 'reason', ${reason}::text) end
  from ${changed}`;

/**
 * Stores the sockets of many chargers in one statement. The newest socket wins: an event of an older one (a
 * late close) changes nothing. An older socket that is still open counts again once the newer one is closed,
 * and the last report of one thread counts.
 */
export async function recordConnections(
  sql: Sql,
  shardId: string,
  connections: readonly ConnectionRecord[],
): Promise<void> {
  const rows = connections.map(({ connectedAt, disconnectedAt, ...row }) => ({
    ...row,
    connectedAt: new Date(connectedAt).toISOString(),
    disconnectedAt: disconnectedAt === null ? null : new Date(disconnectedAt).toISOString(),
  }));
  await sql`
    with ${lockedInOrder(
      sql,
      rows.map(({ chargerId }) => chargerId),
      sql`id, ${hasOpenSocket(sql, sql`chargers`)} as was_connected`,
    )}, updated as (
    update chargers c set connection_id = r."connectionId", connected_shard = ${shardId},
      connected_at = r."connectedAt", disconnected_at = r."disconnectedAt"
    from jsonb_to_recordset(${sql.json(rows)}) as r("chargerId" integer, "connectionId" uuid,
      "connectedAt" timestamptz, "disconnectedAt" timestamptz), locked
    where c.id = r."chargerId" and c.id = locked.id
      and (c.connection_id = r."connectionId" or c.connected_at is null or c.connected_at < r."connectedAt"
        or c.connected_shard = ${shardId} or (c.disconnected_at is not null and r."disconnectedAt" is null))
    returning c.*, locked.was_connected
    )
    ${connectionEvents(sql, sql`updated`, 'closed')} where was_connected is distinct from (disconnected_at is null)`;
}

/** Condition that a gateway thread is silent for so long that its sockets are released. */
const isDead = (sql: Sql) => sql`seen_at < now() - make_interval(secs => ${shardDeadAfterSeconds})`;

/** Answer to the heartbeat of a gateway thread. */
interface ShardBeat {
  /** False: it is new, or was written off. */
  isKnown: boolean;
  /** True: another thread is to be written off. */
  isOtherDead: boolean;
  /** Time of PostgreSQL. */
  at: Date;
}

/** Says that a gateway thread lives, and how many segments of readings wait on its disk. */
export async function beatShard(sql: Sql, shardId: string, spooledBatches: number): Promise<ShardBeat> {
  const [row] = await sql<ShardBeat[]>`
    insert into gateway_shards as g (id, seen_at, spooled_batches, spooling_since)
    values (${shardId}, now(), ${spooledBatches}, case when ${spooledBatches}::integer > 0 then now() end)
    on conflict (id) do update set seen_at = now(), spooled_batches = excluded.spooled_batches,
      spooling_since = case when excluded.spooled_batches > 0 then coalesce(g.spooling_since, now()) end
    returning (xmax <> 0) as "isKnown", clock_timestamp() as at,
      exists (select from gateway_shards other where ${isDead(sql)}) as "isOtherDead"`;
  if (row === undefined) throw new Error('the heartbeat of a shard returned no row');
  return row;
}

/** Ends a gateway thread's life; its sockets are closed before. */
export async function removeShard(sql: Sql, shardId: string): Promise<void> {
  await sql`delete from gateway_shards where id = ${shardId}`;
}

/** A socket that its gateway thread took with it when it died. */
interface LostConnection {
  chargerId: number;
  networkId: number;
  connectionId: string;
  /** Time of its thread's last heartbeat. */
  at: Date;
}

/**
 * Writes off the gateway threads that are silent for long, and marks their chargers as disconnected. Of several
 * callers one gets each lost connection.
 */
export async function writeOffDeadShards(sql: Sql): Promise<LostConnection[]> {
  return sql<LostConnection[]>`
    with dead as (
      delete from gateway_shards where ${isDead(sql)}
      returning id, seen_at
    ), updated as (
    update chargers c set disconnected_at = greatest(dead.seen_at, c.connected_at)
    from dead where c.connected_shard = dead.id and c.disconnected_at is null
    returning c.*
    ), events as (${connectionEvents(sql, sql`updated`, 'gateway-lost')})
    select id as "chargerId", network_id as "networkId", connection_id as "connectionId", disconnected_at as at from updated`;
}
