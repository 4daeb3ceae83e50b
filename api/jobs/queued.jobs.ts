import { executeCommand } from '#api/services/roaming/commands/execute.ts';
import { sendResult } from '#api/services/roaming/commands/notify.ts';
import { pushActiveProfile } from '#api/services/roaming/profiles/push.ts';
import type { JobName } from '#shared/domain/kernel/jobs.ts';
import { areJobsDue } from '#shared/postgres/kernel/jobs.statements.ts';
import type { Job, JobDeps } from './job.ts';
import { sendQueuedMail } from './mails.job.ts';
import { type JobHandlers, QueueWorker } from './queue-worker.ts';
import { resendTransactionProfiles } from './resend-profiles.job.ts';
import { tryScheduledCharge } from './scheduled-charges.job.ts';

/** Job that runs what transactions have queued. A notification starts new work at once; the condition finds delayed and repeated work. */
export function queuedJobs(deps: JobDeps): Job[] {
  const handlers = jobHandlers(deps);
  const names = Object.keys(handlers) as JobName[];
  const worker = new QueueWorker(deps, handlers);
  return [
    {
      name: 'queued-jobs',
      every: 1000,
      due: (sql) => areJobsDue(sql, names),
      run: async () => worker.look(),
      stop: () => worker.stop(),
    },
  ];
}

/** Returns the work of each queued job. */
export function jobHandlers(deps: Omit<JobDeps, 'longJobs'>): Required<JobHandlers> {
  return {
    'send-mail': ({ mailId }) => sendQueuedMail(deps, mailId),
    'scheduled-charge': ({ uuid }) => tryScheduledCharge(deps, uuid, 1),
    'scheduled-charge-again': ({ uuid, count }) => tryScheduledCharge(deps, uuid, count),
    'ocpi-command': ({ uuid }) => executeCommand(deps, uuid),
    'ocpi-result': ({ uuid, about }) => sendResult(deps, uuid, about),
    'ocpi-active-profile': ({ sessionUuid }) => pushActiveProfile(deps, sessionUuid),
    'resend-profiles': (resumed) => resendTransactionProfiles(deps, resumed),
  };
}
