import { runPeriodically } from '#api/jobs/periodic.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { KeyUse } from '#api/services/access/key-use.service.ts';
import type { Logger } from '#shared/log/log.ts';
import type { App } from './app-instance.ts';

const writeEveryMs = 5000;

/** Counts requests of keys, written every few seconds and when the application closes. */
export function countKeyUse(app: App, deps: Pick<ApiDeps, 'sql' | 'clock'> & { log: Logger }): KeyUse {
  const keyUse = new KeyUse();
  const { sql, log } = deps;
  const writing = runPeriodically(deps, {
    name: 'key-use',
    every: writeEveryMs,
    run: () => keyUse.write(sql),
  });
  app.addHook('onClose', async () => {
    await writing.stop();
    await keyUse
      .write(sql)
      .catch((error: unknown) => log.warn({ err: error }, 'the usage counters of keys could not be written'));
  });
  return keyUse;
}
