import { batchLoader } from '#shared/domain/kernel/loader.ts';
import type { Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { batchOptions } from '#shared/postgres/kernel/batch-options.ts';
import type { UserDetails } from './users.statements.ts';

/** Personal data that a driver enters. */
export type DriverDetails = Omit<UserDetails, 'externalId'>;

/** An account that a driver logs in with. */
export interface DriverAccount extends DriverDetails {
  id: number;
  uuid: string;
  networkId: number;
  networkUuid: string;
  /** True: the network lets drivers log in only after the address is verified. */
  requiresVerifiedEmail: boolean;
  /** The driver; null until the address is verified: then the account opens nothing. */
  user: { id: number; uuid: string; isBlocked: boolean } | null;
  lastLoginAt: Date | null;
  createdAt: Date;
}

type Row = Omit<DriverAccount, 'user'> & {
  userId: number | null;
  userUuid: string | null;
  isBlocked: boolean | null;
};

const columns = (sql: Queryable) => sql`
  a.id, a.uuid, a.network_id as "networkId", n.uuid as "networkUuid", n.requires_verified_email as "requiresVerifiedEmail", a.user_id as "userId", u.uuid as "userUuid",
  u.is_blocked as "isBlocked",
  coalesce(u.email, a.email) as email, coalesce(u.name, a.name) as name,
  case when u.id is null then a.phone else u.phone end as phone,
  case when u.id is null then a.language else u.language end as language,
  a.last_login_at as "lastLoginAt", a.created_at as "createdAt"`;

const tables = (sql: Queryable) => sql`
  driver_accounts a join networks n on n.id = a.network_id left join users u on u.id = a.user_id`;

function toAccount(row: Row | undefined): DriverAccount | null {
  if (row === undefined) return null;
  const { userId, userUuid, isBlocked, ...account } = row;
  const user =
    userId === null || userUuid === null
      ? null
      : { id: userId, uuid: userUuid, isBlocked: isBlocked === true };
  return { ...account, user };
}

/** An account by its uuid; or null. */
export async function findDriverAccount(sql: Queryable, uuid: string): Promise<DriverAccount | null> {
  const [row] = await sql<Row[]>`select ${columns(sql)} from ${tables(sql)} where a.uuid = ${uuid}`;
  return toAccount(row);
}

/** Locks and returns an account after concurrent verifications or removals of it. Null: it was removed. */
export async function holdDriverAccount(
  transaction: Transaction,
  { id, uuid }: { id: number; uuid: string },
): Promise<DriverAccount | null> {
  await transaction`select from driver_accounts where id = ${id} for key share`;
  return findDriverAccount(transaction, uuid);
}

/** The account whose session this is; null when the session ended. */
export async function findAccountOfSession(sql: Queryable, sessionId: string): Promise<DriverAccount | null> {
  return toAccount(await findRowOfSession(sql, sessionId));
}

const findRowOfSession = batchLoader({
  ...batchOptions,
  async read(sql: Queryable, sessionIds: string[]) {
    const rows = await sql<(Row & { sessionId: string })[]>`
      select s.id as "sessionId", ${columns(sql)} from ${tables(sql)} join driver_sessions s on s.account_id = a.id
      where s.id = any(${sessionIds}::uuid[]) and s.revoked_at is null and s.expires_at > now()`;
    return new Map(rows.map(({ sessionId, ...row }): [string, Row] => [sessionId, row]));
  },
});

/** An account, and what its password is checked against. */
export interface DriverLogin {
  uuid: string;
  passwordHash: string;
}

/** The verified account of a network with this address; null: none. */
export async function findDriverLogin(
  sql: Queryable,
  networkId: number,
  email: string,
): Promise<DriverLogin | null> {
  const [row] = await sql<DriverLogin[]>`
    select a.uuid, a.password_hash as "passwordHash" from driver_accounts a join users u on u.id = a.user_id
    where u.network_id = ${networkId} and lower(u.email) = lower(${email}) and u.deleted_at is null`;
  return row ?? null;
}

/**
 * Returns the newest unverified account with this address, in the given network or in any; null: none. The result does not
 * depend on verified accounts, so that a log-in after a registration does not reveal one.
 */
export async function findUnverifiedLogin(
  sql: Queryable,
  networkId: number | null,
  email: string,
): Promise<DriverLogin | null> {
  const [row] = await sql<DriverLogin[]>`
    select a.uuid, a.password_hash as "passwordHash" from networks n join driver_accounts a on a.network_id = n.id
    where n.deleted_at is null ${networkId === null ? sql`` : sql`and n.id = ${networkId}`}
      and a.user_id is null and lower(a.email) = lower(${email})
    order by a.id desc limit 1`;
  return row ?? null;
}

/**
 * Returns the network in which an e-mail address is known to log in with; of several the preferred one, else the oldest. A
 * network in which the driver has no account yet comes last. Null when the address is known nowhere.
 */
export async function findNetworkOfEmail(
  sql: Queryable,
  email: string,
  preferredNetworkId: number,
): Promise<number | null> {
  const [row] = await sql<{ networkId: number }[]>`
    select u.network_id as "networkId" from users u
    join networks n on n.id = u.network_id and n.deleted_at is null
    left join driver_accounts a on a.user_id = u.id
    where lower(u.email) = lower(${email}) and u.deleted_at is null
    order by a.id is null, u.network_id <> ${preferredNetworkId}, u.network_id limit 1`;
  return row?.networkId ?? null;
}

/** The account of a driver; null: the driver has none. */
export async function findLoginOfUser(sql: Queryable, userId: number): Promise<DriverLogin | null> {
  const [row] = await sql<DriverLogin[]>`
    select uuid, password_hash as "passwordHash" from driver_accounts where user_id = ${userId}`;
  return row ?? null;
}

/** Stores an account whose address is not verified. */
export async function insertUnverifiedAccount(
  sql: Transaction,
  networkId: number,
  details: DriverDetails,
  passwordHash: string,
): Promise<DriverAccount> {
  const { email, name, phone, language } = details;
  const row = { network_id: networkId, email, name, phone, language, password_hash: passwordHash };
  const [made] = await sql<{ uuid: string }[]>`insert into driver_accounts ${sql(row)} returning uuid`;
  const account = made === undefined ? null : await findDriverAccount(sql, made.uuid);
  if (account === null) throw new Error('the insert of a driver account returned no row');
  return account;
}

/** Makes an unverified account that of a user. What it was registered with is the user's from then on. */
export async function verifyAccount(sql: Transaction, accountId: number, userId: number): Promise<void> {
  await sql`
    update driver_accounts set user_id = ${userId}, email = null, name = null, phone = null, language = null
    where id = ${accountId}`;
}

/** Sets the password of a user, who has an account from then on; answers the account's id. */
export async function setDriverPassword(
  sql: Transaction,
  user: { id: number; networkId: number },
  hash: string,
): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    insert into driver_accounts (network_id, user_id, password_hash) values (${user.networkId}, ${user.id}, ${hash})
    on conflict (user_id) do update set password_hash = excluded.password_hash returning id`;
  if (row === undefined) throw new Error('the change of a password returned no row');
  return row.id;
}

/** Removes what was registered for an address and not verified, with its sessions. */
export async function removeUnverified(sql: Queryable, networkId: number, email: string): Promise<void> {
  await sql`
    delete from driver_accounts
    where network_id = ${networkId} and lower(email) = lower(${email}) and user_id is null`;
}

/** Purpose of an e-mail token: the account to verify, or the user whose password can be set. */
type MailTokenUse =
  | { purpose: 'verify-email'; accountId: number }
  /** Null: no user; the token gives no access. */
  | { purpose: 'reset-password'; user: { id: number; email: string } | null };

/** Stores a token that an e-mail carries. */
export async function insertMailToken(
  sql: Queryable,
  hash: Buffer,
  use: MailTokenUse,
  expiresAt: Date,
): Promise<void> {
  const [accountId, user] = use.purpose === 'verify-email' ? [use.accountId, null] : [null, use.user];
  await sql`
    insert into driver_mail_tokens (token_hash, purpose, account_id, user_id, email, expires_at)
    values (${hash}, ${use.purpose}, ${accountId}, ${user?.id ?? null}, ${user?.email ?? null}, ${expiresAt})`;
}

/**
 * Uses up a token that verifies an address; answers the account, locked with all that wait for the same address. Null: it is
 * invalid or expired.
 */
export async function takeVerification(sql: Transaction, hash: Buffer): Promise<DriverAccount | null> {
  // The accounts before the token, and in order: two who verify one address at once wait for each other, never in a circle.
  await sql`
    select 1 from driver_accounts other
    join driver_accounts a on other.network_id = a.network_id and lower(other.email) = lower(a.email)
    join driver_mail_tokens t on t.account_id = a.id
    where t.token_hash = ${hash} and other.user_id is null order by other.id for update of other`;
  const [token] = await sql<{ uuid: string }[]>`
    with token as (${deletedToken(sql, hash, 'verify-email')})
    select a.uuid from driver_accounts a join token t on t.account_id = a.id where a.user_id is null`;
  return token === undefined ? null : findDriverAccount(sql, token.uuid);
}

/** Uses up a token that lets a password be set; returns the user, locked, or null if the token is invalid or expired. */
export async function takePasswordReset(sql: Transaction, hash: Buffer): Promise<{ uuid: string } | null> {
  // The user before the token, for the same reason.
  await sql`
    select 1 from users u join driver_mail_tokens t on t.user_id = u.id
    where t.token_hash = ${hash} for no key update of u`;
  const [user] = await sql<{ uuid: string }[]>`
    with token as (${deletedToken(sql, hash, 'reset-password')})
    select u.uuid from users u join token t on t.user_id = u.id and t.email = u.email where u.deleted_at is null`;
  return user ?? null;
}

const deletedToken = (sql: Queryable, hash: Buffer, purpose: MailTokenUse['purpose']) => sql`
  delete from driver_mail_tokens
  where token_hash = ${hash} and purpose = ${purpose} and expires_at > now() returning *`;

/** Takes back all e-mailed tokens of a user. */
export async function removeMailTokens(sql: Queryable, userId: number): Promise<void> {
  await sql`delete from driver_mail_tokens where user_id = ${userId}`;
}

/** Removes accounts that were not verified within `days`, and invalid tokens. */
export async function removeExpiredRegistrations(sql: Sql, days: number): Promise<void> {
  await sql`delete from driver_mail_tokens where expires_at < now()`;
  await sql`
    delete from driver_accounts where user_id is null and created_at < now() - ${days} * interval '1 day'`;
}
