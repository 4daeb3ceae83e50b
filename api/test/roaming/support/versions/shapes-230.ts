import { Token as Token221 } from '#api/test/roaming/support/standard/asked.ts';
import {
  Cdr as Cdr221,
  CdrToken as CdrToken221,
  Session as Session221,
  Tariff as Tariff221,
} from '#api/test/roaming/support/standard/charged.ts';
import {
  Connector as Connector221,
  Evse as Evse221,
  Location as Location221,
} from '#api/test/roaming/support/standard/locations.ts';
import { Image } from '#api/test/roaming/support/standard/parts.ts';
import type { Shape } from '#api/test/roaming/support/standard/shape.ts';

/** Classes of OCPI 2.3.0 that differ from 2.2.1, without the fields that we never send. */

/** ConnectorType: those of 2.2.1, MCS and SAE_J3400. */
const connectorTypes = [
  'CHADEMO',
  'CHAOJI',
  'DOMESTIC_A',
  'DOMESTIC_B',
  'DOMESTIC_C',
  'DOMESTIC_D',
  'DOMESTIC_E',
  'DOMESTIC_F',
  'DOMESTIC_G',
  'DOMESTIC_H',
  'DOMESTIC_I',
  'DOMESTIC_J',
  'DOMESTIC_K',
  'DOMESTIC_L',
  'DOMESTIC_M',
  'DOMESTIC_N',
  'DOMESTIC_O',
  'GBT_AC',
  'GBT_DC',
  'IEC_60309_2_single_16',
  'IEC_60309_2_three_16',
  'IEC_60309_2_three_32',
  'IEC_60309_2_three_64',
  'IEC_62196_T1',
  'IEC_62196_T1_COMBO',
  'IEC_62196_T2',
  'IEC_62196_T2_COMBO',
  'IEC_62196_T3A',
  'IEC_62196_T3C',
  'NEMA_5_20',
  'NEMA_6_30',
  'NEMA_6_50',
  'NEMA_10_30',
  'NEMA_10_50',
  'NEMA_14_30',
  'NEMA_14_50',
  'PANTOGRAPH_BOTTOM_UP',
  'PANTOGRAPH_TOP_DOWN',
  'TESLA_R',
  'TESLA_S',
  'MCS',
  'SAE_J3400',
];

const tokenTypes = ['AD_HOC_USER', 'APP_USER', 'EMAID', 'OTHER', 'RFID'];

export const Connector: Shape = {
  ...Connector221,
  standard: ['1', connectorTypes],
  capabilities: ['*', ['ISO_15118_2_PLUG_AND_CHARGE', 'ISO_15118_20_PLUG_AND_CHARGE']],
};

const Parking: Shape = {
  id: ['1', 36],
  physical_reference: ['?', 12],
  vehicle_types: [
    '+',
    [
      'MOTORCYCLE',
      'PERSONAL_VEHICLE',
      'PERSONAL_VEHICLE_WITH_TRAILER',
      'VAN',
      'SEMI_TRACTOR',
      'RIGID',
      'TRUCK_WITH_TRAILER',
      'BUS',
      'DISABLED',
    ],
  ],
  max_vehicle_weight: ['?', 'number'],
  max_vehicle_height: ['?', 'number'],
  max_vehicle_length: ['?', 'number'],
  max_vehicle_width: ['?', 'number'],
  parking_space_length: ['?', 'number'],
  parking_space_width: ['?', 'number'],
  dangerous_goods_allowed: ['?', 'boolean'],
  direction: ['?', ['PARALLEL', 'PERPENDICULAR', 'ANGLE']],
  drive_through: ['?', 'boolean'],
  restricted_to_type: ['1', 'boolean'],
  reservation_required: ['1', 'boolean'],
  time_limit: ['?', 'number'],
  roofed: ['?', 'boolean'],
  images: ['*', Image],
  lighting: ['?', 'boolean'],
  refrigeration_outlet: ['?', 'boolean'],
  standards: ['*', 36],
  apds_reference: ['?', 255],
};

export const Evse: Shape = {
  ...Evse221,
  connectors: ['+', Connector],
  parking_restrictions: [
    '*',
    ['EV_ONLY', 'PLUGGED', 'DISABLED', 'CUSTOMERS', 'MOTORCYCLES', 'EMPLOYEES', 'TAXIS', 'TENANTS'],
  ],
  parking: ['*', { parking_id: ['1', 36], evse_position: ['?', ['LEFT', 'RIGHT', 'CENTER']] }],
  accepted_service_providers: ['*', 50],
};

export const Location: Shape = {
  ...Location221,
  evses: ['*', Evse],
  parking_places: ['*', Parking],
  help_phone: ['?', 25],
};

const TaxAmount: Shape = {
  name: ['1', 255],
  account_number: ['?', 255],
  percentage: ['?', 'number'],
  amount: ['1', 'number'],
};

const Price: Shape = { before_taxes: ['1', 'number'], taxes: ['*', TaxAmount] };

const PriceLimit: Shape = { before_taxes: ['1', 'number'], after_taxes: ['?', 'number'] };

export const Tariff: Shape = {
  ...Tariff221,
  min_price: ['?', PriceLimit],
  max_price: ['?', PriceLimit],
  tax_included: ['1', ['YES', 'NO', 'N/A']],
};

const CdrToken: Shape = { ...CdrToken221, type: ['1', tokenTypes] };

export const Session: Shape = { ...Session221, cdr_token: ['1', CdrToken], total_cost: ['?', Price] };

export const Cdr: Shape = {
  ...Cdr221,
  cdr_token: ['1', CdrToken],
  tariffs: ['*', Tariff],
  total_cost: ['1', Price],
  total_fixed_cost: ['?', Price],
  total_energy_cost: ['?', Price],
  total_time_cost: ['?', Price],
  total_parking_cost: ['?', Price],
};

export const Token: Shape = { ...Token221, type: ['1', tokenTypes] };
