import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  type ConnectorType,
  connectorTypeOf,
  type EvseStatus,
  evseStatus,
} from '#shared/domain/fleet/ocpi-evse.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { listEffectiveTariffs } from '#shared/postgres/money/effective-tariff.ts';
import {
  type ConnectorRow,
  type EvseRow,
  findEvseRows,
  findLocationRows,
  listConnectorRows,
  listEvseRows,
  listLocationRows,
  type LocationRow,
  type UpdatedSlice,
} from '#shared/postgres/roaming/ocpi-locations.ts';
import { listServiceProviders } from '#shared/postgres/roaming/ocpi-service-providers.ts';
import type { RoamingDeps } from './deps.ts';
import { objectLoader } from './object-loader.ts';
import { evseWithoutDetails, isVisibleTo, type Viewer, withoutDetails } from './withdrawn.ts';

/** A connector as partners see it (OCPI 2.2.1 §8.3.3). */
export interface OcpiConnector extends Omit<ConnectorRow, 'status' | 'hasSession'> {
  /** Connector standard in OCPI. Null: the operator's type has none, or is not set. */
  type: ConnectorType | null;
  status: EvseStatus;
  /** Tariffs in effect there now. Empty: none assigned. */
  tariffIds: string[];
}

/** An EVSE with its connectors (§8.3.2). */
export interface OcpiEvse extends EvseRow {
  status: EvseStatus;
  /** Names of the eMSPs whose drivers can charge here, for national access points only. Null: not disclosed to the reader, or withdrawn. */
  serviceProviders: string[] | null;
  connectors: OcpiConnector[];
}

/** A location with its EVSEs (§8.3.1). */
export interface OcpiLocation extends LocationRow {
  evses: OcpiEvse[];
}

/** One slice of the locations that the partners of a network see, oldest first. */
export async function listOcpiLocations(
  { sql }: Pick<RoamingDeps, 'sql'>,
  viewer: Viewer,
  slice: UpdatedSlice,
): Promise<{ rows: OcpiLocation[]; total: number }> {
  const { networkId, firstRegisteredAt } = viewer;
  const { rows, total } = await listLocationRows(sql, networkId, firstRegisteredAt, slice);
  const locations = await withEvses(sql, rows);
  const providers = await serviceProvidersFor(sql, viewer);
  return { rows: locations.map((location) => seenBy(viewer, location, providers)), total };
}

/** @throws {DomainError} LOCATION_NOT_FOUND. */
export async function readOcpiLocation(
  { sql }: Pick<RoamingDeps, 'sql'>,
  viewer: Viewer,
  id: string,
): Promise<OcpiLocation> {
  const location = await locationById(sql, viewer.networkId, id);
  if (location === undefined || !isVisibleTo(viewer, location.withdrawnAt)) {
    throw new DomainError('LOCATION_NOT_FOUND', `There is no location ${id}.`);
  }
  return seenBy(viewer, location, await serviceProvidersFor(sql, viewer));
}

/** Returns a location without the EVSEs that do not exist for a reader, and with the service providers. */
function seenBy(viewer: Viewer, location: OcpiLocation, providers: string[] | null): OcpiLocation {
  const evses = location.evses.filter(({ withdrawnAt }) => isVisibleTo(viewer, withdrawnAt));
  // The same object where it is as it was read: its JSON is written once.
  if (providers === null && evses.length === location.evses.length) return location;
  return { ...location, evses: evses.map((evse) => withProviders(evse, providers)) };
}

function withProviders(evse: OcpiEvse, providers: string[] | null): OcpiEvse {
  return providers === null || evse.withdrawnAt !== null ? evse : { ...evse, serviceProviders: providers };
}

/** Returns the service providers of a network for a national access point. Null: for every other partner. */
async function serviceProvidersFor(sql: Queryable, viewer: Viewer): Promise<string[] | null> {
  return viewer.isNationalAccessPoint ? await listServiceProviders(sql, viewer.networkId) : null;
}

/**
 * One EVSE by its uid.
 * @param locationId where it must stand; null: anywhere.
 * @throws {DomainError} EVSE_NOT_FOUND.
 */
