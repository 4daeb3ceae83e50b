import { DomainError } from '#shared/domain/kernel/errors.ts';
import { lockCharger } from '#shared/postgres/fleet/charger-records.ts';
import { violates } from '#shared/postgres/kernel/client.ts';
import {
  type ConnectorRecord,
  type ConnectorWithCharger,
  findConnectorStatus,
  findPublicConnectorStatus,
  insertConnector,
  type NewConnector,
} from '#shared/postgres/fleet/connectors.statements.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { requireCharger } from './chargers.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

export type { ConnectorWithCharger } from '#shared/postgres/fleet/connectors.statements.ts';

/**
 * Adds a connector to a charger; `number` null: the next free one.
 * @throws {DomainError} CHARGER_NOT_FOUND, CONNECTOR_EXISTS.
 */
export async function addConnector(
  deps: ServiceDeps,
  by: Actor,
  chargerUuid: string,
  networkUuid: string | undefined,
  connector: Omit<NewConnector, 'chargerId'>,
): Promise<ConnectorRecord & { version: number }> {
  const charger = await requireCharger(deps, by.caller, chargerUuid, networkUuid);
  try {
    return await deps.sql.begin(async (transaction) => {
      const isThere = await lockCharger(transaction, charger.id);
      if (!isThere) throw new DomainError('CHARGER_NOT_FOUND', `There is no charger ${chargerUuid}.`);
      const made = await insertConnector(transaction, { ...connector, chargerId: charger.id });
      await auditChange(transaction, by, {
        networkId: charger.networkId,
        category: 'connector',
        action: 'create',
        resourceId: made.uuid,
        resourceName: `${charger.uid}/${made.number}`,
        before: null,
        after: made,
      });
      return made;
    });
  } catch (error) {
    const isTaken = violates(error, 'connectors_number_key') || violates(error, 'connectors_position_key');
    if (!isTaken) throw error;
    throw new DomainError(
      'CONNECTOR_EXISTS',
      `The charger has a connector ${connector.number ?? ''} already.`,
      {
        connectorNumber: connector.number,
      },
    );
  }
}

/**
 * Returns a connector as the public API shows it. A driver sees connectors of public chargers at published locations, and of a
 * running session only their own.
 * @throws {DomainError} CONNECTOR_NOT_FOUND.
 */
export async function readConnectorStatus(
  { sql }: ServiceDeps,
  caller: Caller,
  uuid: string,
): Promise<ConnectorWithCharger> {
  const isDriver = caller.userId !== null;
  const find = isDriver ? findPublicConnectorStatus : findConnectorStatus;
  const connector = await find(sql, caller, uuid);
  if (connector === null) throw new DomainError('CONNECTOR_NOT_FOUND', `There is no connector ${uuid}.`);
  const isTheirs = !isDriver || connector.activeSessionUserId === caller.userId;
  return isTheirs ? connector : { ...connector, activeSessionUuid: null };
}
