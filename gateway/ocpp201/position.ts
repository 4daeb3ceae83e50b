import { connectorNumber } from '#gateway/protocol/connector-number.ts';
import type { ConnectorPosition } from '#shared/domain/fleet/charger.ts';

/**
 * Returns the position of an EVSE. EVSE 0 is the whole charging station (part 2, glossary); connector 0 means the
 * EVSE.
 */
export function positionOf(evseId: number, connectorId = 1): ConnectorPosition | null {
  if (evseId <= 0) return null;
  return { evse: connectorNumber(evseId), connector: connectorId > 0 ? connectorNumber(connectorId) : 1 };
}
