import { hashSecret, newRefreshToken } from '#shared/domain/kernel/secrets.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { type DriverAccount, findDriverAccount } from '#shared/postgres/people/driver-accounts.ts';
import {
  driverLogins,
  insertRefreshToken,
  insertSession,
  revokeSession,
  useRefreshToken,
} from '#shared/postgres/people/login-sessions.ts';
import { accessTokenSeconds, sessionEnded, signAccessToken } from '#api/services/access/access-tokens.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/** From the login until it must be done again, however often the session is renewed. */
const sessionMs = 90 * 24 * 3_600_000;

/** Response to a registration, a login and a renewal. */
export interface DriverSession {
  accessToken: string;
  /** Validity of the access token in seconds. */
  expiresIn: number;
  refreshToken: string;
  refreshExpiresAt: Date;
  account: DriverAccount;
}

/** A session that has begun, but for its access token, which is signed once that is committed. */
export type BegunSession = Omit<DriverSession, 'accessToken' | 'expiresIn'> & { id: string };

/** Begins a session of an account. */
export async function beginSession(
  transaction: Transaction,
  account: DriverAccount,
  ipAddress: string,
): Promise<BegunSession> {
  const refreshToken = newRefreshToken();
  const refreshExpiresAt = new Date(Date.now() + sessionMs);
  const { id } = await insertSession(transaction, driverLogins, {
    accountId: account.id,
    ipAddress,
    tokenHash: hashSecret(refreshToken),
    expiresAt: refreshExpiresAt,
  });
  return { id, refreshToken, refreshExpiresAt, account };
}

/** Returns a session with an access token, in the form of the response. */
export async function withAccessToken(
  deps: Pick<ServiceDeps, 'sql' | 'secrets'>,
  { id, ...session }: BegunSession,
): Promise<DriverSession> {
  const accessToken = await signAccessToken(deps, 'emsp', session.account.uuid, id);
  return { ...session, accessToken, expiresIn: accessTokenSeconds };
}

/**
 * Renews a session by its refresh token, which is used up: the answer has the next one.
 * @throws {DomainError} TOKEN_INVALID for one that is unknown, ended or was used before; the latter ends the session.
 */
export async function renewSession(deps: ServiceDeps, refreshToken: string): Promise<DriverSession> {
  const next = newRefreshToken();
  const renewed = await deps.sql.begin(async (transaction) => {
    const session = await useRefreshToken(transaction, driverLogins, hashSecret(refreshToken));
    const account = session?.isGood ? await findDriverAccount(transaction, session.accountUuid) : null;
    if (session === null || account === null) return null;
    await insertRefreshToken(transaction, driverLogins, session.id, hashSecret(next));
    return { id: session.id, refreshToken: next, refreshExpiresAt: session.expiresAt, account };
  });
  if (renewed === null) throw sessionEnded();
  return withAccessToken(deps, renewed);
}

/** Ends the session of a refresh token, whether or not that was used up; one that is unknown has none. */
export async function endSession({ sql }: ServiceDeps, refreshToken: string): Promise<void> {
  await sql.begin(async (transaction) => {
    const session = await useRefreshToken(transaction, driverLogins, hashSecret(refreshToken));
    if (session !== null) await revokeSession(transaction, driverLogins, session.id);
  });
}
