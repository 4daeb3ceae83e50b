import { Type } from 'typebox';
import { Business, DisplayText, GeoLocation, Image } from '#api/routes/ocpi/location-parts.ts';
import { DateTime, Named, OneOf } from '#api/routes/schema.ts';
import {
  energySources,
  environmentalImpacts,
  facilities,
  parkingTypes,
} from '#shared/domain/fleet/location.ts';
import { StandardEvse } from './evse.ts';

const Period = Type.Object({ period_begin: DateTime(), period_end: DateTime() });

const Hours = Type.Object({
  twentyfourseven: Type.Boolean(),
  regular_hours: Type.Optional(
    Type.Array(
      Type.Object({ weekday: Type.Integer(), period_begin: Type.String(), period_end: Type.String() }),
    ),
  ),
  exceptional_openings: Type.Optional(Type.Array(Period)),
  exceptional_closings: Type.Optional(Type.Array(Period)),
});

/** Hours (OCPI 2.2.1 §8.4.6). */
export const StandardEnergyMix = Named('Ocpi221EnergyMix', {
  is_green_energy: Type.Boolean(),
  energy_sources: Type.Optional(
    Type.Array(Type.Object({ source: OneOf(energySources), percentage: Type.Number() })),
  ),
  environ_impact: Type.Optional(
    Type.Array(Type.Object({ category: OneOf(environmentalImpacts), amount: Type.Number() })),
  ),
  supplier_name: Type.Optional(Type.String()),
  energy_product_name: Type.Optional(Type.String()),
});

/** Location (OCPI 2.2.1 §8.3.1). */
export const StandardLocation = Named('Ocpi221Location', {
  country_code: Type.String(),
  party_id: Type.String(),
  id: Type.String(),
  publish: Type.Boolean(),
  name: Type.Optional(Type.String()),
  address: Type.String(),
  city: Type.String(),
  postal_code: Type.Optional(Type.String()),
  state: Type.Optional(Type.String()),
  country: Type.String(),
  coordinates: GeoLocation,
  related_locations: Type.Array(Type.Object({ ...GeoLocation.properties, name: Type.Optional(DisplayText) })),
  parking_type: Type.Optional(OneOf(parkingTypes)),
  evses: Type.Array(StandardEvse),
  directions: Type.Array(DisplayText),
  operator: Type.Optional(Business),
  suboperator: Type.Optional(Business),
  owner: Type.Optional(Business),
  facilities: Type.Array(OneOf(facilities)),
  time_zone: Type.String(),
  opening_times: Type.Optional(Hours),
  charging_when_closed: Type.Boolean(),
  images: Type.Array(Image),
  energy_mix: Type.Optional(StandardEnergyMix),
  last_updated: DateTime(),
});
