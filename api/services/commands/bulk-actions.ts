import type { Availability } from '#shared/domain/fleet/charger.ts';
import type { BulkAction } from '#shared/domain/commands/bulk-job.ts';
import type { ResetKind, VariableSetting } from '#shared/domain/commands/commands.ts';
import type { Actor } from '#api/services/access/audit.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import type { SentCommand } from './send.ts';
import { changeConfiguration, setVariables } from './charger-settings.ts';
import { changeAvailability, reboot, triggerMessage, unlockConnector } from './device-commands.ts';
import { updateFirmware } from './firmware.service.ts';

/** Parameters of the actions of bulk jobs. Times are RFC 3339, since they are stored as JSON. */
interface BulkParameters {
  reboot: { kind: ResetKind };
  'trigger-message': { requestedMessage: string; connectorNumber: number | null };
  'change-availability': { connectorNumber: number; availability: Availability };
  'unlock-connector': { connectorNumber: number };
  'change-configuration': { key: string; value: string };
  'set-variables': { variables: VariableSetting[] };
  'update-firmware': {
    firmwareVersionId: string | null;
    location: string | null;
    /** Null: at once. */
    retrieveAt: string | null;
    installAt: string | null;
    retries: number | null;
    retryIntervalSeconds: number | null;
  };
}

/** Action with its parameters. */
export type BulkCommand = {
  [Action in BulkAction]: { action: Action; parameters: BulkParameters[Action] };
}[BulkAction];

/**
 * Sends the command of a bulk job to one charger.
 * @throws {DomainError} as the command does that operators send to one charger.
 */
export function sendBulkCommand(
  deps: ServiceDeps,
  by: Actor,
  charger: ChargerRecord,
  command: BulkCommand,
): Promise<SentCommand> {
  switch (command.action) {
    case 'reboot':
      return reboot(deps, by, charger, command.parameters.kind);
    case 'trigger-message':
      return triggerMessage(deps, by, charger, command.parameters);
    case 'change-availability':
      return changeAvailability(deps, by, charger, command.parameters);
    case 'unlock-connector':
      return unlockConnector(deps, by, charger, command.parameters.connectorNumber);
    case 'change-configuration':
      return changeConfiguration(deps, by, charger, command.parameters);
    case 'set-variables':
      return setVariables(deps, by, charger, command.parameters.variables);
    default:
      return requestUpdate(deps, by, charger, command.parameters);
  }
}

async function requestUpdate(
  deps: ServiceDeps,
  by: Actor,
  charger: ChargerRecord,
  { retrieveAt, installAt, ...image }: BulkParameters['update-firmware'],
): Promise<SentCommand> {
  const { sent } = await updateFirmware(deps, by, charger, {
    ...image,
    retrieveAt: retrieveAt === null ? new Date() : new Date(retrieveAt),
    installAt: installAt === null ? null : new Date(installAt),
    signing: null,
  });
  return sent;
}
