import { randomBytes } from 'node:crypto';
import { startGateway } from '#gateway/supervisor/supervisor.ts';
import type { Bus } from '#shared/bus/contract.ts';
import type { Config } from '#shared/config/config.ts';
import { orStopped, stopStarted, type Stops } from '#shared/config/stop.ts';
import type { Logger } from '#shared/log/log.ts';
import { awaitBus } from '#shared/stores/await-bus.ts';
import { prepareStores } from '#shared/stores/migrate.ts';
import type { RunningStores } from './stores.ts';

export interface SystemOptions {
  config: Config;
  /** Stores that are starting. The threads of the gateway and the API load their modules meanwhile. */
  stores: Promise<RunningStores>;
  log: Logger;
  /** Receives the stops of the started parts. */
  stops: Stops;
  /** Ends the wait for the stores. */
  stopping: AbortSignal;
}

/**
 * Starts gateway and API.
 * @returns the message for the terminal.
 */
export async function startSystem(options: SystemOptions): Promise<string> {
  const { config, log, stops, stopping } = options;
  stopping.throwIfAborted();
  // Threads of one process meet by this name; another system in the same process (a test) has its own.
  const localBusName = `chargeway-${randomBytes(4).toString('hex')}`;
  const opening = orStopped(openStores(options, localBusName), stopping);
  stops.push(async () => (await opening.catch(() => null))?.bus.close());
  const loading = import('./serve-api.ts');
  // The threads join a bus whose hub is this thread, which cannot answer while it loads modules.
  const ready = Promise.all([opening, loading]);
  const urls = ready.then(([{ stores }]) => ({ ...stores, redisUrl: config.redisUrl }));
  // The gateway may fail before it awaits them.
  urls.catch(() => undefined);
  const starting = startGateway({ config, urls, localBusName, log, stopping });
  stops.push(() => stopStarted(starting));
  const gateway = await starting;
  const [{ stores, bus }, { serveApi }] = await ready;
  return serveApi({ config, stores, bus, gateway, log, stops, stopping });
}

/** Migrates the stores, and joins the bus. */
async function openStores(
  { config: { redisUrl }, stores: starting, log, stopping }: SystemOptions,
  localName: string,
): Promise<{ stores: RunningStores; bus: Bus }> {
  const stores = await starting;
  stopping.throwIfAborted();
  await prepareStores(stores, log);
  const bus = await awaitBus({ redisUrl: redisUrl ?? undefined, localName, hub: true, log });
  return { stores, bus };
}
