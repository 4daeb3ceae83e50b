import { requireDriver, type Caller, requireOperator } from '#api/services/access/callers.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { DriverOrder } from '#shared/domain/people/driver-order.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import { toMajor } from '#shared/pricing/money.ts';
import { type Transaction, violates } from '#shared/postgres/kernel/client.ts';
import { giveUpMailsTo } from '#shared/postgres/mail/mails.ts';
import { removeUnverified } from '#shared/postgres/people/driver-accounts.ts';
import { revokeSessionsOfDriver } from '#shared/postgres/people/login-sessions.ts';
import {
  findUser,
  findUserById,
  findUserWithUsage,
  insertUser,
  listTies,
  listUsers,
  listUsersInOrder,
  readUserUsage,
  type UserUsage,
  removeUser,
  type UserDetails,
  type UserRecord,
  updateUser,
  userEmailKey,
} from '#shared/postgres/people/users.statements.ts';
import { type Actor, auditChange, type OwnActor, withoutPersonalData } from '#api/services/access/audit.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import { defined, requireVersion } from '#api/services/kernel/edits.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { blockTokensOfUser, invalidateTokensOfUser } from './id-tokens.service.ts';
import { keepNetwork, networkForNew, networksOfCall } from '#api/services/access/networks.service.ts';

export type { UserRecord } from '#shared/postgres/people/users.statements.ts';

/** Required fields of a new driver; the rest is null. */
export type NewUser = Partial<UserDetails> & Pick<UserDetails, 'email' | 'name'>;

/** Fields of a driver that an operator can change. */
type UserChange = Partial<UserDetails & Pick<UserRecord, 'isBlocked'>>;

/** Energy and cost of a driver's sessions so far. */
export interface UserStatistics {
  sessionCount: number;
  activeSessionCount: number;
  energyWh: number;
  /** With VAT, of the sessions that ended; one for each currency. */
  totalCosts: { currency: string; totalInclVat: number }[];
  lastSessionAt: Date | null;
}

export interface UserWithStatistics {
  user: UserRecord;
  statistics: UserStatistics;
}

/**
 * One page of the drivers of the caller's networks.
 * @throws {DomainError} OPERATOR_KEY_REQUIRED.
 */
export async function pageUsers(
  { sql }: ServiceDeps,
  caller: Caller,
  search: string | undefined,
  page: PageRequest,
): Promise<Page<UserRecord>> {
  requireOperator(caller);
  return listUsers(sql, caller.networks, search, page);
}

/**
 * Returns one page of the drivers of the caller's networks, or of the one that the call names, in an order.
 * @throws {DomainError} NETWORK_NOT_FOUND.
 */
export async function listOperatorUsers(
  deps: ServiceDeps,
  caller: Caller,
  filter: { networkUuid: string | undefined; search: string | undefined },
  order: DriverOrder,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: UserRecord[]; nextCursor: string | null }> {
  const after = decodeIdCursor(cursor);
  const networks = await networksOfCall(deps, caller, filter.networkUuid);
  return cutById(
    await listUsersInOrder(deps.sql, networks, filter.search, order, { after, limit: limit + 1 }),
    limit,
  );
}

/**
 * Returns a driver with what was charged; a driver's key sees its own.
 * @throws {DomainError} USER_NOT_FOUND.
 */
export async function readUser(
  { sql }: ServiceDeps,
  caller: Caller,
  uuid: string,
): Promise<UserWithStatistics> {
  const found = await findUserWithUsage(sql, caller, uuid);
  if (found === null) throw noUser(uuid);
  const { usage, ...user } = found;
  return { user, statistics: summed(usage) };
}

/**
 * Makes a driver.
 * @param networkField what the caller names the network by.
 * @throws {DomainError} OPERATOR_KEY_REQUIRED, NETWORK_NOT_FOUND, USER_EXISTS, VALIDATION_FAILED.
 */
export async function createUser(
  deps: ServiceDeps,
  by: Actor,
  network: { uuid: string | undefined; field: string },
  { email, name, phone = null, language = null, externalId = null }: NewUser,
): Promise<UserWithStatistics> {
  requireOperator(by.caller);
  const into = await networkForNew(deps, by.caller, network.uuid, network.field);
  const details = { email, name, phone, language, externalId };
  return keepingEmailsUnique(email, () =>
    deps.sql.begin(async (transaction) => {
      await keepNetwork(transaction, into);
      const user = await insertUser(transaction, into.id, details);
      await auditUser(transaction, by, 'create', null, user);
      return { user, statistics: summed([]) };
    }),
  );
}

/**
 * Changes fields of a driver; undefined fields stay. A driver that is blocked cannot start a session and is signed out; running
 * sessions continue.
 * @throws {DomainError} OPERATOR_KEY_REQUIRED, USER_NOT_FOUND, USER_EXISTS, PRECONDITION_FAILED.
 */
export async function changeUser(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
  change: UserChange,
): Promise<UserWithStatistics> {
  requireOperator(by.caller);
  return applyChange({ sql }, by, uuid, expected, change);
}

/**
 * Changes the calling driver's own fields; undefined fields stay. The address identifies the account, so the
 * driver cannot change it.
 * @throws {DomainError} DRIVER_KEY_REQUIRED, USER_NOT_FOUND.
 */
