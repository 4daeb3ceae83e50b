import { type Static, Type } from 'typebox';
import {
  DateTime,
  Named,
  NetworkNumber,
  Nullable,
  OneOf,
  Text,
  Url,
  Uuid,
  Formed,
} from '#api/routes/schema.ts';
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
export const OcpiUrl = Url(255, { description: 'URL.', examples: ['https://harbour.example'] });

const Image = Part({
  url: OcpiUrl,
  thumbnail: Type.Optional(OcpiUrl),
  category: OneOf(imageCategories, 'OCPI category.'),
  type: Formed('gif, jpeg, png, svg: at most 4 characters', '^[A-Za-z0-9]{1,4}$', {
    examples: ['jpeg'],
    description: 'Kind.',
  }),
  width: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 99_999, description: 'pixels', examples: [1200] }),
  ),
  height: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 99_999, description: 'pixels', examples: [800] }),
  ),
});

export const Images = Type.Array(Image, { maxItems: 50, description: 'Pictures.' });

/** A point on earth. */
export const Coordinates = Part({
  latitude: Type.Number({ minimum: -90, maximum: 90, description: 'degrees, WGS 84', examples: [51.9] }),
  longitude: Type.Number({ minimum: -180, maximum: 180, description: 'degrees, WGS 84', examples: [4.5] }),
});

/** How to get there, in some languages. */
export const Directions = Type.Array(
  Part({
    language: Formed('two small letters: ISO 639-1', '^[a-z]{2}$', {
      description: 'Language of the text (ISO 639-1).',
      examples: ['nl'],
    }),
    text: Text(512, {
      description: 'Text in this language.',
      examples: ['0.40 a kWh and 0.50 a session, without VAT'],
    }),
  }),
  { maxItems: 50, description: 'How to get there, once for each language' },
);

const Business = Part({
  name: Text(100, { description: 'Name of the company.', examples: ['Harbour Charging'] }),
  website: Type.Optional(OcpiUrl),
  logo: Type.Optional(Image),
});

const HourMinute = Formed('a time of the day as HH:MM, of the location', '^([01][0-9]|2[0-3]):[0-5][0-9]$', {
  description: 'Time of day, in the time zone of the location.',
  examples: ['08:00'],
});

const Period = Part({
  periodBegin: DateTime('Start of the period.'),
  periodEnd: DateTime('End of the period.'),
});

const OpeningTimes = Part({
  twentyFourSeven: Type.Boolean({ description: 'Always open, but for the exceptional closings' }),
  regularHours: Type.Optional(
    Type.Array(
      Part({
        weekday: Type.Integer({ minimum: 1, maximum: 7, description: '1 Monday to 7 Sunday', examples: [1] }),
        periodBegin: HourMinute,
        periodEnd: HourMinute,
      }),
      { maxItems: 100, description: 'Required of, and only of, what is not always open' },
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
  isGreenEnergy: Type.Boolean({ description: 'True when all energy is from renewable sources.' }),
  energySources: Type.Optional(
    Type.Array(
      Part({
        source: OneOf(energySources, 'Source of the energy.'),
        percentage: Type.Number({
          minimum: 0,
          maximum: 100,
          description: 'Share in percent.',
          examples: [100],
        }),
      }),
      { maxItems: energySources.length, description: 'Shares of the energy sources.' },
    ),
  ),
  environmentalImpacts: Type.Optional(
    Type.Array(
      Part({
        category: OneOf(environmentalImpacts, 'OCPI category.'),
        amount: Type.Number({ minimum: 0, maximum: 1_000_000, description: 'g/kWh', examples: [25] }),
      }),
      { maxItems: environmentalImpacts.length, description: 'Environmental impacts of the energy.' },
    ),
  ),
  supplierName: Type.Optional(
    Text(64, { description: 'Name of the energy supplier.', examples: ['Green Grid'] }),
  ),
  energyProductName: Type.Optional(
    Text(64, { description: 'Name of the energy product.', examples: ['Wind from the sea'] }),
  ),
});

/** What an operator tells of a location, within OCPI 2.2.1's bounds (§8.3.1), since partners are told the same. */
const fields = {
  name: Text(255, { description: 'Name of the location.', examples: ['Harbour Charging'] }),
  address: Text(45, { description: 'Street and house number.', examples: ['Quay 1'] }),
  city: Text(45, { description: 'Town or city.', examples: ['Rotterdam'] }),
  postalCode: Nullable(
    Text(10, { description: 'Postal code. Null when there is none.', examples: ['3011 AA'] }),
  ),
  state: Nullable(
    Text(20, { description: 'State or province. Null when there is none.', examples: ['South Holland'] }),
  ),
  country: Formed('three capital letters: ISO 3166-1 alpha-3', '^[A-Z]{3}$', {
    description: 'Country (ISO 3166-1 alpha-3).',
    examples: ['NLD'],
  }),
  coordinates: Coordinates,
  timeZone: Type.String({
    maxLength: 64,
    description: 'IANA name; of a new location that of its network',
    examples: ['Europe/Amsterdam'],
  }),
  isPublished: Type.Boolean({ description: 'Whether drivers and roaming partners see it' }),
  parkingType: Nullable(OneOf(parkingTypes, 'Kind of parking at the location (OCPI). Null when unknown.')),
  directions: Directions,
  operator: OrNull(Business, 'Null: the network'),
  suboperator: OrNull(Business, 'Who else is concerned with it; null: nobody'),
  owner: OrNull(Business, 'Null: not told'),
  facilities: Type.Array(OneOf(facilities), {
    maxItems: facilities.length,
    uniqueItems: true,
    description: 'Facilities at the location (OCPI).',
  }),
  openingTimes: OrNull(OpeningTimes, 'Null: not told'),
  chargingWhenClosed: Type.Boolean({
    description: 'True when charging is possible outside the opening hours.',
  }),
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
  id: Uuid('Location identifier.'),
  locationId: Type.Integer({ description: 'The integer that chargers name it by', examples: [7] }),
  networkId: NetworkNumber,
  ...fields,
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
