import type { OcpiEvse } from '#api/services/roaming/locations.service.ts';
import {
  type FeedContext,
  priceAt,
  type PublicComponent,
  type PublicPlace,
} from '#api/services/open-data/format.service.ts';
import type { FeedProblem } from '#shared/domain/open-data/feed.ts';
import type { PriceDimension } from '#shared/pricing/tariff.ts';
import { element, text } from './xml.ts';

/** Namespaces of DATEX II 3.7 with the AFIR extensions (aegi and afac). */
const namespaces = {
  'xmlns:d2': 'http://datex2.eu/schema/3/d2Payload',
  'xmlns:com': 'http://datex2.eu/schema/3/common',
  'xmlns:aegi': 'http://datex2.eu/schema/3/afirEnergyInfrastructure',
  'xmlns:afac': 'http://datex2.eu/schema/3/afirFacilities',
  'xmlns:loc': 'http://datex2.eu/schema/3/locationReferencing',
  'xmlns:locx': 'http://datex2.eu/schema/3/locationExtension',
  'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
};

/** Returns the start of a publication of a type: its header, and an element that the file closes. */
export function openPublication(type: string, { feed, at }: FeedContext, ...start: string[]): string {
  const attributes = {
    ...namespaces,
    'xsi:type': `aegi:${type}`,
    lang: feed.language,
    modelBaseVersion: '3',
  };
  const creator = element(
    'com:publicationCreator',
    {},
    text('com:country', feed.countryCode.toLowerCase()),
    text('com:nationalIdentifier', feed.partyId),
  );
  const whole = element('d2:payload', attributes, text('com:publicationTime', at), creator, ...start);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${whole.slice(0, -closePublication.length)}\n`;
}

export const closePublication = '</d2:payload>';

/** Table of all locations of a network: the two publications refer to it. */
export const tableId = ({ feed }: FeedContext): string => feed.networkUuid;

/** Returns when something was changed, as a version. */
export const versionOf = (at: Date): string => String(Math.trunc(at.getTime() / 1000));

/** Returns a text in the language of the network. */
export const multilingual = (name: string, value: string, { feed }: FeedContext): string =>
  element(
    name,
    {},
    element('com:values', {}, element('com:value', { lang: feed.language }, text('x', value).slice(3, -4))),
  );

/** Station with charging points: a charger with its EVSEs. */
export interface Station {
  id: string;
  evses: OcpiEvse[];
  lastUpdated: Date;
}

/** Returns the chargers of a location with the EVSEs that the publications can name. */
export function stationsOf(place: PublicPlace): Station[] {
  const byCharger = Map.groupBy(place.evses.filter(isComplete), ({ chargerId }) => chargerId);
  return [...byCharger].map(([chargerId, evses]) => ({
    id: `${place.ocpiId}-${chargerId}`,
    evses,
    lastUpdated: new Date(Math.max(...evses.map(({ lastUpdated }) => lastUpdated.getTime()))),
  }));
}

/** Returns what kind of current an EVSE delivers; null if no connector states it. */
export function currentType({ connectors }: OcpiEvse): 'ac' | 'dc' | null {
  const types = connectors.map(({ powerType }) => powerType).filter((type) => type !== null);
  if (types.length === 0) return null;
  return types.includes('DC') ? 'dc' : 'ac';
}

const isComplete = (evse: OcpiEvse): boolean => currentType(evse) !== null;

/** Returns what both publications omit. */
export function datexProblems(place: PublicPlace): FeedProblem[] {
  return place.evses
    .filter((evse) => !isComplete(evse))
    .map((evse) => ({
      locationId: place.ocpiId,
      evseUid: evse.uid,
      field: 'powerType',
      effect: 'omitted',
      message: 'Set the power type of a connector: DATEX II requires alternating or direct current.',
    }));
}

/** Largest number of decimals of an amount in DATEX II. */
const decimals = 2;
const exactDecimals = 4;

/** Kind of price by dimension, and its unit. A price per hour is published per minute. */
const priceTypes: Record<PriceDimension, { type: string; unit: string; perHour: boolean }> = {
  ENERGY: { type: 'pricePerKWh', unit: 'per kWh', perHour: false },
  FLAT: { type: 'basePrice', unit: 'per session', perHour: false },
  TIME: { type: 'pricePerMinute', unit: 'per hour of charging', perHour: true },
  PARKING_TIME: { type: 'pricePerMinute', unit: 'per hour after charging', perHour: true },
};

/** Identifier of the price of an EVSE, to which its states refer. */
export const rateId = (evse: OcpiEvse): string => `${evse.uid}-ad-hoc`;

/** Returns the ad-hoc prices of an EVSE with VAT; null when no tariff is in effect. */
export function ratesOf(place: PublicPlace, evse: OcpiEvse, context: FeedContext) {
  const price = evse.connectors
    .map((connector) => priceAt(place, connector, exactDecimals))
    .find((found) => found !== null);
  if (price === undefined) return null;
  const { currency, components } = price;
  return {
    ...price,
    prices: components.map((component, index) => priceOf(component, index, currency, context)),
  };
}

function priceOf(
  { dimension, price, vat, isRestricted }: PublicComponent,
  index: number,
  currency: string,
  context: FeedContext,
): string {
  const { type, unit, perHour } = priceTypes[dimension];
  const value = perHour ? Number(price) / 60 : Number(price);
  const exact = `${Number(price)} ${currency} ${unit}${isRestricted ? ', under conditions' : ''}`;
  return element(
    'aegi:energyPrice',
    {},
    text('aegi:priceGroupIndex', index),
    text('aegi:priceType', type),
    text('aegi:value', value.toFixed(decimals)),
    text('aegi:taxIncluded', true),
    text('aegi:taxRate', vat),
    // Amounts of DATEX II have two decimals: the text has all of them.
    multilingual('aegi:additionalInformation', exact, context),
  );
}
