import { parseArgs } from 'node:util';
import { runMain } from '#shared/config/run.ts';
import { createLogger } from '#shared/log/log.ts';
import { migrateStores } from '#shared/stores/migrate.ts';
import { chooseFaults, faultsOf } from './faults.ts';
import { wholeNumber } from './options.ts';
import { runReported } from './reported-run.ts';
import { startRunStores } from './stores.ts';

/** `npm run chaos`: injects faults under load, and stores a report of what was lost, doubled and how it recovered. */
async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { stations: text, minutes: text, faults: text, seed: text, only: text },
  });
  const load = {
    stations: wholeNumber('stations', values.stations, 300),
    minutes: wholeNumber('minutes', values.minutes, 10),
    faults: wholeNumber('faults', values.faults, 40),
    seed: wholeNumber('seed', values.seed, 1),
  };
  const only = new RegExp(values.only ?? '');
  await runReported('chaos', load, values.only === undefined, async (scope, directory) => {
    const { urls, servers } = await startRunStores(scope, directory);
    await migrateStores(urls, createLogger('chaos', 'warn'));
    return {
      urls,
      chooseFaults(sites, random) {
        const all = faultsOf(sites, servers).filter(({ name }) => only.test(name));
        return chooseFaults(all, load.faults, random);
      },
    };
  });
}

await runMain(main);
