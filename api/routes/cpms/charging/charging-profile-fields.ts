import { Integer, OneOf } from '#api/routes/schema.ts';
import { rateUnits } from '#shared/domain/charging/charging-profile.ts';

/** Maximum duration of a schedule in seconds. */
export const maxSeconds = 366 * 24 * 60 * 60;
/** Connector of a profile or a schedule. */
export const Place = Integer('Connector number, starting at 1. 0: the charger as a whole.', 1, {
  minimum: 0,
  maximum: 1000,
});

/** Unit of the rates of a profile or a schedule. */
export const RateUnit = OneOf(rateUnits, 'Unit of the rates: A per phase, or W in total.');