export async function readOcpiEvse(
  { sql }: Pick<RoamingDeps, 'sql'>,
  viewer: Viewer,
  locationId: string | null,
  uid: string,
): Promise<OcpiEvse> {
  const places = await evsesByUid(sql, viewer.networkId, uid);
  const evse = places?.find(
    ({ locationOcpiId, withdrawnAt }) =>
      isVisibleTo(viewer, withdrawnAt) &&
      (locationId === null || locationOcpiId.toLowerCase() === locationId.toLowerCase()),
  );
  if (evse === undefined) throw new DomainError('EVSE_NOT_FOUND', `There is no EVSE ${uid} here.`);
  return withProviders(evse, await serviceProvidersFor(sql, viewer));
}

/** @throws {DomainError} EVSE_NOT_FOUND, CONNECTOR_NOT_FOUND. */
export async function readOcpiConnector(
  deps: Pick<RoamingDeps, 'sql'>,
  viewer: Viewer,
  locationId: string,
  uid: string,
  id: string,
): Promise<OcpiConnector> {
  const { connectors } = await readOcpiEvse(deps, viewer, locationId, uid);
  const connector = connectors.find(({ ocpiId }) => ocpiId.toLowerCase() === id.toLowerCase());
  if (connector === undefined) {
    throw new DomainError('CONNECTOR_NOT_FOUND', `The EVSE ${uid} has no connector ${id}.`);
  }
  return connector;
}

const locationById = objectLoader({
  read: async (sql, networkId, ids) => withEvses(sql, await findLocationRows(sql, networkId, ids)),
  idOf: ({ ocpiId }: OcpiLocation) => ocpiId,
});

/** An EVSE at each of its locations, the present one first. */
const evsesByUid = objectLoader({
  async read(sql, networkId, uids) {
    const evses = await withConnectors(sql, await findEvseRows(sql, networkId, uids));
    return [...Map.groupBy(evses, ({ uid }) => uid).values()];
  },
  idOf: ([evse]: OcpiEvse[]) => evse?.uid ?? '',
});

async function withEvses(sql: Queryable, locations: LocationRow[]): Promise<OcpiLocation[]> {
  const rows = await listEvseRows(
    sql,
    locations.map(({ id }) => id),
  );
  const byLocation = Map.groupBy(await withConnectors(sql, rows), ({ locationId }) => locationId);
  return locations.map((location) => ({
    ...(location.isWithdrawn ? withoutDetails(location) : location),
    evses: byLocation.get(location.id) ?? [],
  }));
}

async function withConnectors(sql: Queryable, rows: EvseRow[]): Promise<OcpiEvse[]> {
  const chargerIds = [...new Set(rows.map(({ chargerId }) => chargerId))];
  const [connectors, tariffs] = await Promise.all([
    listConnectorRows(sql, chargerIds),
    listEffectiveTariffs(sql, chargerIds, null),
  ]);
  const tariffIds = new Map(
    tariffs.map(({ connectorUuid, effective }) => [connectorUuid, effective?.tariff.uuid] as const),
  );
  const byPlace = Map.groupBy(connectors, ({ chargerId, evseNumber }) => `${chargerId}/${evseNumber}`);
  return rows.map((evse) => {
    const own = byPlace.get(`${evse.chargerId}/${evse.number}`) ?? [];
    const { withdrawnAt } = evse;
    const statusOf = (of: ConnectorRow[]) =>
      evseStatus({
        ...evse,
        isRemoved: evse.isRemoved || withdrawnAt !== null,
        connectorStatuses: of.map(({ status }) => status),
        hasSession: of.some(({ hasSession }) => hasSession),
      });
    const present = {
      ...evse,
      status: statusOf(own),
      serviceProviders: null,
      connectors: own.map((connector) => ({
        ...connector,
        type: connectorTypeOf(connector.standard),
        status: statusOf([connector]),
        tariffIds: [tariffIds.get(connector.uuid)].filter((id) => id !== undefined),
      })),
    };
    return withdrawnAt === null ? present : evseWithoutDetails(present, withdrawnAt);
  });
}
