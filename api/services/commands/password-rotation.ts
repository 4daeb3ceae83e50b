import { newChargerPassword } from '#shared/domain/kernel/secrets.ts';
import type { Actor } from '#api/services/access/audit.ts';
import type { SentCommand } from './charger-commands.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { commandCharger } from './operator-commands.ts';

/**
 * Gives the charger a new Basic password, which is never shown. The old one stays valid until the charger
 * uses the new one: it may need a restart for that. The gateway keeps the hashes of both.
 * @throws {DomainError} as `commandCharger` does.
 */
export function rotatePassword(deps: ServiceDeps, by: Actor, charger: ChargerRecord): Promise<SentCommand> {
  return commandCharger(deps, by, charger, { type: 'set-password', password: newChargerPassword() });
}
