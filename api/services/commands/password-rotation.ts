import { newChargerPassword } from '#shared/domain/kernel/secrets.ts';
import type { Actor } from '#api/services/access/audit.ts';
import { send, type SentCommand } from './send.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/**
 * Gives the charger a new Basic password, which is never shown. The old one stays valid until the charger
 * uses the new one: it may need a restart for that. The gateway keeps the hashes of both.
 * @throws {DomainError} as `send` does.
 */
export function rotatePassword(deps: ServiceDeps, by: Actor, charger: ChargerRecord): Promise<SentCommand> {
  return send(deps, by, charger, { type: 'set-password', password: newChargerPassword() });
}
