import { Type } from 'typebox';
import { Decimal, Flag, Formed, OneOf, Text } from '#api/routes/schema.ts';
import { evsePositions, parkingDirections, vehicleTypes } from '#shared/domain/fleet/parking.ts';
import { Images, Part } from './location-parts.ts';

const PlaceId = Formed('1 to 36 printable ASCII characters', '^[!-~]+( [!-~]+)*$', {
  minLength: 1,
  maxLength: 36,
  description: 'Identifier of the parking place, unique in the location.',
  examples: ['P1'],
});

const number = (description: string, example: number) =>
  Type.Optional(Decimal(description, example, { minimum: 0, maximum: 1_000_000 }));

const flag = (description: string) => Type.Optional(Flag(description));

const ParkingPlace = Part({
  id: PlaceId,
  physicalReference: Type.Optional(Text(12, 'Text on the parking place, at most 12 characters.', 'P1')),
  vehicleTypes: Type.Array(OneOf(vehicleTypes), {
    minItems: 1,
    maxItems: vehicleTypes.length,
    uniqueItems: true,
    description: 'Types of vehicles for which the place is made. DISABLED: vehicles with a permit.',
  }),
  maxVehicleWeight: number('Maximum weight of a vehicle in kg.', 3500),
  maxVehicleHeight: number('Maximum height of a vehicle in cm.', 210),
  maxVehicleLength: number('Maximum length of a vehicle in cm.', 550),
  maxVehicleWidth: number('Maximum width of a vehicle in cm.', 220),
  parkingSpaceLength: number('Length of the place in cm.', 600),
  parkingSpaceWidth: number('Width of the place in cm.', 350),
  dangerousGoodsAllowed: flag('True when vehicles with dangerous goods may park there.'),
  direction: Type.Optional(OneOf(parkingDirections, 'Direction of parked vehicles relative to the road.')),
  driveThrough: flag('True when a vehicle can leave without reversing.'),
  restrictedToType: Flag('True when other types of vehicles must not park there.'),
  reservationRequired: Flag('True when parking requires a reservation.'),
  timeLimit: number('Maximum time of parking in minutes.', 120),
  roofed: flag('True when the place has a roof.'),
  images: Type.Optional(Images),
  lighting: flag('True when the place has artificial light.'),
  refrigerationOutlet: flag('True when the place has an outlet for the refrigeration of a truck.'),
  standards: Type.Optional(
    Type.Array(Text(36, 'Name of a standard.', 'PAS 1899'), {
      maxItems: 20,
      description: 'Standards that the place conforms to.',
    }),
  ),
  apdsReference: Type.Optional(
    Text(255, 'Reference to the description of the place in APDS.', 'apds:place:1'),
  ),
});

/** Parking places of a location, within the limits of OCPI 2.3.0. */
export const ParkingPlaces = Type.Array(ParkingPlace, {
  maxItems: 500,
  description: 'Parking places of the location. Partners of OCPI 2.3.0 receive them.',
});

/** Parking places of an EVSE. */
export const Parking = Type.Array(
  Part({
    parkingId: PlaceId,
    evsePosition: Type.Optional(OneOf(evsePositions, 'Side of the parked vehicle at which the EVSE is.')),
  }),
  {
    maxItems: 50,
    description:
      'Parking places of the location that can be used while charging at the EVSE. Identifiers that the location does not have are ' +
      'not sent to partners.',
  },
);
