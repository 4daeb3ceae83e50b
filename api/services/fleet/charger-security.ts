import { DomainError } from '#shared/domain/kernel/errors.ts';
import { isChargerNameTaken } from '#shared/postgres/fleet/charger-records.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import type { NetworkRecord } from '#shared/postgres/fleet/networks.statements.ts';

/**
 * Security profile 0 is for networks that allow it.
 * @throws {DomainError} VALIDATION_FAILED.
 */
export function requireAllowedProfile(network: NetworkRecord, securityProfile: number): void {
  if (securityProfile !== 0 || network.allowsUnauthenticatedChargers) return;
  throw new DomainError(
    'VALIDATION_FAILED',
    `The network ${network.uuid} refuses chargers without authentication: securityProfile must be 1, 2 or 3.`,
    { errors: [{ field: 'securityProfile', message: 'must not be 0 in this network' }] },
  );
}

/**
 * Locks the uid and certificate name of a charger until the end of the transaction. Each stands for one
 * charger over all networks, so that no charger connects as another.
 * @param chargerId the charger that may have a name already; null for a new one.
 * @throws {DomainError} CHARGER_EXISTS.
 */
export async function requireFreeNames(
  transaction: Transaction,
  chargerId: number | null,
  names: (string | null)[],
): Promise<void> {
  const given = names.filter((name) => name !== null);
  if (given.length > 0 && (await isChargerNameTaken(transaction, chargerId, given))) {
    throw new DomainError(
      'CHARGER_EXISTS',
      'A charger with this serial or certificateCommonName is registered already.',
    );
  }
}
