import type { CommandResult } from '#shared/domain/commands/commands.ts';
import type { Actor } from '#api/services/access/audit.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { chargingToken } from './known-token.ts';
import { remoteStart } from './remote-control.ts';
import type { WantedLimits } from './session-limits.ts';
import { startOnHold } from './start-holds.ts';

/**
 * Asks a charger for a session in an operator's name. A driver's token is charged to that driver, as if the driver had asked:
 * the network's minimum balance is held.
 * @throws {DomainError} ID_TOKEN_NOT_ACCEPTED, BALANCE_TOO_LOW, and what `remoteStart` throws.
 */
export async function startForOperator(
  deps: ServiceDeps,
  by: Actor,
  charger: ChargerRecord,
  wanted: { idTag: string; connectorNumber: number | null; limits: WantedLimits },
): Promise<CommandResult> {
  const { networkId } = charger;
  const userId = (await chargingToken(deps, networkId, wanted.idTag))?.userId ?? null;
  if (userId === null) return remoteStart(deps, by, charger, wanted);
  return startOnHold(deps, { userId, networkId }, (hold) =>
    remoteStart(deps, by, charger, { ...wanted, hold }),
  );
}
