import { connectorTypes, type ConnectorType, type powerTypes } from '#shared/domain/fleet/ocpi-evse.ts';
import { type Facility, facilities, type ParkingType } from '#shared/domain/fleet/location.ts';

/** Enumerations of OCPI 2.1.1 that have fewer values than those of 2.2.1. */

/** §4.2. */
export const capabilities211 = [
  'CHARGING_PROFILE_CAPABLE',
  'CREDIT_CARD_PAYABLE',
  'REMOTE_START_STOP_CAPABLE',
  'RESERVABLE',
  'RFID_READER',
  'UNLOCK_CAPABLE',
] as const;

const laterFacilities = [
  'BIKE_SHARING',
  'METRO_STATION',
  'PARKING_LOT',
  'TRAM_STOP',
] as const satisfies Facility[];
type LaterFacility = (typeof laterFacilities)[number];
const laterFacilitySet: ReadonlySet<string> = new Set(laterFacilities);

/** §4.11. */
export const facilities211 = facilities.filter(
  (facility): facility is Exclude<Facility, LaterFacility> => !laterFacilitySet.has(facility),
);

/** §4.16. */
export const locationTypes211 = [
  'ON_STREET',
  'PARKING_GARAGE',
  'UNDERGROUND_GARAGE',
  'PARKING_LOT',
  'OTHER',
  'UNKNOWN',
] as const;
type LocationType211 = (typeof locationTypes211)[number];

/** §4.18. */
export const powerTypes211 = ['AC_1_PHASE', 'AC_3_PHASE', 'DC'] as const;
type PowerType211 = (typeof powerTypes211)[number];

const laterConnectorTypes = [
  'CHAOJI',
  'DOMESTIC_M',
  'DOMESTIC_N',
  'DOMESTIC_O',
  'GBT_AC',
  'GBT_DC',
  'NEMA_5_20',
  'NEMA_6_30',
  'NEMA_6_50',
  'NEMA_10_30',
  'NEMA_10_50',
  'NEMA_14_30',
  'NEMA_14_50',
  'PANTOGRAPH_BOTTOM_UP',
  'PANTOGRAPH_TOP_DOWN',
] as const satisfies ConnectorType[];
type LaterConnectorType = (typeof laterConnectorTypes)[number];
const later: ReadonlySet<string> = new Set(laterConnectorTypes);

/** §4.4. */
export const connectorTypes211 = connectorTypes.filter(
  (type): type is Exclude<ConnectorType, LaterConnectorType> => !later.has(type),
);
export type ConnectorType211 = (typeof connectorTypes211)[number];

/** Returns those of some values that an enumeration has. */
export function known<Value extends string>(values: readonly Value[], some: readonly string[]): Value[] {
  return values.filter((value) => some.includes(value));
}

/** Returns a connector type. Null: 2.1.1 does not have it. */
export function connectorType211(type: string | null): ConnectorType211 | null {
  return connectorTypes211.find((candidate) => candidate === type) ?? null;
}

/** Returns the power type that is closest: of two phases one is certain. */
export function powerType211(type: (typeof powerTypes)[number]): PowerType211 {
  return type === 'AC_2_PHASE' || type === 'AC_2_PHASE_SPLIT' ? 'AC_1_PHASE' : type;
}

/** Returns the type of a location. */
export function locationTypeOf(type: ParkingType | null): LocationType211 {
  if (type === null) return 'UNKNOWN';
  return locationTypes211.find((candidate) => candidate === type) ?? 'OTHER';
}
