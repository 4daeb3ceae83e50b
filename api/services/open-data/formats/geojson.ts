import type { OcpiConnector, OcpiEvse } from '#api/services/roaming/locations.service.ts';
import {
  type FeedWriter,
  maxPowerW,
  powerW,
  priceAt,
  type PublicPlace,
  stateMaxAgeSeconds,
} from '#api/services/open-data/format.service.ts';

const decimals = 4;

/** A FeatureCollection (RFC 7946) with a point per location, its EVSEs, connectors, states and prices with VAT. */
export const geojson: FeedWriter = {
  contentType: 'application/geo+json',
  extension: 'geojson',
  maxAgeSeconds: stateMaxAgeSeconds,
  separator: ',\n',
  head: () => '{"type":"FeatureCollection","features":[\n',
  parts: (place) => [JSON.stringify(feature(place))],
  foot: () => '\n]}\n',
  problems: () => [],
};

function feature(place: PublicPlace) {
  const { evses } = place;
  return {
    type: 'Feature',
    id: place.ocpiId,
    geometry: { type: 'Point', coordinates: [place.longitude, place.latitude] },
    properties: {
      name: place.name,
      address: place.address,
      postalCode: place.postalCode,
      city: place.city,
      country: place.country,
      timeZone: place.timeZone,
      operator: place.operator?.name ?? null,
      supportPhone: place.supportPhone,
      openingTimes: place.openingTimes,
      maxPowerW: maxPowerW(evses.flatMap(({ connectors }) => connectors)),
      evses: evses.map((evse) => evseOf(place, evse)),
      lastUpdated: place.lastUpdated.toISOString(),
    },
  };
}

function evseOf(place: PublicPlace, evse: OcpiEvse) {
  return {
    uid: evse.uid,
    evseId: evse.evseId,
    physicalReference: evse.physicalReference,
    status: evse.status,
    connectors: evse.connectors.map((connector) => connectorOf(place, connector)),
  };
}

function connectorOf(place: PublicPlace, connector: OcpiConnector) {
  const price = priceAt(place, connector, decimals);
  return {
    id: connector.ocpiId,
    type: connector.type,
    format: connector.format,
    powerType: connector.powerType,
    maxPowerW: powerW(connector),
    price: price && {
      currency: price.currency,
      components: price.components.map(({ price: amount, vat, ...component }) => ({
        ...component,
        price: Number(amount),
        vatPercent: vat === null ? null : Number(vat),
      })),
    },
  };
}
