import { maxInt32 } from '#shared/domain/kernel/integers.ts';

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

/** Returns the id of the reservation that a start names, or null. Some chargers send 0, -1 or 4294967295 for none. */
export function namedReservation({ reservationId }: { reservationId?: number }): number | null {
  return reservationId === undefined || reservationId < 1 || reservationId > maxInt32 ? null : reservationId;
}
