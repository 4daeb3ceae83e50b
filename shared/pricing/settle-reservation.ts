import type { ReservationEnd } from '#shared/domain/charging/reservation.ts';
import { priceSession } from './price-session.ts';
import { type SessionResult, type SessionToSettle, usageUntil } from './settle-session.ts';

/** Returns the result of a session that did not use its reservation: the price of the reservation, which ended at `at`. */
export function settleReservation(
  session: SessionToSettle,
  end: Exclude<ReservationEnd, 'USED'>,
  at: Date,
): SessionResult {
  const { tariff } = session;
  const usage = usageUntil({ ...session, energyWh: 0, startedAt: at, reservationEnd: end }, at);
  const cost = tariff === null ? null : priceSession(tariff, usage);
  return {
    energyWh: 0,
    cost,
    needsReadings: false,
    flags: [],
    plausibleCostMinor: cost?.totalInclVatMinor ?? null,
  };
}
