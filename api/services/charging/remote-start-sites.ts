import type { PresenceEntry } from '#shared/bus/contract.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import {
  findStartSite,
  type StartConnector,
  type StartSite,
  type TokenChoice,
} from '#shared/postgres/charging/remote-start-sites.ts';
import { findShard } from '#api/services/commands/charger-commands.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { asPublicError } from './charging-errors.ts';
import type { ChargingToken } from './remote-start-tokens.ts';

export type { StartConnector, StartSite } from '#shared/postgres/charging/remote-start-sites.ts';

/** Connector that is meant. Neither field: the only connector of the charger. */
export interface ConnectorChoice {
  connectorId?: string | undefined;
  connectorNumber?: number | undefined;
}

/**
 * Returns the charger, its connectors and the token of a request. A driver sees public chargers of published locations, an
 * operator those of its networks.
 * @throws {DomainError} CHARGER_NOT_FOUND.
 */
export async function readStartSite(
  { sql }: Pick<ServiceDeps, 'sql'>,
  { networks, userId }: { networks: NetworkScope; userId: number | null },
  chargerUuid: string,
  token: TokenChoice,
): Promise<StartSite> {
  const site = await findStartSite(sql, networks, { chargerUuid, publicOnly: userId !== null, token });
  if (site === null) throw new DomainError('CHARGER_NOT_FOUND', `There is no charger ${chargerUuid}.`);
  return site;
}

/**
 * Returns the connector that is meant, in any state.
 * @throws {DomainError} CONNECTOR_NOT_FOUND, VALIDATION_FAILED.
 */
export function chooseConnector(
  { charger, connectors }: StartSite,
  { connectorId, connectorNumber }: ConnectorChoice,
): StartConnector {
  const meant = connectors.filter(
    ({ uuid, number }) =>
      (connectorId === undefined || uuid === connectorId.toLowerCase()) &&
      (connectorNumber === undefined || number === connectorNumber),
  );
  const [only] = meant;
  if (only === undefined) {
    throw new DomainError('CONNECTOR_NOT_FOUND', `The charger ${charger.uid} has no such connector.`);
  }
  if (meant.length === 1) return only;
  throw new DomainError(
    'VALIDATION_FAILED',
    `Invalid body: specify connectorId or connectorNumber. The charger has ${meant.length} connectors.`,
    { errors: [{ field: 'connectorId', message: 'is required at a charger with several connectors' }] },
  );
}

/**
 * Returns the presence of a charger's socket.
 * @throws {DomainError} CHARGER_UNAVAILABLE when the charger is not connected.
 */
export async function requireOnline(
  deps: Pick<ServiceDeps, 'bus'>,
  charger: StartSite['charger'],
): Promise<PresenceEntry> {
  try {
    return await findShard(deps, charger);
  } catch (error) {
    throw asPublicError(error);
  }
}

/**
 * States in which no session can be requested: a session runs that the product does not know, or the connector is out of
 * order. A driver who plugged in waits in Preparing (1.6) or Occupied (2.0.1), and after a session in Finishing.
 */
const unavailable = new Set(['Charging', 'SuspendedEV', 'SuspendedEVSE', 'Unavailable', 'Faulted']);

/** @throws {DomainError} CONNECTOR_UNAVAILABLE when a session runs at the connector, or its state allows none. */
export function requireFree({ number, status, isBusy }: StartConnector): void {
  if (isBusy) throw occupied(number);
  if (!unavailable.has(status)) return;
  throw new DomainError('CONNECTOR_UNAVAILABLE', `The connector ${number} is ${status}.`, { status });
}

/** @throws {DomainError} CONNECTOR_UNAVAILABLE when the connector is reserved for another token. */
export function requireReservation(
  { number, status, reservedFor }: StartConnector,
  { uid, groupId }: ChargingToken,
): void {
  if (status !== 'Reserved') return;
  const own = [uid, groupId].map((id) => id?.toLowerCase());
  if (reservedFor.some((id) => own.includes(id.toLowerCase()))) return;
  throw new DomainError('CONNECTOR_UNAVAILABLE', `The connector ${number} is reserved for another token.`, {
    status,
  });
}

/** Error of a connector at which a session runs. */
export function occupied(number: number): DomainError {
  return new DomainError('CONNECTOR_UNAVAILABLE', `A session runs at the connector ${number}.`);
}
