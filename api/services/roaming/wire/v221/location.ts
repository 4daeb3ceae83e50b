import type { OcpiEvse, OcpiLocation } from '#api/services/roaming/locations.service.ts';
import type { EnergyMix, ExceptionalPeriod, OpeningTimes } from '#shared/domain/fleet/location.ts';
import { evseObject } from './evse.ts';
import { geoLocation } from '#api/services/roaming/wire/geo-location.ts';
import { omitNulls } from '#api/services/roaming/wire/omit-nulls.ts';

/**
 * Converts a location to the standard's form, with its existing EVSEs. Without an operator it gets the one of
 * our credentials; `publish_allowed_to` is for unpublished locations, which are not sent.
 */
export function locationObject(location: OcpiLocation) {
  return locationOf(location, evseObject);
}

/** Returns as much of an address as editions before 2026 allow: 2.1.1 and 2.2, and the CDRs of all versions. */
export const shortAddress = ({ address }: Pick<OcpiLocation, 'address'>): string => address.slice(0, 45);

/** Converts a location with the EVSEs of a version. */
export function locationOf<Evse extends object>(
  location: OcpiLocation,
  evseIn: (evse: OcpiEvse) => Evse | null,
) {
  return {
    country_code: location.countryCode,
    party_id: location.partyId,
    id: location.ocpiId,
    publish: location.isPublished,
    address: location.address,
    city: location.city,
    country: location.country,
    coordinates: geoLocation(location),
    related_locations: location.relatedLocations,
    evses: location.evses.map(evseIn).filter((evse) => evse !== null),
    directions: location.directions,
    facilities: location.facilities,
    time_zone: location.timeZone,
    charging_when_closed: location.chargingWhenClosed,
    images: location.images,
    ...omitNulls({
      name: location.name,
      postal_code: location.postalCode,
      state: location.state,
      parking_type: location.parkingType,
      operator: location.operator,
      suboperator: location.suboperator,
      owner: location.owner,
      opening_times: location.openingTimes && hours(location.openingTimes),
      energy_mix: location.energyMix && energyMix(location.energyMix),
    }),
    last_updated: location.lastUpdated.toISOString(),
  };
}

function hours(times: OpeningTimes) {
  return {
    twentyfourseven: times.twentyFourSeven,
    ...omitNulls({
      regular_hours: times.regularHours?.map((day) => ({ weekday: day.weekday, ...period(day) })),
      exceptional_openings: times.exceptionalOpenings?.map(period),
      exceptional_closings: times.exceptionalClosings?.map(period),
    }),
  };
}

function period({ periodBegin, periodEnd }: ExceptionalPeriod) {
  return { period_begin: periodBegin, period_end: periodEnd };
}

function energyMix(mix: EnergyMix) {
  return {
    is_green_energy: mix.isGreenEnergy,
    ...omitNulls({
      energy_sources: mix.energySources,
      environ_impact: mix.environmentalImpacts,
      supplier_name: mix.supplierName,
      energy_product_name: mix.energyProductName,
    }),
  };
}
