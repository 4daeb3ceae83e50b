import { DomainError } from '#shared/domain/kernel/errors.ts';
import { hashSecret, newMailToken } from '#shared/domain/kernel/secrets.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import {
  type DriverLogin,
  findDriverAccount,
  findDriverLogin,
  findLoginOfUser,
  findUnverifiedLogin,
  insertMailToken,
  removeMailTokens,
  removeUnverified,
  setDriverPassword,
  takePasswordReset,
} from '#shared/postgres/people/driver-accounts.ts';
import { driverLogins, holdPassword, revokeSessions } from '#shared/postgres/people/login-sessions.ts';
import { findUser, findUserByEmail, type UserRecord } from '#shared/postgres/people/users.statements.ts';
import { type Actor, audit } from '#api/services/access/audit.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import {
  callerOfDriver,
  notVerified,
  requireLogin,
  requireNotBlocked,
} from '#api/services/access/driver-callers.ts';
import { networkOfAccount } from './driver-networks.ts';
import { badMailToken, mailTokenMs } from './driver-registration.ts';
import { beginSession, type BegunSession, type DriverSession, withAccessToken } from './driver-sessions.ts';
import { countAttempt, countMail } from './login-attempts.ts';
import { queueMail } from '#api/services/mail/mails.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { deleteLockedUser } from './users.service.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';

/** Account name as drivers enter it. */
interface AccountName {
  email: string;
  /** Undefined: the network in which the address is known (`networkOfAccount`). */
  networkUuid: string | undefined;
}

/**
 * Begins a session. Neither the response nor its timing reveals whether the account exists. The password of a registration
 * begins a session of that registration, also where the address has a verified account: it opens nothing until the address
 * is verified.
 * @throws {DomainError} LOGIN_FAILED, EMAIL_NOT_VERIFIED, DRIVER_BLOCKED, RATE_LIMITED, VALIDATION_FAILED.
 */
export async function logIn(
  deps: ServiceDeps,
  { email, networkUuid, password }: AccountName & { password: string },
  ipAddress: string,
): Promise<DriverSession> {
  // Only the address is counted: requests may specify the network or omit it.
  await countAttempt(deps, 'driver-login', email, ipAddress);
  const network = await networkOfAccount(deps, email, networkUuid);
  const login =
    (await matching(password, await findDriverLogin(deps.sql, network.id, email))) ??
    (await matching(
      password,
      await findUnverifiedLogin(deps.sql, networkUuid === undefined ? null : network.id, email),
    ));
  const session = login === null ? null : await beginChecked(deps, login, ipAddress);
  if (session === null) {
    throw new DomainError('LOGIN_FAILED', 'The e-mail address or the password is wrong.');
  }
  return withAccessToken(deps, session);
}

/** Returns an account if this is its password, otherwise null; without an account after the same time. */
async function matching(password: string, login: DriverLogin | null): Promise<DriverLogin | null> {
  return (await isPassword(password, login?.passwordHash ?? null)) ? login : null;
}

/**
 * Begins a session of the account that a password was checked for; null: the account changed meanwhile.
 * @throws {DomainError} EMAIL_NOT_VERIFIED, DRIVER_BLOCKED.
 */
async function beginChecked(
  { sql }: ServiceDeps,
  login: DriverLogin,
  ipAddress: string,
): Promise<BegunSession | null> {
  return sql.begin(async (transaction) => {
    const isStillRight = await holdPassword(transaction, driverLogins, login);
    const account = isStillRight ? await findDriverAccount(transaction, login.uuid) : null;
    if (account === null) return null;
    requireNotBlocked(account);
    if (account.user === null && account.requiresVerifiedEmail) throw notVerified();
    return beginSession(transaction, account, ipAddress);
  });
}

/**
 * Sends an e-mail with which a new password can be chosen, to a driver with this address. For any other
 * address the work is the same, and nothing is sent.
 * @throws {DomainError} RATE_LIMITED, VALIDATION_FAILED.
 */
export async function forgotPassword(
  deps: ServiceDeps,
  { email, networkUuid }: AccountName,
  ipAddress: string,
): Promise<void> {
  const network = await networkOfAccount(deps, email, networkUuid);
  await countMail(deps, email, ipAddress);
  const token = newMailToken();
  const expiresAt = new Date(Date.now() + mailTokenMs.passwordReset);
  await deps.sql.begin(async (transaction) => {
    const user = await findUserByEmail(transaction, network.id, email);
    await insertMailToken(transaction, hashSecret(token), { purpose: 'reset-password', user }, expiresAt);
    const addressee = user ?? { networkId: network.id, email: null, language: null };
    await queueMail(deps, transaction, addressee, { kind: 'reset-password', token });
  });
}

