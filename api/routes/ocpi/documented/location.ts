import { type Static, Type } from 'typebox';
import { Business, DisplayText, GeoLocation, Image, OcpiId } from '#api/routes/ocpi/location-parts.ts';
import { DateTime, Named, OneOf, Text } from '#api/routes/schema.ts';
import type { SentLocation } from '#api/services/roaming/location-writes.ts';
import type { OcpiLocation } from '#api/services/roaming/locations.ts';
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

const HourMinute = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  description: 'a time of day as HH:MM, in the time zone of the location',
});
const Period = Type.Object({ periodBegin: DateTime(), periodEnd: DateTime() });

const OpeningTimes = Named('OcpiOpeningTimes', {
  twentyFourSeven: Type.Boolean(),
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
      { maxItems: 100 },
    ),
  ),
  exceptionalOpenings: Type.Optional(Type.Array(Period, { maxItems: 200 })),
  exceptionalClosings: Type.Optional(Type.Array(Period, { maxItems: 200 })),
});

const EnergyMix = Named('OcpiEnergyMix', {
  isGreenEnergy: Type.Boolean(),
  energySources: Type.Optional(
    Type.Array(
      Type.Object({
        source: OneOf(energySources),
        percentage: Type.Number({ minimum: 0, maximum: 100 }),
      }),
      { maxItems: energySources.length },
    ),
  ),
  environmentalImpacts: Type.Optional(
    Type.Array(
      Type.Object({
        category: OneOf(environmentalImpacts),
        amount: Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Amount in g/kWh.' }),
      }),
      { maxItems: environmentalImpacts.length },
    ),
  ),
  supplierName: Type.Optional(Text(64)),
  energyProductName: Type.Optional(Text(64)),
});

const fields = {
  countryCode: Type.String({ pattern: '^[A-Za-z]{2}$', description: 'two letters (ISO 3166-1 alpha-2)' }),
  partyId: Type.String({ pattern: '^[A-Za-z0-9]{3}$', description: 'three letters or digits' }),
  id: OcpiId,
  publish: Type.Boolean(),
  publishAllowedTo: Type.Array(
    Type.Partial(
      Type.Object({
        uid: Text(36),
        type: OneOf(['AD_HOC_USER', 'APP_USER', 'OTHER', 'RFID']),
        visualNumber: Text(64),
        issuer: Text(64),
        groupId: Text(36),
      }),
    ),
    { maxItems: 100 },
  ),
  name: Text(255),
  address: Text(45),
  city: Text(45),
  postalCode: Text(10),
  state: Text(20),
  country: Type.String({
    pattern: '^[A-Z]{3}$',
    description: 'three upper-case letters (ISO 3166-1 alpha-3)',
  }),
  coordinates: GeoLocation,
  relatedLocations: Type.Array(Type.Object({ coordinates: GeoLocation, name: Type.Optional(DisplayText) }), {
    maxItems: 50,
  }),
  parkingType: Type.Object({ value: OneOf(parkingTypes) }),
  directions: Type.Array(DisplayText, { maxItems: 50 }),
  operator: Business,
  suboperator: Business,
  owner: Business,
  facilities: Type.Array(Type.Object({ value: OneOf(facilities) }), {
    maxItems: facilities.length,
    uniqueItems: true,
  }),
  timeZone: Type.String({ minLength: 1, maxLength: 64, description: 'Time zone (IANA name).' }),
  openingTimes: OpeningTimes,
  chargingWhenClosed: Type.Boolean(),
  images: Type.Array(Image, { maxItems: 50 }),
  energyMix: EnergyMix,
  lastUpdated: OcpiDateTime(),
};

export const Location = Type.Partial(Type.Object({ ...fields, evses: Type.Array(Evse) }), {
  title: 'OcpiLocation',
});

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
  Type.Object({ ...fields, evses: Type.Array(EvseBody, { maxItems: 100 }) }),
);

/** Converts a partner's location. */
export function sentLocation(body: Static<typeof LocationBody>): SentLocation {
  const { publish, coordinates, relatedLocations, parkingType, evses, lastUpdated, ...same } = body;
  return {
    ...same,
    isPublished: publish,
    latitude: coordinates && Number(coordinates.latitude),
    longitude: coordinates && Number(coordinates.longitude),
    relatedLocations: relatedLocations?.map(({ coordinates: at, name }) => ({
      ...at,
      ...(name !== undefined && { name }),
    })),
    parkingType: parkingType?.value,
    facilities: body.facilities?.map(({ value }) => value),
    evses: evses?.map(sentEvse),
    lastUpdated: lastUpdated === undefined ? undefined : statedTime('lastUpdated', lastUpdated),
  };
}
