import type { Sql } from './client.ts';

/** A request with an idempotency key, as one attempt of it comes in. */
export interface IdempotentRequest {
  /** SHA-256 over the caller and its key. */
  id: Buffer;
  /** The same for the same request only. */
  fingerprint: Buffer;
  /** A uuid: of this attempt. */
  attempt: string;
}

/** What became of the first request with a key. */
export interface EarlierRequest {
  fingerprint: Buffer;
  /** Encrypted; null while it runs. */
  answer: Buffer | null;
}

/**
 * Claims a request for one attempt, over all processes; null: it has it. Otherwise what is there of an earlier one.
 * A claim that ran out without an answer goes to the next attempt: the process that had it died.
 */
export async function claimRequest(
  sql: Sql,
  { id, fingerprint, attempt }: IdempotentRequest,
  seconds: { claim: number; keep: number },
): Promise<EarlierRequest | null> {
  const claimedUntil = sql`now() + make_interval(secs => ${seconds.claim})`;
  const expiresAt = sql`now() + make_interval(secs => ${seconds.keep})`;
  for (;;) {
    const claimed = await sql`
      insert into idempotency_keys as k (id, fingerprint, attempt, claimed_until, expires_at)
      values (${id}, ${fingerprint}, ${attempt}, ${claimedUntil}, ${expiresAt})
      on conflict (id) do update set fingerprint = excluded.fingerprint, attempt = excluded.attempt,
        claimed_until = excluded.claimed_until, answer = null, expires_at = excluded.expires_at
      where k.expires_at <= now()
        or (k.answer is null and k.claimed_until <= now() and k.fingerprint = excluded.fingerprint)
      returning 1`;
    if (claimed.length > 0) return null;
    const [earlier] = await sql<EarlierRequest[]>`
      select fingerprint, answer from idempotency_keys where id = ${id}`;
    // None: the attempt that had it did nothing and gave it back in between.
    if (earlier !== undefined) return earlier;
  }
}

/** Keeps the answer of an attempt that still has its request. */
export async function keepAnswer(
  sql: Sql,
  { id, attempt }: Pick<IdempotentRequest, 'id' | 'attempt'>,
  answer: Buffer,
): Promise<void> {
  await sql`update idempotency_keys set answer = ${answer} where id = ${id} and attempt = ${attempt}`;
}

/** Gives a request back that did nothing: it may be tried again at once. */
export async function releaseRequest(
  sql: Sql,
  { id, attempt }: Pick<IdempotentRequest, 'id' | 'attempt'>,
): Promise<void> {
  await sql`delete from idempotency_keys where id = ${id} and attempt = ${attempt}`;
}

/** Removes what is older than it is kept; answers how many. */
export async function removeExpiredRequests(sql: Sql): Promise<number> {
  const { count } = await sql`delete from idempotency_keys where expires_at <= now()`;
  return count;
}
