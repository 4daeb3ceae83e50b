import { connectorNumber } from '#gateway/protocol/connector-number.ts';
import { type ConnectorPosition, station } from '#shared/domain/fleet/charger.ts';

/** Returns the position of a connector: connector n is EVSE n with one connector. 0 is the charger itself. */
export function positionOf(connectorId: number): ConnectorPosition | null {
  return connectorId > 0 ? { evse: connectorNumber(connectorId), connector: 1 } : null;
}

/** Returns the position of a session; connector 0 means the charger's first connector (field note 18). */
export function chargingPositionOf(connectorId: number): ConnectorPosition {
  return positionOf(connectorId) ?? { evse: 1, connector: 1 };
}

/** Returns the position of a reading; connector 0 is the charger's main meter, which belongs to no session. */
export function readingPositionOf(connectorId: number): ConnectorPosition {
  return positionOf(connectorId) ?? station;
}

/** Returns the connectorId of a position. */
export function connectorIdOf(position: ConnectorPosition): number {
  return position.evse;
}
