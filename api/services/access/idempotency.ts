import { createHash, createHmac, hkdfSync, randomUUID } from 'node:crypto';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { claimRequest, keepAnswer, releaseRequest } from '#shared/postgres/access/idempotency.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { type Claim, outcomeUnknown, stillRunning } from './request-steps.ts';
import { seal, unseal } from '#api/services/kernel/sealing.ts';

/** Longer than any request may take (a command waits 32 s): what has no answer by then died with its process. */
const claimSeconds = 120;
const keepSeconds = 24 * 60 * 60;

/** A request that is answered once, however often it is sent. */
export interface RepeatableRequest {
  /** Identifies the caller: the same key of two callers is two keys. */
  caller: string;
  /** As the caller chose it. */
  key: string;
  /** Part of the caller that no database holds, such as the secret of its API key. Empty: none. */
  callerSecret: string;
  /** Method and path with its query. */
  target: string;
  /** The parsed body. */
  body: unknown;
}

/** An answer as it was first given. */
export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * Claims a request, or returns the answer to an earlier one.
 * @throws {DomainError} IDEMPOTENCY_KEY_REUSED for another request with the same key; IDEMPOTENCY_IN_PROGRESS while
 * the first one runs; IDEMPOTENCY_OUTCOME_UNKNOWN when its process ended after it sent a command.
 */
export async function beginRequest(
  { sql }: Pick<ServiceDeps, 'sql'>,
  request: RepeatableRequest,
): Promise<{ claim: Claim } | { earlier: KeptAnswer }> {
  const id = createHash('sha256')
    .update(JSON.stringify([request.caller, request.key]))
    .digest();
  const attempt = randomUUID();
  const sealKey = derive(request, id, 'answer');
  const fingerprint = fingerprintOf(request, derive(request, id, 'fingerprint'));
  const claimed = await claimRequest(
    sql,
    { id, attempt, fingerprint },
    { claim: claimSeconds, keep: keepSeconds },
  );
  if ('steps' in claimed) return { claim: { id, attempt, sealKey, steps: claimed.steps } };
  const { earlier } = claimed;
  if (!earlier.fingerprint.equals(fingerprint)) {
    throw new DomainError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used with another request: use a new key for a new request.',
    );
  }
  if (earlier.answer !== null) {
    return { earlier: JSON.parse(unseal(earlier.answer, sealKey).toString('utf8')) as KeptAnswer };
  }
  throw earlier.isRunning ? stillRunning() : outcomeUnknown();
}

/**
 * Keeps the answer of a request for its repeats. A request that failed on our side is released, so that a repeat can
 * try again; a command that failed on its way may have had an effect, and its answer is kept.
 */
export async function endRequest(
  { sql }: Pick<ServiceDeps, 'sql'>,
  claim: Claim,
  answer: KeptAnswer,
): Promise<void> {
  if (ourFailures.has(answer.status)) await releaseRequest(sql, claim);
  else await keepAnswer(sql, claim, seal(Buffer.from(JSON.stringify(answer)), claim.sealKey));
}

const ourFailures = new Set([500, 503]);

/**
 * The key of an answer or a fingerprint. Its inputs are not stored, so the database by itself cannot decrypt an answer
 * and no guess of a body can be tried on a fingerprint.
 */
function derive({ key, callerSecret }: RepeatableRequest, salt: Buffer, use: string): Buffer {
  return Buffer.from(
    hkdfSync('sha256', JSON.stringify([key, callerSecret]), salt, `chargeway idempotency ${use}`, 32),
  );
}

function fingerprintOf({ target, body }: RepeatableRequest, key: Buffer): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([target, canonical(body ?? null)]))
    .digest();
}

/** The same for bodies that differ in the order of their fields only. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, canonical(field)]));
}
