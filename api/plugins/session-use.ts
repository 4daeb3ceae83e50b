import { runPeriodically } from '#api/jobs/periodic.ts';
import { SessionUse } from '#api/services/access/session-use.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import type { Logger } from '#shared/log/log.ts';
import type { App } from './app-instance.ts';

const writeEveryMs = 5000;

/** Notes the use of browsers' sessions, written every few seconds and when the application closes. */
export function trackSessionUse(
  app: App,
  deps: Pick<ApiDeps, 'sql' | 'clock'> & { log: Logger },
): SessionUse {
  const sessionUse = new SessionUse();
  const { sql, log } = deps;
  const writing = runPeriodically(deps, {
    name: 'session-use',
    every: writeEveryMs,
    run: () => sessionUse.write(sql),
  });
  app.addHook('onClose', async () => {
    await writing.stop();
    await sessionUse
      .write(sql)
      .catch((error: unknown) => log.warn({ err: error }, 'the use of sessions could not be written'));
  });
  return sessionUse;
}
