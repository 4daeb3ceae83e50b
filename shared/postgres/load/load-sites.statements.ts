import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Strategy } from '#shared/domain/load/demand.ts';
import type { SiteSettings } from '#shared/domain/load/plan.ts';
import type { StationQuirk } from '#shared/domain/load/quirks.ts';
import type {
  BoundSource,
  Circuit,
  Connector,
  ExternalBound,
  PhaseAmps,
  Rotation,
} from '#shared/domain/load/site.ts';
import type { Fragment, Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

/** Circuit with the name that operators read. */
export interface LoadCircuit extends Circuit {
  name: string;
}

/** Fields of a connector at a site that operators decide. */
export interface LoadConnectorDetails extends Connector {
  /** Deviations of the station in smart charging. Null: those of its model. */
  quirks: StationQuirk[] | null;
  /** Weight of its car with the strategy `priority`, above 0. */
  priority: number;
}

/** Connector at a site, with the address of its station. `id` is the connector's uuid. */
export interface LoadConnector extends LoadConnectorDetails {
  /** Time since which its readings exceed its limit, in ms since 1970. Null: it is trusted. */
  setAsideAt: number | null;
  /** False: the station may have charging profiles from elsewhere. */
  isCleared: boolean;
  connectorId: number;
  number: number;
  evse: number;
  chargerId: number;
  chargerUuid: string;
  chargerUid: string;
  vendor: string | null;
  vendorModel: string | null;
  /** Kind of current (OCPI `power_type`). Null: unknown. */
  powerType: string | null;
}

/** External bound with its period in ms since 1970. */
export interface LoadBound extends ExternalBound {
  id: string;
  /** Null: from now on. */
  validFrom: number | null;
  /** Null: until it is deleted. */
  validUntil: number | null;
}

/** Fields of a site itself. */
export interface LoadSiteDetails {
  name: string;
  /** False: the site is planned and controlled by no process. */
  isEnabled: boolean;
  settings: SiteSettings;
}

/** Site with everything below it. Circuits, connectors and `uuid` form a `Site` of the domain. */
export interface LoadSiteRecord extends LoadSiteDetails {
  id: number;
  uuid: string;
  networkId: number;
  networkUuid: string;
  locationId: number | null;
  locationUuid: string | null;
  /** IANA name: of the location, else of the network. */
  timeZone: string;
  circuits: LoadCircuit[];
  connectors: LoadConnector[];
  /** Bounds that have not ended, also later ones. */
  bounds: LoadBound[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

export type StoredRotation = { rotation: string | null };
type StoredBound = Omit<LoadBound, 'target'> & { circuitId: string | null; connectorUuid: string | null };

type Row = Omit<LoadSiteRecord, 'settings' | 'connectors' | 'bounds'> & {
  strategy: Strategy;
  minOn: number;
  turn: number;
  raiseEvery: number;
  rampAmps: number;
  rebalanceEvery: number;
  connectors: (Omit<LoadConnector, 'rotation' | 'siteId'> & StoredRotation)[];
  bounds: StoredBound[];
};

const columns = (sql: Queryable) => sql`
  s.id, s.uuid, s.network_id as "networkId", n.uuid as "networkUuid", s.location_id as "locationId", l.uuid as "locationUuid",
  coalesce(l.time_zone, n.time_zone) as "timeZone", s.name, s.is_enabled as "isEnabled", s.strategy, s.min_on_seconds as "minOn",
  s.turn_seconds as turn, s.raise_every_seconds as "raiseEvery", s.ramp_amps as "rampAmps",
  s.rebalance_every_seconds as "rebalanceEvery", s.version, s.created_at as "createdAt", s.updated_at as "updatedAt",
  (select coalesce(json_agg(part order by part.position), '[]') from (
    select id, name, position, parent_id as "parentId", amps, schedule, other, transformer_ratio as "transformerRatio"
    from load_circuits where site_id = s.id) part) as circuits,
  (select coalesce(json_agg(part order by part.position), '[]') from (
    select k.uuid as id, p.position, p.circuit_id as "circuitId", p.rotation, p.connection, p.voltage, p.min_amps as "minAmps",
      p.max_amps as "maxAmps", p.fallback_amps as "fallbackAmps", p.control, p.quirks, p.priority,
      (extract(epoch from p.set_aside_at) * 1000)::bigint as "setAsideAt", p.profiles_cleared_at is not null as "isCleared",
      k.id as "connectorId", k.number, k.power_type as "powerType",
      k.evse_number as evse, c.id as "chargerId", c.uuid as "chargerUuid",
      c.uid as "chargerUid", c.vendor, c.vendor_model as "vendorModel"
    from load_connectors p join connectors k on k.id = p.connector_id and k.deleted_at is null
    join chargers c on c.id = k.charger_id and c.deleted_at is null and c.network_id = s.network_id
    where p.site_id = s.id) part) as connectors,
  (select coalesce(json_agg(part order by part.id), '[]') from (
    select b.id, b.source, b.circuit_id as "circuitId", k.uuid as "connectorUuid", b.amps,
      (extract(epoch from b.valid_from) * 1000)::bigint as "validFrom",
      (extract(epoch from b.valid_until) * 1000)::bigint as "validUntil"
    from load_bounds b left join connectors k on k.id = b.connector_id
    where b.site_id = s.id and coalesce(b.valid_until > now(), true)) part) as bounds`;

const tables = (sql: Queryable) => sql`
  load_sites s join networks n on n.id = s.network_id left join locations l on l.id = s.location_id and l.deleted_at is null`;

function recordOf({
  strategy,
  minOn,
  turn,
  raiseEvery,
  rampAmps,
  rebalanceEvery,
  connectors,
  bounds,
  ...row
}: Row): LoadSiteRecord {
  return {
    ...row,
    settings: { strategy, times: { minOn, turn }, raiseEvery, rampAmps, rebalanceEvery },
    connectors: connectors.map(({ rotation, ...connector }) => ({
      ...connector,
      siteId: row.uuid,
      rotation: rotationOf(rotation),
    })),
    bounds: bounds.map(({ circuitId, connectorUuid, ...bound }) => ({
      ...bound,
      target: circuitId === null ? { connectorId: connectorUuid ?? '' } : { circuitId },
    })),
  };
}

/** Returns whole sites that a condition on `s` selects, by id. */
export async function readLoadSites(sql: Queryable, condition: Fragment): Promise<LoadSiteRecord[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from ${tables(sql)} where ${condition} order by s.id`;
  return rows.map(recordOf);
}

/** Returns the sites in scope after this id, oldest first. */
export function listLoadSites(
  sql: Queryable,
  scope: NetworkScope,
  after: number | null,
  limit: number,
): Promise<LoadSiteRecord[]> {
  const page = sql`
    select p.id from load_sites p where ${inScope(sql, 'p.network_id', scope)} and p.id > ${after ?? 0} order by p.id limit ${limit}`;
  return readLoadSites(sql, sql`s.id in (${page})`);
}

/** Returns a site in scope, or null. `lock`: for a change in this transaction. */
export async function findLoadSite(
  sql: Queryable,
  scope: NetworkScope,
  uuid: string,
  lock = false,
): Promise<LoadSiteRecord | null> {
  const condition = sql`s.uuid = ${uuid} and ${inScope(sql, 's.network_id', scope)}`;
  if (lock) await sql`select from load_sites s where ${condition} for no key update`;
  const [site] = await readLoadSites(sql, condition);
  return site ?? null;
}

const detailColumns = ({ name, isEnabled, settings }: LoadSiteDetails, locationId: number | null) => ({
  name,
  location_id: locationId,
  is_enabled: isEnabled,
  strategy: settings.strategy,
  min_on_seconds: settings.times.minOn,
  turn_seconds: settings.times.turn,
  raise_every_seconds: settings.raiseEvery,
  ramp_amps: settings.rampAmps,
  rebalance_every_seconds: settings.rebalanceEvery,
});

/** Stores a site without circuits. */
export async function insertLoadSite(
  transaction: Transaction,
  networkId: number,
  locationId: number | null,
  details: LoadSiteDetails,
): Promise<{ id: number; uuid: string }> {
  const [row] = await transaction<{ id: number; uuid: string }[]>`
    insert into load_sites ${transaction({ network_id: networkId, ...detailColumns(details, locationId) })} returning id, uuid`;
  if (row === undefined) throw new Error('the insert of a load site returned no row');
  return row;
}

/** Replaces the fields of a locked site itself. */
export async function updateLoadSite(
  transaction: Transaction,
  id: number,
  locationId: number | null,
  details: LoadSiteDetails,
): Promise<void> {
  await transaction`
    update load_sites set ${transaction(detailColumns(details, locationId))}, version = version + 1, updated_at = now()
    where id = ${id}`;
  // Without control, operators and partners may set charging profiles.
  if (details.isEnabled) return;
  await transaction`
    update load_connectors set profiles_cleared_at = null, unconfirmed_since = null where site_id = ${id}`;
  await transaction`
    update load_circuits set overloaded_since = null, meter_lost_since = null where site_id = ${id}`;
}

/** Deletes a site with everything below it. */
export async function removeLoadSite(transaction: Transaction, id: number): Promise<void> {
  await transaction`delete from load_sites where id = ${id}`;
}

/** Replaces the circuits and connectors of a locked site, and deletes bounds that have ended. A connector that stays keeps its state. */
export async function replaceTree(
  transaction: Transaction,
  siteId: number,
  circuits: readonly LoadCircuit[],
  connectors: readonly (LoadConnectorDetails & { connectorId: number })[],
): Promise<void> {
  // Their targets may be removed.
  await transaction`delete from load_bounds where site_id = ${siteId} and valid_until <= now()`;
  const circuitRows = circuits.map((circuit, position) => ({ ...circuit, position }));
  await transaction`
    insert into load_circuits (site_id, id, name, position, parent_id, amps, schedule, other, transformer_ratio)
    select ${siteId}, r.id, r.name, r.position, r."parentId", r.amps, r.schedule, r.other, r."transformerRatio"
    from jsonb_to_recordset(${transaction.json(circuitRows as never)}) as r (id text, name text, position integer,
      "parentId" text, amps double precision[], schedule jsonb, other jsonb, "transformerRatio" double precision)
    on conflict (site_id, id) do update set name = excluded.name, position = excluded.position,
      parent_id = excluded.parent_id, amps = excluded.amps, schedule = excluded.schedule, other = excluded.other,
      transformer_ratio = excluded.transformer_ratio`;
  await transaction`
    delete from load_connectors where site_id = ${siteId}
      and connector_id <> all(${connectors.map(({ connectorId }) => connectorId)}::integer[])`;
  const connectorRows = connectors.map(({ rotation, ...connector }, position) => ({
    ...connector,
    rotation: rotation?.join('') ?? null,
    position,
  }));
  await transaction`
    insert into load_connectors (connector_id, site_id, circuit_id, position, rotation, connection, voltage, min_amps, max_amps,
      fallback_amps, control, quirks, priority)
    select r."connectorId", ${siteId}, r."circuitId", r.position, r.rotation, r.connection, r.voltage, r."minAmps", r."maxAmps",
      r."fallbackAmps", r.control, r.quirks, r.priority
    from jsonb_to_recordset(${transaction.json(connectorRows)}) as r ("connectorId" integer, "circuitId" text,
      position integer, rotation text, connection text, voltage double precision, "minAmps" double precision,
      "maxAmps" double precision, "fallbackAmps" double precision, control text, quirks text[], priority double precision)
    on conflict (connector_id) do update set circuit_id = excluded.circuit_id, position = excluded.position,
      rotation = excluded.rotation, connection = excluded.connection, voltage = excluded.voltage, min_amps = excluded.min_amps,
      max_amps = excluded.max_amps, fallback_amps = excluded.fallback_amps, control = excluded.control, quirks = excluded.quirks,
      priority = excluded.priority, profiles_cleared_at = case
        when (load_connectors.control, load_connectors.quirks) is not distinct from (excluded.control, excluded.quirks)
        then load_connectors.profiles_cleared_at end
    where load_connectors.site_id = excluded.site_id`;
  await transaction`
    delete from load_circuits where site_id = ${siteId} and id <> all(${circuits.map(({ id }) => id)}::text[])`;
}

/** Stores a bound of a locked site, or replaces the one with its id. */
export async function putBound(
  transaction: Transaction,
  siteId: number,
  id: string,
  bound: {
    source: BoundSource;
    circuitId: string | null;
    connectorId: number | null;
    amps: PhaseAmps;
    validFrom: Date | null;
    validUntil: Date | null;
  },
): Promise<void> {
  const { source, circuitId, connectorId, amps, validFrom, validUntil } = bound;
  await transaction`
    insert into load_bounds (site_id, id, source, circuit_id, connector_id, amps, valid_from, valid_until)
    values (${siteId}, ${id}, ${source}, ${circuitId}, ${connectorId}, ${[...amps]}::double precision[], ${validFrom},
      ${validUntil})
    on conflict (site_id, id) do update set source = excluded.source, circuit_id = excluded.circuit_id,
      connector_id = excluded.connector_id, amps = excluded.amps, valid_from = excluded.valid_from,
      valid_until = excluded.valid_until, updated_at = now()`;
}

/** Deletes a bound; false if the site has no such bound. */
export async function removeBound(transaction: Transaction, siteId: number, id: string): Promise<boolean> {
  const rows = await transaction`
    delete from load_bounds where site_id = ${siteId} and id = ${id} returning 1`;
  return rows.length > 0;
}

/** Circuit whose meter is read. */
export interface MeteredCircuit {
  siteUuid: string;
  circuit: LoadCircuit;
}

/** Returns a circuit of a site in scope; null without such a site or circuit. */
export async function findCircuit(
  sql: Queryable,
  scope: NetworkScope,
  siteUuid: string,
  circuitId: string,
): Promise<MeteredCircuit | null> {
  const [row] = await sql<(LoadCircuit & { siteUuid: string })[]>`
    select s.uuid as "siteUuid", c.id, c.name, c.parent_id as "parentId", c.amps, c.schedule, c.other,
      c.transformer_ratio as "transformerRatio"
    from load_sites s join load_circuits c on c.site_id = s.id
    where s.uuid = ${siteUuid} and c.id = ${circuitId} and ${inScope(sql, 's.network_id', scope)}`;
  if (row === undefined) return null;
  const { siteUuid: uuid, ...circuit } = row;
  return { siteUuid: uuid, circuit };
}

/** Returns the phase order that is stored for a connector. */
export function rotationOf(stored: string | null): Rotation | null {
  return stored === null ? null : (stored.split('') as unknown as Rotation);
}
