import {
  type FeedWriter,
  maxPowerW,
  priceAt,
  type PublicPlace,
  stateMaxAgeSeconds,
} from '#api/services/open-data/format.service.ts';

const decimals = 4;

/** A small JSON file for maps and search engines: one line per location with its position, free EVSEs, power and lowest price. */
export const summary: FeedWriter = {
  contentType: 'application/json; charset=utf-8',
  extension: 'json',
  maxAgeSeconds: stateMaxAgeSeconds,
  separator: ',\n',
  head: ({ feed, changedAt }) =>
    `{"network":${JSON.stringify(feed.networkName)},"lastUpdated":"${changedAt.toISOString()}","locations":[\n`,
  parts: (place) => [JSON.stringify(line(place))],
  foot: () => '\n]}\n',
  problems: () => [],
};

function line(place: PublicPlace) {
  const { evses } = place;
  return {
    id: place.ocpiId,
    name: place.name,
    address: `${place.address}, ${[place.postalCode, place.city].filter(Boolean).join(' ')}`,
    latitude: place.latitude,
    longitude: place.longitude,
    evses: evses.length,
    available: evses.filter(({ status }) => status === 'AVAILABLE').length,
    maxPowerKw: (maxPowerW(evses.flatMap(({ connectors }) => connectors)) ?? 0) / 1000 || null,
    ...lowestEnergyPrice(place),
  };
}

/** Returns the lowest price per kWh with VAT that applies at all times. */
function lowestEnergyPrice(place: PublicPlace): { pricePerKwh: number | null; currency: string | null } {
  const prices = place.evses
    .flatMap(({ connectors }) => connectors)
    .map((connector) => priceAt(place, connector, decimals))
    .filter((price) => price !== null)
    .flatMap(({ currency, components }) => components.map((component) => ({ currency, ...component })))
    .filter(({ dimension, isRestricted }) => dimension === 'ENERGY' && !isRestricted)
    .toSorted((one, other) => Number(one.price) - Number(other.price));
  const [lowest] = prices;
  return {
    pricePerKwh: lowest === undefined ? null : Number(lowest.price),
    currency: lowest?.currency ?? null,
  };
}
