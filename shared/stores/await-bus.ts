import type { Bus } from '#shared/bus/contract.ts';
import { isBusDown, openBus, type OpenBusOptions } from '#shared/bus/open.ts';
import type { Logger } from '#shared/log/log.ts';
import { whenAvailable } from './when-available.ts';

/** Joins the bus, and waits for Redis while it is down. */
export function awaitBus(options: OpenBusOptions & { log: Logger }): Promise<Bus> {
  return whenAvailable({ name: 'Redis', isDown: isBusDown, log: options.log }, () => openBus(options));
}
