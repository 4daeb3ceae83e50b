import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  randomUUID,
} from 'node:crypto';
import { DomainError } from '#shared/domain/errors.ts';
import { claimRequest, keepAnswer, releaseRequest } from '#shared/postgres/idempotency.ts';
import type { ServiceDeps } from './deps.ts';

/** Longer than any request may take (a command waits 32 s): what has no answer by then died with its process. */
const claimSeconds = 120;
const keepSeconds = 24 * 60 * 60;

/** A request that is answered once, however often it is sent. */
export interface RepeatableRequest {
  /** Who asks: the same key of two callers is two keys. */
  caller: string;
  /** As the caller chose it. */
  key: string;
  /** What else of the caller no database holds, such as the secret of its API key; empty: nothing. */
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

/** The right to run a request, and the means to seal its answer. */
export interface Claim {
  id: Buffer;
  attempt: string;
  sealKey: Buffer;
}

/**
 * Takes on a request, or answers what it was answered the first time.
 * @throws {DomainError} IDEMPOTENCY_KEY_REUSED for another request with the same key; IDEMPOTENCY_IN_PROGRESS while
 * the first one runs.
 */
export async function beginRequest(
  { sql }: Pick<ServiceDeps, 'sql'>,
  request: RepeatableRequest,
): Promise<{ claim: Claim } | { earlier: KeptAnswer }> {
  const id = createHash('sha256')
    .update(JSON.stringify([request.caller, request.key]))
    .digest();
  const claim = { id, attempt: randomUUID(), sealKey: derive(request, id, 'answer') };
  const fingerprint = fingerprintOf(request, derive(request, id, 'fingerprint'));
  const earlier = await claimRequest(
    sql,
    { ...claim, fingerprint },
    { claim: claimSeconds, keep: keepSeconds },
  );
  if (earlier === null) return { claim };
  if (!earlier.fingerprint.equals(fingerprint)) {
    throw new DomainError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key came with another request before: take a new one for a new request.',
    );
  }
  if (earlier.answer !== null) return { earlier: unseal(earlier.answer, claim.sealKey) };
  throw new DomainError('IDEMPOTENCY_IN_PROGRESS', 'The first request with this Idempotency-Key still runs.');
}

/**
 * Keeps the answer of a request for its repeats. One that did nothing (a failure of ours, a store out of reach) is
 * given back, so that a repeat tries again; a command that failed on its way may have done something and is kept.
 */
export async function endRequest(
  { sql }: Pick<ServiceDeps, 'sql'>,
  claim: Claim,
  answer: KeptAnswer,
): Promise<void> {
  if (didNothing.has(answer.status)) await releaseRequest(sql, claim);
  else await keepAnswer(sql, claim, seal(answer, claim.sealKey));
}

const didNothing = new Set([500, 503]);

/**
 * The key of an answer or a fingerprint. What it is made from is stored nowhere, so the database alone opens no answer
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

/** The same for bodies that differ in the order of their fields alone. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, canonical(field)]));
}

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

function seal(answer: KeptAnswer, key: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, key, nonce);
  const sealed = Buffer.concat([sealing.update(JSON.stringify(answer), 'utf8'), sealing.final()]);
  return Buffer.concat([nonce, sealing.getAuthTag(), sealed]);
}

function unseal(sealed: Buffer, key: Buffer): KeptAnswer {
  const opening = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes });
  opening.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  const text = Buffer.concat([opening.update(sealed.subarray(nonceBytes + tagBytes)), opening.final()]);
  return JSON.parse(text.toString('utf8')) as KeptAnswer;
}
