import type { Schemas } from '../../api/client.ts';
import { numberOf } from '../../texts/numbers.ts';
import { alpha3Of } from './countries.ts';
import { type EnergyDraft, energyDraftOf, energyMixOf, isComplete } from './energy-mix.ts';

type OpeningTimes = NonNullable<Schemas['Location']['openingTimes']>;

/** Hours of a weekday (1: Monday). */
export interface Hours {
  weekday: number;
  periodBegin: string;
  periodEnd: string;
}

export type Opening = 'unknown' | 'always' | 'hours';

/** Location in a form. Numbers are texts, as they are typed. */
export interface LocationDraft {
  name: string;
  address: string;
  postalCode: string;
  city: string;
  country: string | null;
  latitude: string;
  longitude: string;
  timeZone: string;
  opening: Opening;
  hours: Hours[];
  /** Exceptional openings and closings, which the form keeps. */
  exceptions: Omit<OpeningTimes, 'twentyFourSeven' | 'regularHours'>;
  energy: EnergyDraft;
  isPublished: boolean;
}

/** Draft of a location, or of a new one with the defaults of its network. */
export function draftOf(
  location: Schemas['Location'] | null,
  network?: Pick<Schemas['Network'], 'timeZone' | 'countryCode' | 'name'>,
): LocationDraft {
  const { twentyFourSeven, regularHours = [], ...exceptions } = location?.openingTimes ?? {};
  return {
    name: location?.name ?? '',
    address: location?.address ?? '',
    postalCode: location?.postalCode ?? '',
    city: location?.city ?? '',
    country: location?.country ?? alpha3Of(network?.countryCode ?? ''),
    latitude: location === null ? '' : String(location.coordinates.latitude),
    longitude: location === null ? '' : String(location.coordinates.longitude),
    timeZone: location?.timeZone ?? network?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    opening: twentyFourSeven === undefined ? 'unknown' : twentyFourSeven ? 'always' : 'hours',
    hours: regularHours,
    exceptions,
    energy: energyDraftOf(location?.energyMix ?? null),
    isPublished: location?.isPublished ?? false,
  };
}

/** Position of a draft; null while it is incomplete. */
export function positionOf({ latitude, longitude }: Pick<LocationDraft, 'latitude' | 'longitude'>) {
  const [lat, lon] = [numberOf(latitude), numberOf(longitude)];
  if (lat === null || lat === undefined || lon === null || lon === undefined) return null;
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180) return null;
  return { latitude: lat, longitude: lon };
}

/** Returns the fields of a location as requests have them; null while the draft is incomplete. */
export function fieldsOf(draft: LocationDraft) {
  const coordinates = positionOf(draft);
  const { country, timeZone, isPublished } = draft;
  const [name, address, city] = [draft.name.trim(), draft.address.trim(), draft.city.trim()];
  if (coordinates === null || country === null || name === '' || address === '' || city === '') return null;
  if (!isComplete(draft.energy)) return null;
  return {
    name,
    address,
    city,
    country,
    coordinates,
    timeZone,
    isPublished,
    postalCode: draft.postalCode.trim() === '' ? null : draft.postalCode.trim(),
    openingTimes: openingTimesOf(draft),
    energyMix: energyMixOf(draft.energy),
  };
}

function openingTimesOf({ opening, hours, exceptions }: LocationDraft): OpeningTimes | null {
  if (opening === 'unknown') return null;
  if (opening === 'always') return { ...exceptions, twentyFourSeven: true };
  return { ...exceptions, twentyFourSeven: false, regularHours: hours };
}
