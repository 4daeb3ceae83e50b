import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  type ChargerEdit,
  type EditableCharger,
  hasRunningSession,
  lockChargerForEdit,
  type RemovedCharger,
  removeCharger,
  updateCharger,
} from '#shared/postgres/fleet/charger-edits.statements.ts';
import { removeReservationsOfCharger } from '#shared/postgres/charging/reservation-records.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { type Actor, type AuditedChange, auditChange } from '#api/services/access/audit.ts';
import { locationIn, modelOf } from './charger-registry.ts';
import { requireAllowedProfile, requireFreeNames } from './charger-security.ts';
import { type ChargerRecord, requireCharger } from './chargers.service.ts';
import { defined, requireVersion } from '#api/services/kernel/edits.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { namedNetwork } from '#api/services/access/networks.service.ts';

/** Fields of a charger that an operator changes. Undefined: unchanged; null: cleared. */
export interface ChargerChange {
  status?: string | undefined;
  physicalReference?: string | null | undefined;
  floorLevel?: string | null | undefined;
  locationUuid?: string | null | undefined;
  modelUuid?: string | null | undefined;
  isPublic?: boolean | undefined;
  /** From its next connection on. Lowering it is the operator's to decide; the gateway never does. */
  securityProfile?: number | undefined;
  /** Null: its uid. */
  certificateCommonName?: string | null | undefined;
}

/** Charger to change, and the version of it that the operator saw (null: any). */
export interface ChargerTarget {
  uuid: string;
  networkUuid: string | undefined;
  expected: number | null;
}

/**
 * Changes fields of a charger and returns its new version.
 * @throws {DomainError} CHARGER_NOT_FOUND, NETWORK_NOT_FOUND, LOCATION_NOT_FOUND, MODEL_NOT_FOUND,
 * CHARGER_EXISTS, PRECONDITION_FAILED, VALIDATION_FAILED.
 */
export async function changeCharger(
  deps: ServiceDeps,
  by: Actor,
  { uuid, networkUuid, expected }: ChargerTarget,
  change: ChargerChange,
): Promise<{ version: number }> {
  const charger = await requireCharger(deps, by.caller, uuid, networkUuid);
  if (change.securityProfile !== undefined) {
    requireAllowedProfile(await namedNetwork(deps, by.caller, charger.networkUuid), change.securityProfile);
  }
  return deps.sql.begin(async (transaction) => {
    const { id, version, ...before } = await lockCharger(transaction, charger, expected);
    await requireFreeNames(transaction, id, [change.certificateCommonName ?? null]);
    const after = { ...before, ...(await toChargerEdit(transaction, charger, change)) };
    const now = { version: await updateCharger(transaction, id, after) };
    await auditChange(transaction, by, {
      ...auditTarget(charger, 'update'),
      before: { ...before, version },
      after: { ...after, ...now },
    });
    return now;
  });
}

/**
 * Decommissions a charger with its connectors. The gateway that holds its socket closes it, and lets it in no more.
 * @throws {DomainError} CHARGER_NOT_FOUND, NETWORK_NOT_FOUND, CHARGER_IN_USE, PRECONDITION_FAILED.
 */
export async function decommissionCharger(
  deps: ServiceDeps,
  by: Actor,
  { uuid, networkUuid, expected }: ChargerTarget,
): Promise<RemovedCharger> {
  const charger = await requireCharger(deps, by.caller, uuid, networkUuid);
  return deps.sql.begin(async (transaction) => {
    await lockCharger(transaction, charger, expected);
    if (await hasRunningSession(transaction, charger.id)) {
      throw new DomainError('CHARGER_IN_USE', 'A session runs at this charger: stop it first.');
    }
    await removeReservationsOfCharger(transaction, charger.id);
    const removed = await removeCharger(transaction, charger.id);
    await auditChange(transaction, by, { ...auditTarget(charger, 'delete'), before: charger, after: null });
    return removed;
  });
}

async function lockCharger(
  transaction: Transaction,
  charger: ChargerRecord,
  expected: number | null,
): Promise<EditableCharger> {
  const now = await lockChargerForEdit(transaction, charger.id);
  if (now === null) throw new DomainError('CHARGER_NOT_FOUND', `There is no charger ${charger.uuid}.`);
  requireVersion(now, expected);
  return now;
}

async function toChargerEdit(
  transaction: Transaction,
  charger: ChargerRecord,
  { locationUuid, modelUuid, certificateCommonName, ...change }: ChargerChange,
): Promise<Partial<ChargerEdit>> {
  return defined({
    ...change,
    certificateCn: certificateCommonName,
    locationId:
      locationUuid === undefined ? undefined : await locationIn(transaction, charger.networkId, locationUuid),
    modelId: modelUuid === undefined ? undefined : await modelOf(transaction, modelUuid),
  }) as Partial<ChargerEdit>;
}

function auditTarget(
  { networkId, uuid, uid }: ChargerRecord,
  action: string,
): Omit<AuditedChange, 'before' | 'after'> {
  return { networkId, category: 'charger', action, resourceId: uuid, resourceName: uid };
}
