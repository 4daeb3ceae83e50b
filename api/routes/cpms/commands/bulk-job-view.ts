import { type Static, Type } from 'typebox';
import { DateTime, Integer, isoOrNull, Named, Nullable, OneOf, Str, Uuid } from '#api/routes/schema.ts';
import type {
  BulkItemRecord,
  BulkJobRecord,
  OutcomeCounts,
} from '#api/services/commands/bulk-jobs.service.ts';
import {
  bulkActionNames,
  bulkJobStates,
  bulkOutcomes,
  bulkStopReasons,
} from '#shared/domain/commands/bulk-job.ts';

const fields = {
  id: Uuid('Bulk job identifier.'),
  action: OneOf(bulkActionNames, 'Command that is sent.'),
  parameters: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Parameters of the command. Passwords and keys are shown as ***.',
    examples: [{ kind: 'Soft' }],
  }),
  total: Integer('Number of chargers.', 200),
  concurrency: Integer('Maximum number of commands in progress at the same time.', 10),
  stopAfterFailures: Nullable(Integer('Number of failures that stops the job. Null: none.', 20)),
  state: OneOf(
    bulkJobStates,
    'QUEUED: waits for a worker. RUNNING: commands are sent. COMPLETED: every charger has its outcome. CANCELLED: by an ' +
      'operator. STOPPED: by `stopReason`. Commands in progress at a CANCELLED or STOPPED job still get their outcome.',
  ),
  stopReason: Nullable(
    OneOf(
      bulkStopReasons,
      'FAILURES: `stopAfterFailures` was reached. CREATOR_NOT_ALLOWED: the creator was revoked, or lacks the scope. Null: it ' +
        'was not stopped.',
    ),
  ),
  createdBy: Nullable(Str('Name of the key or operator that created it.', 'Night shift')),
  createdAt: DateTime('Time of creation.'),
  startedAt: Nullable(DateTime('Time of the first command. Null before.')),
  endedAt: Nullable(DateTime('Time of the end. Null before.')),
};

/** Bulk job in a list. */
export const BulkJobItem = Named('BulkJobSummary', fields);

/** Bulk job with its progress. */
export const BulkJobDetail = Named('BulkJob', {
  ...fields,
  outcomes: Type.Object(
    Object.fromEntries(
      bulkOutcomes.map((outcome) => [outcome, Integer(`Number of chargers: ${outcome}.`, 3)]),
    ),
    { description: 'Number of chargers by outcome.' },
  ),
});

export const Outcome = OneOf(
  bulkOutcomes,
  'queued: not commanded yet. running: the answer is awaited. accepted, rejected: by the charger. failed: `errorCode` has the ' +
    'reason. timed-out: no answer. offline: not connected, and not sent. skipped: not sent, for the reason in `errorCode`. ' +
    'cancelled: the job ended before. unknown: the process that sent the command ended before the answer; it is not sent again.',
);

/** Result of a charger. */
export const BulkResultItem = Named('BulkJobResult', {
  chargerId: Uuid('Charger identifier.'),
  uid: Str('OCPP identity of the charger.', 'QUAY-1'),
  outcome: Outcome,
  startedAt: Nullable(DateTime('Time the command was sent. Null before.')),
  endedAt: Nullable(DateTime('Time of the outcome. Null before.')),
  answer: Nullable(Str('Status in the answer of the charger. Null without one.', 'Accepted')),
  errorCode: Nullable(Str('Code of the error. Null without one.', 'CHARGER_OFFLINE')),
  message: Nullable(
    Str('The error as a sentence. Null without one.', 'The charger QUAY-1 is not connected.'),
  ),
});

export function bulkJobItem(job: BulkJobRecord): Static<typeof BulkJobItem> {
  const { uuid, action, parameters, total, concurrency, stopAfterFailures, state, stopReason } = job;
  return {
    id: uuid,
    action,
    parameters,
    total,
    concurrency,
    stopAfterFailures,
    state,
    stopReason,
    createdBy: job.creatorName,
    createdAt: job.createdAt.toISOString(),
    startedAt: isoOrNull(job.startedAt),
    endedAt: isoOrNull(job.endedAt),
  };
}

export function bulkJobDetail({ job, outcomes }: { job: BulkJobRecord; outcomes: OutcomeCounts }) {
  return { ...bulkJobItem(job), outcomes };
}

export function bulkResult(item: BulkItemRecord): Static<typeof BulkResultItem> {
  const { chargerUuid, chargerUid, outcome, startedAt, endedAt, answer, errorCode, message } = item;
  return {
    chargerId: chargerUuid,
    uid: chargerUid,
    outcome,
    startedAt: isoOrNull(startedAt),
    endedAt: isoOrNull(endedAt),
    answer,
    errorCode,
    message,
  };
}
