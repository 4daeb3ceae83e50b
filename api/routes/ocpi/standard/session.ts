import { OptionalList } from '#api/routes/ocpi/optional-list.ts';
import { Type } from 'typebox';
import { DateTime, Named, OneOf } from '#api/routes/schema.ts';
import { chargingDimensions } from '#api/services/roaming/charging-periods.ts';
import { ocpiSessionStatuses } from '#api/services/roaming/wire/v221/session.ts';
import { authMethods } from '#shared/domain/roaming/roaming.ts';
import { idTokenTypes } from '#shared/domain/charging/session.ts';

/** Price (OCPI 2.2.1 §17.5). */
export const Price = Named('OcpiPrice', {
  excl_vat: Type.Number({ description: 'Amount without VAT.' }),
  incl_vat: Type.Optional(Type.Number({ description: 'Amount with VAT.' })),
});

/** CDR token (OCPI 2.2.1 §10.4.5). */
export const CdrToken = Named('OcpiCdrToken', {
  country_code: Type.String({ description: 'Country of the party (ISO 3166-1 alpha-2).' }),
  party_id: Type.String({ description: 'OCPI party identifier.' }),
  uid: Type.String({ description: 'Unique identifier.' }),
  type: OneOf(idTokenTypes, 'Type (OCPI).'),
  contract_id: Type.String({ description: 'Contract identifier of the token.' }),
});

/** Charging period (OCPI 2.2.1 §10.4.6). */
export const ChargingPeriod = Named('OcpiChargingPeriod', {
  start_date_time: DateTime('Start.'),
  dimensions: Type.Array(
    Type.Object({
      type: OneOf(chargingDimensions, 'Type (OCPI).'),
      volume: Type.Number({ description: 'Volume in kWh or hours, by the type.' }),
    }),
    { description: 'Measured quantities of the period.' },
  ),
  tariff_id: Type.Optional(Type.String({ description: 'Tariff identifier.' })),
});

/** Session (OCPI 2.2.1 §9.3.1). */
export const sessionFields = {
  country_code: Type.String({ description: 'Country of the party (ISO 3166-1 alpha-2).' }),
  party_id: Type.String({ description: 'OCPI party identifier.' }),
  id: Type.String({ description: 'Identifier.' }),
  start_date_time: DateTime('Start.'),
  end_date_time: Type.Optional(DateTime('End of the validity.')),
  kwh: Type.Number({ description: 'Energy in kWh, so far or in total.' }),
  cdr_token: CdrToken,
  auth_method: OneOf(authMethods, 'Authentication method (OCPI AuthMethod).'),
  authorization_reference: Type.Optional(
    Type.String({ description: 'Authorization reference of the eMSP.' }),
  ),
  location_id: Type.String({ description: 'Location identifier.' }),
  evse_uid: Type.String({ description: 'EVSE identifier within the location.' }),
  connector_id: Type.String({ description: 'Connector identifier.' }),
  meter_id: Type.Optional(Type.String({ description: 'Meter identifier.' })),
  currency: Type.String({ description: 'Currency (ISO 4217).' }),
  charging_periods: OptionalList(ChargingPeriod, { description: 'Charging periods in order of time.' }),
  total_cost: Type.Optional(Price),
  status: OneOf(ocpiSessionStatuses, 'Status (OCPI).'),
  last_updated: DateTime('Time of the latest change.'),
};

export const Session = Named('Ocpi221Session', sessionFields);
