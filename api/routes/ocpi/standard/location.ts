import { OptionalList } from '#api/routes/ocpi/optional-list.ts';
import { Type } from 'typebox';
import { Business, DisplayText, GeoLocation, Image } from '#api/routes/ocpi/location-parts.ts';
import { DateTime, Decimal, Flag, Integer, Named, OneOf, Str } from '#api/routes/schema.ts';
import {
  energySources,
  environmentalImpacts,
  facilities,
  parkingTypes,
} from '#shared/domain/fleet/location.ts';
import { StandardEvse } from './evse.ts';

const Period = Type.Object({
  period_begin: DateTime('Start of the period.'),
  period_end: DateTime('End of the period.'),
});

const Hours = Type.Object({
  twentyfourseven: Flag('True when the location is always open, except for exceptional closings.'),
  regular_hours: Type.Optional(
    Type.Array(
      Type.Object({
        weekday: Integer('Day of the week: 1 (Monday) to 7 (Sunday).'),
        period_begin: Str('Start of the period.'),
        period_end: Str('End of the period.'),
      }),
      { description: 'Regular opening hours.' },
    ),
  ),
  exceptional_openings: Type.Optional(Type.Array(Period, { description: 'Exceptional openings.' })),
  exceptional_closings: Type.Optional(Type.Array(Period, { description: 'Exceptional closings.' })),
});

/** Hours (OCPI 2.2.1 §8.4.6). */
export const StandardEnergyMix = Named('Ocpi221EnergyMix', {
  is_green_energy: Flag('True when all energy is from renewable sources.'),
  energy_sources: Type.Optional(
    Type.Array(
      Type.Object({
        source: OneOf(energySources, 'Source of the energy.'),
        percentage: Decimal('Share in percent.'),
      }),
      { description: 'Shares of the energy sources.' },
    ),
  ),
  environ_impact: Type.Optional(
    Type.Array(
      Type.Object({
        category: OneOf(environmentalImpacts, 'Kind of environmental impact.'),
        amount: Decimal('Amount in g/kWh.'),
      }),
      { description: 'Environmental impacts of the energy.' },
    ),
  ),
  supplier_name: Type.Optional(Str('Name of the energy supplier.')),
  energy_product_name: Type.Optional(Str('Name of the energy product.')),
});

/** Location (OCPI 2.2.1 §8.3.1). */
export const StandardLocation = Named('Ocpi221Location', {
  country_code: Str('Country of the party (ISO 3166-1 alpha-2).'),
  party_id: Str('OCPI party identifier.'),
  id: Str('Identifier.'),
  publish: Flag('True when the location is published.'),
  name: Type.Optional(Str('Name.')),
  address: Str('Street and house number.'),
  city: Str('Town or city.'),
  postal_code: Type.Optional(Str('Postal code.')),
  state: Type.Optional(Str('State or province.')),
  country: Str('Country (ISO 3166-1 alpha-3).'),
  coordinates: GeoLocation,
  related_locations: OptionalList(
    Type.Object({ ...GeoLocation.properties, name: Type.Optional(DisplayText) }),
    { description: 'Related positions, such as entrances.' },
  ),
  parking_type: Type.Optional(OneOf(parkingTypes, 'Kind of parking (OCPI).')),
  evses: OptionalList(StandardEvse, { description: 'EVSEs of the location.' }),
  directions: OptionalList(DisplayText, { description: 'Directions by language.' }),
  operator: Type.Optional(Business),
  suboperator: Type.Optional(Business),
  owner: Type.Optional(Business),
  facilities: OptionalList(OneOf(facilities), { description: 'Facilities at the location (OCPI).' }),
  time_zone: Str('Time zone (IANA name).'),
  opening_times: Type.Optional(Hours),
  charging_when_closed: Flag('True when charging is possible outside the opening hours.'),
  images: OptionalList(Image, { description: 'Pictures.' }),
  energy_mix: Type.Optional(StandardEnergyMix),
  last_updated: DateTime('Time of the latest change.'),
});
