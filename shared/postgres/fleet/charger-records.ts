import type { ChargerIdentity } from '#shared/domain/fleet/charger.ts';
import type { Registration } from '#shared/domain/fleet/registration.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Fragment, Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { openAlerts } from './charger-filter.ts';
import { isConnected, isOnline } from './connections.ts';
import {
  type ConnectorInUse,
  connectorsFrom,
  connectorsOf,
  type StoredConnector,
} from './connectors.statements.ts';
import {
  type FindRecord,
  listRecords,
  recordFinder,
  type RecordSource,
} from '#shared/postgres/kernel/records.statements.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

/** A charger as the API reads it. */
export interface ChargerRecord {
  id: number;
  uuid: string;
  uid: string;
  evseId: string;
  status: string;
  networkId: number;
  networkUuid: string;
  locationId: number | null;
  locationUuid: string | null;
  locationName: string | null;
  /** Of the location, else of the network (IANA). */
  timeZone: string;
  address: string | null;
  city: string | null;
  postalCode: string | null;
  /** ISO 3166-1 alpha-3. */
  country: string | null;
  latitude: number | null;
  longitude: number | null;
  serialNumber: string;
  firmwareVersion: string | null;
  ocppVersion: string | null;
  modelUuid: string | null;
  modelName: string | null;
  manufacturerUuid: string | null;
  manufacturerName: string | null;
  isPublic: boolean;
  physicalReference: string | null;
  floorLevel: string | null;
  maxPowerW: number | null;
  securityProfile: number;
  /** The common name of its client certificate; null: its uid. */
  certificateCn: string | null;
  lastHeartbeat: Date | null;
  /** True while a gateway holds its socket now. */
  isConnected: boolean;
  /** Connected, with a message within the last 5 minutes. */
  isOnline: boolean;
  /** Time at which its newest socket opened, and at which that one was closed. */
  connectedAt: Date | null;
  disconnectedAt: Date | null;
  /** Time a report exceeded the stored device model for the first time; null: never. */
  deviceModelCutAt: Date | null;
  registration: Registration;
  /** Minutes by which its times without a zone are ahead of UTC. */
  localOffsetMinutes: number;
  /** Counts the changes by operators. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const columns = (sql: Queryable) => sql`
  c.id, c.uuid, c.uid, c.evse_id as "evseId", c.status, c.network_id as "networkId", n.uuid as "networkUuid",
  c.location_id as "locationId", l.uuid as "locationUuid", l.name as "locationName", coalesce(l.time_zone, n.time_zone) as "timeZone",
  l.address, l.city, l.postal_code as "postalCode", l.country, l.latitude, l.longitude,
  c.serial_number as "serialNumber", c.firmware_version as "firmwareVersion", c.ocpp_version as "ocppVersion",
  m.uuid as "modelUuid", m.model_name as "modelName",
  f.uuid as "manufacturerUuid", f.name as "manufacturerName",
  c.is_public as "isPublic", c.physical_reference as "physicalReference", c.floor_level as "floorLevel",
  coalesce(c.max_power_w, m.max_power_w) as "maxPowerW",
  c.security_profile as "securityProfile", c.certificate_cn as "certificateCn", c.last_heartbeat_at as "lastHeartbeat",
  ${isConnected(sql)} as "isConnected", ${isOnline(sql)} as "isOnline", c.connected_at as "connectedAt", c.disconnected_at as "disconnectedAt",
  c.registration, c.local_offset_minutes as "localOffsetMinutes", c.device_model_cut_at as "deviceModelCutAt", c.version, c.created_at as "createdAt", c.updated_at as "updatedAt"`;

const tables = (sql: Queryable) => sql`
  chargers c
  join networks n on n.id = c.network_id
  left join locations l on l.id = c.location_id
  left join charger_models m on m.id = c.model_id
  left join manufacturers f on f.id = m.manufacturer_id`;

/** One charger in scope by its uuid, or null. `publicOnly` as in `ChargerFilter`. */
export async function findCharger(
  sql: Queryable,
  scope: NetworkScope,
  uuid: string,
  publicOnly = false,
): Promise<ChargerRecord | null> {
  const [row] = await sql<ChargerRecord[]>`
    select ${columns(sql)} from ${tables(sql)}
    where c.uuid = ${uuid} and c.deleted_at is null and ${inScope(sql, 'c.network_id', scope)}
      ${publicOnly ? sql`and c.is_public and l.is_published` : sql``}`;
  return row ?? null;
}

const source: RecordSource = {
  id: 'c.id',
  uuid: 'c.uuid',
  network: 'c.network_id',
  driver: null,
  columns,
  tables,
  where: (sql) => sql`c.deleted_at is null`,
};

/** A charger as operators list it. */
export interface ListedCharger extends ChargerRecord {
  runningSessions: number;
  /** Power of its running sessions; null: none of them reported it. */
  powerW: number | null;
  /** Number of alerts that are not resolved. */
  openAlerts: number;
}

/** Running sessions, and alerts that are not resolved, of a charger `c`. */
const activity = (sql: Queryable) => sql`
  cross join lateral (
    select count(*)::integer as running, sum(s.power_w) as power_w
    from sessions s where s.charger_id = c.id and s.status in ('ACTIVE', 'STOPPING')) activity
  cross join lateral (select count(*)::integer as alerts from ${openAlerts(sql)}) alerted`;

/** Chargers as operators list them, without their connectors. */
export const listedChargers: RecordSource = {
  ...source,
  columns: (sql) => sql`
    ${columns(sql)}, running as "runningSessions", power_w as "powerW", alerts as "openAlerts"`,
  tables: (sql) => sql`${tables(sql)} ${activity(sql)}`,
};

/** A charger with its connectors, ordered by number. */
export interface ChargerWithConnectors {
  charger: ChargerRecord;
  connectors: ConnectorInUse[];
}

type StoredCharger = ChargerRecord & { connectors: StoredConnector[] };

function withConnectors({ connectors, ...charger }: StoredCharger): ChargerWithConnectors {
  return { charger, connectors: connectorsFrom(connectors) };
}

/** Reads of chargers with their connectors. */
export interface ChargerReads {
  find: FindRecord<ChargerWithConnectors>;
  /** As `listRecords`. */
  list: (sql: Queryable, found: Fragment) => Promise<ChargerWithConnectors[]>;
}

function chargerReadsOf(visible: (sql: Queryable) => Fragment): ChargerReads {
  const withStored: RecordSource = {
    ...source,
    columns: (sql) => sql`${columns(sql)}, ${connectorsOf(sql, sql`c.id`)} as connectors`,
    where: (sql) => sql`c.deleted_at is null ${visible(sql)}`,
  };
  const find = recordFinder<StoredCharger>(withStored);
  return {
    async find(sql, scope, key) {
      const found = await find(sql, scope, key);
      return found && withConnectors(found);
    },
    list: async (sql, found) =>
      (await listRecords<StoredCharger>(sql, withStored, found)).map(withConnectors),
  };
}

/** Reads of all chargers. */
export const chargerReads = chargerReadsOf((sql) => sql``);

/** Reads of public chargers at published locations. */
export const publicChargerReads = chargerReadsOf((sql) => sql`and c.is_public and l.is_published`);

/**
 * Locks a charger's row until the end of the transaction, so that its connectors are numbered one by one; false: it was
 * removed.
 */
export async function lockCharger(transaction: Transaction, chargerId: number): Promise<boolean> {
  const rows =
    await transaction`select 1 from chargers where id = ${chargerId} and deleted_at is null for update`;
  return rows.length > 0;
}

/** Fields of a new charger. */
interface NewCharger {
  networkId: number;
  locationId: number | null;
  modelId: number | null;
  uid: string;
  evseId: string;
  serialNumber: string;
  status: string;
  firmwareVersion: string | null;
  ocppVersion: string | null;
  passwordHash: Buffer;
  /** OCPP: 0 to 3. */
  securityProfile: number;
  /** The common name of its client certificate; null: its uid. */
  certificateCn: string | null;
}

/** Writes the event of the charger of a common table expression. */
export const chargerEvent = (
  sql: Queryable,
  type: 'charger.registered' | 'charger.updated' | 'charger.removed',
  changed: Fragment,
) => sql`
  insert into outbox (network_id, type, subject_id, subject_uuid, charger_id, data)
  select network_id, ${type}, id, uuid, id,
    jsonb_build_object('version', version, 'registration', registration, 'isPublic', is_public)
  from ${changed}`;

/** Registers a charger with the registration that its network gives to new ones; the violation of `chargers_uid_key` or `chargers_certificate_cn_key` means a name is taken. */
export async function insertCharger(
  sql: Queryable,
  charger: NewCharger,
): Promise<{ uuid: string; version: number; registration: Registration }> {
  const [row] = await sql<{ uuid: string; version: number; registration: Registration }[]>`
    with registered as (
    insert into chargers (network_id, location_id, model_id, uid, evse_id, serial_number, status,
      firmware_version, ocpp_version, password_hash, security_profile, certificate_cn, registration)
    values (${charger.networkId}, ${charger.locationId}, ${charger.modelId}, ${charger.uid}, ${charger.evseId},
      ${charger.serialNumber}, ${charger.status}, ${charger.firmwareVersion}, ${charger.ocppVersion},
      ${charger.passwordHash}, ${charger.securityProfile}, ${charger.certificateCn},
      (select new_charger_registration from networks where id = ${charger.networkId}))
    returning *
    ), event as (${chargerEvent(sql, 'charger.registered', sql`registered`)})
    select uuid, version, registration from registered`;
  if (row === undefined) throw new Error('the insert of a charger returned no row');
  return row;
}

/**
 * Returns true when another charger has one of these names, in any case, as its uid or in its certificate. Locks the names
 * until the end of the transaction: no index keeps a uid apart from another charger's certificate.
 */
export async function isChargerNameTaken(
  transaction: Transaction,
  chargerId: number | null,
  names: string[],
): Promise<boolean> {
  const lowered = inLowerCase(transaction, names);
  // In one order, so that two transactions never wait for each other.
  await transaction`
    select pg_advisory_xact_lock(hashtextextended('charger ' || name, 0))
    from unnest(${lowered}) as name`;
  const [row] = await transaction<{ taken: boolean }[]>`
    select exists (
      select 1 from chargers
      where (lower(uid) = any(${lowered}) or lower(certificate_cn) = any(${lowered}))
        and deleted_at is null
        and id is distinct from ${chargerId}
    ) as taken`;
  return row?.taken === true;
}

/** Array of names in lower case, in order. PostgreSQL converts both sides: its rules for other letters than ASCII depend on the locale. */
const inLowerCase = (sql: Queryable, names: string[]) => sql`
  array(select distinct lower(name) from unnest(${names}::text[]) as name order by 1)`;

/** Credentials that the gateway checks when a charger connects. */
export interface ChargerCredentials extends ChargerIdentity {
  passwordHash: Buffer;
  /** Hashes of passwords that it was sent and has not used yet. */
  pendingPasswordHashes: Buffer[];
  securityProfile: number;
  /** The common name that its client certificate may carry instead of its uid; null: none. */
  certificateCn: string | null;
  /** True when its network accepts chargers of security profile 0. */
  networkAllowsUnauthenticated: boolean;
}

const credentials = (sql: Queryable) => sql`
  select c.id, c.uuid, c.uid, c.network_id as "networkId", c.password_hash as "passwordHash",
    c.pending_password_hashes as "pendingPasswordHashes", c.registration,
    c.security_profile as "securityProfile", c.certificate_cn as "certificateCn",
    n.allow_unauthenticated_chargers as "networkAllowsUnauthenticated"
  from chargers c join networks n on n.id = c.network_id`;

/** The chargers with these OCPP identities, for their upgrade requests; unknown ones are left out. */
export function listChargerCredentials(sql: Queryable, uids: string[]): Promise<ChargerCredentials[]> {
  return sql<ChargerCredentials[]>`
    ${credentials(sql)} where c.uid = any(${uids}::text[]) and c.deleted_at is null`;
}

/**
 * Finds the chargers with these identities, for upgrade requests: an exact match first, else the only charger
 * whose identity differs in case. Installers type identities into chargers by hand.
 * @returns the credentials by the requested identity; unknown and ambiguous ones are left out.
 */
export async function findChargerCredentials(
  sql: Queryable,
  identities: string[],
): Promise<Map<string, ChargerCredentials>> {
  const rows = await sql<ChargerCredentials[]>`
    ${credentials(sql)} where lower(c.uid) = any(${inLowerCase(sql, identities)}) and c.deleted_at is null`;
  const byIdentity = Map.groupBy(rows, ({ uid }) => uid.toLowerCase());
  const found = new Map<string, ChargerCredentials>();
  for (const identity of identities) {
    const named = byIdentity.get(identity.toLowerCase()) ?? [];
    const match = named.find(({ uid }) => uid === identity) ?? (named.length === 1 ? named[0] : undefined);
    if (match !== undefined) found.set(identity, match);
  }
  return found;
}

/** Rows of credentials that are read at once. */
const credentialsAtOnce = 2000;

/** Returns the credentials of the `most` last seen chargers. */
export async function listLatestCredentials(sql: Queryable, most: number): Promise<ChargerCredentials[]> {
  const found: ChargerCredentials[] = [];
  const pages = sql<ChargerCredentials[]>`
    ${credentials(sql)} where c.deleted_at is null order by c.last_heartbeat_at desc nulls last limit ${most}`;
  // In pages: the frames of connected chargers are answered in between.
  for await (const page of pages.cursor(credentialsAtOnce)) found.push(...page);
  return found;
}
