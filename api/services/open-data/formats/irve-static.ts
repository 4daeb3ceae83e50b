import type { OcpiEvse } from '#api/services/roaming/locations.service.ts';
import {
  type FeedContext,
  type FeedWriter,
  maxPowerW,
  priceAt,
  type PublicComponent,
  type PublicPlace,
  staticMaxAgeSeconds,
} from '#api/services/open-data/format.service.ts';
import type { FeedProblem } from '#shared/domain/open-data/feed.ts';
import type { ParkingType } from '#shared/domain/fleet/location.ts';
import type { PriceDimension } from '#shared/pricing/tariff.ts';
import { connectorsWith, csvLine, hasOtherSocket, identifierProblem, pointId } from './irve.ts';
import { osmHours } from './opening-hours.ts';

/** Values of one charging point. */
interface Point {
  place: PublicPlace;
  evse: OcpiEvse;
  context: FeedContext;
}

type Column = (point: Point) => string | number | boolean | null;

const settings: Record<ParkingType, string> = {
  ALONG_MOTORWAY: 'Station dédiée à la recharge rapide',
  PARKING_GARAGE: 'Parking public',
  PARKING_LOT: 'Parking public',
  UNDERGROUND_GARAGE: 'Parking public',
  ON_DRIVEWAY: 'Parking privé à usage public',
  ON_STREET: 'Voirie',
};

const has = ({ evse }: Point, ...wanted: string[]): boolean =>
  (evse.capabilities ?? []).some((capability) => wanted.includes(capability));

/** Columns of the static file of IRVE 2.3.1 in their order. Optional columns without a source are empty. */
const columns: Record<string, Column> = {
  nom_amenageur: ({ place }) => place.owner?.name ?? null,
  siren_amenageur: () => null,
  contact_amenageur: () => null,
  nom_operateur: ({ place, context }) => place.operator?.name ?? context.feed.networkName,
  contact_operateur: ({ context }) => context.feed.supportEmail,
  telephone_operateur: ({ context }) => context.feed.supportPhone?.replaceAll(/\s/g, '') ?? null,
  nom_enseigne: ({ context }) => context.feed.networkName,
  id_station_itinerance: ({ place }) => stationId(place),
  id_station_local: ({ place }) => place.ocpiId,
  nom_station: ({ place }) => place.name,
  implantation_station: ({ place }) => (place.parkingType === null ? null : settings[place.parkingType]),
  adresse_station: ({ place }) =>
    `${place.address} ${[place.postalCode, place.city].filter(Boolean).join(' ')}`,
  code_insee_commune: () => null,
  coordonneesXY: ({ place }) => `[${place.longitude},${place.latitude}]`,
  nbre_pdc: ({ place }) => place.evses.length,
  id_pdc_itinerance: ({ evse }) => pointId(evse),
  id_pdc_local: ({ evse }) => evse.uid,
  puissance_nominale: ({ evse }) => kilowatts(evse),
  prise_type_ef: ({ evse }) => connectorsWith(evse, 'ef').length > 0,
  prise_type_2: ({ evse }) => connectorsWith(evse, 'type2').length > 0,
  prise_type_combo_ccs: ({ evse }) => connectorsWith(evse, 'combo').length > 0,
  prise_type_chademo: ({ evse }) => connectorsWith(evse, 'chademo').length > 0,
  prise_type_autre: ({ evse }) => hasOtherSocket(evse),
  gratuit: (point) =>
    priceOf(point) === null ? null : componentsOf(point).every(({ price }) => Number(price) === 0),
  paiement_acte: (point) => has(point, 'CREDIT_CARD_PAYABLE', 'DEBIT_CARD_PAYABLE', 'PED_TERMINAL'),
  paiement_cb: (point) => has(point, 'CREDIT_CARD_PAYABLE', 'DEBIT_CARD_PAYABLE', 'PED_TERMINAL'),
  paiement_autre: (point) => has(point, 'RFID_READER', 'REMOTE_START_STOP_CAPABLE'),
  tarification: (point) => tariffText(point),
  condition_acces: ({ evse }) =>
    evse.parkingRestrictions.some((restriction) =>
      ['CUSTOMERS', 'EMPLOYEES', 'TENANTS'].includes(restriction),
    )
      ? 'Accès réservé'
      : 'Accès libre',
  reservation: (point) => has(point, 'RESERVABLE'),
  horaires: ({ place }) => osmHours(place.openingTimes),
  accessibilite_pmr: ({ evse }) =>
    evse.parkingRestrictions.includes('DISABLED') ? 'Réservé PMR' : 'Accessibilité inconnue',
  restriction_gabarit: (point) => heightLimit(point),
  station_deux_roues: ({ evse }) => evse.parkingRestrictions.includes('MOTORCYCLES'),
  raccordement: () => null,
  num_pdl: () => null,
  date_mise_en_service: () => null,
  observations: () => null,
  date_maj: ({ place }) => place.lastUpdated.toISOString().slice(0, 10),
  cable_t2_attache: ({ evse }) => connectorsWith(evse, 'type2').some(({ format }) => format === 'CABLE'),
};

