import { OptionalList } from '#api/routes/ocpi/optional-list.ts';
import { Type } from 'typebox';
import { DateTime, Decimal, Named, OneOf, Str } from '#api/routes/schema.ts';
import { Cdr as Cdr221 } from '#api/routes/ocpi/standard/cdr.ts';
import { ChargingPeriod as ChargingPeriod221, sessionFields } from '#api/routes/ocpi/standard/session.ts';
import { authMethods211, sessionStatuses211 } from '#api/services/roaming/wire/v211/session.ts';
import { ChargedLocation } from './location.ts';
import { Tariff } from './tariff.ts';

const { start_date_time, dimensions } = ChargingPeriod221.properties;

/** Fields common to a session and its CDR. */
const charged = {
  auth_id: Str('Contract identifier of the token.'),
  auth_method: OneOf(authMethods211, 'Authentication method (OCPI AuthMethod).'),
  location: ChargedLocation,
  meter_id: Type.Optional(Str('Meter identifier.')),
  currency: sessionFields.currency,
  charging_periods: OptionalList(Named('Ocpi211ChargingPeriod', { start_date_time, dimensions }), {
    description: 'Charging periods in order of time.',
  }),
  last_updated: DateTime('Time of the latest change.'),
};

/** Session (OCPI 2.1.1 mod_sessions §3.1). */
export const Session = Named('Ocpi211Session', {
  ...charged,
  id: sessionFields.id,
  start_datetime: DateTime('Start.'),
  end_datetime: Type.Optional(DateTime('End. Absent while the session is running.')),
  kwh: sessionFields.kwh,
  total_cost: Type.Optional(Decimal('Cost without VAT, so far or in total.')),
  status: OneOf(sessionStatuses211, 'Status (OCPI).'),
});

const { total_energy, total_time, total_parking_time, remark } = Cdr221.properties;

/** CDR (OCPI 2.1.1 mod_cdrs §3.1). */
export const Cdr = Named('Ocpi211Cdr', {
  ...charged,
  id: Str('Identifier.'),
  start_date_time: DateTime('Start.'),
  stop_date_time: DateTime('End.'),
  tariffs: OptionalList(Tariff, { description: 'Tariffs of the session.' }),
  total_cost: Decimal('Cost without VAT. Negative: the CDR credits another one.'),
  total_energy,
  total_time,
  total_parking_time,
  remark,
});
