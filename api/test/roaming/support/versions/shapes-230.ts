import { connectorTypes230 } from '#shared/domain/fleet/ocpi-evse.ts';
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
import type { Shape } from '#api/test/roaming/support/standard/shape.ts';

/** Classes of OCPI 2.3.0 that differ from 2.2.1, without the fields that we never send. */

const tokenTypes = ['AD_HOC_USER', 'APP_USER', 'EMAID', 'OTHER', 'RFID'];

export const Connector: Shape = { ...Connector221, standard: ['1', connectorTypes230] };

export const Evse: Shape = {
  ...Evse221,
  connectors: ['+', Connector],
  accepted_service_providers: ['*', 50],
};

export const Location: Shape = { ...Location221, evses: ['*', Evse], help_phone: ['?', 25] };

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
