import type { ServiceDeps } from '#api/services/deps.ts';
import { NotThereYet, runScheduledCharge } from '#api/services/scheduled-runs.ts';
import { jobPolicies } from '#shared/domain/jobs.ts';
import type { Logger } from '#shared/log/log.ts';

type Deps = ServiceDeps & { log: Logger };

/**
 * Runs scheduled charges when their time comes: each in one process at a time, and again until it ended. Of one queue the
 * oldest jobs are taken first: those that wait have a queue with workers of its own, and hold up none whose time comes.
 */
export async function startScheduledCharges(deps: Deps): Promise<void> {
  const { queue, sql } = deps;
  await queue.work('scheduled-charge', async ({ uuid }) => {
    try {
      await run(deps, uuid);
    } catch {
      const { retryDelay } = jobPolicies['scheduled-charge-again'];
      const startAfter = new Date(Date.now() + retryDelay * 1000);
      await queue.enqueue(sql, 'scheduled-charge-again', { uuid }, { id: uuid, startAfter });
    }
  });
  await queue.work('scheduled-charge-again', ({ uuid }) => run(deps, uuid));
}

/** @throws what it is to be run again for. */
async function run(deps: Deps, uuid: string): Promise<void> {
  try {
    await runScheduledCharge(deps, uuid);
    deps.log.info({ scheduledCharge: uuid }, 'a scheduled charge ended');
  } catch (error) {
    const isExpected = error instanceof NotThereYet;
    if (isExpected) deps.log.debug({ scheduledCharge: uuid, why: error.message }, 'a scheduled charge waits');
    else deps.log.warn({ err: error, scheduledCharge: uuid }, 'a scheduled charge failed; it is tried again');
    throw error;
  }
}
