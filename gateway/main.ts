import { loadConfig } from '#shared/config/config.ts';
import { requireStores } from '#shared/config/stores.ts';
import { runMain } from '#shared/config/run.ts';
import { stopAll, stopOnSignal, type Stops, stopStarted } from '#shared/config/stop.ts';
import { createLogger } from '#shared/log/log.ts';
import { awaitBus } from '#shared/stores/await-bus.ts';
import { prepareStores } from '#shared/stores/migrate.ts';
import { serveMetrics } from './supervisor/metrics-server.ts';
import { startGateway } from './supervisor/supervisor.ts';

/** Runs `npm run gateway`: a gateway on the stores that the environment names. */
async function main(): Promise<void> {
  const config = loadConfig();
  const urls = requireStores(config);
  const log = createLogger('gateway', config.logLevel);
  const stopping = new AbortController();
  const stops: Stops = [];
  // The start may wait for stores, and the first process of a container ignores signals without a handler.
  stopOnSignal(35_000, async ({ err, signal }) => {
    stopping.abort();
    if (err !== undefined) log.fatal({ err }, 'gateway failed');
    log.info({ signal }, 'gateway stops');
    await stopAll(stops);
  });
  await prepareStores(urls, log);
  // Waits for Redis. Each shard joins the bus itself.
  await (await awaitBus({ redisUrl: urls.redisUrl, localName: 'chargeway', log })).close();
  const starting = startGateway({
    config,
    urls,
    localBusName: 'chargeway',
    log,
    stopping: stopping.signal,
  });
  stops.push(() => stopStarted(starting));
  try {
    const gateway = await starting;
    if (config.gatewayMetricsPort !== null) {
      const server = await serveMetrics(gateway, { host: config.host, port: config.gatewayMetricsPort });
      stops.push(() => server.close());
    }
    log.info({ host: config.host, port: config.ocppPort, shards: config.shards }, 'gateway listens');
  } catch (error) {
    // The handler of the signal ends a process whose start was stopped.
    if (!stopping.signal.aborted) throw error;
  }
}

await runMain(main);
