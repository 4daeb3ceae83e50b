/** State of a reservation. Removed: its charger ended it, for example because of a fault. */
export const reservationStatuses = ['Active', 'Used', 'Cancelled', 'Expired', 'Removed'] as const;
export type ReservationStatus = (typeof reservationStatuses)[number];
