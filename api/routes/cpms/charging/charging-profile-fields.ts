import { Type } from 'typebox';
import { OneOf } from '#api/routes/schema.ts';
import { rateUnits } from '#shared/domain/charging/charging-profile.ts';

/** Maximum duration of a schedule in seconds. */
export const maxSeconds = 366 * 24 * 60 * 60;
/** Connector of a profile or a schedule. */
export const Place = Type.Integer({
  minimum: 0,
  maximum: 1000,
  description: 'Connector number, starting at 1. 0: the charger as a whole.',
  examples: [1],
});

/** Unit of the rates of a profile or a schedule. */
export const RateUnit = OneOf(rateUnits, 'Unit of the rates: A per phase, or W in total.');
