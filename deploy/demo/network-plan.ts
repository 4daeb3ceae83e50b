import { type Supply, supplies } from '#shared/simulator/charging-model.ts';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { TariffElement } from '#shared/pricing/tariff.ts';

/** The demo's network as it is seeded: made up, but of the proportions of a real one. */
export interface LocationPlan {
  name: string;
  address: string;
  city: string;
  postalCode: string;
  country: string;
  latitude: number;
  longitude: number;
  timeZone: string;
  /** The tariff of this location; null: the network's. */
  tariff: string | null;
}

/** Garage whose chargers share 63 A with a building, under load management. */
export const garage: LocationPlan = {
  name: 'Canal Garage',
  address: 'Oosterdokskade 5',
  city: 'Amsterdam',
  postalCode: '1011 AD',
  country: 'NLD',
  latitude: 52.3766,
  longitude: 4.9069,
  timeZone: 'Europe/Amsterdam',
  tariff: null,
};

export const locations: LocationPlan[] = [
  {
    name: 'Harbour Car Park',
    address: 'Boompjes 40',
    city: 'Rotterdam',
    postalCode: '3011 XB',
    country: 'NLD',
    latitude: 51.9145,
    longitude: 4.4871,
    timeZone: 'Europe/Amsterdam',
    tariff: null,
  },
  {
    name: 'Central Station North',
    address: 'Stationsplein 10',
    city: 'Utrecht',
    postalCode: '3511 ED',
    country: 'NLD',
    latitude: 52.0907,
    longitude: 5.1103,
    timeZone: 'Europe/Amsterdam',
    tariff: null,
  },
  {
    name: 'Motorway Services A2',
    address: 'Rijksweg A2 km 96',
    city: 'Culemborg',
    postalCode: '4105 LG',
    country: 'NLD',
    latitude: 51.9521,
    longitude: 5.1689,
    timeZone: 'Europe/Amsterdam',
    tariff: 'Fast charging',
  },
  garage,
];

export const tariffs: { name: string; elements: TariffElement[]; isForNetwork: boolean }[] = [
  {
    name: 'Street charging',
    isForNetwork: true,
    elements: [{ price_components: [{ type: 'ENERGY', price: '0.39', vat: '21', step_size: 1 }] }],
  },
  {
    name: 'Fast charging',
    isForNetwork: false,
    elements: [
      {
        price_components: [
          { type: 'ENERGY', price: '0.59', vat: '21', step_size: 1 },
          { type: 'FLAT', price: '0.50', vat: '21', step_size: 1 },
        ],
      },
    ],
  },
];

export interface ModelPlan {
  manufacturer: string;
  modelName: string;
  ocppVersion: OcppVersion;
  supply: Supply;
  connectors: number;
  standard: string;
  format: 'SOCKET' | 'CABLE';
  powerType: 'AC_1_PHASE' | 'AC_3_PHASE' | 'DC';
  maxVoltage: number;
  maxAmperage: number;
}

const street: Omit<ModelPlan, 'manufacturer' | 'modelName' | 'ocppVersion' | 'supply'> = {
  connectors: 2,
  standard: 'IEC_62196_T2',
  format: 'SOCKET',
  powerType: 'AC_3_PHASE',
  maxVoltage: 400,
  maxAmperage: 32,
};

const solo = { ...street, connectors: 1, manufacturer: 'Northwind' };

export const models: ModelPlan[] = [
  { ...street, manufacturer: 'Northwind', modelName: 'Twin 11', ocppVersion: '1.6', supply: supplies.ac11 },
  { ...street, manufacturer: 'Northwind', modelName: 'Twin 22', ocppVersion: '2.0.1', supply: supplies.ac22 },
  {
    manufacturer: 'Helio',
    modelName: 'Rapid 50',
    ocppVersion: '1.6',
    supply: supplies.dc50,
    connectors: 1,
    standard: 'IEC_62196_T2_COMBO',
    format: 'CABLE',
    powerType: 'DC',
    maxVoltage: 500,
    maxAmperage: 125,
  },
  {
    manufacturer: 'Helio',
    modelName: 'Rapid 150',
    ocppVersion: '2.1',
    supply: supplies.dc150,
    connectors: 2,
    standard: 'IEC_62196_T2_COMBO',
    format: 'CABLE',
    powerType: 'DC',
    maxVoltage: 920,
    maxAmperage: 300,
  },
  { ...solo, modelName: 'Solo 11', ocppVersion: '1.6', supply: supplies.ac11 },
  { ...solo, modelName: 'Solo 22', ocppVersion: '2.0.1', supply: supplies.ac22 },
  { ...solo, modelName: 'Solo 22 Plus', ocppVersion: '2.1', supply: supplies.ac22 },
];

/** A charger of the demo: where it stands and what it is. */
export interface ChargerPlan {
  uid: string;
  location: LocationPlan;
  model: ModelPlan;
}

/** Number of chargers of each model at each location, in the order of `models`: 32 in all, of each OCPP version. */
const chargersPerLocation = [
  [5, 3],
  [3, 4],
  [0, 0, 2, 3],
  [0, 0, 0, 0, 4, 4, 4],
];

/** The 32 chargers. */
export function chargerPlans(): ChargerPlan[] {
  return locations.flatMap((location, place) =>
    models.flatMap((model, kind) =>
      Array.from({ length: chargersPerLocation[place]?.[kind] ?? 0 }, (_, index) => ({
        uid: `DEMO-${place + 1}${String.fromCodePoint(65 + kind)}${String(index + 1).padStart(2, '0')}`,
        location,
        model,
      })),
    ),
  );
}

/** The drivers, by first name; each has a card and a wallet with 10,000.00, the last one with 2.00. */
export const drivers =
  'Ada Bram Chloe Dirk Elif Femke Gijs Hanna Imran Jet Kees Lotte Mees Noor Omar Pien Quirijn Roos Sem Tess Umar Vera Wout Xanthe Yara Ziggy Anouk Bo Cas Daan'.split(
    ' ',
  );
