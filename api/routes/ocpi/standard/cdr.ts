import { Type } from 'typebox';
import { DateTime, Decimal, Flag, Named, OneOf, Str } from '#api/routes/schema.ts';
import { authMethods } from '#shared/domain/roaming/roaming.ts';
import { CdrToken, ChargingPeriod, Price } from './session.ts';

/** CDR location (OCPI 2.2.1 §10.4.4). */
const CdrLocation = Type.Object({
  id: Str('Identifier.'),
  name: Type.Optional(Str('Name.')),
  address: Str('Street and house number.'),
  city: Str('Town or city.'),
  postal_code: Type.Optional(Str('Postal code.')),
  state: Type.Optional(Str('State or province.')),
  country: Str('Country (ISO 3166-1 alpha-3).'),
  coordinates: Type.Object(
    {
      latitude: Str('Degrees north (WGS 84).'),
      longitude: Str('Degrees east (WGS 84).'),
    },
    { description: 'Geographic position.' },
  ),
  evse_uid: Str('EVSE identifier within the location.'),
  evse_id: Str('EVSE identifier (eMI3).'),
  connector_id: Str('Connector identifier.'),
  connector_standard: Str('Connector standard (OCPI).'),
  connector_format: Str('Connector format (OCPI).'),
  connector_power_type: Str('Power type (OCPI).'),
});

/** Tariff sealed with the CDR, as stored with the session (OCPI 2.2.1 §11.3.1). */
const SealedTariff = Type.Object(
  {
    country_code: Str('Country of the party (ISO 3166-1 alpha-2).'),
    party_id: Str('OCPI party identifier.'),
    id: Str('Identifier.'),
    currency: Str('Currency (ISO 4217).'),
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
    encoding_method: Str('Format of the signed data, such as OCMF.'),
    public_key: Type.Optional(Str('Key that verified the values: SubjectPublicKeyInfo in hexadecimal.')),
    signed_values: Type.Array(
      Type.Object({
        nature: Str('Start, End or Intermediate.'),
        plain_data: Str('Signed content as text, at most 512 characters.'),
        signed_data: Str('Whole record with its signature, in base64.'),
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
  country_code: Str('Country of the party (ISO 3166-1 alpha-2).'),
  party_id: Str('OCPI party identifier.'),
  id: Str('Identifier.'),
  start_date_time: DateTime('Start.'),
  end_date_time: DateTime('End of the validity.'),
  session_id: Str('Session identifier.'),
  cdr_token: CdrToken,
  auth_method: OneOf(authMethods, 'Authentication method (OCPI AuthMethod).'),
  authorization_reference: Type.Optional(Str('Authorization reference of the eMSP.')),
  cdr_location: CdrLocation,
  meter_id: Type.Optional(Str('Meter identifier.')),
  currency: Str('Currency (ISO 4217).'),
  tariffs: Type.Optional(Type.Array(SealedTariff, { description: 'Tariffs of the session.' })),
  charging_periods: Type.Array(ChargingPeriod, { description: 'Charging periods in order of time.' }),
  signed_data: Type.Optional(SignedData),
  total_cost: Price,
  total_fixed_cost: Type.Optional(Price),
  total_energy: Decimal('Energy in kWh.'),
  total_energy_cost: Type.Optional(Price),
  total_time: Decimal('Duration in hours.'),
  total_time_cost: Type.Optional(Price),
  total_parking_time: Decimal('Time without charging in hours, a part of `total_time`.'),
  total_parking_cost: Type.Optional(Price),
  total_reservation_cost: Type.Optional(Price),
  remark: Type.Optional(
    Str(
      'Reason of the end, and the state of the signed meter values. Absent when the charger sent neither. At most 255 characters.',
      'Local. Signed meter values: verified.',
    ),
  ),
  credit: Type.Optional(Flag('True for a credit CDR, which cancels another CDR.')),
  credit_reference_id: Type.Optional(Str('Identifier of the CDR that this credit CDR cancels.')),
  last_updated: DateTime('Time of the latest change.'),
});
