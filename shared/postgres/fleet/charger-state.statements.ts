import { installedStatus, installingStatuses } from '#shared/domain/commands/charger-reports.ts';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { lockedInOrder } from './charger-locks.ts';
import { connectionEvents, hasOpenSocket } from './connections.ts';
import type { Queryable, Sql } from '#shared/postgres/kernel/client.ts';

/** Fields of a charger's boot notification. */
export interface BootRecord {
  chargerId: number;
  vendor: string;
  model: string;
  serialNumber: string | null;
  firmwareVersion: string | null;
  ocppVersion: OcppVersion;
  reason: string | null;
  at: Date;
}

/** Sockets, by charger, that a gateway thread opened and has not stored yet. */
export interface OpenedSockets {
  shardId: string;
  byCharger: ReadonlyMap<number, { connectionId: string; connectedAt: number }>;
}

/**
 * Stores the boots of many chargers in one statement, each with the socket that it came through. A charger that booted
 * twice in a batch keeps its last. Returns the chargers whose socket was not stored, because a later one is: whether it
 * counts is decided by `recordConnections`.
 */
export async function recordBoots(sql: Sql, boots: BootRecord[], opened: OpenedSockets): Promise<number[]> {
  const rows = [...new Map(boots.map((boot) => [boot.chargerId, boot])).values()].map((boot) => {
    const socket = opened.byCharger.get(boot.chargerId);
    return {
      ...boot,
      at: boot.at.toISOString(),
      connectionId: socket?.connectionId,
      connectedAt: socket === undefined ? undefined : new Date(socket.connectedAt).toISOString(),
    };
  });
  const left = await sql<{ chargerId: number }[]>`
    with ${lockedInOrder(
      sql,
      rows.map((row) => row.chargerId),
      sql`id, connected_at, ${hasOpenSocket(sql, sql`chargers`)} as was_connected, firmware_version`,
    )}, b as materialized (
      select r.*, "connectionId" is not null and (locked.connected_at is null or locked.connected_at < r."connectedAt")
        as opens, was_connected, locked.firmware_version as former_version
      from jsonb_to_recordset(${sql.json(rows)}) as r("chargerId" integer, vendor text, model text,
        "serialNumber" text, "firmwareVersion" text, "ocppVersion" text, reason text, at timestamptz,
        "connectionId" uuid, "connectedAt" timestamptz)
      join locked on locked.id = r."chargerId"
    ), stored as (
      update chargers c set vendor = b.vendor, vendor_model = b.model,
        serial_number = coalesce(b."serialNumber", c.serial_number),
        firmware_version = coalesce(b."firmwareVersion", c.firmware_version),
        ocpp_version = b."ocppVersion", last_boot_reason = b.reason, last_boot_at = b.at,
        last_heartbeat_at = greatest(c.last_heartbeat_at, b.at), updated_at = now(),
        connection_id = case when b.opens then b."connectionId" else c.connection_id end,
        connected_shard = case when b.opens then ${opened.shardId} else c.connected_shard end,
        connected_at = case when b.opens then b."connectedAt" else c.connected_at end,
        disconnected_at = case when b.opens then null else c.disconnected_at end
      from b where c.id = b."chargerId"
      returning c.*, b.opens and not b.was_connected as is_new_connection, b.former_version
    ), connected as (
      ${connectionEvents(sql, sql`stored`, 'closed')} where is_new_connection
    ), booted as (
      insert into outbox (network_id, type, subject_id, subject_uuid, charger_id, data)
      select network_id, 'charger.booted', id, uuid, id, jsonb_build_object('bootedAt', last_boot_at, 'reason', last_boot_reason,
        'firmwareVersion', firmware_version, 'ocppVersion', ocpp_version)
      from stored
    ), installed as (${installedUpdates(sql)}), updated as (
      insert into outbox (network_id, type, subject_id, subject_uuid, charger_id, data)
      select s.network_id, 'charger.firmware_changed', s.id, s.uuid, s.id, jsonb_build_object('kind', u.kind,
        'requestId', u.request_id, 'status', u.status, 'outcome', u.outcome, 'firmwareVersion', s.firmware_version)
      from stored s left join installed u on u.charger_id = s.id
      where s.former_version <> s.firmware_version or u.charger_id is not null
    )
    select "chargerId" from b where "connectionId" is not null and not opens`;
  return left.map(({ chargerId }) => chargerId);
}

/**
 * Completes the newest update that explains the version of a boot in `stored`: chargers boot after an installation, and some
 * report nothing more. The version must be the requested one, where that is known. Otherwise it must differ from the version
 * before, and the download must be due or the installation in progress.
 */
const installedUpdates = (sql: Sql) => sql`
  update firmware_updates u set status = ${installedStatus}, status_at = s.last_boot_at, outcome = 'succeeded',
    closed_at = s.last_boot_at
  from stored s where u.id = (
    select o.id from firmware_updates o
    where o.charger_id = s.id and o.kind = 'Update' and o.closed_at is null
      and (o.firmware_version is null or lower(o.firmware_version) = lower(s.firmware_version))
      and case when o.status = any(${[...installingStatuses]}::text[])
        then s.former_version <> s.firmware_version or o.firmware_version is not null
        else s.former_version <> s.firmware_version and coalesce(o.retrieve_at, s.last_boot_at) <= s.last_boot_at end
    order by o.id desc limit 1)
  returning u.charger_id, u.kind, u.request_id, u.status, u.outcome`;

/** Number of rows locked at once: boots and statuses of the same chargers wait for them. */
const heardAtOnce = 2000;

/**
 * Seconds by which a last message time must be later than the stored one to be written. A boot stores the time itself;
 * the statuses that follow it within a moment cost no second update.
 */
const heardAfterSeconds = 1;

/** Stores the last message times of these chargers (by id; ms since 1970), in few statements. */
export async function recordHeartbeats(sql: Sql, lastHeard: ReadonlyMap<number, number>): Promise<void> {
  const all = [...lastHeard];
  for (let from = 0; from < all.length; from += heardAtOnce) {
    const some = all.slice(from, from + heardAtOnce);
    await sql`
      with h as materialized (
        select * from unnest(${some.map(([id]) => id)}::integer[],
          ${some.map(([, at]) => new Date(at).toISOString())}::timestamptz[]) as h(id, at)
      ), locked as materialized (
        select c.id from chargers c join h on h.id = c.id
        where c.last_heartbeat_at is null
          or c.last_heartbeat_at < h.at - make_interval(secs => ${heardAfterSeconds})
        order by c.id for no key update of c
      )
      update chargers c set last_heartbeat_at = greatest(c.last_heartbeat_at, h.at)
      from locked, h where c.id = h.id and c.id = locked.id`;
  }
}

/** Stores the feature profiles that a charger of OCPP 1.6 reported. Its EVSEs have changed for partners when they are others. */
export async function recordFeatureProfiles(
  sql: Queryable,
  chargerId: number,
  profiles: readonly string[],
): Promise<void> {
  await sql`
    with changed as (
      update chargers set feature_profiles = ${[...profiles]}
      where id = ${chargerId} and feature_profiles is distinct from ${[...profiles]}::text[]
      returning id
    )
    update evses set last_updated = now() from changed where charger_id = changed.id and capabilities is null`;
}
