import { mkdir } from 'node:fs/promises';
import { loadConfig } from '#shared/config/config.ts';
import { runMain } from '#shared/config/run.ts';
import { stopAll, stopOnSignal, type Stops, stopStarted } from '#shared/config/stop.ts';
import { createLogger } from '#shared/log/log.ts';
import { startTracing, stopTracing } from '#shared/tracing/tracing.ts';
import { buildConsoleInBackground } from './console-build.ts';
import { requireFreePort } from './ports.ts';
import { startStores } from './stores.ts';

/**
 * `npm start`: the whole system in one process, on embedded stores where the environment names none. The stores start while this
 * process loads the rest of its modules.
 */
async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLogger('chargeway', config.logLevel);
  await requireFreePort('PORT', config.host, config.port);
  await requireFreePort('OCPP_PORT', config.host, config.ocppPort);
  await mkdir(config.dataDir, { recursive: true });

  const stopping = new AbortController();
  const stores = startStores(config, log, stopping.signal);
  // Their failure is reported where they are awaited.
  stores.catch(() => undefined);
  const stops: Stops = [stopTracing, () => stopStarted(stores)];
  // A signal stops what has been started so far, so that no child is left behind.
  stopOnSignal(40_000, async ({ err, signal }) => {
    stopping.abort();
    if (err !== undefined) log.fatal({ err }, 'chargeway failed');
    log.info({ signal }, 'chargeway stops');
    await stopAll(stops);
  });
  try {
    await startTracing(config.tracing, 'chargeway-api', log);
    const { startSystem } = await import('./system.ts');
    console.log(await startSystem({ config, stores, log, stops, stopping: stopping.signal }));
    const building = buildConsoleInBackground(log);
    stops.push(async () => (await building)());
    await building;
  } catch (error) {
    // Parts that are stopped while they start fail. The handler of the signal ends the process.
    if (stopping.signal.aborted) return;
    stopping.abort();
    await stopAll(stops);
    throw error;
  }
}

await runMain(main);
