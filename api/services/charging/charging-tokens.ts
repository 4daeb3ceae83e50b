import { randomBytes } from 'node:crypto';
import { authorizeToken } from '#shared/domain/charging/authorization.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { insertIdToken } from '#shared/postgres/people/id-token-records.ts';
import { findAppToken, findLatestIdToken, type IdTokenRecord } from '#shared/postgres/people/id-tokens.ts';
import { lockUser } from '#shared/postgres/people/users.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/** A token that a session is asked for with. */
export interface ChargingToken {
  id: number;
  uid: string;
  /** Null: it is nobody's. */
  userId: number | null;
  groupId: string | null;
}

/**
 * The token to charge with in a network: the named one, which must be the driver's own where a driver calls; else the
 * one of the driver's app, which is made the first time.
 * @throws {DomainError} ID_TOKEN_NOT_FOUND for an unknown token and for another's alike, ID_TOKEN_BLOCKED,
 * VALIDATION_FAILED when an operator names none.
 */
export async function tokenToChargeWith(
  deps: Pick<ServiceDeps, 'sql'>,
  by: Actor,
  networkId: number,
  idTag: string | undefined,
): Promise<ChargingToken> {
  const { userId } = by.caller;
  if (idTag === undefined) {
    if (userId !== null) return appToken(deps, by, networkId, userId);
    throw new DomainError('VALIDATION_FAILED', 'The body is wrong: idTag is required of operators.', {
      errors: [{ field: 'idTag', message: 'is required of operators' }],
    });
  }
  return namedToken(deps, networkId, idTag, userId);
}

/**
 * The token of a network with this uid; `userId`: whose it must be, null: anybody's.
 * @throws {DomainError} ID_TOKEN_NOT_FOUND, ID_TOKEN_BLOCKED.
 */
export async function namedToken(
  { sql }: Pick<ServiceDeps, 'sql'>,
  networkId: number,
  idTag: string,
  userId: number | null,
): Promise<ChargingToken> {
  const token = await findLatestIdToken(sql, networkId, idTag);
  if (token === null || token.isDeleted || (userId !== null && token.userId !== userId)) {
    throw new DomainError('ID_TOKEN_NOT_FOUND', `There is no token ${idTag} at this charger's network.`);
  }
  return accepted({ ...token, uid: idTag });
}

async function appToken(
  { sql }: Pick<ServiceDeps, 'sql'>,
  by: Actor,
  networkId: number,
  userId: number,
): Promise<ChargingToken> {
  const known = await findAppToken(sql, networkId, userId);
  if (known !== null) return accepted(known);
  return sql.begin(async (transaction) => {
    // Of two starts at once the second finds what the first made.
    const isThere = await lockUser(transaction, userId);
    if (!isThere) throw new DomainError('USER_NOT_FOUND', 'The driver was removed.');
    const made = await findAppToken(transaction, networkId, userId);
    return made === null ? makeAppToken(transaction, by, networkId, userId) : accepted(made);
  });
}

async function makeAppToken(
  transaction: Transaction,
  by: Actor,
  networkId: number,
  userId: number,
): Promise<ChargingToken> {
  const token = await insertIdToken(transaction, {
    networkId,
    userId,
    // 20 characters: an idToken of OCPP 1.6 has no more (CiString20Type). Nobody guesses 64 random bits at a card reader.
    uid: `APP-${randomBytes(8).toString('hex').toUpperCase()}`,
    type: 'APP_USER',
    isValid: true,
    expiresAt: null,
    visualNumber: null,
    issuer: null,
    contractId: null,
    groupId: null,
    // No charger keeps it for long: it is only ever used while we are there.
    whitelist: 'NEVER',
  });
  await auditChange(transaction, by, {
    networkId,
    category: 'id-token',
    action: 'create',
    resourceId: token.uuid,
    resourceName: token.uid,
    before: null,
    after: token,
  });
  return { id: token.id, uid: token.uid, userId, groupId: null };
}

function accepted(token: IdTokenRecord & { uid: string }): ChargingToken {
  const { status } = authorizeToken(token, new Date());
  if (status === 'Accepted') return token;
  throw new DomainError('ID_TOKEN_BLOCKED', `The token ${token.uid} may not charge: ${status}.`, { status });
}
