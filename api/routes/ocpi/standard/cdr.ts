import { Type } from 'typebox';
import { DateTime, Named, OneOf } from '#api/routes/schema.ts';
import { authMethods } from '#shared/domain/roaming/roaming.ts';
import { CdrToken, ChargingPeriod, Price } from './session.ts';

/** CDR location (OCPI 2.2.1 §10.4.4). */
const CdrLocation = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String()),
  address: Type.String(),
  city: Type.String(),
  postal_code: Type.Optional(Type.String()),
  state: Type.Optional(Type.String()),
  country: Type.String({ description: 'Country (ISO 3166-1 alpha-3).' }),
  coordinates: Type.Object({ latitude: Type.String(), longitude: Type.String() }),
  evse_uid: Type.String(),
  evse_id: Type.String(),
  connector_id: Type.String(),
  connector_standard: Type.String(),
  connector_format: Type.String(),
  connector_power_type: Type.String(),
});

/** Tariff sealed with the CDR, as stored with the session (OCPI 2.2.1 §11.3.1). */
const SealedTariff = Type.Object(
  {
    country_code: Type.String(),
    party_id: Type.String(),
    id: Type.String(),
    currency: Type.String(),
    elements: Type.Array(Type.Object({}, { additionalProperties: true })),
    last_updated: DateTime(),
  },
  { additionalProperties: true },
);

/** Charge detail record (OCPI 2.2.1 §10.3.1), the same on both surfaces. */
export const Cdr = Named('OcpiCdr', {
  country_code: Type.String(),
  party_id: Type.String(),
  id: Type.String(),
  start_date_time: DateTime(),
  end_date_time: DateTime(),
  session_id: Type.String(),
  cdr_token: CdrToken,
  auth_method: OneOf(authMethods),
  authorization_reference: Type.Optional(Type.String()),
  cdr_location: CdrLocation,
  meter_id: Type.Optional(Type.String()),
  currency: Type.String(),
  tariffs: Type.Optional(Type.Array(SealedTariff)),
  charging_periods: Type.Array(ChargingPeriod),
  total_cost: Price,
  total_fixed_cost: Type.Optional(Price),
  total_energy: Type.Number({ description: 'Energy in kWh.' }),
  total_energy_cost: Type.Optional(Price),
  total_time: Type.Number({ description: 'Duration in hours.' }),
  total_time_cost: Type.Optional(Price),
  total_parking_time: Type.Number({ description: 'Time without charging in hours, a part of `total_time`.' }),
  total_parking_cost: Type.Optional(Price),
  remark: Type.Optional(Type.String()),
  credit: Type.Optional(Type.Boolean({ description: 'True for a credit CDR, which cancels another CDR.' })),
  credit_reference_id: Type.Optional(Type.String()),
  last_updated: DateTime(),
});
