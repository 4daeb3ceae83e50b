import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runMain } from '#shared/config/run.ts';
import { createLogger } from '#shared/log/log.ts';
import { migrateStores } from '#shared/stores/migrate.ts';
import { upgradesOf } from './faults.ts';
import { wholeNumber } from './options.ts';
import { productNames } from './topology.ts';
import { runReported } from './reported-run.ts';
import { startPlainStores } from './stores.ts';
import type { StoreUrls } from './store-links.ts';

/**
 * `npm run upgrade -- DIRECTORY`: starts the processes of an earlier version, whose checkout is in DIRECTORY, on stores that it
 * migrated; migrates the stores while they run; and upgrades one process after the other under load.
 */
async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: process.argv.slice(3),
    options: { stations: text, minutes: text, seed: text },
    allowPositionals: true,
  });
  const [directory] = positionals;
  if (directory === undefined)
    throw new Error('name the directory of the earlier version: npm run upgrade -- DIRECTORY');
  const checkout = resolve(directory);
  const load = {
    stations: wholeNumber('stations', values.stations, 300),
    minutes: wholeNumber('minutes', values.minutes, 4),
    faults: productNames.length + 1,
    seed: wholeNumber('seed', values.seed, 1),
  };
  await runReported('upgrade', load, true, async (scope, directory) => {
    const urls = await startPlainStores(scope, directory);
    migrateTo(checkout, urls);
    const migrate = () => migrateStores(urls, createLogger('chaos', 'warn'));
    return {
      urls,
      checkout,
      earlier: commitOf(checkout),
      chooseFaults: (sites) => upgradesOf(sites, migrate),
    };
  });
}

function commitOf(checkout: string): string {
  return execFileSync('git', ['-C', checkout, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
}

/** Migrates the stores to the version in `checkout`. */
function migrateTo(checkout: string, { databaseUrl, clickhouseUrl }: StoreUrls): void {
  execFileSync('npm', ['run', '--silent', 'migrate'], {
    cwd: checkout,
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl, CLICKHOUSE_URL: clickhouseUrl },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

await runMain(main);
