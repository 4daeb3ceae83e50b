import type { EvseDetails } from '#shared/postgres/fleet/evse-records.ts';
import { randomBytes } from 'node:crypto';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { replaceRestrictions221 } from '#shared/domain/fleet/ocpi-evse.ts';
import { hashSecret, newChargerPassword } from '#shared/domain/kernel/secrets.ts';
import { insertCharger } from '#shared/postgres/fleet/charger-records.ts';
import { type Transaction, violates } from '#shared/postgres/kernel/client.ts';
import { type ConnectorDetails, updateConnector } from '#shared/postgres/fleet/connector-records.ts';
import { findNetworkById } from '#shared/postgres/fleet/network-details.ts';
import {
  addConnectorNamed,
  dateConnector,
  insertEvse,
  type LockedConnector,
  type LockedEvse,
  type LockedLocation,
  lockConnector,
  lockEvse,
  stateEvse,
} from '#shared/postgres/roaming/ocpi-location-writes.ts';
import { auditChange } from '#api/services/access/audit.ts';
import { newEvseId } from '#api/services/fleet/charger-registry.ts';
import { defined } from '#api/services/kernel/edits.service.ts';
import {
  inBody,
  isStale,
  type PartnerWrite,
  requirePresent,
  requireSameId,
  type Sent,
} from './partner-writes.ts';

/** EVSE as sent by a partner. Undefined: left out. */
export interface SentEvse extends Sent<EvseDetails> {
  uid?: string | undefined;
  connectors?: SentConnector[] | undefined;
  lastUpdated?: Date | undefined;
}

/** Connector as sent by a partner. */
export interface SentConnector extends Sent<ConnectorDetails> {
  id?: string | undefined;
  lastUpdated?: Date | undefined;
}

/** Puts or patches an EVSE of a locked location; see `writeLocation`. */
export async function writeEvseIn(
  transaction: Transaction,
  write: PartnerWrite,
  location: LockedLocation,
  uid: string,
  sent: SentEvse,
): Promise<void> {
  const { connectors = [], lastUpdated, uid: named, ...fields } = sent;
  requirePresent(write, lastUpdated, 'last_updated');
  requireSameId('uid', named, uid);
  const found = await evseAt(transaction, write, location, uid);
  if (found === null && write.method === 'PATCH') throw noEvse(uid);
  const evse = found ?? (await makeEvse(transaction, write, location, uid));
  if (found === null || !isStale(lastUpdated, evse.statedAt)) {
    const kept = write.method === 'PUT' ? { ...evse, ...emptyEvse } : evse;
    const written = { ...kept, ...defined(fields) };
    const parkingRestrictions = replaceRestrictions221(evse.parkingRestrictions, written.parkingRestrictions);
    const after = { ...written, parkingRestrictions };
    await stateEvse(transaction, evse.id, { ...after, statedAt: lastUpdated ?? new Date() });
    await auditChange(transaction, write.by, {
      networkId: write.networkId,
      category: 'evse',
      action: found === null ? 'create' : 'update',
      resourceId: evse.uid,
      resourceName: `${evse.chargerUid}/${evse.number}`,
      before: found,
      after,
    });
  }
  for (const connector of connectors) {
    if (connector.id === undefined) throw inBody('connectors.id', 'is required');
    await writeConnectorOf(transaction, write, evse, connector.id, { lastUpdated, ...defined(connector) });
  }
}

/** Puts or patches a connector of an EVSE of a locked location; see `writeLocation`. */
export async function writeConnectorIn(
  transaction: Transaction,
  write: PartnerWrite,
  location: LockedLocation,
  uid: string,
  id: string,
  sent: SentConnector,
): Promise<void> {
  const evse = await evseAt(transaction, write, location, uid);
  if (evse === null) throw noEvse(uid);
  await writeConnectorOf(transaction, write, evse, id, sent);
}

/** Fields that a PUT without them empties; an EVSE keeps the id that is printed on it, and what the path has no fields for. */
const emptyEvse: Omit<EvseDetails, 'evseId' | 'parking'> = {
  statedStatus: null,
  statusSchedule: [],
  capabilities: null,
  physicalReference: null,
  floorLevel: null,
  latitude: null,
  longitude: null,
  directions: [],
  parkingRestrictions: [],
  images: [],
};

