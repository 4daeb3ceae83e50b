import { BusUnavailableError, type Bus } from './contract.ts';
import { createLocalBus } from './local.ts';
import type { BusLog } from './log.ts';

export interface OpenBusOptions {
  /** Redis carries the bus when its URL is given, else the threads of this process do. */
  redisUrl?: string | undefined;
  /** The name that the members of one process share; used without Redis only. */
  localName: string;
  /** The member's name; by default a random one. */
  node?: string | undefined;
  /** Exactly one member of a process, its main thread; means nothing with Redis. */
  hub?: boolean | undefined;
  log?: BusLog | undefined;
}

/**
 * Joins the bus that the configuration names.
 * @throws {BusUnavailableError} when Redis, or the hub of this process, cannot be reached.
 */
export async function openBus({ redisUrl, localName, node, hub, log }: OpenBusOptions): Promise<Bus> {
  if (redisUrl === undefined || redisUrl === '') return createLocalBus({ name: localName, node, hub, log });
  const { createRedisBus } = await import('./redis.ts');
  return createRedisBus({ url: redisUrl, node, log });
}

/**
 * Refusals of Redis that waiting does not change, also within what is said of all Sentinels: of the user, the password, the database,
 * or a command.
 */
const refusal = /(^|Last error: )(WRONGPASS|NOAUTH|NOPERM|ERR(?! max number of clients)) /;

/** Returns true when the bus may be joined later: Redis is not there, and did not refuse what the URL names. */
export function isBusDown(error: unknown): boolean {
  if (!(error instanceof BusUnavailableError)) return false;
  const { cause } = error;
  return !(cause instanceof Error && refusal.test(cause.message));
}
