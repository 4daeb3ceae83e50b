import type { Bus } from '#shared/bus/contract.ts';
import { openClickHouse } from '#shared/clickhouse/client.ts';
import type { Config } from '#shared/config/config.ts';
import { orStopped, stopAll, type Stops } from '#shared/config/stop.ts';
import type { Logger } from '#shared/log/log.ts';
import { awaitRedis } from '#shared/stores/await-bus.ts';
import { buildApp } from './app.ts';
import type { ApiSettings } from './services/deps.ts';
import type { Simulations } from './services/fleet/running-simulations.ts';
import type { Periodic } from './jobs/periodic.ts';
import { startJobs } from './jobs/start.job.ts';
import { openDatabases } from './open-databases.ts';
import { openServiceDeps } from './open-deps.ts';
import { serveContractVerifications } from './services/commands/contract-certificates.service.ts';
import { serveTokenAuthorizations } from './services/roaming/real-time-authorization.ts';

/** Connections to ClickHouse: requests beyond that wait their turn. */
const connections = 10;

/** Connections that may wait to be accepted. One beyond that waits for seconds, and so does a health check. The system may limit it. */
const backlog = 4096;
const name = 'chargeway-api';

interface ApiOptions {
  config: Pick<
    Config,
    | 'host'
    | 'port'
    | 'trustedProxies'
    | 'corsOrigins'
    | 'mapTiles'
    | 'apiMaxConnections'
    | 'apiMaxRequests'
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
  /** Ends the wait for stores during the start, with an `AbortError`. */
  stopping?: AbortSignal | undefined;
}

/** An API that listens. */
interface RunningApi {
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
  stopping,
}: ApiOptions): Promise<RunningApi> {
  const databases = openDatabases(config, urls.databaseUrl, log);
  const { sql } = databases;
  const clickhouse = openClickHouse(urls.clickhouseUrl, { name, connections });
  const stores: Stops = [() => Promise.all([databases.close(), clickhouse.close()])];
  const requests: Stops = [];
  const stop = async (jobs: Periodic): Promise<void> => {
    await Promise.all([stopAll(requests), jobs.stop()]);
    await stopAll(stores);
  };
  try {
    const opening = openServiceDeps({
      sql,
      staleReads: databases.staleReads,
      clickhouse,
      bus,
      settings: config,
      simulations,
      log,
    });
    const { deps, close } = await orStopped(opening, stopping);
    stores.push(close);
    const app = await buildApp({
      ...deps,
      log,
      gatewayMetrics,
      trustedProxies: config.trustedProxies,
      corsOrigins: config.corsOrigins,
      mapTiles: config.mapTiles,
      maxConnections: config.apiMaxConnections,
      maxRequests: config.apiMaxRequests,
    });
    requests.push(() => app.close());
    const url = await app
      .listen({ host: config.host, port: config.port, backlog })
      .catch((error: unknown) => {
        throw explained(error, config.port);
      });
    const redis = { log, signal: stopping };
    // First: serving authorizations announces this process to the gateways.
    requests.push(await awaitRedis(redis, () => serveContractVerifications(deps)));
    requests.push(await awaitRedis(redis, () => serveTokenAuthorizations(deps)));
    const starting = startJobs({ ...deps, ...databases.jobs, log, longJobs: databases.longJobs });
    const jobs = await orStopped(starting, stopping);
    return { url, stop: () => stop(jobs) };
  } catch (error) {
    await stopAll(requests);
    const closed = stopAll(stores);
    // A store that does not answer would delay the end of a process that stops: its connections end with it.
    if (stopping?.aborted) closed.catch(() => undefined);
    else await closed;
    throw error;
  }
}

function explained(error: unknown, port: number): unknown {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  if (!isTaken) return error;
  return new Error(`port ${port} is in use: set PORT to a free one for the API`, { cause: error });
}
