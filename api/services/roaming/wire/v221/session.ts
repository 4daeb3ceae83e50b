import type { ChargingPeriod } from '#api/services/roaming/charging-periods.ts';
import type { SessionReading } from '#api/services/charging/sessions.service.ts';
import type { PartnerSession } from '#shared/postgres/roaming/ocpi-sessions.ts';
import { kwh, type Price } from '#api/services/roaming/wire/numbers.ts';
import { cdrToken } from './token.ts';

/** §9.4.3; PENDING is of sessions that have not begun, which we have none of. */
export const ocpiSessionStatuses = ['ACTIVE', 'COMPLETED', 'INVALID', 'PENDING', 'RESERVATION'] as const;

/** A session (OCPI 2.2.1 §9.3.1). */
type OcpiSession = {
  country_code: string;
  party_id: string;
  id: string;
  start_date_time: string;
  end_date_time?: string;
  kwh: number;
  cdr_token: ReturnType<typeof cdrToken>;
  auth_method: PartnerSession['authMethod'];
  authorization_reference?: string;
  location_id: string;
  evse_uid: string;
  connector_id: string;
  meter_id?: string;
  currency: string;
  charging_periods: ChargingPeriod[];
  total_cost?: Price;
  status: (typeof ocpiSessionStatuses)[number];
  last_updated: string;
};

/** A partner's session as of now. */
export interface PartnerSessionReading extends SessionReading {
  session: PartnerSession;
  periods: ChargingPeriod[];
}

/**
 * A session in the standard's names. Without a tariff, and while its price is in review, it has no `total_cost`, which would
 * mean free of charge at zero.
 */
export function sessionObject({ session, periods, cost }: PartnerSessionReading): OcpiSession {
  const { endedAt, place, authorizationReference, meterId } = session;
  const price = session.priceState === 'REVIEW' ? null : cost;
  return {
    country_code: session.countryCode,
    party_id: session.partyId,
    id: session.uuid,
    start_date_time: shownBegin(session).toISOString(),
    ...(endedAt !== null && { end_date_time: endedAt.toISOString() }),
    kwh: kwh(session.energyWh),
    cdr_token: cdrToken(session.token),
    auth_method: session.authMethod,
    ...(authorizationReference !== null && { authorization_reference: authorizationReference }),
    location_id: placeId(session),
    evse_uid: place.evseUid,
    connector_id: place.connectorId,
    ...(meterId !== null && { meter_id: meterId }),
    currency: session.currency,
    charging_periods: periods,
    ...(price !== null && { total_cost: { excl_vat: price.totalExclVat, incl_vat: price.totalInclVat } }),
    status: session.status === 'STOPPING' ? 'ACTIVE' : session.status,
    last_updated: session.updatedAt.toISOString(),
  };
}

/** Returns the begin of a session: since it charges, that of charging (§9.3.1), before and without it that of the reservation. */
function shownBegin(session: PartnerSession): Date {
  return session.reservationEnd === 'USED' ? session.startedAt : beginOf(session);
}

/** Returns the begin of the CDR of a session: that of the reservation, where it began with one (§10.3.1). */
export function beginOf({ reservedAt, startedAt }: PartnerSession): Date {
  return reservedAt !== null && reservedAt < startedAt ? reservedAt : startedAt;
}

/** Returns the location id of a session for partners: a charger without a location is one by itself. */
export function placeId({ place, chargerUuid }: PartnerSession): string {
  return place.locationId ?? chargerUuid;
}