const emptyConnector = {
  standard: null,
  format: null,
  powerType: null,
  maxVoltage: null,
  maxAmperage: null,
  maxPowerW: null,
  termsAndConditions: null,
};

/** Locks and returns the EVSE with this uid at a location, or null. */
async function evseAt(
  transaction: Transaction,
  { networkId }: PartnerWrite,
  { ocpiId }: LockedLocation,
  uid: string,
): Promise<LockedEvse | null> {
  const evse = await lockEvse(transaction, networkId, uid);
  if (evse === 'removed') throw noEvse(uid);
  // A uid is that of one EVSE of the whole platform, and never used again (OCPI 2.2.1 §8.3.2).
  if (evse !== null && evse.locationOcpiId !== ocpiId) throw noEvse(uid);
  return evse;
}

/**
 * Creates an EVSE. It is part of a charger, so it gets one of its own, which operators find among the others.
 * No connection as this charger is possible, since its password is not disclosed.
 */
async function makeEvse(
  transaction: Transaction,
  { networkId }: PartnerWrite,
  location: LockedLocation,
  uid: string,
): Promise<LockedEvse> {
  const chargerUid = `OCPI-${randomBytes(8).toString('hex').toUpperCase()}`;
  const { uuid } = await insertCharger(transaction, {
    networkId,
    locationId: location.id,
    modelId: null,
    uid: chargerUid,
    evseId: newEvseId(await findNetworkById(transaction, networkId)),
    serialNumber: chargerUid,
    status: 'UNKNOWN',
    firmwareVersion: null,
    ocppVersion: null,
    passwordHash: hashSecret(newChargerPassword()),
    securityProfile: 1,
    certificateCn: null,
  });
  await insertEvse(transaction, networkId, uuid, uid);
  const evse = await lockEvse(transaction, networkId, uid);
  if (evse === null || evse === 'removed') throw new Error('the EVSE that was made is gone');
  return evse;
}

async function writeConnectorOf(
  transaction: Transaction,
  write: PartnerWrite,
  evse: LockedEvse,
  id: string,
  sent: SentConnector,
): Promise<void> {
  const { lastUpdated, id: named, ...fields } = sent;
  requirePresent(write, lastUpdated, 'last_updated');
  requireSameId('id', named, id);
  const found = await lockConnector(transaction, evse, id);
  if (found === null && write.method === 'PATCH') {
    throw new DomainError('CONNECTOR_NOT_FOUND', `The EVSE ${evse.uid} has no connector ${id}.`);
  }
  const connector = found ?? (await makeConnector(transaction, evse, id));
  if (found !== null && isStale(lastUpdated, connector.statedAt)) return;
  const kept = write.method === 'PUT' ? { ...connector, ...emptyConnector } : connector;
  const after = { ...kept, ...defined(fields) };
  await updateConnector(transaction, connector.id, after);
  await dateConnector(transaction, connector.id, { statedAt: lastUpdated ?? new Date() });
  await auditChange(transaction, write.by, {
    networkId: write.networkId,
    category: 'connector',
    action: found === null ? 'create' : 'update',
    resourceId: connector.uuid,
    resourceName: `${evse.chargerUid}/${connector.number}`,
    before: found,
    after,
  });
}

/**
 * Creates a connector.
 * @throws {DomainError} CONNECTOR_EXISTS: its id belongs to another one.
 */
async function makeConnector(
  transaction: Transaction,
  evse: LockedEvse,
  id: string,
): Promise<LockedConnector> {
  try {
    await addConnectorNamed(transaction, evse, id);
  } catch (error) {
    if (!violates(error, 'connectors_position_key')) throw error;
    throw new DomainError('CONNECTOR_EXISTS', `Another connector of ${evse.uid} has the number ${id}.`);
  }
  const connector = await lockConnector(transaction, evse, id);
  if (connector === null) throw new Error('the connector that was made is gone');
  return connector;
}

function noEvse(uid: string): DomainError {
  return new DomainError('EVSE_NOT_FOUND', `There is no EVSE ${uid} here.`);
}
