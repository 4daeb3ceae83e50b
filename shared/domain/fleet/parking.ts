import type { LocationImage } from './location.ts';

/** Parking places of OCPI 2.3.0 (Parking, EVSEParking), with names in camelCase. Dimensions are in cm, weights in kg. */

/** VehicleType. */
export const vehicleTypes = [
  'MOTORCYCLE',
  'PERSONAL_VEHICLE',
  'PERSONAL_VEHICLE_WITH_TRAILER',
  'VAN',
  'SEMI_TRACTOR',
  'RIGID',
  'TRUCK_WITH_TRAILER',
  'BUS',
  'DISABLED',
] as const;
export type VehicleType = (typeof vehicleTypes)[number];

/** ParkingDirection. */
export const parkingDirections = ['PARALLEL', 'PERPENDICULAR', 'ANGLE'] as const;

/** EVSEPosition: side of the parked vehicle. */
export const evsePositions = ['LEFT', 'RIGHT', 'CENTER'] as const;

/** Parking place of a location. */
export interface ParkingPlace {
  /** Unique in the location. */
  id: string;
  physicalReference?: string;
  vehicleTypes: VehicleType[];
  maxVehicleWeight?: number;
  maxVehicleHeight?: number;
  maxVehicleLength?: number;
  maxVehicleWidth?: number;
  parkingSpaceLength?: number;
  parkingSpaceWidth?: number;
  dangerousGoodsAllowed?: boolean;
  direction?: (typeof parkingDirections)[number];
  driveThrough?: boolean;
  restrictedToType: boolean;
  reservationRequired: boolean;
  /** In minutes. */
  timeLimit?: number;
  roofed?: boolean;
  images?: LocationImage[];
  lighting?: boolean;
  refrigerationOutlet?: boolean;
  standards?: string[];
  apdsReference?: string;
}

/** Parking place that can be used while charging at an EVSE. */
export interface EvseParking {
  parkingId: string;
  evsePosition?: (typeof evsePositions)[number];
}

/** Returns the index of the first parking place whose id another one before it has, or -1. */
export function repeatedPlace(places: readonly ParkingPlace[]): number {
  const ids = places.map(({ id }) => id.toLowerCase());
  return ids.findIndex((id, index) => ids.indexOf(id) < index);
}
