import { type Static, Type } from 'typebox';
import { Business, DisplayText, GeoLocation, Image, OcpiId } from '#api/routes/ocpi/location-parts.ts';
import { DateTime, Flag, Formed, Named, Nullable, OneOf, Text } from '#api/routes/schema.ts';
import type { SentLocation } from '#api/services/roaming/location-writes.service.ts';
import type { OcpiLocation } from '#api/services/roaming/locations.service.ts';
import { locationDefaults } from '#api/services/fleet/locations.service.ts';
import { geoLocation } from '#api/services/roaming/wire/geo-location.ts';
import { OcpiDateTime, statedTime } from '#api/services/roaming/wire/date-time.ts';
import { omitNulls } from '#api/services/roaming/wire/omit-nulls.ts';
import {
  energySources,
  environmentalImpacts,
  facilities,
  parkingTypes,
} from '#shared/domain/fleet/location.ts';
import { Evse, EvseBody, evseView, sentEvse } from './evse.ts';
import { itemsOf } from './removable.ts';

const HourMinute = Formed(
  'a time of day as HH:MM, in the time zone of the location',
  '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  { description: 'Time of day, in the time zone of the location.' },
);
const Period = Type.Object({
  periodBegin: DateTime('Start of the period.'),
  periodEnd: DateTime('End of the period.'),
});

const OpeningTimes = Named('OcpiOpeningTimes', {
  twentyFourSeven: Flag('True when the location is always open, except for exceptional closings.'),
  regularHours: Type.Optional(
    Type.Array(
      Type.Object({
        weekday: Type.Integer({
          minimum: 1,
          maximum: 7,
          description: 'Day of the week: 1 (Monday) to 7 (Sunday).',
        }),
        periodBegin: HourMinute,
        periodEnd: HourMinute,
      }),
      { maxItems: 100, description: 'Regular opening hours.' },
    ),
  ),
  exceptionalOpenings: Type.Optional(
    Type.Array(Period, { maxItems: 200, description: 'Exceptional openings.' }),
  ),
  exceptionalClosings: Type.Optional(
    Type.Array(Period, { maxItems: 200, description: 'Exceptional closings.' }),
  ),
});

const EnergyMix = Named('OcpiEnergyMix', {
  isGreenEnergy: Flag('True when all energy is from renewable sources.'),
  energySources: Type.Optional(
    Type.Array(
      Type.Object({
        source: OneOf(energySources, 'Source of the energy.'),
        percentage: Type.Number({ minimum: 0, maximum: 100, description: 'Share in percent.' }),
      }),
      { maxItems: energySources.length, description: 'Shares of the energy sources.' },
    ),
  ),
  environmentalImpacts: Type.Optional(
    Type.Array(
      Type.Object({
        category: OneOf(environmentalImpacts, 'Kind of environmental impact.'),
        amount: Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Amount in g/kWh.' }),
      }),
      { maxItems: environmentalImpacts.length, description: 'Environmental impacts of the energy.' },
    ),
  ),
  supplierName: Type.Optional(Text(64, 'Name of the energy supplier.')),
  energyProductName: Type.Optional(Text(64, 'Name of the energy product.')),
});

const fields = {
  countryCode: Formed('two letters (ISO 3166-1 alpha-2)', '^[A-Za-z]{2}$', {
    description: 'Country of the party (ISO 3166-1 alpha-2).',
  }),
  partyId: Formed('three letters or digits', '^[A-Za-z0-9]{3}$', { description: 'OCPI party identifier.' }),
  id: OcpiId,
  publish: Flag('True when the location is published.'),
  publishAllowedTo: Type.Array(
    Type.Partial(
      Type.Object({
        uid: Text(36, 'Unique identifier.'),
        type: OneOf(['AD_HOC_USER', 'APP_USER', 'OTHER', 'RFID'], 'Type (OCPI).'),
        visualNumber: Text(64, 'Number printed on the card.'),
        issuer: Text(64, 'Issuer of the token.'),
        groupId: Text(36, 'Group of the token.'),
      }),
    ),
    { maxItems: 100, description: 'Tokens that may see the location when it is not published.' },
  ),
  name: Text(255, 'Name.'),
  address: Text(255, 'Street and house number.'),
  city: Text(45, 'Town or city.'),
  postalCode: Text(10, 'Postal code.'),
  state: Text(20, 'State or province.'),
  country: Formed('three upper-case letters (ISO 3166-1 alpha-3)', '^[A-Z]{3}$', {
    description: 'Country (ISO 3166-1 alpha-3).',
  }),
  coordinates: GeoLocation,
  relatedLocations: Type.Array(Type.Object({ coordinates: GeoLocation, name: Type.Optional(DisplayText) }), {
    maxItems: 50,
    description: 'Related positions, such as entrances.',
  }),
  parkingType: Type.Object(
    { value: OneOf(parkingTypes, 'Value (OCPI).') },
    { description: 'Kind of parking (OCPI).' },
  ),
  directions: Type.Array(DisplayText, { maxItems: 50, description: 'Directions by language.' }),
  operator: Business,
  suboperator: Business,
  owner: Business,
  facilities: Type.Array(Type.Object({ value: OneOf(facilities, 'Value (OCPI).') }), {
    maxItems: facilities.length,
    uniqueItems: true,
    description: 'Facilities at the location (OCPI).',
  }),
  timeZone: Type.String({ minLength: 1, maxLength: 64, description: 'Time zone (IANA name).' }),
  openingTimes: OpeningTimes,
  chargingWhenClosed: Flag('True when charging is possible outside the opening hours.'),
  images: Type.Array(Image, { maxItems: 50, description: 'Pictures.' }),
  energyMix: EnergyMix,
  lastUpdated: OcpiDateTime(),
};

