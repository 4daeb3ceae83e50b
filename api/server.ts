import type { Bus } from '#shared/bus/contract.ts';
import { openClickHouse } from '#shared/clickhouse/client.ts';
import type { Config } from '#shared/config/config.ts';
import type { Logger } from '#shared/log/log.ts';
import { buildApp } from './app.ts';
import type { ApiSettings } from './services/deps.ts';
import type { Simulations } from './services/fleet/running-simulations.ts';
import { startJobs } from './jobs/start.ts';
import { openDatabases } from './open-databases.ts';
import { openServiceDeps } from './open-deps.ts';
import { serveContractVerifications } from './services/commands/contract-certificates.ts';
import { serveTokenAuthorizations } from './services/roaming/real-time-authorization.ts';

/** Connections to ClickHouse: requests beyond that wait their turn. */
const connections = 10;
const name = 'chargeway-api';

export interface ApiOptions {
  config: Pick<
    Config,
    | 'host'
    | 'port'
    | 'trustedProxies'
    | 'corsOrigins'
    | 'mapTiles'
    | 'apiMaxConnections'
    | 'databasePoolerUrl'
    | 'databaseReadUrl'
    | keyof ApiSettings
  >;
  urls: { databaseUrl: string; clickhouseUrl: string };
  /** Stays the caller's to close. */
  bus: Bus;
  log: Logger;
  gatewayMetrics?: (() => Promise<string>) | undefined;
  /** Runs simulated chargers; stays the caller's to close. Null: none. */
  simulations?: Simulations | null | undefined;
}

/** An API that listens. */
export interface RunningApi {
  url: string;
  /** Lets running requests end, then closes what was opened. */
  stop(): Promise<void>;
}

/**
 * Opens the stores, listens, and starts the background work.
 * @throws {Error} naming the port and its variable when the port is in use.
 */
export async function startApi({
  config,
  urls,
  bus,
  log,
  gatewayMetrics,
  simulations,
}: ApiOptions): Promise<RunningApi> {
  const databases = openDatabases(config, urls.databaseUrl, log);
  const { sql } = databases;
  const clickhouse = openClickHouse(urls.clickhouseUrl, { name, connections });
  let closeDeps: (() => Promise<void>) | null = null;
  const closeStores = async () => {
    await closeDeps?.();
    await Promise.all([databases.close(), clickhouse.close()]);
  };
  try {
    const { deps, close } = await openServiceDeps({
      sql,
      sessionSql: databases.sessionSql,
      staleReads: databases.staleReads,
      clickhouse,
      bus,
      settings: config,
      simulations,
      log,
    });
    closeDeps = close;
    const app = await buildApp({
      ...deps,
      log,
      gatewayMetrics,
      trustedProxies: config.trustedProxies,
      corsOrigins: config.corsOrigins,
      mapTiles: config.mapTiles,
      maxConnections: config.apiMaxConnections,
    });
    const url = await app.listen({ host: config.host, port: config.port }).catch(async (error: unknown) => {
      await app.close();
      throw explained(error, config.port);
    });
    // Before the roaming desk, which names this process to the gateways.
    const stopVerifying = await serveContractVerifications(deps);
    const stopAnswering = await serveTokenAuthorizations(deps);
    const jobs = await startJobs({ ...deps, ...databases.jobs, log }, databases.longJobs);
    const endRequests = async () => {
      await stopAnswering();
      await stopVerifying();
      await app.close();
    };
    return {
      url,
      stop: async () => {
        await Promise.all([endRequests(), jobs.stop()]);
        await closeStores();
      },
    };
  } catch (error) {
    await closeStores();
    throw error;
  }
}

function explained(error: unknown, port: number): unknown {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  if (!isTaken) return error;
  return new Error(`port ${port} is in use: set PORT to a free one for the API`, { cause: error });
}
