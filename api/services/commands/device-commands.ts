import type { Availability } from '#shared/domain/fleet/charger.ts';
import type { ResetKind } from '#shared/domain/commands/commands.ts';
import { newChargerPassword } from '#shared/domain/kernel/secrets.ts';
import type { Actor } from '#api/services/access/audit.ts';
import { positionIfAny, positionOf } from './connector-position.ts';
import { type Commander, send, type SentCommand } from './send.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { changesProfiles, requireUnmanaged } from './managed-chargers.ts';

/** Asks the charger to restart. */
export function reboot(
  deps: ServiceDeps,
  by: Actor,
  charger: ChargerRecord,
  kind: ResetKind,
): Promise<SentCommand> {
  return send(deps, by, charger, { type: 'reset', kind });
}

/** Closes the socket of the charger. */
export function disconnect(deps: ServiceDeps, by: Actor, charger: ChargerRecord): Promise<SentCommand> {
  return send(deps, by, charger, { type: 'disconnect' });
}

/**
 * Triggers a message of the charger.
 * @throws {DomainError} CONNECTOR_NOT_FOUND, and the errors of `send`.
 */
export async function triggerMessage(
  deps: ServiceDeps,
  by: Actor,
  charger: ChargerRecord,
  trigger: { requestedMessage: string; connectorNumber: number | null },
): Promise<SentCommand> {
  return send(deps, by, charger, {
    type: 'trigger-message',
    requestedMessage: trigger.requestedMessage,
    position: await positionIfAny(deps, charger, trigger.connectorNumber),
  });
}

/**
 * Asks the charger to release the cable of a connector.
 * @throws {DomainError} CONNECTOR_NOT_FOUND, and what `send` throws.
 */
export async function unlockConnector(
  deps: ServiceDeps,
  by: Commander,
  charger: ChargerRecord,
  connectorNumber: number,
): Promise<SentCommand> {
  const position = await positionOf(deps, charger, connectorNumber);
  return send(deps, by, charger, { type: 'unlock-connector', position });
}

/**
 * Takes a connector, or with number 0 the whole charger, into or out of use.
 * @throws {DomainError} CONNECTOR_NOT_FOUND, and what `send` throws.
 */
export async function changeAvailability(
  deps: ServiceDeps,
  by: Actor,
  charger: ChargerRecord,
  change: { connectorNumber: number; availability: Availability },
): Promise<SentCommand> {
  const { connectorNumber, availability } = change;
  const position = connectorNumber === 0 ? null : await positionOf(deps, charger, connectorNumber);
  return send(deps, by, charger, { type: 'change-availability', position, availability });
}

/**
 * Gives the charger a new Basic password, which is never shown. The old one stays valid until the charger
 * uses the new one: it may need a restart for that. The gateway keeps the hashes of both.
 * @throws {DomainError} as `send` does.
 */
export function rotatePassword(deps: ServiceDeps, by: Actor, charger: ChargerRecord): Promise<SentCommand> {
  return send(deps, by, charger, { type: 'set-password', password: newChargerPassword() });
}

/**
 * Sends any action of the OCPP version that the charger is connected with; its shard holds the payload to the
 * standard's schema.
 * @throws {DomainError} ACTION_UNKNOWN, CHARGER_LOAD_MANAGED, and what `send` throws.
 */
export async function sendOcppCommand(
  deps: ServiceDeps,
  by: Actor,
  charger: ChargerRecord,
  { action, payload }: { action: string; payload: Record<string, unknown> },
): Promise<SentCommand> {
  if (changesProfiles(action, payload)) await requireUnmanaged(deps.sql, charger);
  return send(deps, by, charger, { type: 'ocpp', action, payload });
}
