import { idleSeconds, type SignInMethod, useIntervalSeconds } from '#shared/domain/access/browser-session.ts';
import { batchLoader } from '#shared/domain/kernel/loader.ts';
import { batchOptions } from '#shared/postgres/kernel/batch-options.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Holder of a session: an operator or an API key. */
export interface SessionHolder {
  kind: 'operator' | 'key';
  /** Internal id of the holder. */
  id: number;
}

/** A session of a browser as authentication needs it. */
export interface AuthenticatedSession {
  id: string;
  /** Null: the session of a key. */
  operatorUuid: string | null;
  /** Digest of the secret of the key. Null: the session of an operator. */
  keyHash: Buffer | null;
  /** Signed out, idle for too long, or at the end of its maximum length. */
  isEnded: boolean;
  /** The last use is to be written. */
  isUseDue: boolean;
}

const isLive = (sql: Queryable) => sql`
  (s.revoked_at is null and s.expires_at > now() and s.last_used_at > now() - ${idleSeconds} * interval '1 second')`;

/** Returns the session whose token has this digest, or null; also an ended one. Concurrent reads are batched. */
export async function findBrowserSession(
  sql: Queryable,
  tokenHash: Buffer,
): Promise<AuthenticatedSession | null> {
  return (await findByHash(sql, tokenHash.toString('hex'))) ?? null;
}

/** In hex: the driver has no arrays of bytes. */
const findByHash = batchLoader({
  ...batchOptions,
  async read(sql: Queryable, hashes: string[]) {
    const rows = await sql<(AuthenticatedSession & { hash: string })[]>`
      select encode(s.token_hash, 'hex') as hash, s.id, o.uuid as "operatorUuid", k.secret_hash as "keyHash",
        not ${isLive(sql)} as "isEnded",
        s.last_used_at <= now() - ${useIntervalSeconds} * interval '1 second' as "isUseDue"
      from browser_sessions s
      left join operators o on o.id = s.operator_id left join api_keys k on k.id = s.api_key_id
      -- The length of this array is unknown to the planner, as in the look-up of keys.
      where s.token_hash = any(array(select decode(hash, 'hex') from unnest(${hashes}::text[]) as hash))`;
    return new Map(rows.map(({ hash, ...session }): [string, AuthenticatedSession] => [hash, session]));
  },
});

/** A new session; the token itself is never stored. */
interface NewBrowserSession {
  holder: SessionHolder;
  method: SignInMethod;
  tokenHash: Buffer;
  ipAddress: string;
  userAgent: string | null;
  expiresAt: Date;
}

/** Stores a new session. Returns its id. */
export async function insertBrowserSession(sql: Queryable, session: NewBrowserSession): Promise<string> {
  const { holder, method, tokenHash, ipAddress, userAgent, expiresAt } = session;
  const [row] = await sql<{ id: string }[]>`
    insert into browser_sessions (${sql(columnOf(holder))}, method, token_hash, ip_address, user_agent, expires_at)
    values (${holder.id}, ${method}, ${tokenHash}, ${ipAddress}, ${userAgent}, ${expiresAt}) returning id`;
  if (row === undefined) throw new Error('the insert of a session returned no row');
  if (holder.kind === 'operator')
    await sql`update operators set last_login_at = now() where id = ${holder.id}`;
  return row.id;
}

/** Writes the use of many sessions. Each is written once a minute, by whichever process comes first. */
export async function writeSessionUse(sql: Queryable, ids: readonly string[]): Promise<void> {
  await sql`
    update browser_sessions set last_used_at = now() where id in (
      select id from browser_sessions
      where id = any(${ids as string[]}::uuid[])
        and last_used_at <= now() - ${useIntervalSeconds} * interval '1 second'
      order by id for no key update skip locked)`;
}

