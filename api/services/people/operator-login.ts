import { DomainError } from '#shared/domain/kernel/errors.ts';
import { hashSecret, newRefreshToken } from '#shared/domain/kernel/secrets.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import {
  holdPassword,
  insertRefreshToken,
  insertSession,
  operatorLogins,
  revokeSession,
  useRefreshToken,
} from '#shared/postgres/people/login-sessions.ts';
import { endSessions } from '#shared/postgres/people/browser-sessions.statements.ts';
import {
  findOperatorLogin,
  findPasswordHash,
  setPasswordHash,
} from '#shared/postgres/people/operator-logins.ts';
import { findOperator, type OperatorRecord } from '#shared/postgres/people/operators.statements.ts';
import type { Actor } from '#api/services/access/audit.ts';
import { auditLogin } from '#api/services/access/login-audit.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { callerOfOperator } from '#api/services/access/operator-callers.ts';
import { accessTokenSeconds, signAccessToken } from '#api/services/access/access-tokens.ts';
import { hashPassword, isPassword } from './passwords.ts';
import type { FactorAnswer, UsedFactor } from './factor-answers.ts';
import { countAttempt } from './login-attempts.ts';
import { answerChallenge, challengeOperator, type LoggedIn } from './login-challenges.service.ts';
import { requireOwnPassword } from './own-password.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';

/** From the login until it must be done again, however often the session is renewed. */
const sessionMs = 30 * 24 * 3_600_000;

/** Response to a login or a renewal. */
export interface Session {
  accessToken: string;
  /** Validity of the access token in seconds. */
  expiresIn: number;
  refreshToken: string;
  refreshExpiresAt: Date;
  operator: OperatorRecord;
}

/**
 * Begins a session, or requests the second factor of the account. Neither the response nor its timing reveals whether the
 * account exists.
 * @throws {DomainError} LOGIN_FAILED, RATE_LIMITED.
 */
export async function logIn(
  deps: ServiceDeps,
  sent: { email: string; password: string },
  ipAddress: string,
): Promise<LoggedIn<Session>> {
  const result = await withPassword(deps, sent, ipAddress, (transaction, operator) =>
    insertTokens(transaction, operator, ipAddress, null),
  );
  return result.kind === 'begun' ? { ...result, session: await sessionOf(deps, result.session) } : result;
}

/**
 * Begins a session with the second factor of an account.
 * @throws {DomainError} LOGIN_CHALLENGE_INVALID, SECOND_FACTOR_FAILED, RATE_LIMITED.
 */
export async function logInWithFactor(
  deps: ServiceDeps,
  sent: { challenge: string } & FactorAnswer,
  ipAddress: string,
): Promise<Session> {
  const tokens = await answerChallenge(deps, sent, ipAddress, (transaction, operator, used) =>
    insertTokens(transaction, operator, ipAddress, used),
  );
  return sessionOf(deps, tokens);
}

async function insertTokens(
  transaction: Transaction,
  operator: OperatorRecord,
  ipAddress: string,
  secondFactor: UsedFactor | null,
): Promise<SessionTokens> {
  const refreshToken = newRefreshToken();
  const refreshExpiresAt = new Date(Date.now() + sessionMs);
  const { id } = await insertSession(transaction, operatorLogins, {
    accountId: operator.id,
    ipAddress,
    tokenHash: hashSecret(refreshToken),
    expiresAt: refreshExpiresAt,
  });
  await note(transaction, operator, ipAddress, 'login', id, secondFactor);
  return { operator, sessionId: id, refreshToken, refreshExpiresAt };
}

/**
 * Counts an attempt to log in and checks the password. Begins a session of its account with `begin`, or requests the second
 * factor of the account, in a transaction that holds the password: no session begins after a change of it.
 * @throws {DomainError} LOGIN_FAILED, RATE_LIMITED.
 */
export async function withPassword<T>(
  deps: ServiceDeps,
  { email, password }: { email: string; password: string },
  ipAddress: string,
  begin: (transaction: Transaction, operator: OperatorRecord) => Promise<T>,
): Promise<LoggedIn<T>> {
  await countAttempt(deps, 'login', email, ipAddress);
  const login = await findOperatorLogin(deps.sql, email);
  const isRight = await isPassword(password, login?.passwordHash ?? null);
  if (!isRight || login === null) throw loginFailed();
  return deps.sql.begin(async (transaction): Promise<LoggedIn<T>> => {
    const isStillRight = await holdPassword(transaction, operatorLogins, login);
    const operator = isStillRight ? await findOperator(transaction, { all: true }, login.uuid) : null;
    if (operator === null || operator.isDisabled) throw loginFailed();
    if (operator.hasSecondFactor) {
      return { kind: 'challenged', challenge: await challengeOperator(deps, transaction, operator) };
    }
    return { kind: 'begun', session: await begin(transaction, operator) };
  });
}

