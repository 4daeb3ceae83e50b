import { OptionalList } from '#api/routes/ocpi/optional-list.ts';
import { Type } from 'typebox';
import { DateTime, Decimal, Named, OneOf, Str } from '#api/routes/schema.ts';
import { chargingDimensions } from '#api/services/roaming/charging-periods.ts';
import { ocpiSessionStatuses } from '#api/services/roaming/wire/v221/session.ts';
import { authMethods } from '#shared/domain/roaming/roaming.ts';
import { idTokenTypes } from '#shared/domain/charging/session.ts';

/** Price (OCPI 2.2.1 §17.5). */
export const Price = Named('OcpiPrice', {
  excl_vat: Decimal('Amount without VAT.'),
  incl_vat: Type.Optional(Decimal('Amount with VAT.')),
});

/** CDR token (OCPI 2.2.1 §10.4.5). */
export const CdrToken = Named('OcpiCdrToken', {
  country_code: Str('Country of the party (ISO 3166-1 alpha-2).'),
  party_id: Str('OCPI party identifier.'),
  uid: Str('Unique identifier.'),
  type: OneOf(idTokenTypes, 'Type (OCPI).'),
  contract_id: Str('Contract identifier of the token.'),
});

/** Charging period (OCPI 2.2.1 §10.4.6). */
export const ChargingPeriod = Named('OcpiChargingPeriod', {
  start_date_time: DateTime('Start.'),
  dimensions: Type.Array(
    Type.Object({
      type: OneOf(chargingDimensions, 'Type (OCPI).'),
      volume: Decimal('Volume in kWh or hours, by the type.'),
    }),
    { description: 'Measured quantities of the period.' },
  ),
  tariff_id: Type.Optional(Str('Tariff identifier.')),
});

/** Session (OCPI 2.2.1 §9.3.1). */
export const sessionFields = {
  country_code: Str('Country of the party (ISO 3166-1 alpha-2).'),
  party_id: Str('OCPI party identifier.'),
  id: Str('Identifier.'),
  start_date_time: DateTime('Start.'),
  end_date_time: Type.Optional(DateTime('End of the validity.')),
  kwh: Decimal('Energy in kWh, so far or in total.'),
  cdr_token: CdrToken,
  auth_method: OneOf(authMethods, 'Authentication method (OCPI AuthMethod).'),
  authorization_reference: Type.Optional(Str('Authorization reference of the eMSP.')),
  location_id: Str('Location identifier.'),
  evse_uid: Str('EVSE identifier within the location.'),
  connector_id: Str('Connector identifier.'),
  meter_id: Type.Optional(Str('Meter identifier.')),
  currency: Str('Currency (ISO 4217).'),
  charging_periods: OptionalList(ChargingPeriod, { description: 'Charging periods in order of time.' }),
  total_cost: Type.Optional(Price),
  status: OneOf(ocpiSessionStatuses, 'Status (OCPI).'),
  last_updated: DateTime('Time of the latest change.'),
};

export const Session = Named('Ocpi221Session', sessionFields);
