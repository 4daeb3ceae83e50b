/** Coordinates as OCPI writes them (2.2.1 §8.4.13): degrees as text, with six decimals. */
export function geoLocation({ latitude, longitude }: { latitude: number; longitude: number }) {
  return { latitude: latitude.toFixed(6), longitude: longitude.toFixed(6) };
}

/** The same of what need not have any. */
export function geoLocationOrNull({
  latitude,
  longitude,
}: {
  latitude: number | null;
  longitude: number | null;
}) {
  return latitude === null || longitude === null ? null : geoLocation({ latitude, longitude });
}
