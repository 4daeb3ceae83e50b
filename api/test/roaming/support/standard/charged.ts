import { connectorFormats, connectorTypes, powerTypes } from '#shared/domain/fleet/ocpi-evse.ts';
import { EnergyMix } from './locations.ts';
import { DisplayText, GeoLocation, party, Price, tokenTypes } from './parts.ts';
import type { Shape } from './shape.ts';

/** §11.4.6 */
const TariffRestrictions: Shape = {
  start_time: ['?', /^([01]\d|2[0-3]):[0-5]\d$/],
  end_time: ['?', /^([01]\d|2[0-3]):[0-5]\d$/],
  start_date: ['?', /^\d{4}-\d\d-\d\d$/],
  end_date: ['?', /^\d{4}-\d\d-\d\d$/],
  min_kwh: ['?', 'number'],
  max_kwh: ['?', 'number'],
  min_current: ['?', 'number'],
  max_current: ['?', 'number'],
  min_power: ['?', 'number'],
  max_power: ['?', 'number'],
  min_duration: ['?', 'integer'],
  max_duration: ['?', 'integer'],
  day_of_week: ['*', ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY']],
  reservation: ['?', ['RESERVATION', 'RESERVATION_EXPIRES']],
};

/** §11.4.2 */
const PriceComponent: Shape = {
  type: ['1', ['ENERGY', 'FLAT', 'PARKING_TIME', 'TIME']],
  price: ['1', 'number'],
  vat: ['?', 'number'],
  step_size: ['1', 'integer'],
};

/** §11.3.1 */
export const Tariff: Shape = {
  ...party,
  id: ['1', 36],
  currency: ['1', 3],
  type: ['?', ['AD_HOC_PAYMENT', 'PROFILE_CHEAP', 'PROFILE_FAST', 'PROFILE_GREEN', 'REGULAR']],
  tariff_alt_text: ['*', DisplayText],
  tariff_alt_url: ['?', 255],
  min_price: ['?', Price],
  max_price: ['?', Price],
  elements: ['+', { price_components: ['+', PriceComponent], restrictions: ['?', TariffRestrictions] }],
  start_date_time: ['?', 'DateTime'],
  end_date_time: ['?', 'DateTime'],
  energy_mix: ['?', EnergyMix],
  last_updated: ['1', 'DateTime'],
};

/** §10.4.2 */
const dimensionTypes = [
  'CURRENT',
  'ENERGY',
  'ENERGY_EXPORT',
  'ENERGY_IMPORT',
  'MAX_CURRENT',
  'MAX_POWER',
  'MIN_CURRENT',
  'MIN_POWER',
  'PARKING_TIME',
  'POWER',
  'RESERVATION_TIME',
  'STATE_OF_CHARGE',
  'TIME',
];

/** §10.4.5, §10.4.6 */
export const CdrToken: Shape = { ...party, uid: ['1', 36], type: ['1', tokenTypes], contract_id: ['1', 36] };
const ChargingPeriod: Shape = {
  start_date_time: ['1', 'DateTime'],
  dimensions: ['+', { type: ['1', dimensionTypes], volume: ['1', 'number'] }],
  tariff_id: ['?', 36],
};

/** Fields common to a session and its CDR (§9.3.1, §10.3.1). */
const charged: Shape = {
  ...party,
  start_date_time: ['1', 'DateTime'],
  cdr_token: ['1', CdrToken],
  auth_method: ['1', ['AUTH_REQUEST', 'COMMAND', 'WHITELIST']],
  authorization_reference: ['?', 36],
  meter_id: ['?', 255],
  currency: ['1', 3],
  last_updated: ['1', 'DateTime'],
};

/** §9.3.1 */
export const Session: Shape = {
  ...charged,
  id: ['1', 36],
  end_date_time: ['?', 'DateTime'],
  kwh: ['1', 'number'],
  location_id: ['1', 36],
  evse_uid: ['1', 36],
  connector_id: ['1', 36],
  charging_periods: ['*', ChargingPeriod],
  total_cost: ['?', Price],
  status: ['1', ['ACTIVE', 'COMPLETED', 'INVALID', 'PENDING', 'RESERVATION']],
};

/** §10.4.4 */
const CdrLocation: Shape = {
  id: ['1', 36],
  name: ['?', 255],
  address: ['1', 45],
  city: ['1', 45],
  postal_code: ['?', 10],
  state: ['?', 20],
  country: ['1', /^[A-Z]{3}$/],
  coordinates: ['1', GeoLocation],
  evse_uid: ['1', 36],
  evse_id: ['1', 48],
  connector_id: ['1', 36],
  connector_standard: ['1', connectorTypes],
  connector_format: ['1', connectorFormats],
  connector_power_type: ['1', powerTypes],
};

/** §10.4.7 */
const SignedData: Shape = {
  encoding_method: ['1', 36],
  encoding_method_version: ['?', 'integer'],
  public_key: ['?', 512],
  signed_values: [
    '+',
    { nature: ['1', ['Start', 'End', 'Intermediate']], plain_data: ['1', 512], signed_data: ['1', 5000] },
  ],
  url: ['?', 512],
};

/** §10.3.1 */
export const Cdr: Shape = {
  ...charged,
  id: ['1', 39],
  end_date_time: ['1', 'DateTime'],
  session_id: ['?', 36],
  cdr_location: ['1', CdrLocation],
  tariffs: ['*', Tariff],
  charging_periods: ['+', ChargingPeriod],
  signed_data: ['?', SignedData],
  total_cost: ['1', Price],
  total_fixed_cost: ['?', Price],
  total_energy: ['1', 'number'],
  total_energy_cost: ['?', Price],
  total_time: ['1', 'number'],
  total_time_cost: ['?', Price],
  total_parking_time: ['?', 'number'],
  total_parking_cost: ['?', Price],
  total_reservation_cost: ['?', Price],
  remark: ['?', 255],
  invoice_reference_id: ['?', 39],
  credit: ['?', 'boolean'],
  credit_reference_id: ['?', 39],
  home_charging_compensation: ['?', 'boolean'],
};
