import { parkingDirections, type VehicleType } from '#shared/domain/fleet/parking.ts';
import type { Schemas } from '../../api/client.ts';
import { optionalNumber, textOf } from '../../texts/numbers.ts';
import { type ImageDraft, imageDraftOf, imageOf } from './image-draft.ts';

export type ParkingPlace = Schemas['Location']['parkingPlaces'][number];

/** Choice for a place whose direction is not stated. */
const unstated = 'UNSTATED' as const;

export const directionChoices = [unstated, ...parkingDirections] as const;

/** Sizes and limits, each a number with its unit. */
export const measures = [
  'timeLimit',
  'maxVehicleHeight',
  'maxVehicleLength',
  'maxVehicleWidth',
  'maxVehicleWeight',
  'parkingSpaceLength',
  'parkingSpaceWidth',
] as const satisfies readonly (keyof ParkingPlace)[];
type Measure = (typeof measures)[number];

/** Rules, which each place states. */
export const rules = [
  'restrictedToType',
  'reservationRequired',
] as const satisfies readonly (keyof ParkingPlace)[];

/** Features that a place may leave unstated. */
export const features = [
  'roofed',
  'lighting',
  'driveThrough',
  'refrigerationOutlet',
  'dangerousGoodsAllowed',
] as const satisfies readonly (keyof ParkingPlace)[];
type Feature = (typeof features)[number];

/** Parking place in a form. Numbers are texts, as they are typed. */
export interface PlaceDraft extends Record<Measure, string> {
  id: string;
  physicalReference: string;
  vehicleTypes: readonly VehicleType[];
  direction: (typeof directionChoices)[number];
  rules: readonly (typeof rules)[number][];
  features: readonly Feature[];
  /** Names, separated by commas. */
  standards: string;
  apdsReference: string;
  images: readonly ImageDraft[];
}

const newPlace: ParkingPlace = {
  id: '',
  vehicleTypes: ['PERSONAL_VEHICLE'],
  restrictedToType: false,
  reservationRequired: false,
};

/** Draft of a parking place. Null: a new one. */
export function placeDraftOf(read: ParkingPlace | null): PlaceDraft {
  const place = read ?? newPlace;
  const measured = (measure: Measure) => textOf(place[measure] ?? null);
  return {
    id: place.id,
    physicalReference: place.physicalReference ?? '',
    vehicleTypes: place.vehicleTypes,
    direction: place.direction ?? unstated,
    rules: rules.filter((rule) => place[rule]),
    features: features.filter((feature) => place[feature] === true),
    timeLimit: measured('timeLimit'),
    maxVehicleHeight: measured('maxVehicleHeight'),
    maxVehicleLength: measured('maxVehicleLength'),
    maxVehicleWidth: measured('maxVehicleWidth'),
    maxVehicleWeight: measured('maxVehicleWeight'),
    parkingSpaceLength: measured('parkingSpaceLength'),
    parkingSpaceWidth: measured('parkingSpaceWidth'),
    standards: (place.standards ?? []).join(', '),
    apdsReference: place.apdsReference ?? '',
    images: (place.images ?? []).map(imageDraftOf),
  };
}

/**
 * Returns a parking place as requests have it.
 * @param read place as it was read: a feature that it does not state and that is not chosen stays unstated
 */
export function placeOf(draft: PlaceDraft, read: ParkingPlace | null): ParkingPlace {
  const { direction, images } = draft;
  const standards = draft.standards.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
  const measured = Object.fromEntries(
    measures.flatMap((measure) => Object.entries(optionalNumber(measure, draft[measure]))),
  ) as Pick<ParkingPlace, Measure>;
  const stated = Object.fromEntries(
    features.flatMap((feature) => {
      const isChosen = draft.features.includes(feature);
      return isChosen || read?.[feature] !== undefined ? [[feature, isChosen]] : [];
    }),
  ) as Pick<ParkingPlace, Feature>;
  return {
    id: draft.id.trim(),
    ...(draft.physicalReference.trim() !== '' && { physicalReference: draft.physicalReference.trim() }),
    vehicleTypes: [...draft.vehicleTypes],
    ...measured,
    ...stated,
    ...(direction !== unstated && { direction }),
    restrictedToType: draft.rules.includes('restrictedToType'),
    reservationRequired: draft.rules.includes('reservationRequired'),
    ...(images.length > 0 && { images: images.map(imageOf) }),
    ...(standards.length > 0 && { standards }),
    ...(draft.apdsReference.trim() !== '' && { apdsReference: draft.apdsReference.trim() }),
  };
}
