import { type EvseDetails, statedColumns } from '#shared/postgres/fleet/evse-records.ts';
import { onlyNetworks } from '#shared/domain/access/tenancy.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import type { ConnectorDetails } from '#shared/postgres/fleet/connector-records.ts';
import { findLocation, type LocationRecord } from '#shared/postgres/fleet/location-records.ts';
import type { LocationExtras } from './ocpi-locations.ts';
import { storable } from '#shared/postgres/kernel/storable.ts';

/**
 * Time at which the fields of a record were set: an operator's time, or the `last_updated` that a partner
 * sent.
 */
interface Stated {
  statedAt: Date;
}

/** A location that is locked for a partner's change. */
export type LockedLocation = LocationRecord & LocationExtras & Stated & { ocpiId: string };

/**
 * Locks a location of a network by what partners call it until the end of the transaction.
 * @returns null: not found. `isRemoved`: it existed, and its id is never used again.
 */
export async function lockLocation(
  transaction: Transaction,
  networkId: number,
  ocpiId: string,
): Promise<LockedLocation | 'removed' | null> {
  const [row] = await transaction<({ uuid: string; ocpiId: string } & LocationExtras & Stated)[]>`
    select uuid, ocpi_id as "ocpiId", related_locations as "relatedLocations", publish_allowed_to as "publishAllowedTo",
      stated_at as "statedAt"
    from locations where network_id = ${networkId} and lower(ocpi_id) = lower(${ocpiId}) for no key update`;
  if (row === undefined) return null;
  const record = await findLocation(transaction, onlyNetworks([networkId]), row.uuid);
  return record === null ? 'removed' : { ...record, ...row };
}

/** Replaces the fields of a location that only OCPI has. */
export async function stateLocation(
  transaction: Transaction,
  id: number,
  { relatedLocations, publishAllowedTo, statedAt }: LocationExtras & Stated,
): Promise<void> {
  await transaction`
    update locations set related_locations = ${json(transaction, relatedLocations)},
      publish_allowed_to = ${json(transaction, publishAllowedTo)}, stated_at = ${statedAt}
    where id = ${id}`;
}

/** Gives a new location the id that a partner calls it by; the violation of `locations_ocpi_id_key`: it has one. */
export async function nameLocation(transaction: Transaction, id: number, ocpiId: string): Promise<void> {
  await transaction`update locations set given_ocpi_id = ${ocpiId} where id = ${id}`;
}

/** An EVSE that is locked for a partner's change, and its charger with it. */
export interface LockedEvse extends EvseDetails, Stated {
  id: number;
  uid: string;
  chargerId: number;
  chargerUid: string;
  number: number;
  locationOcpiId: string | null;
}

/**
 * Locks an EVSE of a network by its uid until the end of the transaction.
 * @returns null: not found. `removed`: its charger was.
 */
export async function lockEvse(
  transaction: Transaction,
  networkId: number,
  uid: string,
): Promise<LockedEvse | 'removed' | null> {
  // The charger first, as all do who change both.
  const [charger] = await transaction<{ deletedAt: Date | null }[]>`
    select deleted_at as "deletedAt" from chargers
    where id = (select charger_id from evses where network_id = ${networkId} and lower(uid) = lower(${uid}))
    for no key update`;
  if (charger === undefined) return null;
  if (charger.deletedAt !== null) return 'removed';
  const [row] = await transaction<LockedEvse[]>`
    select e.id, e.uid, e.charger_id as "chargerId", c.uid as "chargerUid", e.number, l.ocpi_id as "locationOcpiId",
      ${statedColumns(transaction)}, e.stated_at as "statedAt"
    from evses e join chargers c on c.id = e.charger_id left join locations l on l.id = c.location_id
    where e.network_id = ${networkId} and lower(e.uid) = lower(${uid}) for no key update of e`;
  return row ?? null;
}

/** Makes EVSE 1 of a new charger with the uid that a partner calls it by; the violation of `evses_uid_key`: it is taken. */
export async function insertEvse(
  transaction: Transaction,
  networkId: number,
  chargerUuid: string,
  uid: string,
): Promise<void> {
  await transaction`
    insert into evses (uid, network_id, charger_id, number, evse_id)
    select ${uid}, ${networkId}, id, 1, evse_id || '*1' from chargers where uuid = ${chargerUuid}`;
}

/** Replaces the fields of a locked EVSE. */
export async function stateEvse(
  transaction: Transaction,
  id: number,
  evse: EvseDetails & Stated,
): Promise<void> {
  await transaction`
    update evses set evse_id = ${evse.evseId}, stated_status = ${evse.statedStatus},
      status_schedule = ${json(transaction, evse.statusSchedule)}, capabilities = ${evse.capabilities},
      physical_reference = ${evse.physicalReference}, floor_level = ${evse.floorLevel}, latitude = ${evse.latitude},
      longitude = ${evse.longitude}, directions = ${json(transaction, evse.directions)},
      parking_restrictions = ${evse.parkingRestrictions}, parking = ${json(transaction, evse.parking)}, images = ${json(transaction, evse.images)},
      stated_at = ${evse.statedAt}, last_updated = now(), version = version + 1
    where id = ${id}`;
}

/** A connector that is locked for a partner's change. */
export interface LockedConnector extends ConnectorDetails, Stated {
  id: number;
  uuid: string;
  number: number;
}

/** Locks a connector of a locked EVSE by what partners call it, or null. */
export async function lockConnector(
  transaction: Transaction,
  { chargerId, number }: LockedEvse,
  ocpiId: string,
): Promise<LockedConnector | null> {
  const [row] = await transaction<LockedConnector[]>`
    select id, uuid, number, standard, format, power_type as "powerType", max_voltage as "maxVoltage",
      max_amperage as "maxAmperage", max_power_w as "maxPowerW", terms_and_conditions as "termsAndConditions",
      capabilities, stated_at as "statedAt"
    from connectors
    where charger_id = ${chargerId} and evse_number = ${number} and lower(ocpi_id) = lower(${ocpiId})
      and deleted_at is null
    for no key update`;
  return row ?? null;
}

/** A number that OCPP may find a connector by. */
const positionId = /^[1-9]\d{0,2}$/;

/**
 * Adds a connector to a locked EVSE: at the position that its id names, where it is a number, else at the next one. The
 * violation of `connectors_position_key`: another one is there.
 */
export async function addConnectorNamed(
  transaction: Transaction,
  { chargerId, number }: LockedEvse,
  ocpiId: string,
): Promise<void> {
  const position = positionId.test(ocpiId) ? Number(ocpiId) : null;
  await transaction`
    insert into connectors (charger_id, number, evse_number, evse_connector, given_ocpi_id)
    select ${chargerId}, coalesce(max(number), 0) + 1, ${number}::integer,
      coalesce(${position}::integer, max(evse_connector) filter (where evse_number = ${number}) + 1, 1), ${ocpiId}
    from connectors where charger_id = ${chargerId} and deleted_at is null`;
}

/** Stores the time of a partner's change of a locked connector. */
export async function dateConnector(
  transaction: Transaction,
  id: number,
  { statedAt }: Stated,
): Promise<void> {
  await transaction`update connectors set stated_at = ${statedAt} where id = ${id}`;
}

function json(sql: Queryable, value: unknown) {
  return sql.json(storable(value) as never);
}
