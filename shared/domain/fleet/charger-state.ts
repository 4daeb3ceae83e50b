import { unknownStatus } from './charger.ts';

/**
 * States of a charger in lists, maps and counts, from the one that serves drivers to the one that nothing is known of:
 * - `available`: online, and a connector is free.
 * - `occupied`: online, and in use: a vehicle charges, is connected, or a session begins or ends.
 * - `reserved`: online, and kept for a driver.
 * - `unavailable`: online, and inoperative.
 * - `faulted`: online, and it reports a fault.
 * - `offline`: not online. Its last status does not count.
 * - `unknown`: it never reported a status, or one that OCPP does not have.
 */
export const chargerStates = [
  'available',
  'occupied',
  'reserved',
  'unavailable',
  'faulted',
  'offline',
  'unknown',
] as const;
export type ChargerState = (typeof chargerStates)[number];

/** States by the status of an online charger, in lower case. Every other status is `unknown`. */
export const stateByStatus: Readonly<Record<string, ChargerState>> = {
  available: 'available',
  preparing: 'occupied',
  charging: 'occupied',
  suspendedev: 'occupied',
  suspendedevse: 'occupied',
  finishing: 'occupied',
  occupied: 'occupied',
  reserved: 'reserved',
  unavailable: 'unavailable',
  faulted: 'faulted',
};

/** Returns the state of a charger. */
export function chargerStateOf(status: string, isOnline: boolean): ChargerState {
  if (status === unknownStatus) return 'unknown';
  if (!isOnline) return 'offline';
  return stateByStatus[status.toLowerCase()] ?? 'unknown';
}

/** Columns by which a list of chargers is sorted. */
export const chargerSorts = ['name', 'status', 'location', 'model', 'firmware', 'lastSeenAt'] as const;
export type ChargerSort = (typeof chargerSorts)[number];

/** Order of a list of chargers. */
export interface ChargerOrder {
  by: ChargerSort;
  isDescending: boolean;
}
