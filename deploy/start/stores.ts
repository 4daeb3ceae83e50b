import { join } from 'node:path';
import type { Config } from '#shared/config/config.ts';
import { orStopped } from '#shared/config/stop.ts';
import { startEmbeddedClickHouse } from '#shared/embedded/clickhouse.ts';
import { startEmbeddedPostgres } from '#shared/embedded/postgres.ts';
import type { EmbeddedStore, StoreLog } from '#shared/embedded/store.ts';
import type { Logger } from '#shared/log/log.ts';

/** The stores that the system runs on: those that its environment names, embedded ones for the rest. */
export interface RunningStores {
  databaseUrl: string;
  clickhouseUrl: string;
  /** Names of the embedded stores, for the start-up message. */
  embedded: string[];
  stop(): Promise<void>;
}

/** Starts what is not given by URL, both at once. An abort of `stopping` ends the start, with an `AbortError`. */
export async function startStores(
  config: Config,
  log: Logger,
  stopping?: AbortSignal,
): Promise<RunningStores> {
  const line = (store: string) => (text: string) => log.debug({ store }, text);
  const [postgres, clickhouse] = await Promise.allSettled([
    config.databaseUrl === null
      ? startEmbeddedPostgres({ dataDir: join(config.dataDir, 'postgres'), log: line('postgres') })
      : config.databaseUrl,
    config.clickhouseUrl === null
      ? startClickHouse(join(config.dataDir, 'clickhouse'), line('clickhouse'), stopping)
      : config.clickhouseUrl,
  ]);
  const started = [postgres, clickhouse].flatMap((result) =>
    result.status === 'fulfilled' && typeof result.value !== 'string' ? [result.value] : [],
  );
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((store) => store.stop()));
  };
  if (postgres.status === 'rejected' || clickhouse.status === 'rejected') {
    await stop();
    throw postgres.status === 'rejected' ? postgres.reason : (clickhouse as PromiseRejectedResult).reason;
  }
  return {
    databaseUrl: urlOf(postgres.value),
    clickhouseUrl: urlOf(clickhouse.value),
    embedded: [
      ...(config.databaseUrl === null ? ['PostgreSQL'] : []),
      ...(config.clickhouseUrl === null ? ['ClickHouse'] : []),
      ...(config.redisUrl === null ? ['bus'] : []),
    ],
    stop,
  };
}

/** Starts ClickHouse and migrates it while PostgreSQL starts. No lock is needed: no other process has it. */
async function startClickHouse(
  dataDir: string,
  log: StoreLog,
  stopping?: AbortSignal,
): Promise<EmbeddedStore> {
  const store = await startEmbeddedClickHouse({ dataDir, log });
  try {
    const { migrateOwnClickHouse } = await import('#shared/stores/migrate.ts');
    await orStopped(migrateOwnClickHouse(store.url), stopping);
    return store;
  } catch (error) {
    await store.stop();
    throw error;
  }
}

function urlOf(store: EmbeddedStore | string): string {
  return typeof store === 'string' ? store : store.url;
}
