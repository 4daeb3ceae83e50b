import { loadConfig } from '#shared/config/config.ts';
import { requireStores } from '#shared/config/stores.ts';
import { runMain } from '#shared/config/run.ts';
import { stopOnSignal } from '#shared/config/stop.ts';
import { createLogger } from '#shared/log/log.ts';
import { migrateStores } from '#shared/stores/migrate.ts';
import { serveMetrics } from './processes/metrics-server.ts';
import { startGatewayProcesses } from './processes/process-group.ts';
import { startGateway } from './processes/supervisor.ts';

/** Runs `npm run gateway`: a gateway in one process or several, on the stores that the environment names. */
async function main(): Promise<void> {
  const config = loadConfig();
  const urls = requireStores(config);
  const log = createLogger('gateway', config.logLevel);
  await migrateStores(urls, log);
  const { gatewayProcesses: processes } = config;
  const gateway =
    processes === 1
      ? await startGateway({ config, urls, localBusName: 'chargeway', log })
      : await startGatewayProcesses({ processes, log });
  const metricsServer =
    config.gatewayMetricsPort === null
      ? null
      : await serveMetrics(gateway, { host: config.host, port: config.gatewayMetricsPort });
  log.info({ host: config.host, port: config.ocppPort, shards: config.shards, processes }, 'gateway listens');
  stopOnSignal(35_000, async ({ err, signal }) => {
    if (err !== undefined) log.fatal({ err }, 'gateway failed');
    log.info({ signal }, 'gateway stops');
    metricsServer?.close();
    await gateway.stop();
  });
}

await runMain(main);
