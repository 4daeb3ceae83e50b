import { maxInt32 } from '#shared/domain/kernel/integers.ts';
import type { Authorization } from './session.ts';

/** State of a reservation. Removed: its charger ended it, for example because of a fault. */
export const reservationStatuses = ['Active', 'Used', 'Cancelled', 'Expired', 'Removed'] as const;
export type ReservationStatus = (typeof reservationStatuses)[number];

/**
 * End of a reservation with which a session began. USED: the session charged. USED_ELSEWHERE: another session of the token did. A
 * reservation that its charger removed has none, and costs nothing.
 */
export const reservationEnds = ['USED', 'USED_ELSEWHERE', 'CANCELLED', 'EXPIRED'] as const;
export type ReservationEnd = (typeof reservationEnds)[number];

/** Reservation with which a session began. It lasts until the session's start by the charger's clock. */
export interface ReservedTime {
  /** Null: the session began without a priced reservation. */
  reservedAt: Date | null;
  /** Null while the connector is reserved. */
  reservationEnd: ReservationEnd | null;
}

/** Reservation that an authorized start names, and the token and group that must be those of the reservation. */
export interface NamedReservation {
  reservationId: number;
  idToken: string;
  groupId: string | null;
}

/**
 * Returns the reservation that a start names. Null: it names none, or may not use one, because its token was refused or is not known
 * yet. Some chargers send 0, -1 or 4294967295 for none.
 */
export function namedReservation(
  { reservationId, idToken }: { reservationId?: number; idToken: string | null },
  { status, groupId = null }: Authorization,
): NamedReservation | null {
  if (reservationId === undefined || reservationId < 1 || reservationId > maxInt32) return null;
  return status === 'Accepted' && idToken !== null ? { reservationId, idToken, groupId } : null;
}
