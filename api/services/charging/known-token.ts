import { authorizeToken } from '#shared/domain/charging/authorization.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { findLatestIdToken, type IdTokenRecord } from '#shared/postgres/people/id-tokens.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/**
 * The token of a network that something is to be done with at a charger; null: nobody knows it, and it is for the charger
 * to ask.
 * @throws {DomainError} ID_TOKEN_NOT_ACCEPTED for one that is known and may not charge now.
 */
export async function chargingToken(
  { sql }: Pick<ServiceDeps, 'sql'>,
  networkId: number,
  uid: string,
): Promise<IdTokenRecord | null> {
  const token = await findLatestIdToken(sql, networkId, uid);
  if (token === null) return null;
  const { status } = authorizeToken(token.isDeleted ? null : token, new Date());
  if (status === 'Accepted') return token;
  throw new DomainError('ID_TOKEN_NOT_ACCEPTED', `The token ${uid} may not charge: ${status}.`, { status });
}
