import { apiVariables } from './api-variables.ts';
import { gatewayVariables, startVariables } from './gateway-variables.ts';
import { sharedVariables } from './shared-variables.ts';
import type { Variable } from './variable.ts';

/** All variables, by the name of their value. */
export const variables = { ...sharedVariables, ...gatewayVariables, ...apiVariables, ...startVariables };

/** Variables by the processes that read them. */
export const variablesOf: Readonly<Record<string, readonly Variable<unknown>[]>> = {
  all: Object.values(sharedVariables),
  gateway: Object.values(gatewayVariables),
  API: Object.values(apiVariables),
  '`npm start`': Object.values(startVariables),
};

/** Values of all variables. */
export type Values = {
  readonly [K in keyof typeof variables]: (typeof variables)[K] extends Variable<infer T> ? T : never;
};

/** Removed variables, with what to do instead. */
export const removedVariables: Readonly<Record<string, string>> = {
  MESSAGE_LOG_DAYS: 'was replaced by LOG_DAYS',
  DEVICE_EVENT_DAYS: 'was replaced by LOG_DAYS',
  OCPI_EXCHANGE_DAYS: 'was replaced by LOG_DAYS',
  WEBHOOK_DELIVERY_DAYS: 'was replaced by LOG_DAYS',
  STATUS_EVENT_DAYS: 'was replaced by RECORD_DAYS',
  SECURITY_EVENT_DAYS: 'was replaced by RECORD_DAYS',
  CLOSED_RECORD_DAYS: 'was replaced by RECORD_DAYS',
  METER_VALUE_DAYS: 'was replaced by READING_DAYS',
  READING_ROLLUP_DAYS: 'was replaced by READING_DAYS',
  AUDIT_LOG_DAYS: 'was replaced by AUDIT_DAYS',
  PERSONAL_DATA_DAYS: 'was replaced by PERSONAL_DAYS',
  OUTBOX_EVENT_DAYS: 'was removed: events are kept for 7 days',
  EXPORT_DAYS: 'was removed: files of exports are kept for 7 days',
  GATEWAY_PROCESSES: 'was removed: start several gateways on one port',
};

/** Returns the name of the variable that contains the path of a secret. */
export const fileVariableOf = (name: string): string => `${name}_FILE`;
