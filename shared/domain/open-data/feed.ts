/** Formats of the open data that a network publishes about its locations. */
export const feedFormats = [
  'geojson',
  'summary',
  'irve-static',
  'irve-dynamic',
  'datex-table',
  'datex-status',
] as const;
export type FeedFormat = (typeof feedFormats)[number];

/** Requests for one feed by one address within an hour: one every five seconds. */
export const feedRequestsPerHour = 720;

/** Reason why a file lacks an EVSE or a location, or a value of it. */
export interface FeedProblem {
  /** Location as in OCPI. */
  locationId: string;
  /** EVSE as in OCPI. Null: it concerns the location. */
  evseUid: string | null;
  /** Field of the operator API that is missing or unsuitable. */
  field: string;
  /** omitted: the file lacks the EVSE or location until the value is set. incomplete: it lacks the value. */
  effect: 'omitted' | 'incomplete';
  /** Advice on the value to set. */
  message: string;
}
