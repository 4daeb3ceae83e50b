import type { ServiceDeps } from '#api/services/deps.ts';
import { NotThereYet, runScheduledCharge } from '#api/services/scheduled-runs.ts';
import type { Logger } from '#shared/log/log.ts';

/** Runs scheduled charges when their time comes: each in one process at a time, and again until it ended. */
export async function startScheduledCharges(deps: ServiceDeps & { log: Logger }): Promise<void> {
  await deps.queue.work('scheduled-charge', async ({ uuid }) => {
    try {
      await runScheduledCharge(deps, uuid);
      deps.log.info({ scheduledCharge: uuid }, 'a scheduled charge ended');
    } catch (error) {
      const isExpected = error instanceof NotThereYet;
      if (isExpected)
        deps.log.debug({ scheduledCharge: uuid, why: error.message }, 'a scheduled charge waits');
      else
        deps.log.warn({ err: error, scheduledCharge: uuid }, 'a scheduled charge failed; it is tried again');
      throw error;
    }
  });
}
