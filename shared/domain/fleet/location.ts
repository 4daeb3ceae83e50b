/**
 * Location in OCPI 2.2.1 (§8.3, §8.4), its names in camelCase as the service's OCPI interface and the
 * database have them. Times of exceptions are ISO 8601, regular ones HH:MM in the location's time zone.
 */

/** §8.4.18. */
export const parkingTypes = [
  'ALONG_MOTORWAY',
  'PARKING_GARAGE',
  'PARKING_LOT',
  'ON_DRIVEWAY',
  'ON_STREET',
  'UNDERGROUND_GARAGE',
] as const;
export type ParkingType = (typeof parkingTypes)[number];

/** §8.4.12. */
export const facilities = [
  'HOTEL',
  'RESTAURANT',
  'CAFE',
  'MALL',
  'SUPERMARKET',
  'SPORT',
  'RECREATION_AREA',
  'NATURE',
  'MUSEUM',
  'BIKE_SHARING',
  'BUS_STOP',
  'TAXI_STAND',
  'TRAM_STOP',
  'METRO_STATION',
  'TRAIN_STATION',
  'AIRPORT',
  'PARKING_LOT',
  'CARPOOL_PARKING',
  'FUEL_STATION',
  'WIFI',
] as const;
export type Facility = (typeof facilities)[number];

/** §8.4.16. */
export const imageCategories = [
  'CHARGER',
  'ENTRANCE',
  'LOCATION',
  'NETWORK',
  'OPERATOR',
  'OTHER',
  'OWNER',
] as const;

/** §8.4.8. */
export const energySources = [
  'NUCLEAR',
  'GENERAL_FOSSIL',
  'COAL',
  'GAS',
  'GENERAL_GREEN',
  'SOLAR',
  'WIND',
  'WATER',
] as const;

/** §8.4.10. */
export const environmentalImpacts = ['NUCLEAR_WASTE', 'CARBON_DIOXIDE'] as const;

export interface LocationImage {
  url: string;
  thumbnail?: string;
  category: (typeof imageCategories)[number];
  /** Such as jpeg. */
  type: string;
  width?: number;
  height?: number;
}

export interface BusinessDetails {
  name: string;
  website?: string;
  logo?: LocationImage;
}

export interface DisplayText {
  /** ISO 639-1. */
  language: string;
  text: string;
}

interface RegularHours {
  /** 1 Monday to 7 Sunday. */
  weekday: number;
  periodBegin: string;
  periodEnd: string;
}

export interface ExceptionalPeriod {
  periodBegin: string;
  periodEnd: string;
}

export interface OpeningTimes {
  twentyFourSeven: boolean;
  regularHours?: RegularHours[];
  exceptionalOpenings?: ExceptionalPeriod[];
  exceptionalClosings?: ExceptionalPeriod[];
}

export interface EnergyMix {
  isGreenEnergy: boolean;
  energySources?: { source: (typeof energySources)[number]; percentage: number }[];
  /** Grams per kWh. */
  environmentalImpacts?: { category: (typeof environmentalImpacts)[number]; amount: number }[];
  supplierName?: string;
  energyProductName?: string;
}

/**
 * Returns the faults of opening times, by field; empty when valid. OCPI 2.2.1 §8.4.14: regular hours are
 * required unless it is always open, and refused then; a period ends after it begins, so one over midnight is
 * two.
 */
export function openingTimesFaults(times: OpeningTimes): { field: string; message: string }[] {
  const { twentyFourSeven, regularHours = [], exceptionalOpenings = [], exceptionalClosings = [] } = times;
  const faults: { field: string; message: string }[] = [];
  if (twentyFourSeven === regularHours.length > 0) {
    const message = twentyFourSeven
      ? 'must be left out of what is always open'
      : 'is required of what is not always open';
    faults.push({ field: 'regularHours', message });
  }
  const mustEnd = (name: string, periods: ExceptionalPeriod[], order: (time: string) => number) =>
    periods.forEach(({ periodBegin, periodEnd }, index) => {
      if (order(periodEnd) > order(periodBegin)) return;
      faults.push({ field: `${name}.${index}.periodEnd`, message: 'must be later than periodBegin' });
    });
  mustEnd('regularHours', regularHours, (time) => Number(time.replace(':', '')));
  mustEnd('exceptionalOpenings', exceptionalOpenings, Date.parse);
  mustEnd('exceptionalClosings', exceptionalClosings, Date.parse);
  return faults;
}
