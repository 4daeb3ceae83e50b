import { DomainError } from '#shared/domain/kernel/errors.ts';
import { driverScopes } from '#shared/domain/access/public-scopes.ts';
import { onlyNetworks } from '#shared/domain/access/tenancy.ts';
import { type DriverAccount, findAccountOfSession } from '#shared/postgres/people/driver-accounts.ts';
import { sessionEnded, verifyAccessToken } from './access-tokens.ts';
import type { Caller, Credentials, Identity } from './callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/** Requests of a driver within an hour: two a second, which no app needs. */
const rateLimitPerHour = 7200;

type TokenDeps = Pick<ServiceDeps, 'sql' | 'secrets'>;

/**
 * The driver that an access token stands for. The account and its session are looked up each time: what ends them counts
 * from the next request on.
 * @throws {DomainError} TOKEN_INVALID, TOKEN_EXPIRED, EMAIL_NOT_VERIFIED, DRIVER_BLOCKED.
 */
export async function callerOfDriverToken(deps: TokenDeps, { bearer = '' }: Credentials): Promise<Caller> {
  const { account, sessionId } = await accountOfToken(deps, bearer);
  requireNotBlocked(account);
  return callerOfDriver(account, sessionId);
}

/**
 * The account that an access token stands for, whether or not its address is verified.
 * @throws {DomainError} TOKEN_INVALID, TOKEN_EXPIRED.
 */
export async function accountOfToken(
  deps: TokenDeps,
  token: string,
): Promise<{ account: DriverAccount; sessionId: string }> {
  const { accountUuid, sessionId } = await verifyAccessToken(deps, 'emsp', token);
  const account = await findAccountOfSession(deps.sql, sessionId);
  if (account?.uuid !== accountUuid) throw sessionEnded();
  return { account, sessionId };
}

/**
 * Stops a driver whom an operator has blocked.
 * @throws {DomainError} DRIVER_BLOCKED.
 */
export function requireNotBlocked({ user }: Pick<DriverAccount, 'user'>): void {
  if (user?.isBlocked !== true) return;
  throw new DomainError('DRIVER_BLOCKED', 'Your account is blocked. Contact the operator of the network.');
}

/** Returns the error of an account whose address is not verified. */
export function notVerified(): DomainError {
  return new DomainError('EMAIL_NOT_VERIFIED', 'Confirm your e-mail address first: we sent you a link.');
}

/**
 * Returns the caller for a driver, who sees only their own data.
 * @throws {DomainError} EMAIL_NOT_VERIFIED.
 */
export function callerOfDriver(
  { user, networkId }: { user: { id: number; uuid: string } | null; networkId: number },
  sessionId: string | null,
): Caller {
  if (user === null) {
    throw notVerified();
  }
  return {
    // Without the name: what is written of a caller stays when the driver has gone.
    who: { kind: 'driver', id: user.id, uuid: user.uuid, name: null, sessionId },
    keyType: null,
    unrestricted: false,
    networks: onlyNetworks([networkId]),
    userId: user.id,
    scopes: driverScopes,
    roleCeiling: 'Viewer',
    rateLimitPerHour,
    allowedIPs: [],
    expiresAt: null,
  };
}

/**
 * Returns the calling driver, who must be logged in rather than use a key.
 * @throws {DomainError} DRIVER_LOGIN_REQUIRED.
 */
export function requireLogin({ who }: Caller): Extract<Identity, { kind: 'driver' }> {
  if (who.kind === 'driver') return who;
  throw new DomainError(
    'DRIVER_LOGIN_REQUIRED',
    'This operation requires the access token of a logged-in driver.',
  );
}
