import { type Static, Type } from 'typebox';
import {
  DateTime,
  Decimal,
  Flag,
  Formed,
  Integer,
  Named,
  NetworkNumber,
  Nullable,
  OneOf,
  Str,
  Text,
  Uuid,
} from '#api/routes/schema.ts';
import type { LocationRecord } from '#api/services/fleet/locations.service.ts';
import {
  energySources,
  environmentalImpacts,
  facilities,
  parkingTypes,
} from '#shared/domain/fleet/location.ts';
import { Image, Images, OcpiUrl, OrNull, Part } from './location-parts.ts';
import { ParkingPlaces } from './parking-schema.ts';
import { Version } from '#api/routes/cpms/kernel/versioned.ts';

/** Position on earth. */
export const Coordinates = Part({
  latitude: Decimal('Degrees (WGS 84).', 51.9, { minimum: -90, maximum: 90 }),
  longitude: Decimal('Degrees (WGS 84).', 4.5, { minimum: -180, maximum: 180 }),
});

/** Directions by language. */
export const Directions = Type.Array(
  Part({
    language: Formed('two lower-case letters (ISO 639-1)', '^[a-z]{2}$', {
      description: 'Language of the text (ISO 639-1).',
      examples: ['nl'],
    }),
    text: Text(512, 'Text in this language.', 'Take the ramp next to the quay'),
  }),
  { maxItems: 50, description: 'Directions, one entry per language.' },
);

const Business = Part({
  name: Text(100, 'Name of the company.', 'Harbour Charging'),
  website: Type.Optional(OcpiUrl),
  logo: Type.Optional(Image),
});

const HourMinute = Formed('a time of day as HH:MM', '^([01][0-9]|2[0-3]):[0-5][0-9]$', {
  description: 'Time of day, in the time zone of the location.',
  examples: ['08:00'],
});

const Period = Part({
  periodBegin: DateTime('Start of the period.'),
  periodEnd: DateTime('End of the period.'),
});

const OpeningTimes = Part({
  twentyFourSeven: Flag('True when the location is always open, except for exceptional closings.'),
  regularHours: Type.Optional(
    Type.Array(
      Part({
        weekday: Integer('Day of the week: 1 (Monday) to 7 (Sunday).', 1, { minimum: 1, maximum: 7 }),
        periodBegin: HourMinute,
        periodEnd: HourMinute,
      }),
      {
        maxItems: 100,
        description:
          'Regular opening hours. Required when `twentyFourSeven` is false, not allowed otherwise.',
      },
    ),
  ),
  exceptionalOpenings: Type.Optional(
    Type.Array(Period, {
      maxItems: 200,
      description: 'Times at which the location is open besides the regular hours.',
    }),
  ),
  exceptionalClosings: Type.Optional(
    Type.Array(Period, {
      maxItems: 200,
      description: 'Times at which the location is closed despite the regular hours.',
    }),
  ),
});

const EnergyMix = Part({
  isGreenEnergy: Flag('True when all energy is from renewable sources.'),
  energySources: Type.Optional(
    Type.Array(
      Part({
        source: OneOf(energySources, 'Source of the energy.'),
        percentage: Decimal('Share in percent.', 100, { minimum: 0, maximum: 100 }),
      }),
      { maxItems: energySources.length, description: 'Shares of the energy sources.' },
    ),
  ),
  environmentalImpacts: Type.Optional(
    Type.Array(
      Part({
        category: OneOf(environmentalImpacts, 'OCPI category.'),
        amount: Decimal('Amount in g/kWh.', 25, { minimum: 0, maximum: 1_000_000 }),
      }),
      { maxItems: environmentalImpacts.length, description: 'Environmental impacts of the energy.' },
    ),
  ),
  supplierName: Type.Optional(Text(64, 'Name of the energy supplier.', 'Green Grid')),
  energyProductName: Type.Optional(Text(64, 'Name of the energy product.', 'Wind from the sea')),
});

/** Location fields that an operator sets, within the limits of OCPI 2.2.1 §8.3.1 (edition of 2026), since partners receive them. */
export const locationFields = {
  name: Text(255, 'Name of the location.', 'Harbour Charging'),
  address: Text(255, 'Street and house number.', 'Quay 1'),
  city: Text(45, 'Town or city.', 'Rotterdam'),
  postalCode: Nullable(Text(10, 'Postal code. Null if not set.', '3011 AA')),
  state: Nullable(Text(20, 'State or province. Null if not set.', 'South Holland')),
  country: Formed('three upper-case letters (ISO 3166-1 alpha-3)', '^[A-Z]{3}$', {
    description: 'Country (ISO 3166-1 alpha-3).',
    examples: ['NLD'],
  }),
  coordinates: Coordinates,
  timeZone: Str(
    'Time zone (IANA name). Times of day in tariffs and opening times are in it. Default of a new location: the time zone of its position, at 0, 0 the time zone of its country.',
    'Europe/Amsterdam',
    { maxLength: 64 },
  ),
  isPublished: Flag('True when drivers and roaming partners see the location.'),
  parkingType: Nullable(OneOf(parkingTypes, 'Kind of parking at the location (OCPI). Null when unknown.')),
  parkingPlaces: ParkingPlaces,
  directions: Directions,
  operator: OrNull(Business, 'Operator of the location. Null: the network.'),
  suboperator: OrNull(Business, 'Suboperator of the location. Null if not set.'),
  owner: OrNull(Business, 'Owner of the location. Null when unknown.'),
  facilities: Type.Array(OneOf(facilities), {
    maxItems: facilities.length,
    uniqueItems: true,
    description: 'Facilities at the location (OCPI).',
  }),
  openingTimes: OrNull(OpeningTimes, 'Opening times. Null when unknown.'),
  chargingWhenClosed: Flag('True when charging is possible outside the opening hours.'),
  images: Images,
  energyMix: OrNull(EnergyMix, 'Energy mix. Null when unknown.'),
};

const { properties: optionalFields } = Type.Partial(Type.Object(locationFields));

export const LocationChange = Type.Object(optionalFields, { additionalProperties: false, minProperties: 1 });

export const NewLocation = Type.Object(
  {
    ...optionalFields,
    name: locationFields.name,
    address: locationFields.address,
    city: locationFields.city,
    country: locationFields.country,
    coordinates: locationFields.coordinates,
    networkUuid: Type.Optional(
      Uuid('Network of the location. Required when the caller has several networks.'),
    ),
  },
  {
    additionalProperties: false,
    examples: [
      {
        name: 'Quay',
        address: 'Quay 1',
        city: 'Rotterdam',
        country: 'NLD',
        coordinates: { latitude: 51.905, longitude: 4.466 },
      },
    ],
  },
);

/** Location of a network. */
export const Location = Named('Location', {
  id: Uuid('Location identifier.'),
  locationId: Integer('Integer identifier of the location, as in `locationId` of chargers.', 7),
  networkId: NetworkNumber,
  ...locationFields,
  version: Version,
  createdAt: DateTime('Time of creation.'),
  updatedAt: DateTime('Time of the latest change.'),
});

export function locationView(location: LocationRecord): Static<typeof Location> {
  const { id, uuid, latitude, longitude, createdAt, updatedAt, ...rest } = location;
  return {
    ...rest,
    id: uuid,
    locationId: id,
    coordinates: { latitude, longitude },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
