import type { ApiDeps } from '#api/services/deps.ts';
import { NotThereYet, runScheduledCharge } from '#api/services/charging/scheduled-runs.ts';
import type { Logger } from '#shared/log/log.ts';

type Deps = ApiDeps & { log: Logger };

/** Time in milliseconds until the second run. It doubles with each run, up to `longestWaitMs`. */
const firstWaitMs = 5000;
const longestWaitMs = 60_000;

/**
 * Runs scheduled charges when their time comes: each in one process at a time, again and again until it has ended. Repeated runs
 * have a queue with its own workers, so that they delay no first run.
 */
export async function startScheduledCharges(deps: Deps): Promise<void> {
  await deps.queue.work('scheduled-charge', ({ uuid }) => look(deps, uuid, 1));
  await deps.queue.work('scheduled-charge-again', ({ uuid, count }) => look(deps, uuid, count));
}

/**
 * Runs a charge for the `count`th time, and queues the next run as another job. A queue serves its oldest jobs first and a
 * retried job keeps its age, so retries would take all workers from younger jobs.
 */
async function look(deps: Deps, uuid: string, count: number): Promise<void> {
  if (await hasEnded(deps, uuid)) return;
  const waitMs = Math.min(firstWaitMs * 2 ** (count - 1), longestWaitMs);
  const next = { uuid, count: count + 1 };
  const startAfter = new Date(Date.now() + waitMs);
  await deps.queue.enqueue(deps.sql, 'scheduled-charge-again', next, { startAfter });
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
