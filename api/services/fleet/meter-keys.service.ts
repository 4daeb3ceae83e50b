import { DomainError } from '#shared/domain/kernel/errors.ts';
import { keyFingerprint, readMeterKey } from '#shared/domain/charging/meter-key.ts';
import { recheckSignatures } from '#shared/postgres/charging/session-writes/signatures.ts';
import { lockCharger } from '#shared/postgres/fleet/charger-records.ts';
import { findConnectorDetails } from '#shared/postgres/fleet/connector-records.ts';
import {
  listMeterKeys,
  maxMeterKeys,
  type MeterKeyRecord,
  registerMeterKey,
  removeMeterKey,
} from '#shared/postgres/fleet/meter-keys.statements.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { type ChargerRecord, requireCharger } from './chargers.service.ts';

/** Key of a meter with its digest. */
export interface MeterKey extends MeterKeyRecord {
  fingerprint: string;
}

/** Key that an operator registers. */
interface NewMeterKey {
  /** PEM, hex or base64. */
  publicKey: string;
  /** Null: the key of every connector. */
  connectorUuid: string | null;
}

/**
 * Returns the registered and claimed keys of a charger, oldest first.
 * @throws {DomainError} CHARGER_NOT_FOUND.
 */
export async function readMeterKeys(
  deps: ServiceDeps,
  caller: Caller,
  chargerUuid: string,
): Promise<MeterKey[]> {
  const charger = await requireCharger(deps, caller, chargerUuid);
  return (await listMeterKeys(deps.sql, charger.id)).map(withFingerprint);
}

/**
 * Registers a key of a charger, and checks the values of its newest sessions with it. A job checks those of the others.
 * @throws {DomainError} CHARGER_NOT_FOUND, CONNECTOR_NOT_FOUND, METER_KEY_EXISTS, VALIDATION_FAILED.
 */
export async function addMeterKey(
  deps: ServiceDeps,
  by: Actor,
  chargerUuid: string,
  { publicKey, connectorUuid }: NewMeterKey,
): Promise<MeterKey> {
  const key = readMeterKey(publicKey);
  if (key === null) {
    throw invalid('The key cannot be read: send the public key of an elliptic curve in PEM, hex or base64.');
  }
  const charger = await requireCharger(deps, by.caller, chargerUuid);
  const registered = await deps.sql.begin(async (transaction) => {
    const isThere = await lockCharger(transaction, charger.id);
    if (!isThere) throw new DomainError('CHARGER_NOT_FOUND', `There is no charger ${chargerUuid}.`);
    const connector =
      connectorUuid === null
        ? null
        : await findConnectorDetails(transaction, by.caller.networks, connectorUuid);
    if (connectorUuid !== null && connector?.chargerId !== charger.id) {
      throw new DomainError('CONNECTOR_NOT_FOUND', `The charger has no connector ${connectorUuid}.`);
    }
    const known = await listMeterKeys(transaction, charger.id);
    if (known.filter(({ status }) => status === 'REGISTERED').length >= maxMeterKeys) {
      throw invalid(`A charger has at most ${maxMeterKeys} registered keys: remove one first.`);
    }
    const made = await registerMeterKey(transaction, charger.id, connector?.id ?? null, key);
    if (made === null) return null;
    await auditChange(transaction, by, {
      ...auditTarget(charger, made, 'register'),
      before: null,
      after: made,
    });
    return made;
  });
  await recheckSignatures(deps.sql, charger.id);
  if (registered === null) {
    throw new DomainError('METER_KEY_EXISTS', 'The key is registered for this charger already.');
  }
  return withFingerprint(registered);
}

/**
 * Removes a key of a charger, and checks the values of its newest sessions without it; a job checks those of the others. Values that it verified stay verified.
 * @throws {DomainError} CHARGER_NOT_FOUND, METER_KEY_NOT_FOUND.
 */
export async function deleteMeterKey(
  deps: ServiceDeps,
  by: Actor,
  chargerUuid: string,
  uuid: string,
): Promise<void> {
  const charger = await requireCharger(deps, by.caller, chargerUuid);
  await deps.sql.begin(async (transaction) => {
    await lockCharger(transaction, charger.id);
    const removed = await removeMeterKey(transaction, charger.id, uuid);
    if (removed === null) {
      throw new DomainError('METER_KEY_NOT_FOUND', `The charger has no meter key ${uuid}.`);
    }
    await auditChange(transaction, by, {
      ...auditTarget(charger, removed, 'remove'),
      before: removed,
      after: null,
    });
  });
  await recheckSignatures(deps.sql, charger.id);
}

function withFingerprint(key: MeterKeyRecord): MeterKey {
  return { ...key, fingerprint: keyFingerprint(key) };
}

function auditTarget({ networkId, uid }: ChargerRecord, { uuid }: MeterKeyRecord, action: string) {
  return { networkId, category: 'meter-key', action, resourceId: uuid, resourceName: uid };
}

function invalid(message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', message, { errors: [{ field: 'publicKey', message }] });
}
