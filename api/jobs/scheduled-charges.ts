import type { ApiDeps } from '#api/services/deps.ts';
import { NotThereYet, runScheduledCharge } from '#api/services/charging/scheduled-runs.ts';
import type { Logger } from '#shared/log/log.ts';

type Deps = ApiDeps & { log: Logger };

/** Until the second look (ms); doubled with each, up to the longest. */
const firstWaitMs = 5000;
const longestWaitMs = 60_000;

/**
 * Runs scheduled charges when their time comes: each in one process at a time, and again until it ended. Those that wait
 * have a queue with workers of its own, and hold up none whose time comes.
 */
export async function startScheduledCharges(deps: Deps): Promise<void> {
  await deps.queue.work('scheduled-charge', ({ uuid }) => look(deps, uuid, 1));
  await deps.queue.work('scheduled-charge-again', ({ uuid, count }) => look(deps, uuid, count));
}

/**
 * Has a look at a charge, which is the `count`th; the next one is a job of its own. A queue gives its oldest jobs first, and
 * one that is tried again keeps its age: those that wait longest would take all workers from the others.
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
