import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { type Sql, type Transaction, violates } from '#shared/postgres/kernel/client.ts';
import { barRepeat, type RecordedStep, recordStep, stepKey } from '#shared/postgres/access/idempotency.ts';
import { seal, unseal } from '#api/services/kernel/sealing.ts';

/** Right of one attempt to run a request that carries an Idempotency-Key. */
export interface Claim {
  id: Buffer;
  attempt: string;
  /** Encrypts the answer and the results of steps. */
  sealKey: Buffer;
  /** Transactions that an earlier attempt committed before its process ended. */
  steps: readonly RecordedStep[];
}

interface Progress {
  claim: Claim;
  /** Number of transactions that this attempt has begun, by the code of their body. */
  begun: Map<string, number>;
  /** Results of an earlier attempt that this one has not reached yet, by step in base64. */
  recorded: Map<string, Buffer>;
  isBarred: boolean;
}

const current = new AsyncLocalStorage<Progress>();

/**
 * Runs the handler of a claimed request. Each transaction that the handler begins on a pool of `withSteps` stores its result
 * in the same commit; one that an earlier attempt has committed is not run, its stored result is returned.
 * @throws {DomainError} IDEMPOTENCY_OUTCOME_UNKNOWN when the handler refuses a repeat, for which the effect of the earlier
 * attempt may be the reason.
 */
export async function runClaimed<T>(claim: Claim, handler: () => Promise<T>): Promise<T> {
  const recorded = new Map(claim.steps.map(({ step, result }) => [step.toString('base64'), result]));
  try {
    return await current.run({ claim, begun: new Map(), recorded, isBarred: false }, handler);
  } catch (error) {
    const isRefusal = error instanceof DomainError && error.status < 500;
    throw isRefusal && recorded.size > 0 ? outcomeUnknown() : error;
  }
}

/** The same pool, whose transactions are steps of the request that runs. */
export function withSteps(sql: Sql): Sql {
  const begin = (body: (transaction: Transaction) => unknown): Promise<unknown> => {
    const progress = current.getStore();
    return progress === undefined ? sql.begin(body) : runStep(sql, progress, body);
  };
  return new Proxy(sql, {
    get: (pool, name): unknown => (name === 'begin' ? begin : Reflect.get(pool, name)),
  });
}

async function runStep(
  sql: Sql,
  progress: Progress,
  body: (transaction: Transaction) => unknown,
): Promise<unknown> {
  const { claim, recorded } = progress;
  const step = nextStep(progress, body);
  const name = step.toString('base64');
  const earlier = recorded.get(name);
  if (earlier !== undefined) {
    recorded.delete(name);
    return deserialize(unseal(earlier, claim.sealKey));
  }
  // The earlier attempt took another way: what is left of its effects may include this one.
  if (recorded.size > 0) throw outcomeUnknown();
  try {
    return await sql.begin(async (transaction) => {
      const result = await body(transaction);
      await recordStep(transaction, claim, { step, result: seal(serialize(result), claim.sealKey) });
      return result;
    });
  } catch (error) {
    if (violates(error, stepKey)) throw stillRunning();
    throw error;
  }
}

/**
 * Identifies a transaction by the code of its body, so that a repeat that takes another way through the code never takes
 * the result of one transaction for that of another.
 */
function nextStep({ begun }: Progress, body: (transaction: Transaction) => unknown): Buffer {
  const code = body.toString();
  const before = begun.get(code) ?? 0;
  begun.set(code, before + 1);
  return createHash('sha256').update(`${before} ${code}`).digest();
}

/**
 * Bars the request that runs from running a second time. Call it before an effect that no transaction can hold, such as a
 * command to a charger.
 * @throws {DomainError} IDEMPOTENCY_IN_PROGRESS when another attempt has taken the request over.
 */
export async function barRepeats(sql: Sql): Promise<void> {
  const progress = current.getStore();
  if (progress === undefined || progress.isBarred) return;
  if (!(await barRepeat(sql, progress.claim))) throw stillRunning();
  progress.isBarred = true;
}

export function stillRunning(): DomainError {
  return new DomainError(
    'IDEMPOTENCY_IN_PROGRESS',
    'The first request with this Idempotency-Key is still running: repeat it after Retry-After seconds.',
    { retryAfterSeconds: 5 },
  );
}

export function outcomeUnknown(): DomainError {
  return new DomainError(
    'IDEMPOTENCY_OUTCOME_UNKNOWN',
    'The process that ran the first request with this Idempotency-Key ended before its answer was kept. Its effect may be ' +
      'stored, or its command may have reached the charger: read the resource, then use a new key to try again.',
  );
}
