import type { ApiDeps } from '#api/services/deps.ts';
import { NotThereYet, runScheduledCharge } from '#api/services/charging/scheduled-runs.ts';
import type { Logger } from '#shared/log/log.ts';
import { enqueue } from '#shared/postgres/kernel/jobs.statements.ts';

type Deps = ApiDeps & { log: Logger };

/** Time in milliseconds until the second run. It doubles with each run, up to `longestWaitMs`. */
const firstWaitMs = 5000;
const longestWaitMs = 60_000;

/**
 * Runs a scheduled charge for the `count`th time, and queues the next run as another job until it has ended. The oldest due jobs run
 * first, so a job that is retried would delay younger ones. Repeated runs have a name with its own limit for the same reason.
 */
export async function tryScheduledCharge(deps: Deps, uuid: string, count: number): Promise<void> {
  if (await hasEnded(deps, uuid)) return;
  const waitMs = Math.min(firstWaitMs * 2 ** (count - 1), longestWaitMs);
  const next = { uuid, count: count + 1 };
  const startAfter = new Date(Date.now() + waitMs);
  await enqueue(deps.sql, 'scheduled-charge-again', next, { startAfter });
}

async function hasEnded(deps: Deps, uuid: string): Promise<boolean> {
  try {
    await runScheduledCharge(deps, uuid);
    deps.log.info({ scheduledCharge: uuid }, 'a scheduled charge ended');
    return true;
  } catch (error) {
    const isExpected = error instanceof NotThereYet;
    if (isExpected) deps.log.debug({ scheduledCharge: uuid, why: error.message }, 'a scheduled charge waits');
    else
      deps.log.warn({ err: error, scheduledCharge: uuid }, 'a scheduled charge failed; it will be retried');
    return false;
  }
}
