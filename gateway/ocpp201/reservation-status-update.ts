import type { ChargerReport } from '#shared/domain/commands/charger-reports.ts';
import type { RequestOf } from '#shared/ocpp/validators.ts';

/** Translates OCPP 2.0.1 H01, H04: the station ended a reservation. */
export function message(request: RequestOf<'2.0.1', 'ReservationStatusUpdate'>): ChargerReport {
  return {
    type: 'reservation-ended',
    reservationId: request.reservationId,
    status: request.reservationUpdateStatus,
  };
}
