import { Type } from 'typebox';
import { DateTime, Named, OneOf } from '#api/routes/schema.ts';
import { ocpiSessionStatuses } from '#api/services/roaming/wire/session.ts';
import { authMethods } from '#shared/domain/roaming/roaming.ts';
import { idTokenTypes } from '#shared/domain/charging/session.ts';

/** Price (OCPI 2.2.1 §17.5). */
export const Price = Named('OcpiPrice', {
  excl_vat: Type.Number(),
  incl_vat: Type.Optional(Type.Number()),
});

/** CDR token (OCPI 2.2.1 §10.4.5). */
export const CdrToken = Named('OcpiCdrToken', {
  country_code: Type.String(),
  party_id: Type.String(),
  uid: Type.String(),
  type: OneOf(idTokenTypes),
  contract_id: Type.String(),
});

/** Charging period (OCPI 2.2.1 §10.4.6). */
export const ChargingPeriod = Named('OcpiChargingPeriod', {
  start_date_time: DateTime(),
  dimensions: Type.Array(
    Type.Object({
      type: OneOf(['ENERGY', 'TIME', 'PARKING_TIME']),
      volume: Type.Number({ description: 'Volume in kWh or hours, by the type.' }),
    }),
  ),
  tariff_id: Type.Optional(Type.String()),
});

/** Session (OCPI 2.2.1 §9.3.1). */
export const sessionFields = {
  country_code: Type.String(),
  party_id: Type.String(),
  id: Type.String(),
  start_date_time: DateTime(),
  end_date_time: Type.Optional(DateTime()),
  kwh: Type.Number({ description: 'Energy in kWh, so far or in total.' }),
  cdr_token: CdrToken,
  auth_method: OneOf(authMethods),
  authorization_reference: Type.Optional(Type.String()),
  location_id: Type.String(),
  evse_uid: Type.String(),
  connector_id: Type.String(),
  meter_id: Type.Optional(Type.String()),
  currency: Type.String(),
  charging_periods: Type.Array(ChargingPeriod),
  total_cost: Type.Optional(Price),
  status: OneOf(ocpiSessionStatuses),
  last_updated: DateTime(),
};

export const Session = Named('Ocpi221Session', sessionFields);
