import { Type } from 'typebox';
import { DateTime, Named, OneOf } from '#api/routes/schema.ts';
import { authMethods } from '#shared/domain/roaming/roaming.ts';
import { CdrToken, ChargingPeriod, Price } from './session.ts';

/** CDR location (OCPI 2.2.1 §10.4.4). */
const CdrLocation = Type.Object({
  id: Type.String({ description: 'Identifier.' }),
  name: Type.Optional(Type.String({ description: 'Name.' })),
  address: Type.String({ description: 'Street and house number.' }),
  city: Type.String({ description: 'Town or city.' }),
  postal_code: Type.Optional(Type.String({ description: 'Postal code.' })),
  state: Type.Optional(Type.String({ description: 'State or province.' })),
  country: Type.String({ description: 'Country (ISO 3166-1 alpha-3).' }),
  coordinates: Type.Object(
    {
      latitude: Type.String({ description: 'Degrees north (WGS 84).' }),
      longitude: Type.String({ description: 'Degrees east (WGS 84).' }),
    },
    { description: 'Geographic position.' },
  ),
  evse_uid: Type.String({ description: 'EVSE identifier within the location.' }),
  evse_id: Type.String({ description: 'EVSE identifier (eMI3).' }),
  connector_id: Type.String({ description: 'Connector identifier.' }),
  connector_standard: Type.String({ description: 'Connector standard (OCPI).' }),
  connector_format: Type.String({ description: 'Connector format (OCPI).' }),
  connector_power_type: Type.String({ description: 'Power type (OCPI).' }),
});

/** Tariff sealed with the CDR, as stored with the session (OCPI 2.2.1 §11.3.1). */
const SealedTariff = Type.Object(
  {
    country_code: Type.String({ description: 'Country of the party (ISO 3166-1 alpha-2).' }),
    party_id: Type.String({ description: 'OCPI party identifier.' }),
    id: Type.String({ description: 'Identifier.' }),
    currency: Type.String({ description: 'Currency (ISO 4217).' }),
    elements: Type.Array(Type.Object({}, { additionalProperties: true }), {
      description: 'Elements of the tariff.',
    }),
    last_updated: DateTime('Time of the latest change.'),
  },
  { additionalProperties: true },
);

/** Signed meter values of a CDR (OCPI 2.2.1 §10.4.7). */
const SignedData = Type.Object(
  {
    encoding_method: Type.String({ description: 'Format of the signed data, such as OCMF.' }),
    public_key: Type.Optional(
      Type.String({ description: 'Key that verified the values: SubjectPublicKeyInfo in hexadecimal.' }),
    ),
    signed_values: Type.Array(
      Type.Object({
        nature: Type.String({ description: 'Start, End or Intermediate.' }),
        plain_data: Type.String({ description: 'Signed content as text, at most 512 characters.' }),
        signed_data: Type.String({ description: 'Whole record with its signature, in base64.' }),
      }),
      { description: 'Signed values in order of time.' },
    ),
  },
  {
    description: 'Signed meter values with a valid signature. Absent if the session has none.',
  },
);

/** Charge detail record (OCPI 2.2.1 §10.3.1), the same on both surfaces. */
export const Cdr = Named('OcpiCdr', {
  country_code: Type.String({ description: 'Country of the party (ISO 3166-1 alpha-2).' }),
  party_id: Type.String({ description: 'OCPI party identifier.' }),
  id: Type.String({ description: 'Identifier.' }),
  start_date_time: DateTime('Start.'),
  end_date_time: DateTime('End of the validity.'),
  session_id: Type.String({ description: 'Session identifier.' }),
  cdr_token: CdrToken,
  auth_method: OneOf(authMethods, 'Authentication method (OCPI AuthMethod).'),
  authorization_reference: Type.Optional(
    Type.String({ description: 'Authorization reference of the eMSP.' }),
  ),
  cdr_location: CdrLocation,
  meter_id: Type.Optional(Type.String({ description: 'Meter identifier.' })),
  currency: Type.String({ description: 'Currency (ISO 4217).' }),
  tariffs: Type.Optional(Type.Array(SealedTariff, { description: 'Tariffs of the session.' })),
  charging_periods: Type.Array(ChargingPeriod, { description: 'Charging periods in order of time.' }),
  signed_data: Type.Optional(SignedData),
  total_cost: Price,
  total_fixed_cost: Type.Optional(Price),
  total_energy: Type.Number({ description: 'Energy in kWh.' }),
  total_energy_cost: Type.Optional(Price),
  total_time: Type.Number({ description: 'Duration in hours.' }),
  total_time_cost: Type.Optional(Price),
  total_parking_time: Type.Number({ description: 'Time without charging in hours, a part of `total_time`.' }),
  total_parking_cost: Type.Optional(Price),
  total_reservation_cost: Type.Optional(Price),
  remark: Type.Optional(
    Type.String({
      description:
        'Reason of the end, and the state of the signed meter values. Absent when the charger sent neither. At most 255 characters.',
      examples: ['Local. Signed meter values: verified.'],
    }),
  ),
  credit: Type.Optional(Type.Boolean({ description: 'True for a credit CDR, which cancels another CDR.' })),
  credit_reference_id: Type.Optional(
    Type.String({ description: 'Identifier of the CDR that this credit CDR cancels.' }),
  ),
  last_updated: DateTime('Time of the latest change.'),
});
