import type { Test } from 'tap';
import { runPeriodically } from '#api/jobs/periodic.ts';
import { QueueWorker } from '#api/jobs/queue-worker.ts';
import { jobHandlers } from '#api/jobs/queued.jobs.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import type { JobName } from '#shared/domain/kernel/jobs.ts';
import { createLogger } from '#shared/log/log.ts';
import { hastyClock } from '#shared/testing/hasty-clock.ts';

const log = createLogger('test', 'silent');

/** Jobs of roaming partners. */
const partnerJobs: readonly JobName[] = ['ocpi-command', 'ocpi-result', 'ocpi-active-profile'];

/** Runs queued jobs with these names, by default the jobs of roaming partners, until the test ends. Returns their end before that. */
export function startQueuedJobs(
  t: Pick<Test, 'teardown'>,
  deps: ApiDeps,
  names: readonly JobName[] = partnerJobs,
): () => Promise<void> {
  const handlers = Object.entries(jobHandlers({ ...deps, log }));
  const chosen = handlers.filter(([name]) => names.includes(name as JobName));
  const worker = new QueueWorker({ ...deps, log }, Object.fromEntries(chosen));
  worker.look();
  const looks = runPeriodically(
    { clock: hastyClock, log },
    { name: 'queued-jobs', every: 1000, run: async () => worker.look() },
  );
  const stop = async (): Promise<void> => {
    await looks.stop();
    await worker.stop();
  };
  t.teardown(stop);
  return stop;
}
