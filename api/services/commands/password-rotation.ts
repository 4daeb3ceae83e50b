import { newChargerPassword } from '#shared/domain/kernel/secrets.ts';
import type { Actor } from '#api/services/access/audit.ts';
import type { SentCommand } from './charger-commands.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { commandCharger } from './operator-commands.ts';

/**
 * Gives the charger a new Basic password, which nobody else ever sees. The old one is good until the charger comes with
 * the new one: it may need a restart to take it. The gateway keeps the hashes of both.
 * @throws {DomainError} as `commandCharger` does.
 */
export function rotatePassword(deps: ServiceDeps, by: Actor, charger: ChargerRecord): Promise<SentCommand> {
  return commandCharger(deps, by, charger, { type: 'set-password', password: newChargerPassword() });
}