/** Required columns that can lack a value: the field of the operator API that has it, and what to set. */
const required: Record<string, { field: string; message: string }> = {
  contact_operateur: {
    field: 'supportEmail',
    message: 'Set the e-mail address of the support of the network.',
  },
  implantation_station: { field: 'parkingType', message: 'Set the parking type of the location.' },
  puissance_nominale: {
    field: 'maxPowerW',
    message: 'Set the power of a connector, or its voltage, current and power type.',
  },
  horaires: {
    field: 'openingTimes',
    message: 'Set the opening times of the location; always open is a valid value.',
  },
};

/** Locations and their charging points: the static file of IRVE 2.3.1. */
export const irveStatic: FeedWriter = {
  contentType: 'text/csv; charset=utf-8',
  extension: 'csv',
  maxAgeSeconds: staticMaxAgeSeconds,
  separator: '',
  head: () => csvLine(Object.keys(columns)),
  parts: (place, context) =>
    place.evses
      .filter((evse) => omissions({ place, evse, context }).length === 0)
      .map((evse) => csvLine(Object.values(columns).map((column) => column({ place, evse, context })))),
  foot: () => '',
  problems: (place, context) => [
    ...place.evses.flatMap((evse) => omissions({ place, evse, context })),
    ...(stationId(place) === unnamed ? [stationProblem(place)] : []),
  ],
};

/** Returns why the file lacks a charging point; none if it is complete. */
function omissions(point: Point): FeedProblem[] {
  const { place, evse } = point;
  const missing = Object.entries(required).filter(([name]) => columns[name]?.(point) === null);
  return [
    ...identifierProblem(place, evse),
    ...missing.map(([, { field, message }]) => ({
      locationId: place.ocpiId,
      evseUid: evse.uid,
      field,
      effect: 'omitted' as const,
      message,
    })),
  ];
}

/** Text of the schema for a station outside roaming. */
const unnamed = 'Non concerné';

/** Returns the identifier of a station, which a location has as its OCPI identifier: FR, the party, and P for pool. */
function stationId({ ocpiId }: PublicPlace): string {
  const id = ocpiId.replaceAll(/[*-]/g, '').toUpperCase();
  return /^FR[A-Z0-9]{3}P[A-Z0-9]{1,27}$/.test(id) ? id : unnamed;
}

const stationProblem = (place: PublicPlace): FeedProblem => ({
  locationId: place.ocpiId,
  evseUid: null,
  field: 'ocpiId',
  effect: 'incomplete',
  message: `The location has no identifier of a station such as FRA68P68021001, which a partner states over OCPI: "${unnamed}" is published.`,
});

function kilowatts({ connectors }: OcpiEvse): number | null {
  const watts = maxPowerW(connectors);
  return watts === null ? null : watts / 1000;
}

function heightLimit({ place, evse }: Point): string {
  const ids = new Set(evse.parking.map(({ parkingId }) => parkingId));
  const heights = place.parkingPlaces
    .filter(({ id }) => ids.has(id))
    .map(({ maxVehicleHeight }) => maxVehicleHeight)
    .filter((height) => height !== undefined);
  return heights.length === 0 ? 'Inconnu' : `Hauteur maximale ${(Math.min(...heights) / 100).toFixed(2)} m`;
}

const decimals = 4;
const frenchUnits: Record<PriceDimension, string> = {
  ENERGY: '/kWh',
  FLAT: '/session',
  PARKING_TIME: '/h (stationnement)',
  TIME: '/h',
};

function priceOf({ place, evse }: Point) {
  return (
    evse.connectors.map((connector) => priceAt(place, connector, decimals)).find((price) => price !== null) ??
    null
  );
}

const componentsOf = (point: Point): PublicComponent[] => priceOf(point)?.components ?? [];

/** Returns the prices with VAT, such as `0.4 EUR/kWh`. */
function tariffText(point: Point): string | null {
  const price = priceOf(point);
  if (price === null) return null;
  return price.components
    .map(({ dimension, price: amount, isRestricted }) =>
      [
        `${Number(amount)} ${price.currency}${frenchUnits[dimension]}`,
        ...(isRestricted ? ['(sous conditions)'] : []),
      ].join(' '),
    )
    .join(' + ');
}
