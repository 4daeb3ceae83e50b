import type { ReservationEnd, ReservedTime } from '#shared/domain/charging/reservation.ts';
import type { Tariff, TariffElement } from './tariff.ts';
import type { SessionUsage } from './usage.ts';

/** Reservation with which a session begins, until its end, or until when it is priced. */
export interface ReservationUsage {
  from: Date;
  to: Date;
  /** Null while the connector is reserved. */
  end: ReservationEnd | null;
}

/**
 * Returns the reservation of a session until `until`, or null. It begins no later than the session's start: the clock of the charger may
 * be behind ours.
 */
export function reservationUntil(
  { reservedAt, reservationEnd, startedAt }: ReservedTime & { startedAt: Date },
  until: Date,
): ReservationUsage | null {
  if (reservedAt === null) return null;
  const from = startedAt < reservedAt ? startedAt : reservedAt;
  const to = reservationEnd === null ? until : startedAt;
  return { from, to: to < from ? from : to, end: reservationEnd };
}

/** Returns true when a session charged, or charges: it had no reservation, or used it. */
export function isCharging({ reservation }: Pick<SessionUsage, 'reservation'>): boolean {
  return reservation === undefined || reservation.end === 'USED';
}

/** Returns true when an element prices a reservation. */
export function isOfReservation({ restrictions }: TariffElement): boolean {
  return restrictions?.reservation !== undefined;
}

/**
 * Returns a reservation as a session without energy, and the tariff with the elements that price it. Of one that expired those of
 * RESERVATION_EXPIRES come first, so that they replace the same dimension of RESERVATION (OCPI 2.2.1 §11.4.6).
 */
export function reservationAsSession(
  tariff: Tariff,
  { from, to, end }: ReservationUsage,
): { tariff: Tariff; usage: SessionUsage } {
  const kinds = end === 'EXPIRED' ? ['RESERVATION_EXPIRES', 'RESERVATION'] : ['RESERVATION'];
  const elements = kinds.flatMap((kind) =>
    tariff.elements.flatMap(({ price_components, restrictions }) => {
      if (restrictions?.reservation !== kind) return [];
      const { reservation: _kind, ...others } = restrictions;
      return [{ price_components, restrictions: others }];
    }),
  );
  return {
    tariff: { ...tariff, elements },
    usage: { startedAt: from, endedAt: to, energyWh: 0, idlePeriods: [], readings: [] },
  };
}
