import { startApi } from '#api/server.ts';
import { Simulations } from '#api/services/fleet/running-simulations.ts';
import { createFirstKey, type FirstCredentials } from '#deploy/start/first-key.ts';
import type { Gateway } from '#gateway/supervisor/supervisor.ts';
import { type Config, hostInUrl } from '#shared/config/config.ts';
import type { Bus } from '#shared/bus/contract.ts';
import { stopStarted } from '#shared/config/stop.ts';
import type { Logger } from '#shared/log/log.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { removeRuntime, writeRuntime } from './runtime-file.ts';
import type { RunningStores } from './stores.ts';
import type { SystemOptions } from './system.ts';
import { welcome } from './welcome.ts';

interface ApiOptions extends Omit<SystemOptions, 'stores'> {
  stores: RunningStores;
  bus: Bus;
  gateway: Gateway;
}

/**
 * Starts the API of `npm start` on open stores, and creates the first key.
 * @returns the message for the terminal.
 */
export async function serveApi({
  config,
  stores,
  bus,
  gateway,
  log,
  stops,
  stopping,
}: ApiOptions): Promise<string> {
  const { databaseUrl, clickhouseUrl } = stores;
  const ocppUrl = `ws://${hostInUrl(config.host)}:${config.ocppPort}/ocpp`;
  const simulations = simulationsAt(ocppUrl, config.simulatedChargers, log);
  const starting = startApi({
    config,
    urls: { databaseUrl, clickhouseUrl },
    bus,
    log,
    gatewayMetrics: () => gateway.metrics(),
    simulations,
    stopping,
  });
  stops.push(() => stopStarted(starting));
  stops.push(() => simulations?.close());
  const api = await starting;
  const credentials = await firstKey(config, databaseUrl);
  stopping.throwIfAborted();
  writeRuntime(config.dataDir, {
    pid: process.pid,
    apiUrl: api.url,
    ocppUrl,
    databaseUrl,
    clickhouseUrl,
  });
  stops.push(() => removeRuntime(config.dataDir));
  return welcome({ config, apiUrl: api.url, stores, credentials });
}

/** The station is loaded when the first charger is simulated. */
function simulationsAt(ocppUrl: string, max: number, log: Logger): Simulations | null {
  if (max === 0) return null;
  return new Simulations({
    max,
    log,
    connect: async (charger, onLost) => {
      const { simulateAt } = await import('./simulated-charger.ts');
      return simulateAt(ocppUrl)(charger, onLost);
    },
  });
}

async function firstKey({ dataDir }: Config, databaseUrl: string): Promise<FirstCredentials | null> {
  const sql = openPostgres(databaseUrl, { name: 'chargeway-first-key', connections: 1 });
  try {
    return await createFirstKey(sql, dataDir);
  } finally {
    await sql.end();
  }
}