/** Ends the session of a token, where it has one. */
export async function endSessionOfToken(sql: Queryable, tokenHash: Buffer): Promise<void> {
  await sql`
    update browser_sessions set revoked_at = now() where token_hash = ${tokenHash} and revoked_at is null`;
}

/** A session of a holder, as it is listed. */
export interface ListedSession {
  id: string;
  /** `browser`: a cookie. `token`: access and refresh tokens. */
  kind: 'browser' | 'token';
  method: SignInMethod;
  ipAddress: string | null;
  userAgent: string | null;
  createdAt: Date;
  /** Null for tokens. */
  lastUsedAt: Date | null;
  expiresAt: Date;
}

/** The sessions of a holder that have not ended, the newest first. */
export async function listSessions(
  sql: Queryable,
  holder: SessionHolder,
  limit: number,
): Promise<ListedSession[]> {
  return sql<
    ListedSession[]
  >`${liveSessions(sql, holder, null)} order by "createdAt" desc, id limit ${limit}`;
}

/** One of them, or null. */
export async function findLiveSession(
  sql: Queryable,
  holder: SessionHolder,
  id: string,
): Promise<ListedSession | null> {
  const [row] = await sql<ListedSession[]>`${liveSessions(sql, holder, id)}`;
  return row ?? null;
}

function liveSessions(sql: Queryable, holder: SessionHolder, id: string | null) {
  return sql`
    select s.id, 'browser' as kind, s.method, host(s.ip_address) as "ipAddress", s.user_agent as "userAgent",
      s.created_at as "createdAt", s.last_used_at as "lastUsedAt", s.expires_at as "expiresAt"
    from browser_sessions s
    where s.${sql(columnOf(holder))} = ${holder.id} and (${id}::uuid is null or s.id = ${id}::uuid) and ${isLive(sql)}
    union all
    select s.id, 'token', 'password', host(s.ip_address), null, s.created_at, null, s.expires_at
    from operator_sessions s
    where ${holder.kind === 'operator'}::boolean and s.operator_id = ${holder.id}
      and (${id}::uuid is null or s.id = ${id}::uuid) and s.revoked_at is null and s.expires_at > now()`;
}

/** Ends one session of a holder; false: it has no such session. */
export async function endSession(sql: Queryable, holder: SessionHolder, id: string): Promise<boolean> {
  const ended = await sql`
    update browser_sessions s set revoked_at = now()
    where s.id = ${id} and s.${sql(columnOf(holder))} = ${holder.id} and ${isLive(sql)} returning s.id`;
  if (ended.length > 0 || holder.kind === 'key') return ended.length > 0;
  const tokens = await sql`
    update operator_sessions set revoked_at = now()
    where id = ${id} and operator_id = ${holder.id} and revoked_at is null and expires_at > now() returning id`;
  return tokens.length > 0;
}

/** Ends all sessions of a holder, those of tokens included, but for one. Returns their number. */
export async function endSessions(
  sql: Queryable,
  holder: SessionHolder,
  but: string | null = null,
): Promise<number> {
  const ended = await sql`
    update browser_sessions s set revoked_at = now()
    where s.${sql(columnOf(holder))} = ${holder.id} and ${isLive(sql)} and s.id is distinct from ${but}::uuid
    returning s.id`;
  if (holder.kind === 'key') return ended.length;
  const tokens = await sql`
    update operator_sessions set revoked_at = now()
    where operator_id = ${holder.id} and revoked_at is null and expires_at > now() and id is distinct from ${but}::uuid
    returning id`;
  return ended.length + tokens.length;
}

/** Removes sessions that ended by themselves, and signed-out ones when they would have ended. */
export async function removeEndedBrowserSessions(sql: Queryable): Promise<void> {
  await sql`
    delete from browser_sessions
    where expires_at < now() or last_used_at < now() - ${idleSeconds} * interval '1 second'`;
}

function columnOf({ kind }: SessionHolder): string {
  return kind === 'operator' ? 'operator_id' : 'api_key_id';
}
