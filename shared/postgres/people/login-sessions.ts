import type { Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';

/** Tables of accounts and of their login sessions. */
interface LoginTables {
  accounts: string;
  sessions: string;
  /** The column of the sessions that names the account. */
  account: string;
  refreshTokens: string;
}

export const operatorLogins: LoginTables = {
  accounts: 'operators',
  sessions: 'operator_sessions',
  account: 'operator_id',
  refreshTokens: 'operator_refresh_tokens',
};

export const driverLogins: LoginTables = {
  accounts: 'driver_accounts',
  sessions: 'driver_sessions',
  account: 'account_id',
  refreshTokens: 'driver_refresh_tokens',
};

/**
 * Returns whether an account exists and its password still has this hash, and locks both until the end of the
 * transaction. Setting a password ends the existing sessions: no session may begin afterwards with the
 * earlier password.
 */
export async function holdPassword(
  sql: Transaction,
  logins: LoginTables,
  { uuid, passwordHash }: { uuid: string; passwordHash: string },
): Promise<boolean> {
  const rows = await sql`
    select from ${sql(logins.accounts)} where uuid = ${uuid} and password_hash = ${passwordHash} for no key update`;
  return rows.length > 0;
}

/** Begins a session of an account. */
export async function insertSession(
  sql: Transaction,
  logins: LoginTables,
  session: { accountId: number; ipAddress: string; tokenHash: Buffer; expiresAt: Date },
): Promise<{ id: string }> {
  const [row] = await sql<{ id: string }[]>`
    insert into ${sql(logins.sessions)} (${sql(logins.account)}, ip_address, expires_at)
    values (${session.accountId}, ${session.ipAddress}, ${session.expiresAt}) returning id`;
  if (row === undefined) throw new Error('the insert of a session returned no row');
  await insertRefreshToken(sql, logins, row.id, session.tokenHash);
  await sql`update ${sql(logins.accounts)} set last_login_at = now() where id = ${session.accountId}`;
  return row;
}

/** Adds the token that renews a session next. */
export async function insertRefreshToken(
  sql: Queryable,
  logins: LoginTables,
  sessionId: string,
  hash: Buffer,
): Promise<void> {
  await sql`insert into ${sql(logins.refreshTokens)} (token_hash, session_id) values (${hash}, ${sessionId})`;
}

/** The session that a refresh token stands for. */
interface RefreshedSession {
  id: string;
  accountUuid: string;
  expiresAt: Date;
  /** Neither ended nor revoked, and the token was not used before. */
  isGood: boolean;
  /** The token was used before, and the session went on until now. */
  isReused: boolean;
}

/**
 * Consumes a refresh token; null: unknown. Repeated use revokes its session (RFC 9700 §4.14.2): the token was
 * copied, and its owner cannot be identified.
 */
export async function useRefreshToken(
  sql: Transaction,
  logins: LoginTables,
  hash: Buffer,
): Promise<RefreshedSession | null> {
  const [session] = await sql<RefreshedSession[]>`
    select s.id, a.uuid as "accountUuid", s.expires_at as "expiresAt", (t.used_at is not null and s.revoked_at is null) as "isReused",
      (s.revoked_at is null and s.expires_at > now() and t.used_at is null) as "isGood"
    from ${sql(logins.refreshTokens)} t join ${sql(logins.sessions)} s on s.id = t.session_id
    join ${sql(logins.accounts)} a on a.id = s.${sql(logins.account)}
    where t.token_hash = ${hash} for update of t, s`;
  if (session === undefined) return null;
  if (session.isReused) await revokeSession(sql, logins, session.id);
  await sql`update ${sql(logins.refreshTokens)} set used_at = now() where token_hash = ${hash}`;
  return session;
}

/** Ends a session. */
export async function revokeSession(sql: Queryable, logins: LoginTables, id: string): Promise<void> {
  await sql`update ${sql(logins.sessions)} set revoked_at = now() where id = ${id} and revoked_at is null`;
}

/** Ends all sessions of an account, but for one. */
export async function revokeSessions(
  sql: Queryable,
  logins: LoginTables,
  accountId: number,
  but: string | null = null,
): Promise<void> {
  await sql`
    update ${sql(logins.sessions)} set revoked_at = now()
    where ${sql(logins.account)} = ${accountId} and revoked_at is null and id is distinct from ${but}::uuid`;
}

/** Ends all sessions of a driver. */
export async function revokeSessionsOfDriver(sql: Queryable, userId: number): Promise<void> {
  await sql`
    update driver_sessions set revoked_at = now()
    where revoked_at is null and account_id = (select id from driver_accounts where user_id = ${userId})`;
}

/** Returns whether a session of this account is still valid. */
export async function isSessionGood(
  sql: Queryable,
  logins: LoginTables,
  id: string,
  accountId: number,
): Promise<boolean> {
  const [row] = await sql<{ good: boolean }[]>`
    select (revoked_at is null and expires_at > now()) as good from ${sql(logins.sessions)}
    where id = ${id} and ${sql(logins.account)} = ${accountId}`;
  return row?.good ?? false;
}

/** Removes sessions that ended by themselves, with their refresh tokens. */
export async function removeEndedSessions(sql: Sql): Promise<void> {
  for (const { sessions } of [operatorLogins, driverLogins]) {
    await sql`delete from ${sql(sessions)} where expires_at < now()`;
  }
}
