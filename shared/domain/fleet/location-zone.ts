import tzLookup from '@photostructure/tz-lookup';
import { countryZone } from './country-zone.ts';

/** Facts that a time zone is derived from. */
interface Place {
  /** ISO 3166-1. */
  country: string;
  latitude: number;
  longitude: number;
}

/**
 * Returns the time zone (IANA) of a place by its position, which is approximate within some kilometres of a border. A place at 0, 0 has no
 * known position: it has the zone of its country, or null if that has several.
 */
export function locationZone({ country, latitude, longitude }: Place): string | null {
  if (latitude === 0 && longitude === 0) return countryZone(country);
  return tzLookup(latitude, longitude);
}
