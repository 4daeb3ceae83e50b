import { DomainError } from '#shared/domain/kernel/errors.ts';
import { hasRunningSession } from '#shared/postgres/fleet/charger-edits.statements.ts';
import {
  type ConnectorDetailRecord,
  type ConnectorDetails,
  type ConnectorFilter,
  findConnectorDetails,
  listConnectors,
  removeConnector,
  updateConnector,
} from '#shared/postgres/fleet/connector-records.ts';
import { type Actor } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import { defined } from '#api/services/kernel/edits.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';
import { AuditedRecords } from '#api/services/access/audited-records.ts';

export type { ConnectorDetailRecord } from '#shared/postgres/fleet/connector-records.ts';

const connectors = new AuditedRecords<ConnectorDetailRecord>({
  category: 'connector',
  notFound: 'CONNECTOR_NOT_FOUND',
  find: findConnectorDetails,
  networkOf: ({ networkId }) => networkId,
  nameOf: ({ chargerUid, number }) => `${chargerUid}/${number}`,
});

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
  return connectors.require(sql, networks, uuid);
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
  return connectors.change(sql, by, uuid, expected, async (transaction, before) => {
    await updateConnector(transaction, before.id, { ...before, ...defined(change) });
    return connectors.require(transaction, by.caller.networks, uuid);
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
  return connectors.remove(sql, by, uuid, expected, async (transaction, { id, chargerId }) => {
    if (await hasRunningSession(transaction, chargerId, id)) {
      throw new DomainError('CONNECTOR_IN_USE', 'A session runs at this connector: stop it first.');
    }
    return removeConnector(transaction, id);
  });
}
