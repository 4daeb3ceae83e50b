import { omitNulls } from '#api/services/roaming/wire/omit-nulls.ts';
import type { ParkingPlace } from '#shared/domain/fleet/parking.ts';

/** Converts a parking place (OCPI 2.3.0, Parking). */
export function parkingObject(place: ParkingPlace) {
  return {
    id: place.id,
    vehicle_types: place.vehicleTypes,
    restricted_to_type: place.restrictedToType,
    reservation_required: place.reservationRequired,
    ...omitNulls({
      physical_reference: place.physicalReference,
      max_vehicle_weight: place.maxVehicleWeight,
      max_vehicle_height: place.maxVehicleHeight,
      max_vehicle_length: place.maxVehicleLength,
      max_vehicle_width: place.maxVehicleWidth,
      parking_space_length: place.parkingSpaceLength,
      parking_space_width: place.parkingSpaceWidth,
      dangerous_goods_allowed: place.dangerousGoodsAllowed,
      direction: place.direction,
      drive_through: place.driveThrough,
      time_limit: place.timeLimit,
      roofed: place.roofed,
      images: place.images,
      lighting: place.lighting,
      refrigeration_outlet: place.refrigerationOutlet,
      standards: place.standards,
      apds_reference: place.apdsReference,
    }),
  };
}
