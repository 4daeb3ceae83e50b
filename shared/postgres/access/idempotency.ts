import type { Sql, Transaction } from '#shared/postgres/kernel/client.ts';

/** A request with an idempotency key, as one attempt of it comes in. */
export interface IdempotentRequest {
  /** SHA-256 over the caller and its key. */
  id: Buffer;
  /** The same for the same request only. */
  fingerprint: Buffer;
  /** A uuid: of this attempt. */
  attempt: string;
}

/** State of the first request with a key. */
export interface EarlierRequest {
  fingerprint: Buffer;
  /** Encrypted; null: no answer is kept. */
  answer: Buffer | null;
  /** Its attempt still has the claim. */
  isRunning: boolean;
}

/** Result of a committed transaction of a request; `result` is encrypted. */
export interface RecordedStep {
  /** Identifies the transaction within its request. */
  step: Buffer;
  result: Buffer;
}

/**
 * Claims a request for one attempt, over all processes, and returns the steps of an attempt whose process ended before its
 * answer was kept. Otherwise returns the earlier request: it runs, has its answer, or sent a command and never runs again.
 */
export async function claimRequest(
  sql: Sql,
  { id, fingerprint, attempt }: IdempotentRequest,
  seconds: { claim: number; keep: number },
): Promise<{ steps: RecordedStep[] } | { earlier: EarlierRequest }> {
  const claimedUntil = sql`now() + make_interval(secs => ${seconds.claim})`;
  const expiresAt = sql`now() + make_interval(secs => ${seconds.keep})`;
  for (;;) {
    const [claimed] = await sql<{ isFirst: boolean }[]>`
      insert into idempotency_keys as k (id, fingerprint, attempt, claimed_until, expires_at)
      values (${id}, ${fingerprint}, ${attempt}, ${claimedUntil}, ${expiresAt})
      on conflict (id) do update set attempt = excluded.attempt, claimed_until = excluded.claimed_until,
        expires_at = excluded.expires_at
      where k.expires_at > now() and k.answer is null and k.claimed_until <= now() and k.is_repeatable
        and k.fingerprint = excluded.fingerprint
      returning xmax = 0 as "isFirst"`;
    if (claimed !== undefined) return { steps: claimed.isFirst ? [] : await listSteps(sql, id) };
    const [earlier] = await sql<(EarlierRequest & { isExpired: boolean })[]>`
      select fingerprint, answer, claimed_until > now() as "isRunning", expires_at <= now() as "isExpired"
      from idempotency_keys where id = ${id}`;
    if (earlier?.isExpired === true) {
      await sql`delete from idempotency_keys where id = ${id} and expires_at <= now()`;
    } else if (earlier !== undefined) return { earlier };
    // Otherwise the attempt released the request between the two statements.
  }
}

function listSteps(sql: Sql, id: Buffer): Promise<RecordedStep[]> {
  return sql<RecordedStep[]>`select step, result from idempotency_steps where id = ${id}`;
}

/** Primary key that admits one attempt to a step. */
export const stepKey = 'idempotency_steps_pkey';

/** Records a step within its own transaction; violates `stepKey` when another attempt has committed it. */
export async function recordStep(
  transaction: Transaction,
  { id }: Pick<IdempotentRequest, 'id'>,
  { step, result }: RecordedStep,
): Promise<void> {
  await transaction`insert into idempotency_steps (id, step, result) values (${id}, ${step}, ${result})`;
}

/** Bars a request from running a second time; false: another attempt has taken it over. */
export async function barRepeat(
  sql: Sql,
  { id, attempt }: Pick<IdempotentRequest, 'id' | 'attempt'>,
): Promise<boolean> {
  const barred = await sql`
    update idempotency_keys set is_repeatable = false where id = ${id} and attempt = ${attempt} returning 1`;
  return barred.length > 0;
}

/** Keeps the answer of an attempt that still has its request. */
export async function keepAnswer(
  sql: Sql,
  { id, attempt }: Pick<IdempotentRequest, 'id' | 'attempt'>,
  answer: Buffer,
): Promise<void> {
  await sql`update idempotency_keys set answer = ${answer} where id = ${id} and attempt = ${attempt}`;
}

/**
 * Ends the claim of an attempt that failed, so that a repeat can try again at once: from the beginning where nothing was
 * committed, else from the committed steps.
 */
export async function releaseRequest(
  sql: Sql,
  { id, attempt }: Pick<IdempotentRequest, 'id' | 'attempt'>,
): Promise<void> {
  await sql.begin(async (transaction) => {
    // A step that is being committed holds a lock on the key: the lock is awaited first, and the next statement sees the step.
    await transaction`select 1 from idempotency_keys where id = ${id} for update`;
    const untouched = await transaction`
      delete from idempotency_keys k where id = ${id} and attempt = ${attempt} and is_repeatable
        and not exists (select from idempotency_steps where id = k.id)
      returning 1`;
    if (untouched.length > 0) return;
    await transaction`
      update idempotency_keys set claimed_until = now() where id = ${id} and attempt = ${attempt}`;
  });
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
