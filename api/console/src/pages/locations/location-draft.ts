import { viewerZone } from '../../texts/page-zone.ts';
import type { Schemas } from '../../api/client.ts';
import { textOrNull } from '../../texts/entered-text.ts';
import { numberOf } from '../../texts/numbers.ts';
import { alpha3Of } from '#shared/domain/fleet/countries.ts';
import { type EnergyDraft, energyDraftOf, energyMixOf, isComplete } from './energy-mix.ts';
import { type OpeningDraft, openingDraftOf, openingTimesOf } from './opening-draft.ts';

/** Location in a form. Numbers are texts, as they are typed. */
export interface LocationDraft extends OpeningDraft {
  name: string;
  address: string;
  postalCode: string;
  city: string;
  state: string;
  country: string | null;
  latitude: string;
  longitude: string;
  timeZone: string;
  chargingWhenClosed: boolean;
  energy: EnergyDraft;
  isPublished: boolean;
}

/** Draft of a location, or of a new one with the defaults of its network. */
export function draftOf(
  location: Schemas['Location'] | null,
  network?: Pick<Schemas['Network'], 'timeZone' | 'countryCode' | 'name'>,
): LocationDraft {
  const timeZone = location?.timeZone ?? network?.timeZone ?? viewerZone;
  return {
    name: location?.name ?? '',
    address: location?.address ?? '',
    postalCode: location?.postalCode ?? '',
    city: location?.city ?? '',
    state: location?.state ?? '',
    country: location?.country ?? alpha3Of(network?.countryCode ?? ''),
    latitude: location === null ? '' : String(location.coordinates.latitude),
    longitude: location === null ? '' : String(location.coordinates.longitude),
    timeZone,
    ...openingDraftOf(location?.openingTimes ?? null, timeZone),
    chargingWhenClosed: location?.chargingWhenClosed ?? true,
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
  const { country, timeZone, chargingWhenClosed, isPublished } = draft;
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
    postalCode: textOrNull(draft.postalCode),
    state: textOrNull(draft.state),
    openingTimes: openingTimesOf(draft, timeZone),
    chargingWhenClosed,
    energyMix: energyMixOf(draft.energy),
  };
}
