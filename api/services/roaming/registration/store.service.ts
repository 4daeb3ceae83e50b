import { judgeRoles, notGranted } from '#api/services/roaming/granted-parties.ts';
import type { CredentialsRole } from '#shared/domain/roaming/ocpi.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { queueResync } from '#shared/postgres/roaming/ocpi-changes.ts';
import {
  findPartnerById,
  type Registration,
  storeRegistration,
} from '#shared/postgres/roaming/ocpi-partners.statements.ts';

/**
 * Stores the registration of a partner, regardless of which side began the handshake.
 * @param shownHash of our token that the handshake was made with.
 * @returns false when that token is not valid any more: another registration was stored.
 * @throws {DomainError} OCPI_PARTY_NOT_GRANTED: the operator withdrew a party during the handshake.
 */
export async function storePartner(
  transaction: Transaction,
  partner: { id: number; networkId: number },
  shownHash: Buffer,
  agreed: Registration,
): Promise<boolean> {
  if (!(await storeRegistration(transaction, partner.id, shownHash, agreed))) return false;
  await requireStillGranted(transaction, partner.id, agreed.roles);
  // All else it reads for itself; of its CDRs we know which it was never seen to have.
  await queueResync(transaction, partner, ['cdrs'], null);
  return true;
}

async function requireStillGranted(
  transaction: Transaction,
  partnerId: number,
  roles: readonly CredentialsRole[],
): Promise<void> {
  const partner = await findPartnerById(transaction, partnerId);
  if (partner === null) return;
  const { refused } = await judgeRoles(transaction, partner, roles);
  if (refused.length > 0) throw notGranted(refused);
}
