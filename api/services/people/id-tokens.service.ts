import { authorizeToken } from '#shared/domain/charging/authorization.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { TokenOrder } from '#shared/domain/people/token-order.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import type { AuthorizationStatus, IdTokenType } from '#shared/domain/charging/session.ts';
import { type Queryable, type Transaction, violates } from '#shared/postgres/kernel/client.ts';
import {
  anonymizeTokensOfUser,
  findIdTokenDetails,
  findNamedIdToken,
  type IdTokenDetailRecord,
  type IdTokenDetails,
  type IdTokenFilter,
  type IdTokenScope,
  idTokenUidKey,
  insertIdToken,
  listIdTokens,
  listIdTokensInOrder,
  lockTokensOfUser,
  removeIdToken,
  setDriverBlocked,
  updateIdToken,
} from '#shared/postgres/people/id-token-records.ts';
import { removeReservationsOfTokens } from '#shared/postgres/charging/reservation-records.ts';
import {
  countTokenHolders,
  queueTokenChanges,
  type TokenHolders,
} from '#shared/postgres/commands/token-holders.ts';
import { findUser, findUserById, lockUser } from '#shared/postgres/people/users.statements.ts';
import { type Actor, auditChange, withoutPersonalData } from '#api/services/access/audit.ts';
import { type Caller, requireOperator } from '#api/services/access/callers.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import { defined, requireVersion } from '#api/services/kernel/edits.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { networkForNew, networksOfCall } from '#api/services/access/networks.service.ts';

export type { IdTokenDetailRecord } from '#shared/postgres/people/id-token-records.ts';

/** Fields of a new token: optional ones and required ones. */
export type NewIdToken = Partial<IdTokenDetails> & {
  uid: string;
  type: IdTokenType;
  /** Null: no driver. */
  userUuid: string | null;
};

/** Fields of a token that a caller can change. */
type IdTokenChange = Partial<IdTokenDetails> & { userUuid?: string | null };

/** Token with the name of its driver. */
export interface IdTokenOfDriver extends IdTokenDetailRecord {
  /** Null: no driver. */
  driverName: string | null;
}

/** Token, and the chargers that still hold an earlier state of it. */
export interface IdTokenWithHolders {
  token: IdTokenOfDriver;
  holders: TokenHolders;
}

/** Returns the status that a charger receives for a token now. Invalid: it was invalidated permanently. */
export function statusOfToken(token: IdTokenDetailRecord): AuthorizationStatus {
  return authorizeToken(token.deletedAt === null ? token : null, new Date()).status;
}

/** One page of the tokens of the caller's networks, those invalidated for good among them; a driver's key sees its own. */
export async function pageIdTokens(
  { sql }: ServiceDeps,
  caller: Caller,
  filter: IdTokenFilter,
  page: PageRequest,
): Promise<Page<IdTokenDetailRecord>> {
  return listIdTokens(sql, everSeenBy(caller), filter, page);
}

/**
 * Returns a token, also one that was invalidated permanently.
 * @throws {DomainError} ID_TOKEN_NOT_FOUND.
 */
export async function readAnyIdToken(
  { sql }: ServiceDeps,
  caller: Caller,
  uuid: string,
): Promise<IdTokenDetailRecord> {
  const token = await findIdTokenDetails(sql, everSeenBy(caller), uuid);
  if (token === null) throw noToken(uuid);
  return token;
}

/**
 * Returns one page of the tokens of the caller's networks, or of the one that the call names, in an order.
 * @throws {DomainError} NETWORK_NOT_FOUND.
 */
export async function listOperatorIdTokens(
  deps: ServiceDeps,
  caller: Caller,
  { networkUuid, ...filter }: IdTokenFilter & { networkUuid: string | undefined },
  order: TokenOrder,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: IdTokenOfDriver[]; nextCursor: string | null }> {
  const after = decodeIdCursor(cursor);
  const networks = await networksOfCall(deps, caller, networkUuid);
  const scope = { networks, userId: caller.userId, withDeleted: false };
  const slice = { after, limit: limit + 1 };
  return cutById(await listIdTokensInOrder(deps.sql, scope, filter, order, slice), limit);
}

/**
 * Returns a token with the chargers that hold an outdated state of it.
 * @throws {DomainError} ID_TOKEN_NOT_FOUND.
 */
