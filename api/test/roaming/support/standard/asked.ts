import { DisplayText, party, tokenTypes } from './parts.ts';
import type { Shape } from './shape.ts';

/** §12.3.2, with §12.4.2 (EnergyContract) */
export const Token: Shape = {
  ...party,
  uid: ['1', 36],
  type: ['1', tokenTypes],
  contract_id: ['1', 36],
  visual_number: ['?', 64],
  issuer: ['1', 64],
  group_id: ['?', 36],
  valid: ['1', 'boolean'],
  whitelist: ['1', ['ALWAYS', 'ALLOWED', 'ALLOWED_OFFLINE', 'NEVER']],
  language: ['?', 2],
  default_profile_type: ['?', ['CHEAP', 'FAST', 'GREEN', 'REGULAR']],
  energy_contract: ['?', { supplier_name: ['1', 64], contract_id: ['?', 64] }],
  last_updated: ['1', 'DateTime'],
};

/** §13.3.2 */
export const CommandResponse: Shape = {
  result: ['1', ['ACCEPTED', 'NOT_SUPPORTED', 'REJECTED', 'UNKNOWN_SESSION']],
  timeout: ['1', 'integer'],
  message: ['*', DisplayText],
};

/** §13.3.3 */
export const CommandResult: Shape = {
  result: [
    '1',
    [
      'ACCEPTED',
      'CANCELED_RESERVATION',
      'EVSE_INOPERATIVE',
      'EVSE_OCCUPIED',
      'FAILED',
      'NOT_SUPPORTED',
      'REJECTED',
      'TIMEOUT',
      'UNKNOWN_RESERVATION',
    ],
  ],
  message: ['*', DisplayText],
};

/** §14.6.3, with §14.6.4 (ChargingProfilePeriod) */
export const ChargingProfile: Shape = {
  start_date_time: ['?', 'DateTime'],
  duration: ['?', 'integer'],
  charging_rate_unit: ['1', ['A', 'W']],
  min_charging_rate: ['?', 'number'],
  charging_profile_period: ['*', { start_period: ['1', 'integer'], limit: ['1', 'number'] }],
};

/** §14.6.1 */
export const ActiveChargingProfile: Shape = {
  start_date_time: ['1', 'DateTime'],
  charging_profile: ['1', ChargingProfile],
};

/** §14.5.1 */
export const ChargingProfileResponse: Shape = {
  result: ['1', ['ACCEPTED', 'NOT_SUPPORTED', 'REJECTED', 'TOO_OFTEN', 'UNKNOWN_SESSION']],
  timeout: ['1', 'integer'],
};

/** §14.6.6 */
const resultTypes = ['ACCEPTED', 'REJECTED', 'UNKNOWN'];

/** §14.5.2 */
export const ActiveChargingProfileResult: Shape = {
  result: ['1', resultTypes],
  profile: ['?', ActiveChargingProfile],
};

/** §14.5.3 and §14.5.4 (ClearProfileResult) */
export const ChargingProfileResult: Shape = { result: ['1', resultTypes] };

/** §12.4.4: where a partner is asked to authorize a token. */
export const LocationReferences: Shape = { location_id: ['1', 36], evse_uids: ['*', 36] };
