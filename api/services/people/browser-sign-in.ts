import { sessionMs, type SignInMethod } from '#shared/domain/access/browser-session.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { hashSecret, newSessionToken } from '#shared/domain/kernel/secrets.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import {
  endSessionOfToken,
  findLiveSession,
  insertBrowserSession,
  type ListedSession,
} from '#shared/postgres/people/browser-sessions.statements.ts';
import { findOperator } from '#shared/postgres/people/operators.statements.ts';
import { holderOf } from '#api/services/access/browser-sessions.service.ts';
import { type Caller, callerOfKey, type KeyDeps } from '#api/services/access/callers.ts';
import { operatorOfClaims } from '#api/services/access/external-operators.ts';
import { auditLogin } from '#api/services/access/login-audit.ts';
import type { OpenIdSignIn, SignInAttempt } from '#api/services/access/openid-sign-in.service.ts';
import { callerOfOperator, requireEnabled } from '#api/services/access/operator-callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import type { FactorAnswer, UsedFactor } from './factor-answers.ts';
import { countSignIn } from './login-attempts.ts';
import { answerChallenge, type LoggedIn } from './login-challenges.service.ts';
import { withPassword } from './operator-login.ts';

/** Browser that signs in. */
export interface Browser {
  ipAddress: string;
  userAgent: string | null;
  requestId: string;
  /** Token of the session that the new one replaces. */
  earlierToken: string | undefined;
}

/** New session of a browser. Its token is returned once. */
export interface SignedIn {
  token: string;
  caller: Caller;
  session: ListedSession;
}

/**
 * Signs an operator in with a password, or requests the second factor of the account.
 * @throws {DomainError} LOGIN_FAILED, RATE_LIMITED.
 */
export async function signInWithPassword(
  deps: ServiceDeps,
  sent: { email: string; password: string },
  browser: Browser,
): Promise<LoggedIn<SignedIn>> {
  return withPassword(deps, sent, browser.ipAddress, (transaction, operator) =>
    begin(transaction, callerOfOperator(operator, null), 'password', browser),
  );
}

/**
 * Signs an operator in with the second factor of the account.
 * @throws {DomainError} LOGIN_CHALLENGE_INVALID, SECOND_FACTOR_FAILED, RATE_LIMITED.
 */
export async function signInWithFactor(
  deps: ServiceDeps,
  sent: { challenge: string } & FactorAnswer,
  browser: Browser,
): Promise<SignedIn> {
  return answerChallenge(deps, sent, browser.ipAddress, (transaction, operator, secondFactor) =>
    begin(transaction, callerOfOperator(operator, null), 'password', browser, { secondFactor }),
  );
}

/**
 * Exchanges an API key for a session with exactly the rights of the key, from moment to moment. The key is not kept.
 * @throws {DomainError} RATE_LIMITED, KEY_INVALID, KEY_REVOKED, KEY_EXPIRED, API_FAMILY_MISMATCH, ADDRESS_NOT_ALLOWED.
 */
export async function signInWithKey(
  deps: ServiceDeps & KeyDeps,
  apiKey: string,
  browser: Browser,
): Promise<SignedIn> {
  await countSignIn(deps, browser.ipAddress);
  const caller = await callerOfKey(deps, { apiKey, address: browser.ipAddress }, 'cpms');
  return deps.sql.begin((transaction) => begin(transaction, caller, 'apiKey', browser));
}

/**
 * Signs an operator in with the response of the external issuer.
 * @throws {DomainError} LOGIN_FAILED, RATE_LIMITED, TOKEN_INVALID, OPERATOR_NOT_ALLOWED, ISSUER_UNAVAILABLE.
 */
export async function signInWithIssuer(
  deps: ServiceDeps,
  openId: OpenIdSignIn,
  response: { query: string; attempt: SignInAttempt },
  browser: Browser,
): Promise<SignedIn> {
  await countSignIn(deps, browser.ipAddress);
  const claims = await openId.complete(response.query, response.attempt);
  const { uuid } = await operatorOfClaims(deps, openId.issuer, claims, browser.ipAddress);
  return deps.sql.begin(async (transaction) => {
    // Locked: disabling the account ends the sessions that exist, and none may follow it.
    const operator = await findOperator(transaction, { all: true }, uuid, true);
    if (operator === null) throw new DomainError('OPERATOR_NOT_ALLOWED', 'This account was removed.');
    requireEnabled(operator);
    return begin(transaction, callerOfOperator(operator, null), 'oidc', browser);
  });
}

async function begin(
  transaction: Transaction,
  caller: Caller,
  method: SignInMethod,
  { ipAddress, userAgent, requestId, earlierToken }: Browser,
  details: { secondFactor?: UsedFactor } = {},
): Promise<SignedIn> {
  const token = newSessionToken();
  const holder = holderOf(caller);
  if (earlierToken !== undefined) await endSessionOfToken(transaction, hashSecret(earlierToken));
  const sessionId = await insertBrowserSession(transaction, {
    holder,
    method,
    tokenHash: hashSecret(token),
    ipAddress,
    userAgent,
    expiresAt: earlier(new Date(Date.now() + sessionMs[method]), caller.expiresAt),
  });
  const session = await findLiveSession(transaction, holder, sessionId);
  if (session === null) throw new Error('the session that was stored is gone');
  const signedIn = { ...caller, who: { ...caller.who, sessionId } };
  await auditLogin(transaction, { caller: signedIn, ipAddress, requestId }, 'login', {
    sessionId,
    method,
    ...details,
  });
  return { token, caller: signedIn, session };
}

function earlier(end: Date, bound: Date | null): Date {
  return bound !== null && bound < end ? bound : end;
}
