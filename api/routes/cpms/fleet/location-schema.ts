import { type Static, Type } from 'typebox';
import { DateTime, Named, NetworkNumber, Nullable, OneOf, Text, Url, Uuid } from '#api/routes/schema.ts';
import type { LocationRecord } from '#api/services/fleet/locations.ts';
import {
  energySources,
  environmentalImpacts,
  facilities,
  imageCategories,
  parkingTypes,
} from '#shared/domain/fleet/location.ts';
import { Version } from '#api/routes/cpms/kernel/versioned.ts';

/** Part of a record: what is not a field of it is an error in a request. */
export function Part<T extends Parameters<typeof Type.Object>[0]>(properties: T) {
  return Type.Object(properties, { additionalProperties: false });
}

/** Such a part, or null. */
export function OrNull<T extends Parameters<typeof Type.Object>[0]>(
  part: ReturnType<typeof Part<T>>,
  description: string,
) {
  return Type.Union([part, Type.Null()], { description });
}

/** OCPI's longest URL. */
export const OcpiUrl = Url(255);

const Image = Part({
  url: OcpiUrl,
  thumbnail: Type.Optional(OcpiUrl),
  category: OneOf(imageCategories),
  type: Type.String({
    pattern: '^[A-Za-z0-9]{1,4}$',
    description: 'gif, jpeg, png, svg: at most 4 characters',
    examples: ['jpeg'],
  }),
  width: Type.Optional(Type.Integer({ minimum: 1, maximum: 99_999, description: 'pixels' })),
  height: Type.Optional(Type.Integer({ minimum: 1, maximum: 99_999, description: 'pixels' })),
});

export const Images = Type.Array(Image, { maxItems: 50 });

/** A point on earth. */
export const Coordinates = Part({
  latitude: Type.Number({ minimum: -90, maximum: 90, description: 'degrees, WGS 84' }),
  longitude: Type.Number({ minimum: -180, maximum: 180, description: 'degrees, WGS 84' }),
});

/** How to get there, in some languages. */
export const Directions = Type.Array(
  Part({
    language: Type.String({ pattern: '^[a-z]{2}$', description: 'two small letters: ISO 639-1' }),
    text: Text(512),
  }),
  { maxItems: 50, description: 'How to get there, once for each language' },
);

const Business = Part({ name: Text(100), website: Type.Optional(OcpiUrl), logo: Type.Optional(Image) });

const HourMinute = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  description: 'a time of the day as HH:MM, of the location',
});

const Period = Part({ periodBegin: DateTime(), periodEnd: DateTime() });

const OpeningTimes = Part({
  twentyFourSeven: Type.Boolean({ description: 'Always open, but for the exceptional closings' }),
  regularHours: Type.Optional(
    Type.Array(
      Part({
        weekday: Type.Integer({ minimum: 1, maximum: 7, description: '1 Monday to 7 Sunday' }),
        periodBegin: HourMinute,
        periodEnd: HourMinute,
      }),
      { maxItems: 100, description: 'Required of, and only of, what is not always open' },
    ),
  ),
  exceptionalOpenings: Type.Optional(Type.Array(Period, { maxItems: 200 })),
  exceptionalClosings: Type.Optional(Type.Array(Period, { maxItems: 200 })),
});

const EnergyMix = Part({
  isGreenEnergy: Type.Boolean(),
  energySources: Type.Optional(
    Type.Array(
      Part({ source: OneOf(energySources), percentage: Type.Number({ minimum: 0, maximum: 100 }) }),
      { maxItems: energySources.length },
    ),
  ),
  environmentalImpacts: Type.Optional(
    Type.Array(
      Part({
        category: OneOf(environmentalImpacts),
        amount: Type.Number({ minimum: 0, maximum: 1_000_000, description: 'g/kWh' }),
      }),
      { maxItems: environmentalImpacts.length },
    ),
  ),
  supplierName: Type.Optional(Text(64)),
  energyProductName: Type.Optional(Text(64)),
});

/** What an operator tells of a location, within OCPI 2.2.1's bounds (§8.3.1), since partners are told the same. */
const fields = {
  name: Text(255),
  address: Text(45),
  city: Text(45),
  postalCode: Nullable(Text(10)),
  state: Nullable(Text(20)),
  country: Type.String({ pattern: '^[A-Z]{3}$', description: 'three capital letters: ISO 3166-1 alpha-3' }),
  coordinates: Coordinates,
  timeZone: Type.String({ maxLength: 64, description: 'IANA name; of a new location that of its network' }),
  isPublished: Type.Boolean({ description: 'Whether drivers and roaming partners see it' }),
  parkingType: Nullable(OneOf(parkingTypes)),
  directions: Directions,
  operator: OrNull(Business, 'Null: the network'),
  suboperator: OrNull(Business, 'Who else is concerned with it; null: nobody'),
  owner: OrNull(Business, 'Null: not told'),
  facilities: Type.Array(OneOf(facilities), { maxItems: facilities.length, uniqueItems: true }),
  openingTimes: OrNull(OpeningTimes, 'Null: not told'),
  chargingWhenClosed: Type.Boolean(),
  images: Images,
  energyMix: OrNull(EnergyMix, 'Null: not told'),
};

const { properties: optionalFields } = Type.Partial(Type.Object(fields));

export const LocationChange = Type.Object(optionalFields, { additionalProperties: false, minProperties: 1 });

export const NewLocation = Type.Object(
  {
    ...optionalFields,
    name: fields.name,
    address: fields.address,
    city: fields.city,
    country: fields.country,
    coordinates: fields.coordinates,
    networkUuid: Type.Optional(Uuid('Required when the caller reaches more than one network')),
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

/** A location of a network. */
export const Location = Named('Location', {
  id: Uuid(),
  locationId: Type.Integer({ description: 'The integer that chargers name it by' }),
  networkId: NetworkNumber,
  ...fields,
  version: Version,
  createdAt: DateTime(),
  updatedAt: DateTime(),
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