function loginFailed(): DomainError {
  return new DomainError('LOGIN_FAILED', 'The e-mail address or the password is wrong.');
}

/**
 * Renews a session by its refresh token, which is used up: the answer has the next one.
 * @throws {DomainError} TOKEN_INVALID for one that is unknown, ended or was used before; the latter ends the session.
 */
export async function renew(deps: ServiceDeps, refreshToken: string, ipAddress: string): Promise<Session> {
  const next = newRefreshToken();
  const renewed = await deps.sql.begin(async (transaction) => {
    const session = await useRefreshToken(transaction, operatorLogins, hashSecret(refreshToken));
    const operator = session && (await findOperator(transaction, { all: true }, session.accountUuid));
    if (session === null || operator === null) return null;
    if (session.isGood && !operator.isDisabled) {
      await insertRefreshToken(transaction, operatorLogins, session.id, hashSecret(next));
      return { session, operator };
    }
    if (session.isReused) await note(transaction, operator, ipAddress, 'refresh-token-reused', session.id);
    return null;
  });
  if (renewed === null) {
    throw new DomainError('TOKEN_INVALID', 'This refresh token is no longer valid: log in again.');
  }
  const { session, operator } = renewed;
  return sessionOf(deps, {
    operator,
    sessionId: session.id,
    refreshToken: next,
    refreshExpiresAt: session.expiresAt,
  });
}

/** Ends the session of a refresh token, whether or not that was used up; one that is unknown has none. */
export async function logOut({ sql }: ServiceDeps, refreshToken: string, ipAddress: string): Promise<void> {
  await sql.begin(async (transaction) => {
    const session = await useRefreshToken(transaction, operatorLogins, hashSecret(refreshToken));
    const operator = session && (await findOperator(transaction, { all: true }, session.accountUuid));
    if (session === null || operator === null) return;
    await revokeSession(transaction, operatorLogins, session.id);
    await note(transaction, operator, ipAddress, 'logout', session.id);
  });
}

/**
 * Changes the caller's own password and ends its other sessions.
 * @throws {DomainError} OPERATOR_NOT_ALLOWED for a key, OPERATOR_EXTERNAL, VALIDATION_FAILED, RATE_LIMITED.
 */
export async function changePassword(
  deps: ServiceDeps,
  by: Actor,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<void> {
  const { who, passwordHash: stored } = await requireOwnPassword(
    deps,
    by,
    currentPassword,
    'currentPassword',
  );
  if (newPassword === currentPassword) throw wrongField('newPassword', 'must differ from the current one');
  const hash = await hashPassword(newPassword);
  await deps.sql.begin(async (transaction) => {
    const operator = await findOperator(transaction, { all: true }, who.uuid, true);
    if (operator === null) throw new DomainError('TOKEN_INVALID', 'This account was removed.');
    // It may have been set since it was checked.
    const isStillRight = (await findPasswordHash(transaction, who.id)) === stored;
    if (!isStillRight) throw wrongField('currentPassword', 'is wrong');
    await setPasswordHash(transaction, who.id, hash);
    await endSessions(transaction, { kind: 'operator', id: who.id }, who.sessionId);
    await note(transaction, operator, by.ipAddress, 'change-password', who.sessionId);
  });
}

/** Session that was stored, without its access token. */
interface SessionTokens extends Omit<Session, 'accessToken' | 'expiresIn'> {
  sessionId: string;
}

async function sessionOf(
  deps: ServiceDeps,
  { operator, sessionId, ...tokens }: SessionTokens,
): Promise<Session> {
  const accessToken = await signAccessToken(deps, 'cpms', operator.uuid, sessionId);
  return { accessToken, expiresIn: accessTokenSeconds, operator, ...tokens };
}

/** Writes to the audit log what an operator did about a session of their own. */
async function note(
  transaction: Transaction,
  operator: OperatorRecord,
  ipAddress: string,
  action: string,
  sessionId: string | null,
  secondFactor: UsedFactor | null = null,
): Promise<void> {
  await auditLogin(transaction, { caller: callerOfOperator(operator, sessionId), ipAddress }, action, {
    sessionId,
    ...(secondFactor !== null && { secondFactor }),
  });
}
