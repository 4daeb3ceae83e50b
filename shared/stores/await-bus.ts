import type { Bus } from '#shared/bus/contract.ts';
import { isBusDown, openBus, type OpenBusOptions } from '#shared/bus/open.ts';
import type { Logger } from '#shared/log/log.ts';
import { type Awaited, whenAvailable } from './when-available.ts';

/** Joins the bus, and waits for Redis while it is down. */
export function awaitBus(options: OpenBusOptions & { log: Logger }): Promise<Bus> {
  return awaitRedis(options, () => openBus(options));
}

/** Repeats what a process does on the bus at its start while Redis is down. */
export function awaitRedis<Result>(
  { log, signal }: Pick<Awaited, 'log' | 'signal'>,
  attempt: () => Promise<Result>,
): Promise<Result> {
  return whenAvailable({ name: 'Redis', isDown: isBusDown, log, signal }, attempt);
}
