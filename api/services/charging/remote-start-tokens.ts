import { randomBytes } from 'node:crypto';
import { authorizeToken } from '#shared/domain/charging/authorization.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { StartSite, TokenChoice } from '#shared/postgres/charging/remote-start-sites.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { insertIdToken } from '#shared/postgres/people/id-token-records.ts';
import {
  findAppToken,
  findLatestIdToken,
  type LatestIdToken,
} from '#shared/postgres/people/id-tokens.statements.ts';
import { lockUser } from '#shared/postgres/people/users.statements.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/** Token that a session is requested with. */
export interface ChargingToken {
  id: number;
  uid: string;
  /** Null: the token belongs to no driver. */
  userId: number | null;
  groupId: string | null;
}

/**
 * Returns the token to look up for a caller: the named one, else the calling driver's app token.
 * @throws {DomainError} VALIDATION_FAILED when an operator names none.
 */
export function tokenChoice({ userId }: Pick<Caller, 'userId'>, idTag: string | undefined): TokenChoice {
  if (idTag !== undefined) return { uid: idTag };
  if (userId !== null) return { userId };
  throw new DomainError('VALIDATION_FAILED', 'Invalid body: operators must specify idTag.', {
    errors: [{ field: 'idTag', message: 'is required of operators' }],
  });
}

/**
 * Returns the token to charge with at a site. A driver's named token must be their own. The app token of a driver is made the
 * first time.
 * @throws {DomainError} ID_TOKEN_NOT_FOUND for an unknown token and for another driver's, ID_TOKEN_BLOCKED.
 */
export async function tokenToChargeWith(
  deps: Pick<ServiceDeps, 'sql'>,
  by: Actor,
  { charger: { networkId }, token }: StartSite,
  idTag: string | undefined,
): Promise<ChargingToken> {
  const { userId } = by.caller;
  if (idTag !== undefined || userId === null) return requireToken(token, idTag, userId);
  return token === null ? ensureAppToken(deps, by, networkId, userId) : toChargingToken(token);
}

/**
 * Returns the token of a network with the uid that is meant. `userId`: the driver whose token it must be; null: any driver's.
 * @throws {DomainError} ID_TOKEN_NOT_FOUND, ID_TOKEN_BLOCKED.
 */
export function requireToken(
  token: LatestIdToken | null,
  idTag: string | undefined,
  userId: number | null,
): ChargingToken {
  if (token === null || token.isDeleted || (userId !== null && token.userId !== userId)) {
    throw new DomainError('ID_TOKEN_NOT_FOUND', `There is no token ${idTag} at this charger's network.`);
  }
  return toChargingToken({ ...token, uid: idTag ?? token.uid });
}

/**
 * Returns the token of a network for an operator's command, or null if the network has no such token: then the charger decides.
 * @throws {DomainError} ID_TOKEN_NOT_ACCEPTED for a known token that may not charge now.
 */
export async function findChargingToken(
  { sql }: Pick<ServiceDeps, 'sql'>,
  networkId: number,
  uid: string,
): Promise<LatestIdToken | null> {
  const token = await findLatestIdToken(sql, networkId, uid);
  if (token === null) return null;
  const { status } = authorizeToken(token.isDeleted ? null : token, new Date());
  if (status === 'Accepted') return token;
  throw new DomainError('ID_TOKEN_NOT_ACCEPTED', `The token ${uid} may not charge: ${status}.`, { status });
}

function ensureAppToken(
  { sql }: Pick<ServiceDeps, 'sql'>,
  by: Actor,
  networkId: number,
  userId: number,
): Promise<ChargingToken> {
  return sql.begin(async (transaction) => {
    // Of two concurrent starts the second finds the token of the first.
    const exists = await lockUser(transaction, userId);
    if (!exists) throw new DomainError('USER_NOT_FOUND', 'The driver was removed.');
    const made = await findAppToken(transaction, networkId, userId);
    return made === null ? makeAppToken(transaction, by, networkId, userId) : toChargingToken(made);
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
    // 20 characters, the maximum of OCPP 1.6 (CiString20Type). 64 random bits cannot be guessed at a card reader.
    uid: `APP-${randomBytes(8).toString('hex').toUpperCase()}`,
    type: 'APP_USER',
    isValid: true,
    expiresAt: null,
    visualNumber: null,
    issuer: null,
    contractId: null,
    groupId: null,
    // The token is used online only, so chargers need not cache it.
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
  return toChargingToken({ ...token, isDeleted: false });
}

function toChargingToken(token: LatestIdToken): ChargingToken {
  const { status } = authorizeToken(token, new Date());
  if (status === 'Accepted') return token;
  throw new DomainError('ID_TOKEN_BLOCKED', `The token ${token.uid} may not charge: ${status}.`, { status });
}
