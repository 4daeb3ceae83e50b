/** Commands that a bulk job sends, with the scope that each requires. */
export const bulkActions = {
  reboot: 'cpms:command:reboot',
  'trigger-message': 'cpms:command:trigger-message',
  'change-availability': 'cpms:command:change-availability',
  'unlock-connector': 'cpms:command:unlock-connector',
  'change-configuration': 'cpms:command:configuration',
  'set-variables': 'cpms:command:variables',
  'update-firmware': 'cpms:command:firmware',
} as const;
export type BulkAction = keyof typeof bulkActions;
export const bulkActionNames = Object.keys(bulkActions) as BulkAction[];

export const bulkJobStates = ['QUEUED', 'RUNNING', 'COMPLETED', 'CANCELLED', 'STOPPED'] as const;
export type BulkJobState = (typeof bulkJobStates)[number];

/** Event in the life of a bulk job. */
export type BulkJobEvent = 'started' | 'finished' | 'cancelled' | 'stopped';

/** Transition table: the states that each event leaves, and the one that it enters. Every other pair is refused. */
export const bulkJobTransitions: Record<BulkJobEvent, { from: readonly BulkJobState[]; to: BulkJobState }> = {
  /** A worker claimed the first charger. */
  started: { from: ['QUEUED'], to: 'RUNNING' },
  /** Every charger has its outcome. */
  finished: { from: ['RUNNING'], to: 'COMPLETED' },
  /** An operator cancelled it. Commands that were sent before still get their outcome. */
  cancelled: { from: ['QUEUED', 'RUNNING'], to: 'CANCELLED' },
  /** Too many commands failed, or the creator lost its authority. */
  stopped: { from: ['QUEUED', 'RUNNING'], to: 'STOPPED' },
};

/** Reason of a STOPPED job. */
export const bulkStopReasons = ['FAILURES', 'CREATOR_NOT_ALLOWED'] as const;
export type BulkStopReason = (typeof bulkStopReasons)[number];

/**
 * State of a charger in a bulk job. queued → running → one of the others; queued → cancelled. No outcome is ever left: a command
 * is sent at most once.
 */
export const bulkOutcomes = [
  'queued',
  'running',
  'accepted',
  'rejected',
  'failed',
  'timed-out',
  'offline',
  'skipped',
  'cancelled',
  'unknown',
] as const;
export type BulkOutcome = (typeof bulkOutcomes)[number];

/** Outcomes of an attempt. */
export type BulkResult = Exclude<BulkOutcome, 'queued' | 'running' | 'cancelled'>;

/** Outcomes that count for `stopAfterFailures`. */
export const bulkFailures: readonly BulkOutcome[] = ['rejected', 'failed', 'timed-out', 'unknown'];

/**
 * Seconds after which an attempt without a result belongs to a process that died. Longer than a charger and the bus have for an
 * answer.
 */
export const bulkLeaseSeconds = 90;

/** Maximum number of commands of one job that are in progress at the same time. */
export const maxBulkConcurrency = 100;
