import { mkdir } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { startApi } from '#api/server.ts';
import { startGateway } from '#gateway/processes/supervisor.ts';
import { type Config, hostInUrl, loadConfig } from '#shared/config/config.ts';
import { ConfigError } from '#shared/config/config-error.ts';
import { runMain } from '#shared/config/run.ts';
import { stopAll, stopOnSignal, type Stops } from '#shared/config/stop.ts';
import { createLogger, type Logger } from '#shared/log/log.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { awaitBus } from '#shared/stores/await-bus.ts';
import { prepareStores } from '#shared/stores/migrate.ts';
import { startTracing, stopTracing } from '#shared/tracing/tracing.ts';
import { Simulations } from '#api/services/fleet/running-simulations.ts';
import { buildConsoleInBackground } from './all-in-one/console-build.ts';
import { requireFreePort } from './all-in-one/ports.ts';
import { removeRuntime, writeRuntime } from './all-in-one/runtime-file.ts';
import { type RunningStores, startStores } from './all-in-one/stores.ts';
import { welcome } from './all-in-one/welcome.ts';
import { createFirstKey } from './first-key.ts';

/**
 * `npm start`: the whole system in one process, on embedded stores where the environment names none.
 */
async function main(): Promise<void> {
  const startedAt = performance.now();
  const config = loadConfig();
  if (config.gatewayProcesses > 1) {
    throw new ConfigError([
      'GATEWAY_PROCESSES: `npm start` is one process; `npm run gateway` starts several',
    ]);
  }
  const log = createLogger('chargeway', config.logLevel);
  await requireFreePort('PORT', config.host, config.port);
  await requireFreePort('OCPP_PORT', config.host, config.ocppPort);
  await mkdir(config.dataDir, { recursive: true });

  const stops: Stops = [stopTracing];
  // From here on a signal stops what has been started so far, so that no child is left behind.
  stopOnSignal(40_000, async ({ err, signal }) => {
    if (err !== undefined) log.fatal({ err }, 'chargeway failed');
    log.info({ signal }, 'chargeway stops');
    await stopAll(stops);
  });
  try {
    await startTracing(config.tracing, 'chargeway-api', log);
    const stores = await startStores(config, log);
    stops.push(() => stores.stop());
    const apiUrl = await startSystem(config, stores, log, stops);
    const credentials = await firstKey(config, stores);
    console.log(welcome({ config, apiUrl, stores, startedAt, credentials }));
    stops.push(await buildConsoleInBackground(log));
  } catch (error) {
    await stopAll(stops);
    throw error;
  }
}

/** Starts gateway and API on stores that run; answers with the API's address. */
async function startSystem(
  config: Config,
  stores: RunningStores,
  log: Logger,
  stops: Stops,
): Promise<string> {
  await prepareStores(stores, log);
  // Threads of one process meet by this name; another system in the same process (a test) has its own.
  const localBusName = `chargeway-${randomBytes(4).toString('hex')}`;
  const bus = await awaitBus({
    redisUrl: config.redisUrl ?? undefined,
    localName: localBusName,
    hub: true,
    log,
  });
  stops.push(() => bus.close());
  const { databaseUrl, clickhouseUrl } = stores;
  const gateway = await startGateway({
    config,
    urls: { databaseUrl, clickhouseUrl, redisUrl: config.redisUrl },
    localBusName,
    log,
  });
  stops.push(() => gateway.stop());
  const ocppUrl = `ws://${hostInUrl(config.host)}:${config.ocppPort}/ocpp`;
  const simulations = simulationsAt(ocppUrl, config.simulatedChargers, log);
  const api = await startApi({
    config,
    urls: { databaseUrl, clickhouseUrl },
    bus,
    log,
    gatewayMetrics: () => gateway.metrics(),
    simulations,
  });
  stops.push(() => api.stop());
  stops.push(() => simulations?.close());
  writeRuntime(config.dataDir, {
    pid: process.pid,
    apiUrl: api.url,
    ocppUrl,
    databaseUrl,
    clickhouseUrl,
  });
  stops.push(() => removeRuntime(config.dataDir));
  return api.url;
}

/** The station is loaded when the first charger is simulated. */
function simulationsAt(ocppUrl: string, max: number, log: Logger): Simulations | null {
  if (max === 0) return null;
  return new Simulations({
    max,
    log,
    connect: async (charger, onLost) => {
      const { simulateAt } = await import('./all-in-one/simulated-charger.ts');
      return simulateAt(ocppUrl)(charger, onLost);
    },
  });
}

async function firstKey(config: Config, stores: RunningStores) {
  const sql = openPostgres(stores.databaseUrl, { name: 'chargeway-first-key', connections: 1 });
  try {
    return await createFirstKey(sql, config.dataDir);
  } finally {
    await sql.end();
  }
}

await runMain(main);
