import type { Actor } from '#api/services/access/audit.ts';
import { AuditedRecords } from '#api/services/access/audited-records.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { keepNetwork, networkForNew, networksOfCall } from '#api/services/access/networks.service.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { defined } from '#api/services/kernel/edits.service.ts';
import { maxThresholds, type ThresholdDetails } from '#shared/domain/fleet/alert-threshold.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  findThreshold,
  insertThreshold,
  listThresholds,
  removeThreshold,
  type ThresholdRecord,
  updateThreshold,
} from '#shared/postgres/fleet/alert-thresholds.statements.ts';
import { countOfNetwork } from '#shared/postgres/kernel/records.statements.ts';

export type { ThresholdRecord } from '#shared/postgres/fleet/alert-thresholds.statements.ts';

/** Thresholds and their changes. */
export const thresholds = new AuditedRecords<ThresholdRecord>({
  category: 'alert-threshold',
  notFound: 'ALERT_THRESHOLD_NOT_FOUND',
  find: findThreshold,
  networkOf: ({ networkId }) => networkId,
  nameOf: ({ name }) => name,
  audited: ({ name, metric, comparison, value, forMinutes, severity, isEnabled }) => ({
    name,
    metric,
    comparison,
    value,
    forMinutes,
    severity,
    isEnabled,
  }),
});

/** Lists the thresholds of the caller's networks, oldest first. */
export async function readThresholds(
  deps: ServiceDeps,
  caller: Caller,
  query: { networkUuid: string | undefined; cursor: string | undefined; limit: number },
): Promise<{ rows: ThresholdRecord[]; nextCursor: string | null }> {
  const after = decodeIdCursor(query.cursor);
  const scope = await networksOfCall(deps, caller, query.networkUuid);
  return cutById(await listThresholds(deps.sql, scope, after, query.limit + 1), query.limit);
}

/** @throws {DomainError} NETWORK_NOT_FOUND, VALIDATION_FAILED, ALERT_THRESHOLD_LIMIT_REACHED. */
export async function createThreshold(
  deps: ServiceDeps,
  by: Actor,
  networkUuid: string | undefined,
  details: ThresholdDetails,
): Promise<ThresholdRecord> {
  const network = await networkForNew(deps, by.caller, networkUuid);
  return thresholds.create(deps.sql, by, async (transaction) => {
    await keepNetwork(transaction, network);
    if ((await countOfNetwork(transaction, 'alert_thresholds', network.id)) >= maxThresholds) {
      throw new DomainError(
        'ALERT_THRESHOLD_LIMIT_REACHED',
        `A network has at most ${maxThresholds} thresholds: delete one.`,
      );
    }
    const uuid = await insertThreshold(transaction, network.id, details);
    return thresholds.require(transaction, by.caller.networks, uuid);
  });
}

/** @throws {DomainError} ALERT_THRESHOLD_NOT_FOUND, PRECONDITION_FAILED. */
export async function changeThreshold(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
  change: Partial<ThresholdDetails>,
): Promise<ThresholdRecord> {
  return thresholds.change(sql, by, uuid, expected, async (transaction, before) => {
    await updateThreshold(transaction, before.id, { ...before, ...defined(change) });
    return thresholds.require(transaction, by.caller.networks, uuid);
  });
}

/** @throws {DomainError} ALERT_THRESHOLD_NOT_FOUND, PRECONDITION_FAILED. */
export async function deleteThreshold(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
): Promise<void> {
  await thresholds.remove(sql, by, uuid, expected, (transaction, { id }) => removeThreshold(transaction, id));
}
