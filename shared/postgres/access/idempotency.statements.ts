import type { Sql } from '#shared/postgres/kernel/client.ts';

/** A request with an idempotency key, as one attempt of it comes in. */
interface IdempotentRequest {
  /** SHA-256 over the caller and its key. */
  id: Buffer;
  /** The same for the same request only. */
  fingerprint: Buffer;
  /** A uuid: of this attempt. */
  attempt: string;
}

/** State of the first request with a key. */
interface EarlierRequest {
  fingerprint: Buffer;
  /** Encrypted; null: no answer is kept. */
  answer: Buffer | null;
  /** Its attempt still has the claim. */
  isRunning: boolean;
}

/** Right of one attempt to run a request. */
interface ClaimedRequest {
  /** Identity of the effect, the same for each attempt. Null: the request never runs a second time. */
  cause: string | null;
  /** An earlier attempt may have had the effect. */
  isRepeat: boolean;
}

/**
 * Claims a request for one attempt, over all processes. A request with a cause is claimed again when the process of the earlier
 * attempt ended before its answer was kept. Otherwise returns the earlier request.
 * @param hasCause the effect of the request is unique by its cause.
 */
export async function claimRequest(
  sql: Sql,
  { id, fingerprint, attempt }: IdempotentRequest,
  hasCause: boolean,
  seconds: { claim: number; keep: number },
): Promise<{ claimed: ClaimedRequest } | { earlier: EarlierRequest }> {
  const claimedUntil = sql`now() + make_interval(secs => ${seconds.claim})`;
  const expiresAt = sql`now() + make_interval(secs => ${seconds.keep})`;
  for (;;) {
    const [claimed] = await sql<ClaimedRequest[]>`
      insert into idempotency_keys as k (id, fingerprint, attempt, cause, claimed_until, expires_at)
      values (${id}, ${fingerprint}, ${attempt}, ${hasCause ? attempt : null}, ${claimedUntil}, ${expiresAt})
      on conflict (id) do update set attempt = excluded.attempt, claimed_until = excluded.claimed_until,
        expires_at = excluded.expires_at
      where k.expires_at > now() and k.answer is null and k.claimed_until <= now() and k.cause is not null
        and k.fingerprint = excluded.fingerprint
      returning cause, xmax <> 0 as "isRepeat"`;
    if (claimed !== undefined) return { claimed };
    const [earlier] = await sql<(EarlierRequest & { isExpired: boolean })[]>`
      select fingerprint, answer, claimed_until > now() as "isRunning", expires_at <= now() as "isExpired"
      from idempotency_keys where id = ${id}`;
    if (earlier?.isExpired === true) {
      await sql`delete from idempotency_keys where id = ${id} and expires_at <= now()`;
    } else if (earlier !== undefined) return { earlier };
    // Otherwise the attempt released the request between the two statements.
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

/** Ends the claim of an attempt that failed without an answer to keep. */
export async function endClaim(
  sql: Sql,
  { id, attempt }: Pick<IdempotentRequest, 'id' | 'attempt'>,
): Promise<void> {
  await sql`update idempotency_keys set claimed_until = now() where id = ${id} and attempt = ${attempt}`;
}

/** Forgets the request of an attempt that failed without an effect, so that a repeat runs as the first attempt. */
export async function forgetRequest(
  sql: Sql,
  { id, attempt }: Pick<IdempotentRequest, 'id' | 'attempt'>,
): Promise<void> {
  await sql`delete from idempotency_keys where id = ${id} and attempt = ${attempt}`;
}

/** Requests that one statement removes. */
const removedAtOnce = 5000;

/** Removes what is older than it is kept, in batches until `stopping` is aborted; returns how many. */
export async function removeExpiredRequests(sql: Sql, stopping = AbortSignal.any([])): Promise<number> {
  let removed = 0;
  let batch: number;
  do {
    const { count } = await sql`
      delete from idempotency_keys where id in (
        select id from idempotency_keys where expires_at <= now() limit ${removedAtOnce} for update skip locked)`;
    batch = count;
    removed += batch;
  } while (batch === removedAtOnce && !stopping.aborted);
  return removed;
}