/**
 * Sets a password by the token of an e-mail, and ends all sessions of the driver.
 * @throws {DomainError} MAIL_TOKEN_INVALID, RATE_LIMITED.
 */
export async function resetPassword(
  deps: ServiceDeps,
  { token, password }: { token: string; password: string },
  ipAddress: string,
): Promise<void> {
  // Attempts with tokens are counted like attempts with passwords.
  await countAttempt(deps, 'driver-login', token, ipAddress);
  const hash = await hashPassword(password);
  await deps.sql.begin(async (transaction) => {
    const reset = await takePasswordReset(transaction, hashSecret(token));
    if (reset === null) throw badMailToken();
    const user = await userOf(transaction, reset.uuid);
    const caller = callerOfDriver({ user, networkId: user.networkId }, null);
    await changeTo(deps, transaction, { caller, ipAddress }, user, hash, null);
    // What strangers registered with the address is of no use any more.
    await removeUnverified(transaction, user.networkId, user.email);
  });
}

/**
 * Changes the password of the calling driver, and ends the other sessions.
 * @throws {DomainError} DRIVER_LOGIN_REQUIRED, VALIDATION_FAILED, RATE_LIMITED.
 */
export async function changeDriverPassword(
  deps: ServiceDeps,
  by: Actor,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<void> {
  const { sessionId, uuid } = requireLogin(by.caller);
  const login = await requirePassword(deps, by, currentPassword, 'currentPassword');
  if (newPassword === currentPassword) throw wrongField('newPassword', 'must differ from the current one');
  const hash = await hashPassword(newPassword);
  await deps.sql.begin(async (transaction) => {
    const user = await userOf(transaction, uuid);
    await requireStillRight(transaction, login, 'currentPassword');
    await changeTo(deps, transaction, by, user, hash, sessionId);
  });
}

/**
 * Removes the calling driver: personal data is erased, and tokens charge no more.
 * @throws {DomainError} DRIVER_LOGIN_REQUIRED, USER_IN_USE, VALIDATION_FAILED, RATE_LIMITED.
 */
export async function deleteDriver(deps: ServiceDeps, by: Actor, password: string): Promise<void> {
  const { uuid } = requireLogin(by.caller);
  const login = await requirePassword(deps, by, password, 'password');
  await deps.sql.begin(async (transaction) => {
    // The user before the account, as who resets a password does.
    const user = await userOf(transaction, uuid);
    await requireStillRight(transaction, login, 'password');
    await deleteLockedUser(transaction, by, user);
  });
}

/** A token that was stolen must not be enough to take an account away. Answers what the password was checked against. */
async function requirePassword(
  deps: ServiceDeps,
  by: Actor,
  password: string,
  field: string,
): Promise<DriverLogin> {
  const { id, uuid } = requireLogin(by.caller);
  await countAttempt(deps, 'driver-login', uuid, by.ipAddress);
  const login = await findLoginOfUser(deps.sql, id);
  const isRight = await isPassword(password, login?.passwordHash ?? null);
  if (isRight && login !== null) return login;
  throw wrongField(field, 'is wrong');
}

/**
 * Checks that the password was not reset since it was verified, and locks it until the end of the
 * transaction.
 */
async function requireStillRight(transaction: Transaction, login: DriverLogin, field: string): Promise<void> {
  if (await holdPassword(transaction, driverLogins, login)) return;
  throw wrongField(field, 'is wrong');
}

/** Sets a password, ends all sessions but one, revokes e-mailed tokens, and notifies the driver. */
async function changeTo(
  deps: ServiceDeps,
  transaction: Transaction,
  by: Actor,
  user: UserRecord,
  hash: string,
  keptSession: string | null,
): Promise<void> {
  const accountId = await setDriverPassword(transaction, user, hash);
  await revokeSessions(transaction, driverLogins, accountId, keptSession);
  await removeMailTokens(transaction, user.id);
  await queueMail(deps, transaction, user, { kind: 'password-changed' });
  const action = keptSession === null ? 'reset-password' : 'change-password';
  await audit(transaction, by, {
    networkId: user.networkId,
    category: 'user',
    action,
    resourceId: user.uuid,
    resourceName: user.uuid,
    description: `user ${user.uuid}: ${action}`,
    details: {},
  });
}

async function userOf(transaction: Transaction, uuid: string): Promise<UserRecord> {
  const user = await findUser(transaction, { networks: allNetworks, userId: null }, uuid, true);
  if (user === null) throw new DomainError('USER_NOT_FOUND', 'The driver was removed.');
  return user;
}
