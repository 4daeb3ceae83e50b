import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { type Config, loadConfig } from '#shared/config/config.ts';
import { freePort } from './free-port.ts';
import type { TestStores } from './stores.ts';

/** The environment of a system on the stores of a test: free ports, a directory that is removed at its end. */
export async function testEnvironment(
  t: Pick<Test, 'teardown'>,
  stores: TestStores,
): Promise<Record<string, string>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'chargeway-test-data-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  // Creates the database, which the system opens by its address.
  await stores.clickhouse.ping();
  return {
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    OCPP_PORT: String(await freePort()),
    DATA_DIR: dataDir,
    SHARDS: '2',
    DATABASE_URL: stores.databaseUrl,
    CLICKHOUSE_URL: stores.clickhouseUrl,
    REDIS_URL: stores.redisUrl,
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
  };
}

/** The same as a configuration, with variables changed. */
export async function testConfig(
  t: Pick<Test, 'teardown'>,
  stores: TestStores,
  changed: Record<string, string> = {},
): Promise<Config> {
  return loadConfig({ ...(await testEnvironment(t, stores)), ...changed });
}
