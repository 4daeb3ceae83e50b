import {
  bulkActions,
  type BulkJobState,
  bulkJobTransitions,
  type BulkOutcome,
} from '#shared/domain/commands/bulk-job.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { maskValue } from '#shared/domain/kernel/masking.ts';
import {
  type BulkItemRecord,
  type BulkJobRecord,
  countOutcomes,
  findBulkJob,
  insertBulkJob,
  listBulkItems,
  listBulkJobs,
  moveBulkJob,
  networksOfChargers,
  type OutcomeCounts,
} from '#shared/postgres/commands/bulk-jobs.statements.ts';
import { findChargerIds } from '#shared/postgres/fleet/charger-lists.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import { type Caller, requireScope } from '#api/services/access/callers.ts';
import { namedNetwork, networksOfCall } from '#api/services/access/networks.service.ts';
import type { OperatorChargerFilter } from '#api/services/fleet/chargers.service.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';
import type { BulkCommand } from './bulk-actions.ts';

export type {
  BulkItemRecord,
  BulkJobRecord,
  OutcomeCounts,
} from '#shared/postgres/commands/bulk-jobs.statements.ts';

/** Requested job. Of `chargerUuids` and `filter` exactly one is given. */
interface RequestedBulkJob {
  command: BulkCommand;
  networkUuid: string | undefined;
  chargerUuids: readonly string[] | undefined;
  filter: OperatorChargerFilter | undefined;
  concurrency: number;
  stopAfterFailures: number | null;
}

/** A page with the cursor of the next one. */
interface Slice<Row> {
  rows: Row[];
  nextCursor: string | null;
}

/**
 * Returns the number of chargers that a job would command.
 * @throws {DomainError} SCOPE_MISSING, NETWORK_NOT_FOUND, CHARGER_NOT_FOUND, VALIDATION_FAILED when no charger is selected.
 */
export async function countBulkChargers(
  deps: ServiceDeps,
  caller: Caller,
  wanted: RequestedBulkJob,
): Promise<number> {
  return (await selectedChargers(deps, caller, wanted)).length;
}

/**
 * Stores a job, whose chargers are selected now. A worker sends its commands.
 * @throws {DomainError} as `countBulkChargers` does.
 */
export async function createBulkJob(
  deps: ServiceDeps,
  by: Actor,
  wanted: RequestedBulkJob,
): Promise<BulkJobRecord> {
  const { sql, secrets } = deps;
  const { who } = by.caller;
  const chargerIds = await selectedChargers(deps, by.caller, wanted);
  const { action, parameters } = wanted.command;
  const networkIds = await networksOfChargers(sql, chargerIds);
  return sql.begin(async (transaction) => {
    const job = await insertBulkJob(transaction, {
      networkIds,
      action,
      parameters: maskValue(parameters) as Record<string, unknown>,
      sealedParameters: secrets.seal(JSON.stringify(parameters)),
      sealingKey: secrets.id,
      chargerIds,
      concurrency: wanted.concurrency,
      stopAfterFailures: wanted.stopAfterFailures,
      createdByKeyId: who.kind === 'key' ? who.id : null,
      createdByOperatorId: who.kind === 'operator' ? who.id : null,
      creatorName: who.name,
      ipAddress: by.ipAddress,
    });
    await auditChange(transaction, by, {
      ...audited(job, 'create'),
      before: null,
      after: { action, total: job.total },
    });
    return job;
  });
}

/**
 * Lists the jobs that the caller may see, newest first.
 * @param networkUuid network of which the jobs have chargers; undefined: any
 * @throws {DomainError} NETWORK_NOT_FOUND.
 */
export async function readBulkJobs(
  deps: ServiceDeps,
  caller: Caller,
  networkUuid: string | undefined,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<Slice<BulkJobRecord>> {
  const before = decodeIdCursor(cursor, 'bigint');
  const network = networkUuid === undefined ? null : await namedNetwork(deps, caller, networkUuid);
  const jobs = await listBulkJobs(deps.sql, caller.networks, network?.id ?? null, before, limit + 1);
  return cutById(jobs, limit);
}

/**
 * Returns a job with the number of its chargers by outcome.
 * @throws {DomainError} BULK_JOB_NOT_FOUND.
 */
export async function readBulkJob(
  { sql }: ServiceDeps,
  { networks }: Caller,
  uuid: string,
): Promise<{ job: BulkJobRecord; outcomes: OutcomeCounts }> {
  const job = found(await findBulkJob(sql, networks, uuid), uuid);
  return { job, outcomes: await countOutcomes(sql, job.id) };
}

/**
 * Lists the results of a job in its order.
 * @throws {DomainError} BULK_JOB_NOT_FOUND.
 */
export async function readBulkResults(
  { sql }: ServiceDeps,
  { networks }: Caller,
  uuid: string,
  outcome: BulkOutcome | undefined,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<Slice<BulkItemRecord>> {
  const job = found(await findBulkJob(sql, networks, uuid), uuid);
  const after = decodeIdCursor(cursor, 'bigint');
  return cutById(await listBulkItems(sql, job.id, outcome, after, limit + 1), limit);
}

/**
 * Cancels a job: no further command is sent.
 * @throws {DomainError} BULK_JOB_NOT_FOUND, BULK_JOB_ENDED, SCOPE_MISSING.
 */
export async function cancelBulkJob(deps: ServiceDeps, by: Actor, uuid: string): Promise<void> {
  await deps.sql.begin(async (transaction) => {
    const job = found(await findBulkJob(transaction, by.caller.networks, uuid, true), uuid);
    requireScope(by.caller, bulkActions[job.action]);
    if (!(await moveBulkJob(transaction, job.id, 'cancelled'))) throw ended(job);
    const after: { state: BulkJobState } = { state: bulkJobTransitions.cancelled.to };
    await auditChange(transaction, by, { ...audited(job, 'cancel'), before: { state: job.state }, after });
  });
}

async function selectedChargers(
  deps: ServiceDeps,
  caller: Caller,
  { command, networkUuid, chargerUuids, filter }: RequestedBulkJob,
): Promise<number[]> {
  requireScope(caller, bulkActions[command.action]);
  if ((chargerUuids === undefined) === (filter === undefined)) {
    throw wrongField('chargerUuids', 'or else filter is required: one of the two');
  }
  const networks = await networksOfCall(deps, caller, networkUuid);
  const uuids = chargerUuids && [...new Set(chargerUuids.map((uuid) => uuid.toLowerCase()))];
  const ids = await findChargerIds(
    deps.sql,
    networks,
    { ...filter, uuids },
    { by: 'name', isDescending: false },
  );
  if (uuids !== undefined && ids.length < uuids.length) {
    throw new DomainError(
      'CHARGER_NOT_FOUND',
      `There are no ${uuids.length - ids.length} of these chargers.`,
    );
  }
  if (ids.length === 0) throw wrongField('filter', 'selects no charger');
  return ids;
}

function audited({ uuid, networkIds }: BulkJobRecord, action: 'create' | 'cancel') {
  return {
    networkId: networkIds.length === 1 ? (networkIds[0] ?? null) : null,
    category: 'bulk-job',
    action,
    resourceId: uuid,
    resourceName: uuid,
  };
}

function found(job: BulkJobRecord | null, uuid: string): BulkJobRecord {
  if (job === null) throw new DomainError('BULK_JOB_NOT_FOUND', `There is no bulk job ${uuid}.`);
  return job;
}

function ended({ uuid, state }: BulkJobRecord): DomainError {
  return new DomainError('BULK_JOB_ENDED', `The bulk job ${uuid} is ${state} and cannot be cancelled.`);
}
