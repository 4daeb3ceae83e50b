import { connectorNumber } from '#gateway/protocol/connector-number.ts';
import { type ConnectorPosition, station } from '#shared/domain/fleet/charger.ts';

/** OCPP 1.6 knows connectors alone: connector n stands for EVSE n with one connector. 0 is the charger itself. */
export function positionOf(connectorId: number): ConnectorPosition | null {
  return connectorId > 0 ? { evse: connectorNumber(connectorId), connector: 1 } : null;
}

/** The position of a session: one at connector 0 is at the charger's first connector (field note 18). */
export function chargingPositionOf(connectorId: number): ConnectorPosition {
  return positionOf(connectorId) ?? { evse: 1, connector: 1 };
}

/** The position of a reading; connector 0 is the charger's main meter, which belongs to no session. */
export function readingPositionOf(connectorId: number): ConnectorPosition {
  return positionOf(connectorId) ?? station;
}

/** The connectorId of a position. */
export function connectorIdOf(position: ConnectorPosition): number {
  return position.evse;
}
