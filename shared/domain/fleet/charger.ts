import type { Registration } from './registration.ts';

/** Facts about a charger that the gateway needs to serve its socket. */
export interface ChargerIdentity {
  id: number;
  uuid: string;
  /** The OCPP charge point identity: the last part of the charger's URL. */
  uid: string;
  networkId: number;
  /** As it is known now: the gateway changes it while the charger is connected. */
  registration: Registration;
}

/**
 * Status of a connector, both versions together. OCPP 2.0.1 reports `Occupied` where 1.6 distinguishes
 * Preparing, Charging, Suspended and Finishing; a transaction event then gives the status.
 */
export const connectorStatuses = [
  'Available',
  'Preparing',
  'Charging',
  'SuspendedEV',
  'SuspendedEVSE',
  'Finishing',
  'Reserved',
  'Occupied',
  'Unavailable',
  'Faulted',
] as const;

export type ConnectorStatus = (typeof connectorStatuses)[number];

/** Position on a charger. OCPP 1.6 has no EVSEs: its connector n is EVSE n, connector 1. */
export interface ConnectorPosition {
  evse: number;
  connector: number;
}

/** Returns whether two positions are the same connector. */
export function isSamePosition(one: ConnectorPosition, other: ConnectorPosition): boolean {
  return one.evse === other.evse && one.connector === other.connector;
}

/** The charger as a whole (connector 0, EVSE 0), such as its main meter. */
export const station: ConnectorPosition = { evse: 0, connector: 0 };

/** Availability of a charger or connector, in the terms of ChangeAvailability. Null: unknown. */
export type Availability = 'Operative' | 'Inoperative';

/** Returns the availability for a connector status. A faulted or occupied connector is not inoperative. */
export function availabilityOf(status: string): Availability | null {
  if (status === unknownStatus) return null;
  return status === 'Unavailable' ? 'Inoperative' : 'Operative';
}

/** Maximum age of the last message of a charger that is online (spec: "heartbeat within the last 5 minutes"). */
export const onlineThresholdMs = 5 * 60 * 1000;

/** Status of a charger or connector that no message has reported yet. */
export const unknownStatus = 'UNKNOWN';

/**
 * Returns the status that a driver can rely on: an offline charger and its connectors are Unavailable, whatever was
 * reported before (spec: "treated as unavailable regardless of `status`"). A status that was never reported stays UNKNOWN.
 */
export function effectiveStatus(status: string, isOnline: boolean): string {
  return isOnline || status === unknownStatus ? status : 'Unavailable';
}
