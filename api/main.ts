import { loadConfig } from '#shared/config/config.ts';
import { requireStores } from '#shared/config/stores.ts';
import { runMain } from '#shared/config/run.ts';
import { stopAll, stopOnSignal, type Stops, stopStarted } from '#shared/config/stop.ts';
import { createLogger } from '#shared/log/log.ts';
import { awaitBus } from '#shared/stores/await-bus.ts';
import { prepareStores } from '#shared/stores/migrate.ts';
import { startTracing, stopTracing } from '#shared/tracing/tracing.ts';
import { startApi } from './server.ts';

/** Runs the API as a process of its own, with PostgreSQL, ClickHouse and Redis given by their URLs. */
async function main(): Promise<void> {
  const config = loadConfig();
  const urls = requireStores(config);
  const log = createLogger('api', config.logLevel);
  const stopping = new AbortController();
  const stops: Stops = [stopTracing];
  // The start may wait for stores, and the first process of a container ignores signals without a handler.
  stopOnSignal(35_000, async ({ err, signal }) => {
    stopping.abort();
    if (err !== undefined) log.fatal({ err }, 'the API failed');
    log.info({ signal }, 'the API stops');
    await stopAll(stops);
  });
  await startTracing(config.tracing, 'chargeway-api', log);
  await prepareStores(urls, log);
  const bus = await awaitBus({ redisUrl: urls.redisUrl, localName: 'chargeway', log });
  stops.push(() => bus.close());
  const starting = startApi({ config, urls, bus, log, stopping: stopping.signal });
  stops.push(() => stopStarted(starting));
  try {
    const { url } = await starting;
    log.info({ url }, 'the API listens');
  } catch (error) {
    // The handler of the signal ends a process whose start was stopped.
    if (!stopping.signal.aborted) throw error;
  }
}

await runMain(main);
