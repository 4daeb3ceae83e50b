import type { Actor } from '#api/services/access/audit.ts';
import { send, type SentCommand } from './send.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/**
 * Sends any action of the OCPP version that the charger is connected with; its shard holds the payload to the
 * standard's schema.
 * @throws {DomainError} ACTION_UNKNOWN, and what `send` throws.
 */
export function sendOcppCommand(
  deps: ServiceDeps,
  by: Actor,
  charger: ChargerRecord,
  { action, payload }: { action: string; payload: Record<string, unknown> },
): Promise<SentCommand> {
  return send(deps, by, charger, { type: 'ocpp', action, payload });
}
