import {
  energySources,
  environmentalImpacts,
  facilities,
  parkingTypes,
} from '#shared/domain/fleet/location.ts';
import {
  capabilities,
  connectorFormats,
  connectorTypes,
  evseStatuses,
  parkingRestrictions,
  powerTypes,
} from '#shared/domain/fleet/ocpi-evse.ts';
import { BusinessDetails, DisplayText, GeoLocation, Image, party, tokenTypes } from './parts.ts';
import type { Shape } from './shape.ts';

/** §8.3.3 */
export const Connector: Shape = {
  id: ['1', 36],
  standard: ['1', connectorTypes],
  format: ['1', connectorFormats],
  power_type: ['1', powerTypes],
  max_voltage: ['1', 'integer'],
  max_amperage: ['1', 'integer'],
  max_electric_power: ['?', 'integer'],
  tariff_ids: ['*', 36],
  terms_and_conditions: ['?', 255],
  last_updated: ['1', 'DateTime'],
};

/** §8.3.2 */
export const Evse: Shape = {
  uid: ['1', 36],
  evse_id: ['?', 48],
  status: ['1', evseStatuses],
  status_schedule: [
    '*',
    { period_begin: ['1', 'DateTime'], period_end: ['?', 'DateTime'], status: ['1', evseStatuses] },
  ],
  capabilities: ['*', capabilities],
  connectors: ['+', Connector],
  floor_level: ['?', 4],
  coordinates: ['?', GeoLocation],
  physical_reference: ['?', 16],
  directions: ['*', DisplayText],
  parking_restrictions: ['*', parkingRestrictions],
  images: ['*', Image],
  last_updated: ['1', 'DateTime'],
};

/** §8.4.11 */
const ExceptionalPeriod: Shape = { period_begin: ['1', 'DateTime'], period_end: ['1', 'DateTime'] };

/** §8.4.21 */
const hourMinute = /^([01]\d|2[0-3]):[0-5]\d$/;
const RegularHours: Shape = {
  weekday: ['1', 'integer'],
  period_begin: ['1', hourMinute],
  period_end: ['1', hourMinute],
};

/** §8.4.14 */
export const Hours: Shape = {
  twentyfourseven: ['1', 'boolean'],
  regular_hours: ['*', RegularHours],
  exceptional_openings: ['*', ExceptionalPeriod],
  exceptional_closings: ['*', ExceptionalPeriod],
};

/** §8.4.6, with §8.4.7 (EnergySource) and §8.4.9 (EnvironmentalImpact) */
export const EnergyMix: Shape = {
  is_green_energy: ['1', 'boolean'],
  energy_sources: ['*', { source: ['1', energySources], percentage: ['1', 'number'] }],
  environ_impact: ['*', { category: ['1', environmentalImpacts], amount: ['1', 'number'] }],
  supplier_name: ['?', 64],
  energy_product_name: ['?', 64],
};

/** §8.4.20 */
const PublishTokenType: Shape = {
  uid: ['?', 36],
  type: ['?', tokenTypes],
  visual_number: ['?', 64],
  issuer: ['?', 64],
  group_id: ['?', 36],
};

/** §8.3.1 */
export const Location: Shape = {
  ...party,
  id: ['1', 36],
  publish: ['1', 'boolean'],
  publish_allowed_to: ['*', PublishTokenType],
  name: ['?', 255],
  address: ['1', 45],
  city: ['1', 45],
  postal_code: ['?', 10],
  state: ['?', 20],
  country: ['1', /^[A-Z]{3}$/],
  coordinates: ['1', GeoLocation],
  related_locations: ['*', { ...GeoLocation, name: ['?', DisplayText] }],
  parking_type: ['?', parkingTypes],
  evses: ['*', Evse],
  directions: ['*', DisplayText],
  operator: ['?', BusinessDetails],
  suboperator: ['?', BusinessDetails],
  owner: ['?', BusinessDetails],
  facilities: ['*', facilities],
  time_zone: ['1', 255],
  opening_times: ['?', Hours],
  charging_when_closed: ['?', 'boolean'],
  images: ['*', Image],
  energy_mix: ['?', EnergyMix],
  last_updated: ['1', 'DateTime'],
};
