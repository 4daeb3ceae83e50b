import { cdrLocation } from '#api/services/roaming/wire/v221/cdr.ts';
import {
  type PartnerSessionReading,
  placeId,
  sessionObject as session221,
} from '#api/services/roaming/wire/v221/session.ts';
import type { AuthMethod } from '#shared/domain/roaming/roaming.ts';
import { chargedLocation } from './charged-location.ts';
import { chargingPeriods } from './charging-periods.ts';

/** Authorization methods (OCPI 2.1.1, AuthMethod). */
export const authMethods211 = ['AUTH_REQUEST', 'WHITELIST'] as const;
/** Statuses of a session (OCPI 2.1.1, SessionStatus). */
export const sessionStatuses211 = ['ACTIVE', 'COMPLETED', 'INVALID', 'PENDING'] as const;

/** Converts a session, with its location. One whose connector is reserved has not begun: 2.1.1 has no status for reservations. */
export function sessionObject(reading: PartnerSessionReading) {
  const { session } = reading;
  const { place, token } = session;
  const { id, end_date_time: end, kwh, meter_id: meter, ...object } = session221(reading);
  const { total_cost: cost, status, last_updated: lastUpdated } = object;
  const isActive = status === 'ACTIVE';
  return {
    id,
    start_datetime: object.start_date_time,
    ...(end !== undefined && { end_datetime: end }),
    kwh,
    auth_id: token.contract_id,
    auth_method: authMethod211(object.auth_method),
    location: chargedLocation(cdrLocation(place, placeId(session)), {
      ...place,
      status: isActive ? 'CHARGING' : 'UNKNOWN',
      lastUpdated,
    }),
    ...(meter !== undefined && { meter_id: meter }),
    currency: object.currency,
    charging_periods: chargingPeriods(object.charging_periods),
    ...(cost !== undefined && { total_cost: cost.excl_vat }),
    status: status === 'RESERVATION' ? ('PENDING' as const) : status,
    last_updated: lastUpdated,
  };
}

/** Returns the authorization method: the eMSP authorized a session that its command started. */
export function authMethod211(method: AuthMethod): (typeof authMethods211)[number] {
  return method === 'WHITELIST' ? 'WHITELIST' : 'AUTH_REQUEST';
}
