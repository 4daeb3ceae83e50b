/** Work that is done in the background, by name, with what each job carries. */
export interface JobPayloads {
  /** An e-mail to be sent; `mailId` names it. */
  'send-mail': { mailId: number };
  /** A session that a driver scheduled for this time. */
  'scheduled-charge': { uuid: string };
  /** Attempt that could not begin at its time, or did not yet; `count` is the number of the attempt. */
  'scheduled-charge-again': { uuid: string; count: number };
  /** Executes a roaming partner's request to a charger (ocpi_commands). */
  'ocpi-command': { uuid: string };
  /** Sends the partner the outcome, or the later end of the reservation that it made. */
  'ocpi-result': { uuid: string; about: 'result' | 'cancellation' };
  /** Sends the partner the charging profile in effect for a session that the partner limited. */
  'ocpi-active-profile': { sessionUuid: string };
  /** Sets the charging profiles of a transaction again, which its station resumed after a reset. */
  'resend-profiles': { chargerId: number; transactionId: string };
}

export type JobName = keyof JobPayloads;

/** Retry schedule of a failed job, and the number of jobs that run at once in one process. */
interface JobPolicy {
  /** Tries after the first. */
  retryLimit: number;
  /** Seconds until the second try; doubled with each, up to `retryDelayMax`. */
  retryDelay: number;
  retryDelayMax: number;
  /** Seconds after which a run counts as dead and is tried again. */
  expireInSeconds: number;
  concurrency: number;
}

/** Another job repeats starts that did not begin: these retries cover only a dead process or store. */
const scheduledCharge = { retryLimit: 2000, retryDelay: 5, retryDelayMax: 60, expireInSeconds: 120 };

export const jobPolicies: Record<JobName, JobPolicy> = {
  'send-mail': { retryLimit: 10, retryDelay: 10, retryDelayMax: 3600, expireInSeconds: 120, concurrency: 4 },
  // A run at a silent charger waits 30 s and does no work, so many can run at once.
  'scheduled-charge': { ...scheduledCharge, concurrency: 16 },
  'scheduled-charge-again': { ...scheduledCharge, concurrency: 8 },
  // The death of a process with a pending command is detected once its charger must have answered: 30 s.
  'ocpi-command': {
    retryLimit: 10,
    retryDelay: 5,
    retryDelayMax: 15,
    expireInSeconds: 60,
    concurrency: 8,
  },
  // For about ten minutes: a driver waits for it no longer.
  'ocpi-result': { retryLimit: 9, retryDelay: 1, retryDelayMax: 128, expireInSeconds: 30, concurrency: 4 },
  'ocpi-active-profile': {
    retryLimit: 5,
    retryDelay: 2,
    retryDelayMax: 60,
    expireInSeconds: 60,
    concurrency: 2,
  },
  'resend-profiles': {
    retryLimit: 3,
    retryDelay: 5,
    retryDelayMax: 60,
    expireInSeconds: 120,
    concurrency: 4,
  },
};
