import { createHash, createHmac, hkdfSync, randomUUID } from 'node:crypto';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  claimRequest,
  endClaim,
  forgetRequest,
  keepAnswer,
} from '#shared/postgres/access/idempotency.statements.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { seal, unseal } from '#api/services/kernel/sealing.ts';

/** Longer than any request may take (a command waits 32 s): what has no answer by then died with its process. */
const claimSeconds = 120;
const keepSeconds = 24 * 60 * 60;

/** Right of one attempt to run a request that carries an Idempotency-Key. */
export interface Claim {
  id: Buffer;
  attempt: string;
  /** Encrypts the answer. */
  sealKey: Buffer;
  /** Identity of the effect, the same for each attempt. Null: the request never runs a second time. */
  cause: string | null;
  /** An earlier attempt may have had the effect. */
  isRepeat: boolean;
  /** The attempt may have had an effect that no transaction can hold, such as a command to a charger. */
  hasActed: boolean;
}

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
  /** The effect is unique by the cause of the request, so that an attempt may follow one whose outcome is unknown. */
  hasCause: boolean;
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
 * the first one runs; IDEMPOTENCY_OUTCOME_UNKNOWN when its process ended before the answer was kept, unless the request has a cause.
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
  const claimed = await claimRequest(sql, { id, attempt, fingerprint }, request.hasCause, {
    claim: claimSeconds,
    keep: keepSeconds,
  });
  if ('claimed' in claimed) return { claim: { id, attempt, sealKey, ...claimed.claimed, hasActed: false } };
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
 * Keeps the answer of a request for its repeats. A request that failed on our side has no answer. A repeat of it runs with the same
 * cause, if it has one. Otherwise it runs as the first attempt, unless a store failed or a command may have been sent.
 */
export async function endRequest(
  { sql }: Pick<ServiceDeps, 'sql'>,
  claim: Claim,
  answer: KeptAnswer,
): Promise<void> {
  const { status } = answer;
  if (status !== internalError && status !== unavailable) {
    await keepAnswer(sql, claim, seal(Buffer.from(JSON.stringify(answer)), claim.sealKey));
  } else if (status === unavailable || claim.hasActed || claim.cause !== null) await endClaim(sql, claim);
  else await forgetRequest(sql, claim);
}

/** Originator of an act: an actor with the claim of its request, or anyone else. */
type Claimant = { claim?: Claim | null } | object;

/** Returns the uuid by which the effect of a request is unique: the same for each attempt of one request. */
export function causeOf(by: Claimant): string {
  return claimOf(by)?.cause ?? randomUUID();
}

/** Records that an effect follows which no transaction can hold, such as a command to a charger. */
export function markActed(by: Claimant): void {
  const claim = claimOf(by);
  if (claim !== null) claim.hasActed = true;
}

function claimOf(by: Claimant): Claim | null {
  return 'claim' in by ? (by.claim ?? null) : null;
}

function stillRunning(): DomainError {
  return new DomainError(
    'IDEMPOTENCY_IN_PROGRESS',
    'The first request with this Idempotency-Key is still running: repeat it after Retry-After seconds.',
    { retryAfterSeconds: 5 },
  );
}

export function outcomeUnknown(): DomainError {
  return new DomainError(
    'IDEMPOTENCY_OUTCOME_UNKNOWN',
    'The first request with this Idempotency-Key ended before its response was stored. Its effect may be stored, or its ' +
      'command may have reached the charger: read the resource, then use a new key to try again.',
  );
}

/** Status of an error of ours, whose transaction was rolled back. */
const internalError = 500;

/** Status of a store that failed, possibly after it committed. */
const unavailable = 503;

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
