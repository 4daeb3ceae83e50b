import { imageCategories } from '#shared/domain/fleet/location.ts';
import { connectorFormats, evseStatuses, parkingRestrictions } from '#shared/domain/fleet/ocpi-evse.ts';
import {
  EnergyMix as EnergyMix221,
  Evse as Evse221,
  Hours,
} from '#api/test/roaming/support/standard/locations.ts';
import {
  BusinessDetails,
  DisplayText,
  GeoLocation,
  Image,
} from '#api/test/roaming/support/standard/parts.ts';
import type { Shape } from '#api/test/roaming/support/standard/shape.ts';

/** Classes of OCPI 2.1.1 (https://github.com/ocpi/ocpi, release 2.1.1-d2). */

export const VersionDetails: Shape = {
  version: ['1', ['2.1.1']],
  endpoints: ['+', { identifier: ['1', 64], url: ['1', 255] }],
};

export const Credentials: Shape = {
  token: ['1', 64],
  url: ['1', 255],
  business_details: ['1', BusinessDetails],
  party_id: ['1', 3],
  country_code: ['1', 2],
};

const connectorTypes = [
  'CHADEMO',
  ...'ABCDEFGHIJKL'.split('').map((letter) => `DOMESTIC_${letter}`),
  ...['single_16', 'three_16', 'three_32', 'three_64'].map((size) => `IEC_60309_2_${size}`),
  ...['T1', 'T1_COMBO', 'T2', 'T2_COMBO', 'T3A', 'T3C'].map((type) => `IEC_62196_${type}`),
  'TESLA_R',
  'TESLA_S',
];

export const Connector: Shape = {
  id: ['1', 36],
  standard: ['1', connectorTypes],
  format: ['1', connectorFormats],
  power_type: ['1', ['AC_1_PHASE', 'AC_3_PHASE', 'DC']],
  voltage: ['1', 'integer'],
  amperage: ['1', 'integer'],
  tariff_id: ['?', 36],
  terms_and_conditions: ['?', 255],
  last_updated: ['1', 'DateTime'],
};

export const Evse: Shape = {
  ...Evse221,
  status: ['1', evseStatuses],
  capabilities: [
    '*',
    [
      'CHARGING_PROFILE_CAPABLE',
      'CREDIT_CARD_PAYABLE',
      'REMOTE_START_STOP_CAPABLE',
      'RESERVABLE',
      'RFID_READER',
      'UNLOCK_CAPABLE',
    ],
  ],
  parking_restrictions: ['*', parkingRestrictions],
  connectors: ['+', Connector],
};

const EnergyMix: Shape = {
  ...EnergyMix221,
  environ_impact: ['*', { source: ['1', ['NUCLEAR_WASTE', 'CARBON_DIOXIDE']], amount: ['1', 'number'] }],
};

export const Location: Shape = {
  id: ['1', 39],
  type: ['1', ['ON_STREET', 'PARKING_GARAGE', 'UNDERGROUND_GARAGE', 'PARKING_LOT', 'OTHER', 'UNKNOWN']],
  name: ['?', 255],
  address: ['1', 45],
  city: ['1', 45],
  postal_code: ['1', 10],
  country: ['1', /^[A-Z]{3}$/],
  coordinates: ['1', GeoLocation],
  related_locations: ['*', { ...GeoLocation, name: ['?', DisplayText] }],
  evses: ['*', Evse],
  directions: ['*', DisplayText],
  operator: ['?', BusinessDetails],
  suboperator: ['?', BusinessDetails],
  owner: ['?', BusinessDetails],
  facilities: ['*', /^(?!BIKE_SHARING|TRAM_STOP|METRO_STATION|PARKING_LOT)[A-Z_]+$/],
  time_zone: ['?', 255],
  opening_times: ['?', Hours],
  charging_when_closed: ['?', 'boolean'],
  images: ['*', { ...Image, category: ['1', imageCategories] }],
  energy_mix: ['?', EnergyMix],
  last_updated: ['1', 'DateTime'],
};

export const Tariff: Shape = {
  id: ['1', 36],
  currency: ['1', 3],
  tariff_alt_text: ['*', DisplayText],
  tariff_alt_url: ['?', 255],
  elements: [
    '+',
    {
      price_components: [
        '+',
        {
          type: ['1', ['ENERGY', 'FLAT', 'PARKING_TIME', 'TIME']],
          price: ['1', 'number'],
          step_size: ['1', 'integer'],
        },
      ],
      restrictions: [
        '?',
        {
          start_time: ['?', 5],
          end_time: ['?', 5],
          start_date: ['?', 10],
          end_date: ['?', 10],
          min_kwh: ['?', 'number'],
          max_kwh: ['?', 'number'],
          min_power: ['?', 'number'],
          max_power: ['?', 'number'],
          min_duration: ['?', 'integer'],
          max_duration: ['?', 'integer'],
          day_of_week: ['*', 9],
        },
      ],
    },
  ],
  energy_mix: ['?', EnergyMix],
  last_updated: ['1', 'DateTime'],
};

const charged: Shape = {
  auth_id: ['1', 36],
  auth_method: ['1', ['AUTH_REQUEST', 'WHITELIST']],
  location: ['1', Location],
  meter_id: ['?', 255],
  currency: ['1', 3],
  last_updated: ['1', 'DateTime'],
};

const ChargingPeriod: Shape = {
  start_date_time: ['1', 'DateTime'],
  dimensions: [
    '+',
    {
      type: ['1', ['ENERGY', 'FLAT', 'MAX_CURRENT', 'MIN_CURRENT', 'PARKING_TIME', 'TIME']],
      volume: ['1', 'number'],
    },
  ],
};

export const Session: Shape = {
  ...charged,
  id: ['1', 36],
  start_datetime: ['1', 'DateTime'],
  end_datetime: ['?', 'DateTime'],
  kwh: ['1', 'number'],
  charging_periods: ['*', ChargingPeriod],
  total_cost: ['?', 'number'],
  status: ['1', ['ACTIVE', 'COMPLETED', 'INVALID', 'PENDING']],
};

export const Cdr: Shape = {
  ...charged,
  id: ['1', 36],
  start_date_time: ['1', 'DateTime'],
  stop_date_time: ['1', 'DateTime'],
  tariffs: ['*', Tariff],
  charging_periods: ['+', ChargingPeriod],
  total_cost: ['1', 'number'],
  total_energy: ['1', 'number'],
  total_time: ['1', 'number'],
  total_parking_time: ['?', 'number'],
  remark: ['?', 255],
};

export const Token: Shape = {
  uid: ['1', 36],
  type: ['1', ['OTHER', 'RFID']],
  auth_id: ['1', 36],
  visual_number: ['?', 64],
  issuer: ['1', 64],
  valid: ['1', 'boolean'],
  whitelist: ['1', ['ALWAYS', 'ALLOWED', 'ALLOWED_OFFLINE', 'NEVER']],
  language: ['?', 2],
  last_updated: ['1', 'DateTime'],
};

const results = ['ACCEPTED', 'NOT_SUPPORTED', 'REJECTED', 'TIMEOUT', 'UNKNOWN_SESSION'];

/** The response and the result of a command have one class. */
export const CommandResponse: Shape = { result: ['1', results] };
export const CommandResult: Shape = CommandResponse;
