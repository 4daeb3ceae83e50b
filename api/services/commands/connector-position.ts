import type { ConnectorPosition } from '#shared/domain/fleet/charger.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { listConnectorPlaces } from '#shared/postgres/fleet/connectors.statements.ts';
import type { ChargerRecord } from '#api/services/fleet/chargers.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/**
 * Returns the OCPP position of the connector with this number. A charger that has reported no connector yet
 * is taken to have the usual layout: connector n is EVSE n.
 * @throws {DomainError} CONNECTOR_NOT_FOUND.
 */
export async function positionOf(
  { sql }: Pick<ServiceDeps, 'sql'>,
  charger: ChargerRecord,
  number: number,
): Promise<ConnectorPosition> {
  const places = await listConnectorPlaces(sql, charger.id);
  if (places.length === 0) return { evse: number, connector: 1 };
  const place = places.find((candidate) => candidate.number === number);
  if (place === undefined) {
    throw new DomainError('CONNECTOR_NOT_FOUND', `The charger has no connector ${number}.`);
  }
  return { evse: place.evse, connector: place.connector };
}

/** The same for a command that may leave the connector open. */
export async function positionIfAny(
  deps: Pick<ServiceDeps, 'sql'>,
  charger: ChargerRecord,
  number: number | null,
): Promise<ConnectorPosition | null> {
  return number === null ? null : positionOf(deps, charger, number);
}
