import type { Registration } from '#shared/domain/fleet/registration.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { lockChargerForEdit } from '#shared/postgres/fleet/charger-edits.statements.ts';
import {
  findRegistration,
  storeRegistration,
} from '#shared/postgres/commands/charger-registration.statements.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import { send } from './send.ts';
import type { ChargerTarget } from '#api/services/fleet/charger-edits.service.ts';
import { type ChargerRecord, requireCharger } from '#api/services/fleet/chargers.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { requireVersion } from '#api/services/kernel/edits.service.ts';

/** Time that a charger has to answer TriggerMessage, in ms. */
const triggerTimeoutMs = 5000;

/** A stored registration, and whether the charger agreed to ask for it at once. */
interface StoredRegistration {
  charger: ChargerRecord;
  version: number;
  isTriggered: boolean;
}

/**
 * Stores the response to a charger's BootNotification and triggers one. A charger that cannot be triggered
 * sends it after its interval, or at its next boot.
 * @throws {DomainError} CHARGER_NOT_FOUND, NETWORK_NOT_FOUND, PRECONDITION_FAILED.
 */
export async function changeRegistration(
  deps: ServiceDeps,
  by: Actor,
  { uuid, networkUuid, expected }: ChargerTarget,
  status: Registration,
): Promise<StoredRegistration> {
  const charger = await requireCharger(deps, by.caller, uuid, networkUuid);
  const { version, before } = await deps.sql.begin(async (transaction) => {
    const now = await lockChargerForEdit(transaction, charger.id);
    if (now === null) throw new DomainError('CHARGER_NOT_FOUND', `There is no charger ${uuid}.`);
    requireVersion(now, expected);
    const registration = await findRegistration(transaction, charger.id);
    const stored = await storeRegistration(transaction, charger.id, status);
    await auditChange(transaction, by, {
      networkId: charger.networkId,
      category: 'charger',
      action: 'registration',
      resourceId: charger.uuid,
      resourceName: charger.uid,
      before: { registration },
      after: { registration: status },
    });
    return { version: stored, before: registration };
  });
  // A Rejected charger accepts no message until its next BootNotification (2.0.1 B03.FR.03).
  const isReachable = before !== status && before !== 'Rejected' && status !== 'Rejected';
  return { charger, version, isTriggered: isReachable && (await trigger(deps, charger)) };
}

async function trigger(deps: ServiceDeps, charger: ChargerRecord): Promise<boolean> {
  const command = { type: 'trigger-message', requestedMessage: 'BootNotification', position: null } as const;
  try {
    return (await send(deps, null, charger, command, { timeoutMs: triggerTimeoutMs })).accepted;
  } catch (error) {
    // The charger repeats its BootNotification by itself.
    if (error instanceof DomainError) return false;
    throw error;
  }
}
