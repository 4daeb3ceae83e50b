import { hashSecret } from '#shared/domain/kernel/secrets.ts';
import type { Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { fleetCities, fleetModels } from './large-fleet-catalog.ts';

/** Size of a large fleet. */
export interface LargeFleetOptions {
  chargers?: number;
  locations?: number;
  /** First part of the OCPP identities, which are unique over all networks. */
  prefix?: string;
}

/** Password of the chargers of large fleets. */
export const fleetPassword = 'large-fleet-password';

/**
 * Fills a network with chargers (20,000 in 400 locations by default) in a few seconds: catalog, locations, chargers,
 * connectors, running sessions and alerts. Each charger follows from its number: the same options make the same fleet,
 * except for its uuids and times. Call `refreshLargeFleet` within every 5 minutes to keep its chargers online.
 */
export async function seedLargeFleet(
  sql: Sql,
  networkId: number,
  {
    chargers = 20_000,
    locations = Math.max(1, Math.round(chargers / 50)),
    prefix = 'FL',
  }: LargeFleetOptions = {},
): Promise<void> {
  await sql.begin(async (transaction) => {
    await insertModels(transaction);
    await insertLocations(transaction, networkId, locations);
    await insertChargers(transaction, networkId, chargers, prefix);
    await insertConnectors(transaction, networkId, prefix);
    await insertSessions(transaction, networkId, prefix);
    await insertAlerts(transaction, networkId, prefix);
  });
  await sql`analyze chargers, connectors, locations, sessions, alerts, charger_models, evses`;
}

/** Renews the last messages of the connected chargers of a large fleet, which count as online for 5 minutes. */
export async function refreshLargeFleet(sql: Sql, networkId: number): Promise<void> {
  await sql`
    update chargers set last_heartbeat_at = now() - make_interval(secs => id % 60)
    where network_id = ${networkId} and connected_shard = ${shardId} and disconnected_at is null`;
}

/** Gateway thread that holds the sockets of all large fleets. */
const shardId = '00000000-0000-4000-8000-00000000f1ee';

async function insertModels(sql: Transaction): Promise<void> {
  const models = sql.json(fleetModels as never);
  await sql`
    insert into manufacturers (name)
    select distinct m.manufacturer from jsonb_to_recordset(${models}) as m(manufacturer text)
    on conflict do nothing`;
  await sql`
    insert into charger_models (manufacturer_id, model_name, max_power_w, ocpp_version)
    select f.id, m.name, m."maxPowerW", m."ocppVersion"
    from jsonb_to_recordset(${models}) as m(manufacturer text, name text, "maxPowerW" integer, "ocppVersion" text)
    join manufacturers f on f.name = m.manufacturer
    on conflict do nothing`;
}

/** Locations take turns through the cities, up to 8 km from the centre of theirs. */
async function insertLocations(sql: Transaction, networkId: number, count: number): Promise<void> {
  const sites = [
    'Station',
    'Park',
    'Market',
    'Harbour',
    'Stadium',
    'Hospital',
    'Campus',
    'Plaza',
    'Airport',
    'Depot',
  ];
  await sql`
    insert into locations (network_id, name, address, city, postal_code, country, latitude, longitude, time_zone)
    select ${networkId},
      city.name || ' ' || (${sites}::text[])[1 + (i / ${fleetCities.length}) % ${sites.length}] || ' ' || i,
      (${sites}::text[])[1 + i % ${sites.length}] || ' street ' || 1 + i % 180, city.name, (10000 + i * 7)::text,
      city.country, city.latitude + (i * 37 % 141 - 70) / 1000.0, city.longitude + (i * 53 % 141 - 70) / 1000.0,
      city."timeZone"
    from generate_series(0, ${count - 1}::integer) i
    join rows from (jsonb_to_recordset(${sql.json(fleetCities as never)})
      as (name text, country text, latitude double precision, longitude double precision, "timeZone" text))
      with ordinality as city(name, country, latitude, longitude, "timeZone", place)
      on city.place = 1 + i % ${fleetCities.length}
    order by i`;
}

/**
 * Inserts the chargers. Of 100, 48 are available, 25 are occupied, 2 reserved, 4 unavailable, 3 faulted, 14 offline and 4 were never
 * connected. One in 200 has no location.
 */
async function insertChargers(
  sql: Transaction,
  networkId: number,
  count: number,
  prefix: string,
): Promise<void> {
  await sql`
    insert into gateway_shards (id, seen_at) values (${shardId}, now() + interval '1 year') on conflict do nothing`;
  await sql`
    with sites as (
      select id, row_number() over (order by id) - 1 as place, count(*) over () as total
      from locations where network_id = ${networkId} and deleted_at is null
    ), made as (
      select i, i * 7919 % 100 as lot, ${prefix} || '-' || lpad(i::text, 6, '0') as uid,
        case when i % 3 = 0 then 0 when i % 8 < 6 then 1 else 2 end as release
      from generate_series(1, ${count}::integer) i
    )
    insert into chargers (network_id, location_id, model_id, uid, evse_id, serial_number, vendor, vendor_model,
      firmware_version, ocpp_version, status, password_hash, security_profile, registration, last_boot_at,
      last_heartbeat_at, connection_id, connected_shard, connected_at, disconnected_at, physical_reference)
    select ${networkId}, case when i % 200 <> 0 then s.id end, m.id, uid, 'NL*CWY*E' || replace(uid, '-', ''),
      'SN' || substr(md5(uid), 1, 10), t.manufacturer, t.name,
      case when lot < 96 then t.firmware ->> release end, case when lot < 96 then t."ocppVersion" end,
      case when lot < 48 then 'Available' when lot < 66 then 'CHARGING' when lot < 73 then 'Occupied'
        when lot < 75 then 'Reserved' when lot < 79 then 'Unavailable' when lot < 82 then 'Faulted'
        when lot < 96 then 'Available' else 'UNKNOWN' end,
      ${hashSecret(fleetPassword)}, 1 + i % 2, 'Accepted',
      case when lot < 96 then now() - make_interval(hours => 1 + i % 2000) end,
      case when lot < 82 then now() - make_interval(secs => i % 60)
        when lot < 96 then now() - make_interval(mins => 10 + i % 10000) end,
      case when lot < 96 then gen_random_uuid() end, case when lot < 96 then ${shardId}::uuid end,
      case when lot < 82 then now() - make_interval(mins => 5 + i % 5000)
        when lot < 96 then now() - interval '10 days' end,
      case when lot between 82 and 95 then now() - make_interval(mins => 9 + i % 10000) end,
      'P-' || i % 1000
    from made
    left join sites s on s.place = (i / 3 * 31 + i) % s.total
    join rows from (jsonb_to_recordset(${sql.json(fleetModels as never)})
      as (manufacturer text, name text, "ocppVersion" text, firmware jsonb))
      with ordinality as t(manufacturer, name, "ocppVersion", firmware, place)
      on t.place = 1 + i % ${fleetModels.length}
    join manufacturers f on f.name = t.manufacturer
    join charger_models m on m.manufacturer_id = f.id and m.model_name = t.name
    order by i`;
}

/** Chargers of the fleet of a prefix. */
const inFleet = (sql: Transaction, networkId: number, prefix: string) => sql`
  c.network_id = ${networkId} and c.uid like ${`${prefix}-%`}`;

async function insertConnectors(sql: Transaction, networkId: number, prefix: string): Promise<void> {
  await sql`
    insert into connectors (charger_id, number, evse_number, standard, format, power_type, max_power_w, status,
      error_code, status_at)
    select c.id, number, number, case when m.max_power_w >= 50000 then 'IEC_62196_T2_COMBO' else 'IEC_62196_T2' end,
      case when m.max_power_w >= 50000 then 'CABLE' else 'SOCKET' end,
      case when m.max_power_w >= 50000 then 'DC' else 'AC_3_PHASE' end, m.max_power_w,
      case when c.status = 'CHARGING' then case when number = 1 then 'Charging' else 'Available' end
        when c.status = 'Occupied' then case when number = 1 then 'Preparing' else 'Occupied' end else c.status end,
      case when c.status = 'Faulted' then 'GroundFailure' when c.status <> 'UNKNOWN' then 'NoError' end,
      case when c.status <> 'UNKNOWN' then c.last_heartbeat_at - make_interval(mins => 1 + c.id % 600) end
    from chargers c join charger_models m on m.id = c.model_id
    join rows from (jsonb_to_recordset(${sql.json(fleetModels as never)}) as (name text, connectors integer)) as t
      on t.name = m.model_name
    cross join lateral generate_series(1, t.connectors) number
    where ${inFleet(sql, networkId, prefix)}
    order by c.id, number`;
}

/** A session runs at connector 1 of each charger that charges. */
async function insertSessions(sql: Transaction, networkId: number, prefix: string): Promise<void> {
  await sql`
    insert into sessions (network_id, charger_id, connector_id, id_token, ocpp_transaction_id, start_key, status,
      authorization_status, started_at, start_received_at, meter_start_wh, energy_wh, power_w, soc_percent, live_at,
      has_charged, currency)
    select c.network_id, c.id, k.id, 'TAG' || lpad((c.id % 9000)::text, 8, '0'), 'T' || c.id, 'large-fleet', 'ACTIVE',
      'Accepted', now() - minutes, now() - minutes, 1000 * c.id, extract(epoch from minutes) / 3600 * power, power,
      case when k.power_type = 'DC' then 20 + c.id % 70 end, now(), true, 'EUR'
    from chargers c
    join connectors k on k.charger_id = c.id and k.number = 1
    cross join lateral (
      select make_interval(mins => 1 + c.id % 180) as minutes, k.max_power_w * (30 + c.id % 65) / 100.0 as power) live
    where ${inFleet(sql, networkId, prefix)} and c.status = 'CHARGING'
    order by c.id`;
}

/** Every faulted charger, and every fourth offline one, has an open alert. No notifications are sent. */
async function insertAlerts(sql: Transaction, networkId: number, prefix: string): Promise<void> {
  await sql`
    insert into alerts (network_id, kind, severity, resource_type, resource_id, resource_name, charger_id, message,
      details, occurred_at, last_occurred_at, delivery)
    select c.network_id, kind, 'critical', 'charger', c.uuid, c.uid, c.id, message, '{}', at, at, 'silent'
    from chargers c
    cross join lateral (select c.status = 'Faulted' as is_faulted, coalesce(c.disconnected_at, now() - interval '1 hour') as at) o
    cross join lateral (select
      case when is_faulted then 'charger-faulted' else 'charger-offline' end as kind,
      case when is_faulted then 'The charger is faulted.' else 'The charger is offline.' end as message) a
    where ${inFleet(sql, networkId, prefix)}
      and (is_faulted or c.disconnected_at is not null and c.id % 4 = 0)`;
}
