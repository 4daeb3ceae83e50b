import { DomainError } from '#shared/domain/kernel/errors.ts';
import { hasRunningSession } from '#shared/postgres/fleet/charger-edits.ts';
import {
  type ConnectorDetailRecord,
  type ConnectorDetails,
  type ConnectorFilter,
  findConnectorDetails,
  listConnectors,
  removeConnector,
  updateConnector,
} from '#shared/postgres/fleet/connector-records.ts';
import { type Actor, type AuditedChange, auditChange } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import { defined, requireVersion } from '#api/services/kernel/edits.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { networksOfCall } from '#api/services/access/networks.ts';

export type { ConnectorDetailRecord } from '#shared/postgres/fleet/connector-records.ts';

/**
 * Returns one page of the connectors of the caller's networks, or of the one that the call names, oldest first.
 * @throws {DomainError} NETWORK_NOT_FOUND.
 */
export async function listOperatorConnectors(
  deps: ServiceDeps,
  caller: Caller,
  { networkUuid, ...filter }: ConnectorFilter & { networkUuid: string | undefined },
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: ConnectorDetailRecord[]; nextCursor: string | null }> {
  const networks = await networksOfCall(deps, caller, networkUuid);
  const after = decodeIdCursor(cursor);
  return cutById(await listConnectors(deps.sql, networks, filter, after, limit + 1), limit);
}

/** @throws {DomainError} CONNECTOR_NOT_FOUND. */
export async function readOperatorConnector(
  { sql }: ServiceDeps,
  { networks }: Caller,
  uuid: string,
): Promise<ConnectorDetailRecord> {
  return found(await findConnectorDetails(sql, networks, uuid), uuid);
}

/**
 * Changes fields of a connector. Undefined: unchanged; null: cleared.
 * @throws {DomainError} CONNECTOR_NOT_FOUND, PRECONDITION_FAILED.
 */
export async function changeConnector(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
  change: Partial<ConnectorDetails>,
): Promise<ConnectorDetailRecord> {
  return sql.begin(async (transaction) => {
    const before = found(await findConnectorDetails(transaction, by.caller.networks, uuid, true), uuid);
    requireVersion(before, expected);
    await updateConnector(transaction, before.id, { ...before, ...defined(change) });
    const after = found(await findConnectorDetails(transaction, by.caller.networks, uuid), uuid);
    await auditChange(transaction, by, { ...audited(before, 'update'), before, after });
    return after;
  });
}

/**
 * Removes a connector; how many tariffs were assigned to it and apply no more.
 * @throws {DomainError} CONNECTOR_NOT_FOUND, CONNECTOR_IN_USE, PRECONDITION_FAILED.
 */
export async function deleteConnector(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
): Promise<number> {
  return sql.begin(async (transaction) => {
    const before = found(await findConnectorDetails(transaction, by.caller.networks, uuid, true), uuid);
    requireVersion(before, expected);
    if (await hasRunningSession(transaction, before.chargerId, before.id)) {
      throw new DomainError('CONNECTOR_IN_USE', 'A session runs at this connector: stop it first.');
    }
    const deactivated = await removeConnector(transaction, before.id);
    await auditChange(transaction, by, { ...audited(before, 'delete'), before, after: null });
    return deactivated;
  });
}

function found(connector: ConnectorDetailRecord | null, uuid: string): ConnectorDetailRecord {
  if (connector === null) throw noConnector(uuid);
  return connector;
}

function noConnector(uuid: string): DomainError {
  return new DomainError('CONNECTOR_NOT_FOUND', `There is no connector ${uuid}.`);
}

function audited(
  { networkId, uuid, chargerUid, number }: ConnectorDetailRecord,
  action: string,
): Omit<AuditedChange, 'before' | 'after'> {
  const resourceName = `${chargerUid}/${number}`;
  return { networkId, category: 'connector', action, resourceId: uuid, resourceName };
}