export const Location = Type.Partial(
  Type.Object({ ...fields, evses: Type.Array(Evse, { description: 'EVSEs of the location.' }) }),
  {
    title: 'OcpiLocation',
  },
);

/** Converts a location for the documented surface. */
export function locationView(location: OcpiLocation): Static<typeof Location> {
  const { parkingType } = location;
  return omitNulls({
    countryCode: location.countryCode,
    partyId: location.partyId,
    id: location.ocpiId,
    publish: location.isPublished,
    publishAllowedTo: location.publishAllowedTo as Static<typeof Location>['publishAllowedTo'],
    name: location.name,
    address: location.address,
    city: location.city,
    postalCode: location.postalCode,
    state: location.state,
    country: location.country,
    coordinates: geoLocation(location),
    relatedLocations: location.relatedLocations.map(({ name, ...coordinates }) => ({
      coordinates,
      ...(name !== undefined && { name }),
    })),
    parkingType: parkingType === null ? null : { value: parkingType },
    evses: location.evses.map(evseView),
    directions: location.directions,
    operator: location.operator,
    suboperator: location.suboperator,
    owner: location.owner,
    facilities: location.facilities.map((value) => ({ value })),
    timeZone: location.timeZone,
    openingTimes: location.openingTimes,
    chargingWhenClosed: location.chargingWhenClosed,
    images: location.images,
    energyMix: location.energyMix,
    lastUpdated: location.lastUpdated.toISOString(),
  });
}

export const LocationBody = Type.Partial(
  Type.Object({
    ...fields,
    publishAllowedTo: Nullable(fields.publishAllowedTo),
    postalCode: Nullable(fields.postalCode),
    state: Nullable(fields.state),
    relatedLocations: Nullable(fields.relatedLocations),
    parkingType: Nullable(fields.parkingType),
    directions: Nullable(fields.directions),
    operator: Nullable(fields.operator),
    suboperator: Nullable(fields.suboperator),
    owner: Nullable(fields.owner),
    facilities: Nullable(fields.facilities),
    openingTimes: Nullable(fields.openingTimes),
    chargingWhenClosed: Nullable(fields.chargingWhenClosed),
    images: Nullable(fields.images),
    energyMix: Nullable(fields.energyMix),
    evses: Type.Array(EvseBody, { maxItems: 100, description: 'EVSEs of the location.' }),
  }),
);

/** Converts a partner's location. */
export function sentLocation(body: Static<typeof LocationBody>): SentLocation {
  const { publish, coordinates, parkingType, chargingWhenClosed, evses, lastUpdated, ...same } = body;
  return {
    ...same,
    isPublished: publish,
    latitude: coordinates && Number(coordinates.latitude),
    longitude: coordinates && Number(coordinates.longitude),
    relatedLocations: itemsOf(body.relatedLocations)?.map(({ coordinates: at, name }) => ({
      ...at,
      ...(name !== undefined && { name }),
    })),
    publishAllowedTo: itemsOf(body.publishAllowedTo),
    parkingType: parkingType && parkingType.value,
    directions: itemsOf(body.directions),
    facilities: itemsOf(body.facilities)?.map(({ value }) => value),
    chargingWhenClosed:
      chargingWhenClosed === null ? locationDefaults.chargingWhenClosed : chargingWhenClosed,
    images: itemsOf(body.images),
    evses: evses?.map(sentEvse),
    lastUpdated: lastUpdated === undefined ? undefined : statedTime('lastUpdated', lastUpdated),
  };
}