export async function readIdToken(
  { sql }: ServiceDeps,
  caller: Caller,
  uuid: string,
): Promise<IdTokenWithHolders> {
  const found = await findNamedIdToken(sql, caller, uuid);
  if (found === null) throw noToken(uuid);
  const { chargersMustForget, ...token } = found;
  const holders = chargersMustForget ? await countTokenHolders(sql, token.id) : { chargers: 0, offline: 0 };
  return { token, holders };
}

/**
 * Makes a token.
 * @param networkField what the caller names the network by.
 * @throws {DomainError} OPERATOR_KEY_REQUIRED, NETWORK_NOT_FOUND, USER_NOT_FOUND, ID_TOKEN_EXISTS, VALIDATION_FAILED.
 */
export async function createIdToken(
  deps: ServiceDeps,
  by: Actor,
  network: { uuid: string | undefined; field: string },
  { uid, type, userUuid, ...given }: NewIdToken,
): Promise<IdTokenOfDriver> {
  requireOperator(by.caller);
  const user = userUuid === null ? null : await userOf(deps.sql, by.caller, userUuid);
  const networkId = await networkOfNew(deps, by.caller, network, user);
  const details = { ...defaults, ...defined(given) };
  try {
    return await deps.sql.begin(async (transaction) => {
      if (user !== null) await keepUser(transaction, user);
      const token = await insertIdToken(transaction, {
        ...details,
        networkId,
        userId: user?.id ?? null,
        uid,
        type,
      });
      await auditToken(transaction, by, 'create', null, token);
      return { ...token, driverName: user?.name ?? null };
    });
  } catch (error) {
    if (!violates(error, idTokenUidKey)) throw error;
    throw new DomainError('ID_TOKEN_EXISTS', `The network has a token ${uid} already.`);
  }
}

/**
 * Changes a token; what is undefined stays. A token that may charge less than before is forgotten by the chargers that
 * hold it.
 * @throws {DomainError} ID_TOKEN_NOT_FOUND, USER_NOT_FOUND, PRECONDITION_FAILED.
 */
export async function changeIdToken(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
  { userUuid, ...change }: IdTokenChange,
): Promise<IdTokenWithHolders> {
  return sql.begin(async (transaction) => {
    const user =
      userUuid === undefined || userUuid === null ? null : await userOf(transaction, by.caller, userUuid);
    // Before the token, as the removal of a driver locks them: neither waits for the other in a circle.
    if (user !== null) await keepUser(transaction, user);
    const before = found(await findIdTokenDetails(transaction, seenBy(by.caller), uuid, true), uuid);
    requireVersion(before, expected);
    if (user !== null && user.networkId !== before.networkId) throw noUser(user.uuid);
    const userId = userUuid === undefined ? before.userId : (user?.id ?? null);
    const token = await updateIdToken(transaction, before.id, { ...before, ...defined(change), userId });
    if (mayLess(before, token)) await queueTokenChanges(transaction, [token.id]);
    const { status } = authorizeToken(token, new Date());
    if (status !== 'Accepted') await removeReservationsOfTokens(transaction, [token.id]);
    await auditToken(transaction, by, 'update', before, token);
    const driver = user ?? (userId === null ? null : await findUserById(transaction, userId));
    return {
      token: { ...token, driverName: driver?.name ?? null },
      holders: await countTokenHolders(transaction, token.id),
    };
  });
}

/**
 * Invalidates a token permanently: no charger authorizes it from its next request on, and chargers that hold
 * it are updated. A repetition changes nothing. A driver's own blocked token can only be invalidated by the
 * operator: otherwise the app would get another one for it.
 * @throws {DomainError} ID_TOKEN_NOT_FOUND, ID_TOKEN_BLOCKED, PRECONDITION_FAILED.
 */
export async function invalidateIdToken(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
): Promise<{ holders: TokenHolders; wasValid: boolean }> {
  return sql.begin(async (transaction) => {
    const before = found(await findIdTokenDetails(transaction, everSeenBy(by.caller), uuid, true), uuid);
    requireVersion(before, expected);
    const wasValid = before.deletedAt === null;
    if (wasValid) {
      if (by.caller.userId !== null) requireUsable(before);
      await removeIdToken(transaction, before.id);
      await revokeTokens(transaction, [before.id]);
      await auditToken(transaction, by, 'delete', before, null);
    }
    return { wasValid, holders: await countTokenHolders(transaction, before.id) };
  });
}

