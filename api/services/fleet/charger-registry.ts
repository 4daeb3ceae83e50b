import type { Registration } from '#shared/domain/fleet/registration.ts';
import { randomBytes } from 'node:crypto';
import { unknownStatus } from '#shared/domain/fleet/charger.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { hashSecret, newChargerPassword } from '#shared/domain/kernel/secrets.ts';
import { insertCharger } from '#shared/postgres/fleet/charger-records.ts';
import {
  findLocationId,
  findModelId,
  type NetworkRecord,
} from '#shared/postgres/fleet/networks.statements.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import { requireAllowedProfile, requireFreeNames } from './charger-security.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { keepNetwork, networkForNew } from '#api/services/access/networks.service.ts';

/** Fields of a new charger that an operator sets. */
export interface ChargerRegistration {
  serial: string;
  networkUuid?: string | undefined;
  locationUuid?: string | undefined;
  modelUuid?: string | undefined;
  status?: string | undefined;
  firmwareVersion?: string | undefined;
  ocppVersion?: string | undefined;
  /** OCPP: 0 to 3; by default 1. */
  securityProfile?: number | undefined;
  /** The common name of its client certificate, where that is not the serial. */
  certificateCommonName?: string | undefined;
  /** Basic password that the charger has; by default a new one. */
  ocppPassword?: string | undefined;
}

/** A charger that was just registered. */
interface RegisteredCharger {
  uuid: string;
  uid: string;
  evseId: string;
  serialNumber: string;
  status: string;
  networkId: number;
  locationUuid: string | null;
  securityProfile: number;
  registration: Registration;
  version: number;
  /** Its Basic password: stored hashed, so this is the only time it is seen. */
  ocppPassword: string;
}

/**
 * Registers a charger: its serial becomes its OCPP identity.
 * @throws {DomainError} CHARGER_EXISTS, NETWORK_NOT_FOUND, LOCATION_NOT_FOUND, MODEL_NOT_FOUND, VALIDATION_FAILED.
 */
export async function registerCharger(
  deps: ServiceDeps,
  by: Actor,
  registration: ChargerRegistration,
): Promise<RegisteredCharger> {
  const network = await networkForNew(deps, by.caller, registration.networkUuid);
  const securityProfile = registration.securityProfile ?? 1;
  const certificateCn = registration.certificateCommonName ?? null;
  requireAllowedProfile(network, securityProfile);
  const given = {
    networkId: network.id,
    uid: registration.serial,
    serialNumber: registration.serial,
    status: registration.status ?? unknownStatus,
    firmwareVersion: registration.firmwareVersion ?? null,
    ocppVersion: registration.ocppVersion ?? null,
    securityProfile,
    certificateCn,
  };
  const made = await deps.sql.begin(async (transaction) => {
    await keepNetwork(transaction, network);
    await requireFreeNames(transaction, null, [given.uid, certificateCn]);
    const ocppPassword = registration.ocppPassword ?? newChargerPassword();
    const evseId = newEvseId(network);
    const charger = {
      ...given,
      evseId,
      locationId: await locationIn(transaction, network.id, registration.locationUuid ?? null),
      modelId: await modelOf(transaction, registration.modelUuid ?? null),
    };
    const row = await insertCharger(transaction, { ...charger, passwordHash: hashSecret(ocppPassword) });
    await auditChange(transaction, by, {
      networkId: network.id,
      category: 'charger',
      action: 'create',
      resourceId: row.uuid,
      resourceName: charger.uid,
      before: null,
      after: charger,
    });
    return { ...row, evseId, ocppPassword };
  });
  return { ...given, ...made, locationUuid: registration.locationUuid ?? null };
}

/** An EVSE id as roaming partners expect it (eMI3 / ISO 15118: country, party, `E`, 16 of 0-9 and A-F). */
export function newEvseId({ countryCode, partyId }: Pick<NetworkRecord, 'countryCode' | 'partyId'>): string {
  return `${countryCode}*${partyId}*E${randomBytes(8).toString('hex').toUpperCase()}`;
}

/**
 * The key of a location of a network, which is not removed before the end of the transaction; null stays null.
 * @throws {DomainError} LOCATION_NOT_FOUND.
 */
export async function locationIn(
  transaction: Transaction,
  networkId: number,
  uuid: string | null,
): Promise<number | null> {
  if (uuid === null) return null;
  const id = await findLocationId(transaction, networkId, uuid);
  if (id === null) throw new DomainError('LOCATION_NOT_FOUND', `The network has no location ${uuid}.`);
  return id;
}

/**
 * The key of a model, which is not removed before the end of the transaction; null stays null.
 * @throws {DomainError} MODEL_NOT_FOUND.
 */
export async function modelOf(transaction: Transaction, uuid: string | null): Promise<number | null> {
  if (uuid === null) return null;
  const id = await findModelId(transaction, uuid);
  if (id === null) throw new DomainError('MODEL_NOT_FOUND', `There is no charger model ${uuid}.`);
  return id;
}
