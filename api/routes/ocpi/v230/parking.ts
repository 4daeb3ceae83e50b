import { type TSchema, Type } from 'typebox';
import { Image } from '#api/routes/ocpi/location-parts.ts';
import { Decimal, Flag, Named, OneOf, Str } from '#api/routes/schema.ts';
import { evsePositions, parkingDirections, vehicleTypes } from '#shared/domain/fleet/parking.ts';

const optional = (schema: TSchema) => Type.Optional(schema);
const number = (description: string) => optional(Decimal(description, 350));
const flag = (description: string) => optional(Flag(description));
const text = (description: string, example: string) => optional(Str(description, example));

/** Parking place of a location (OCPI 2.3.0, Parking). */
export const ParkingPlace = Named('Ocpi230Parking', {
  id: Str('Identifier, unique in the location.', 'P1'),
  physical_reference: text('Text on the parking place.', 'P1'),
  vehicle_types: Type.Array(OneOf(vehicleTypes), {
    minItems: 1,
    description: 'Types of vehicles for which it is made.',
  }),
  max_vehicle_weight: number('Maximum weight of a vehicle in kg.'),
  max_vehicle_height: number('Maximum height of a vehicle in cm.'),
  max_vehicle_length: number('Maximum length of a vehicle in cm.'),
  max_vehicle_width: number('Maximum width of a vehicle in cm.'),
  parking_space_length: number('Length in cm.'),
  parking_space_width: number('Width in cm.'),
  dangerous_goods_allowed: flag('True when vehicles with dangerous goods may park there.'),
  direction: optional(OneOf(parkingDirections, 'Direction of parked vehicles relative to the road.')),
  drive_through: flag('True when a vehicle can leave without reversing.'),
  restricted_to_type: Flag('True when other types of vehicles must not park there.'),
  reservation_required: Flag('True when a reservation is required.'),
  time_limit: number('Maximum time of parking in minutes.'),
  roofed: flag('True when it has a roof.'),
  images: optional(Type.Array(Image, { description: 'Pictures.' })),
  lighting: flag('True when it has artificial light.'),
  refrigeration_outlet: flag('True when it has an outlet for the refrigeration of a truck.'),
  standards: optional(
    Type.Array(Type.String(), { description: 'Standards that it conforms to.', examples: [['PAS 1899']] }),
  ),
  apds_reference: text('Reference to its description in APDS.', 'apds:place:1'),
});

/** Parking place that can be used at an EVSE (OCPI 2.3.0, EVSEParking). */
export const EvseParking = Named('Ocpi230EvseParking', {
  parking_id: Str('Identifier of the parking place.', 'P1'),
  evse_position: optional(OneOf(evsePositions, 'Side of the parked vehicle at which the EVSE is.')),
});
