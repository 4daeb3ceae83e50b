import type { BulkResult } from '#shared/domain/commands/bulk-job.ts';
import { DomainError, type ErrorCode } from '#shared/domain/kernel/errors.ts';
import {
  type BulkWork,
  type ClaimedItem,
  claimItem,
  type ItemResult,
  recordItem,
  stopForCreator,
} from '#shared/postgres/commands/bulk-job-work.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { requireCharger } from '#api/services/fleet/chargers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import type { SecretBoxDeps } from '#api/services/kernel/secret-box.ts';
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
export async function runBulkJob(
  deps: ServiceDeps & SecretBoxDeps,
  job: BulkWork,
  isStopping: () => boolean,
): Promise<void> {
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

async function commandItem(
  deps: ServiceDeps & SecretBoxDeps,
  job: BulkWork,
  item: ClaimedItem,
): Promise<void> {
  const [creator] = await Promise.allSettled([creatorOfJob(deps, job)]);
  if (creator.status === 'fulfilled') {
    await recordItem(deps.sql, job.id, item.id, await resultOf(deps, job, item, creator.value));
    return;
  }
  if (!(creator.reason instanceof DomainError)) throw creator.reason;
  const { code: errorCode, message } = creator.reason;
  await stopForCreator(deps.sql, job.id, item.id, { errorCode, message });
}

async function resultOf(
  deps: ServiceDeps & SecretBoxDeps,
  job: BulkWork,
  { chargerUuid }: ClaimedItem,
  caller: Caller,
): Promise<ItemResult> {
  try {
    const charger = await requireCharger(deps, caller, chargerUuid);
    const by = { caller, ipAddress: job.ipAddress, bulkJobId: job.uuid };
    const { accepted, status } = await sendBulkCommand(deps, by, charger, commandOf(deps, job));
    return { outcome: accepted ? 'accepted' : 'rejected', answer: status, errorCode: null, message: null };
  } catch (error) {
    if (!(error instanceof DomainError)) {
      const message = 'The command failed unexpectedly. Whether the charger received it is not known.';
      return { outcome: 'unknown', answer: null, errorCode: 'INTERNAL_ERROR', message };
    }
    const { code, message } = error;
    return { outcome: outcomeOfError[code] ?? 'failed', answer: null, errorCode: code, message };
  }
}

function commandOf({ secrets }: SecretBoxDeps, { action, sealedParameters }: BulkWork): BulkCommand {
  const parameters = JSON.parse(secrets.open(sealedParameters)) as never;
  return { action, parameters };
}