export async function changeOwnUser(
  { sql }: ServiceDeps,
  by: Actor,
  change: Partial<Pick<UserDetails, 'name' | 'phone' | 'language'>>,
): Promise<UserRecord> {
  const { uuid } = await readOwnUser({ sql }, by.caller);
  return (await applyChange({ sql }, by, uuid, null, change)).user;
}

/**
 * Returns the calling driver.
 * @throws {DomainError} DRIVER_KEY_REQUIRED, USER_NOT_FOUND.
 */
export async function readOwnUser({ sql }: Pick<ServiceDeps, 'sql'>, caller: Caller): Promise<UserRecord> {
  const user = await findUserById(sql, requireDriver(caller));
  if (user === null) throw new DomainError('USER_NOT_FOUND', 'The driver of this key was removed.');
  return user;
}

async function applyChange(
  { sql }: Pick<ServiceDeps, 'sql'>,
  by: Actor,
  uuid: string,
  expected: number | null,
  change: UserChange,
): Promise<UserWithStatistics> {
  return keepingEmailsUnique(change.email, () =>
    sql.begin(async (transaction) => {
      const before = found(await findUser(transaction, by.caller, uuid, true), uuid);
      requireVersion(before, expected);
      const user = await updateUser(transaction, before.id, { ...before, ...defined(change) });
      if (user.isBlocked !== before.isBlocked) await applyBlock(transaction, user);
      await auditUser(transaction, by, 'update', before, user);
      return { user, statistics: summed(await readUserUsage(transaction, user.id)) };
    }),
  );
}

/** Blocks the tokens of a driver and ends its sign-ins, or releases the tokens. */
async function applyBlock(transaction: Transaction, { id, isBlocked }: UserRecord): Promise<void> {
  await blockTokensOfUser(transaction, id, isBlocked);
  if (isBlocked) await revokeSessionsOfDriver(transaction, id);
}

/**
 * Removes a driver: personal data is erased, tokens charge no more, keys are revoked; sessions and money
 * stay, without a name.
 * @throws {DomainError} USER_NOT_FOUND, USER_IN_USE, PRECONDITION_FAILED.
 */
export async function deleteUser(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
): Promise<void> {
  await sql.begin(async (transaction) => {
    const before = found(await findUser(transaction, by.caller, uuid, true), uuid);
    requireVersion(before, expected);
    await deleteLockedUser(transaction, by, before);
  });
}

/** Removes a driver who is locked. @throws {DomainError} USER_IN_USE. */
export async function deleteLockedUser(
  transaction: Transaction,
  by: Actor | OwnActor,
  user: UserRecord,
): Promise<void> {
  const ties = await listTies(transaction, user.id);
  if (ties.isCharging) {
    throw new DomainError(
      'USER_IN_USE',
      'The driver is charging, or has a reservation: stop the session or cancel the reservation first.',
    );
  }
  if (ties.hasMoney) {
    throw new DomainError(
      'USER_IN_USE',
      'The wallet of the driver is not empty: pay out or settle it first.',
    );
  }
  await invalidateTokensOfUser(transaction, user.id);
  await removeUser(transaction, user.id);
  await removeUnverified(transaction, user.networkId, user.email);
  await giveUpMailsTo(transaction, user.networkId, user.email);
  await auditUser(transaction, by, 'delete', user, null);
}

function summed(usage: readonly UserUsage[]): UserStatistics {
  const last = usage.map(({ lastStartedAt }) => lastStartedAt.getTime());
  return {
    sessionCount: usage.reduce((sum, { sessions }) => sum + sessions, 0),
    activeSessionCount: usage.reduce((sum, { running }) => sum + running, 0),
    energyWh: usage.reduce((sum, { energyWh }) => sum + energyWh, 0),
    totalCosts: usage.map(({ currency, costMinor }) => ({
      currency,
      totalInclVat: toMajor(costMinor, currency),
    })),
    lastSessionAt: last.length === 0 ? null : new Date(Math.max(...last)),
  };
}

async function keepingEmailsUnique<T>(email: string | undefined, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!violates(error, userEmailKey)) throw error;
    throw new DomainError('USER_EXISTS', `The network has a user with the e-mail ${email} already.`);
  }
}

/** Fields of a driver that are personal data. */
const personal = ['email', 'name', 'phone', 'externalId'] as const;

/**
 * Records the changed fields of a driver without their values: the audit log is never changed, and personal
 * data must be erasable.
 */
export function auditUser(
  transaction: Transaction,
  by: Actor | OwnActor,
  action: string,
  before: UserRecord | null,
  after: UserRecord | null,
): Promise<void> {
  const user = before ?? after;
  if (user === null) throw new Error('a change of a missing driver');
  return auditChange(transaction, by, {
    networkId: user.networkId,
    category: 'user',
    action,
    resourceId: user.uuid,
    resourceName: user.uuid,
    before: before && withoutPersonalData(before, personal, null),
    after: after && withoutPersonalData(after, personal, before),
  });
}

function found(user: UserRecord | null, uuid: string): UserRecord {
  if (user === null) throw noUser(uuid);
  return user;
}

function noUser(uuid: string): DomainError {
  return new DomainError('USER_NOT_FOUND', `There is no user ${uuid}.`);
}
