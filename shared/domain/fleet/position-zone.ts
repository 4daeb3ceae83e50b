import tzLookup from '@photostructure/tz-lookup';

/** Returns the time zone of a position (IANA). It is approximate within some kilometres of a border. */
export const positionZone = (latitude: number, longitude: number): string => tzLookup(latitude, longitude);
