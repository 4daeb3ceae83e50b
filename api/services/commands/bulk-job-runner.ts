import { bulkActions, type BulkResult } from '#shared/domain/commands/bulk-job.ts';
import { DomainError, type ErrorCode } from '#shared/domain/kernel/errors.ts';
import {
  type BulkWork,
  type ClaimedItem,
  claimItem,
  type ItemResult,
  recordItem,
  returnItem,
  stopForCreator,
} from '#shared/postgres/commands/bulk-job-work.ts';
import type { ChargerRecord } from '#shared/postgres/fleet/charger-records.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { requireCharger } from '#api/services/fleet/chargers.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { type BulkCommand, sendBulkCommand } from './bulk-actions.ts';
import { creatorOfJob } from './bulk-job-creators.ts';

/** Outcomes of errors. Every other error of the product is `failed`, and one that is unexpected is `unknown`. */
const outcomeOfError: Partial<Record<ErrorCode, BulkResult>> = {
  CHARGER_OFFLINE: 'offline',
  CHARGER_TIMEOUT: 'timed-out',
  CHARGER_REFUSED: 'rejected',
  CHARGER_NOT_FOUND: 'skipped',
  CHARGER_HELD: 'skipped',
  COMMAND_NOT_SUPPORTED: 'skipped',
  CONNECTOR_NOT_FOUND: 'skipped',
  FIRMWARE_MISMATCH: 'skipped',
};

/**
 * Sends the commands of a job until no charger is left for this process: as many at once as the job allows in all processes
 * together.
 * @param isStopping true: no further command is sent.
 */
export async function runBulkJob(deps: ServiceDeps, job: BulkWork, isStopping: () => boolean): Promise<void> {
  const senders = Array.from({ length: job.concurrency }, async () => {
    while (!isStopping()) {
      const item = await claimItem(deps.sql, job.id);
      if (item === null) return;
      await commandItem(deps, job, item);
    }
  });
  // All have ended before a failure is reported.
  const failed = (await Promise.allSettled(senders)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** Command of a charger that is ready to be sent. */
interface Prepared {
  caller: Caller;
  charger: ChargerRecord;
  command: BulkCommand;
}

async function commandItem(deps: ServiceDeps, job: BulkWork, item: ClaimedItem): Promise<void> {
  const caller = await beforeSending(deps, item, creatorOfJob(deps, job, bulkActions[job.action]));
  if (caller instanceof DomainError) {
    const { code: errorCode, message } = caller;
    return stopForCreator(deps.sql, job.id, item.id, { errorCode, message });
  }
  const prepared = await beforeSending(deps, item, prepare(deps, job, item, caller));
  const result = prepared instanceof DomainError ? resultOfError(prepared) : await send(deps, job, prepared);
  await recordItem(deps.sql, job.id, item.id, result);
}

/**
 * Returns what a step before the command results in, or the error that refuses it. After an unexpected error, such as an
 * unavailable store, the charger is queued again: nothing was sent.
 */
async function beforeSending<Result>(
  { sql }: Pick<ServiceDeps, 'sql'>,
  { id }: ClaimedItem,
  step: Promise<Result>,
): Promise<Result | DomainError> {
  try {
    return await step;
  } catch (error) {
    if (error instanceof DomainError) return error;
    await returnItem(sql, id);
    throw error;
  }
}

async function prepare(
  deps: ServiceDeps,
  job: BulkWork,
  { chargerUuid }: ClaimedItem,
  caller: Caller,
): Promise<Prepared> {
  const charger = await requireCharger(deps, caller, chargerUuid);
  // Fails while the bus is away.
  await deps.bus.presence.lookup(charger.uid);
  return { caller, charger, command: commandOf(deps, job) };
}

async function send(
  deps: ServiceDeps,
  job: BulkWork,
  { caller, charger, command }: Prepared,
): Promise<ItemResult> {
  try {
    const by = { caller, ipAddress: job.ipAddress, bulkJobId: job.uuid };
    const { accepted, status } = await sendBulkCommand(deps, by, charger, command);
    return { outcome: accepted ? 'accepted' : 'rejected', answer: status, errorCode: null, message: null };
  } catch (error) {
    if (error instanceof DomainError) return resultOfError(error);
    const message = 'The command failed unexpectedly. Whether the charger received it is not known.';
    return { outcome: 'unknown', answer: null, errorCode: 'INTERNAL_ERROR', message };
  }
}

function resultOfError({ code, message }: DomainError): ItemResult {
  return { outcome: outcomeOfError[code] ?? 'failed', answer: null, errorCode: code, message };
}

function commandOf(
  { secrets }: Pick<ServiceDeps, 'secrets'>,
  { action, sealedParameters, sealingKey }: BulkWork,
): BulkCommand {
  const parameters = JSON.parse(secrets.open(sealedParameters, sealingKey)) as never;
  return { action, parameters };
}
