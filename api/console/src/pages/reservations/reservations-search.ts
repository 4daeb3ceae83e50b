import { reservationStatuses } from '#shared/domain/charging/reservation.ts';
import { texts } from '../../app/search-params.ts';

/** States of a reservation, in the order of the filter. */
const names = ['status', 'charger', 'token'] as const;

/** Filters of the list of reservations, as the address holds them. */
export type ReservationsSearch = { [Name in (typeof names)[number]]?: string };

export const reservationsSearch = (search: Record<string, unknown>): ReservationsSearch =>
  texts(search, ...names);

/** Returns the filters of the API, without values that it does not know. */
export function filterQuery({ status, charger, token }: ReservationsSearch) {
  const known = reservationStatuses.find((each) => each === status);
  return {
    ...(known === undefined ? {} : { status: known }),
    ...(charger === undefined ? {} : { chargerId: charger }),
    ...(token === undefined ? {} : { idTag: token }),
  };
}
