import { openBus } from '#shared/bus/open.ts';
import { loadConfig } from '#shared/config/config.ts';
import { requireStores } from '#shared/config/stores.ts';
import { runMain } from '#shared/config/run.ts';
import { stopOnSignal } from '#shared/config/stop.ts';
import { createLogger } from '#shared/log/log.ts';
import { migrateStores } from '#shared/stores/migrate.ts';
import { startTracing, stopTracing } from '#shared/tracing/tracing.ts';
import { startApi } from './server.ts';

/** Runs the API as a process of its own, with PostgreSQL, ClickHouse and Redis given by their URLs. */
async function main(): Promise<void> {
  const config = loadConfig();
  const urls = requireStores(config);
  const log = createLogger('api', config.logLevel);
  await startTracing(config.tracing, 'chargeway-api', log);
  await migrateStores(urls, log);
  const bus = await openBus({ redisUrl: urls.redisUrl, localName: 'chargeway', log });
  const api = await startApi({ config, urls, bus, log }).catch(async (error: unknown) => {
    await bus.close();
    throw error;
  });
  log.info({ url: api.url }, 'the API listens');
  stopOnSignal(35_000, async ({ err, signal }) => {
    if (err !== undefined) log.fatal({ err }, 'the API failed');
    log.info({ signal }, 'the API stops');
    await api.stop();
    await bus.close();
    await stopTracing();
  });
}

await runMain(main);