/** Invalidates the tokens of a driver who is removed, and takes off them what names a person or a contract. */
export async function invalidateTokensOfUser(transaction: Transaction, userId: number): Promise<void> {
  const tokens = await lockTokensOfUser(transaction, userId);
  for (const { id } of tokens) await removeIdToken(transaction, id);
  await revokeTokens(
    transaction,
    tokens.map(({ id }) => id),
  );
  await anonymizeTokensOfUser(transaction, userId);
}

/** Updates the chargers that hold tokens that may not charge any more, and removes the reservations for them. */
async function revokeTokens(transaction: Transaction, tokenIds: number[]): Promise<void> {
  await queueTokenChanges(transaction, tokenIds);
  await removeReservationsOfTokens(transaction, tokenIds);
}

/** Blocks the tokens of a driver who is blocked, and updates the chargers that hold them; or releases the tokens. */
export async function blockTokensOfUser(
  transaction: Transaction,
  userId: number,
  isBlocked: boolean,
): Promise<void> {
  const tokens = await setDriverBlocked(transaction, userId, isBlocked);
  if (!isBlocked) return;
  await revokeTokens(
    transaction,
    tokens.map(({ id }) => id),
  );
}

const defaults: IdTokenDetails = {
  isValid: true,
  expiresAt: null,
  visualNumber: null,
  issuer: null,
  contractId: null,
  groupId: null,
  whitelist: 'ALLOWED',
};

const lastsUntil = ({ expiresAt }: IdTokenDetails) => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;

/**
 * Returns whether a change restricts a token, so that chargers with the earlier state would wrongly authorize
 * it.
 */
function mayLess(before: IdTokenDetailRecord, after: IdTokenDetailRecord): boolean {
  return (
    (before.isValid && !after.isValid) ||
    (!before.isDriverBlocked && after.isDriverBlocked) ||
    lastsUntil(after) < lastsUntil(before) ||
    (before.groupId !== null && before.groupId !== after.groupId) ||
    (before.whitelist !== 'NEVER' && after.whitelist === 'NEVER')
  );
}

const seenBy = ({ networks, userId }: Caller): IdTokenScope => ({ networks, userId, withDeleted: false });
const everSeenBy = ({ networks, userId }: Caller): IdTokenScope => ({ networks, userId, withDeleted: true });

async function userOf(sql: Queryable, caller: Caller, uuid: string) {
  const user = await findUser(sql, caller, uuid);
  if (user === null) throw noUser(uuid);
  return user;
}

/** The removal of a driver invalidates the tokens that are there: none may come after it. */
async function keepUser(transaction: Transaction, user: { id: number; uuid: string }): Promise<void> {
  if (!(await lockUser(transaction, user.id))) throw noUser(user.uuid);
}

function noUser(uuid: string): DomainError {
  return new DomainError('USER_NOT_FOUND', `There is no user ${uuid} in the network of the token.`);
}

/** The network of a new token: the named one, else its driver's, else the caller's only one. */
async function networkOfNew(
  deps: ServiceDeps,
  caller: Caller,
  { uuid, field }: { uuid: string | undefined; field: string },
  user: { uuid: string; networkId: number } | null,
): Promise<number> {
  if (uuid === undefined && user !== null) return user.networkId;
  const { id } = await networkForNew(deps, caller, uuid, field);
  if (user !== null && user.networkId !== id) throw noUser(user.uuid);
  return id;
}

/** Fields of a token that name a contract or its holder. */
const personal = ['visualNumber', 'contractId'] as const;

function auditToken(
  transaction: Transaction,
  by: Actor,
  action: string,
  before: IdTokenDetailRecord | null,
  after: IdTokenDetailRecord | null,
): Promise<void> {
  const token = before ?? after;
  if (token === null) throw new Error('a change of no token');
  const { networkId, uuid, uid } = token;
  return auditChange(transaction, by, {
    networkId,
    category: 'id-token',
    action,
    resourceId: uuid,
    resourceName: uid,
    before: before && withoutPersonalData(before, personal, null),
    after: after && withoutPersonalData(after, personal, before),
  });
}

function requireUsable(token: IdTokenDetailRecord): void {
  const status = statusOfToken(token);
  if (status === 'Accepted') return;
  throw new DomainError('ID_TOKEN_BLOCKED', `Only the operator can invalidate this token: ${status}.`, {
    status,
  });
}

function found(token: IdTokenDetailRecord | null, uuid: string): IdTokenDetailRecord {
  if (token === null) throw noToken(uuid);
  return token;
}

function noToken(uuid: string): DomainError {
  return new DomainError('ID_TOKEN_NOT_FOUND', `There is no token ${uuid}.`);
}
