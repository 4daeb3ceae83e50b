import { Type } from 'typebox';
import { Decimal, Nullable } from './schema.ts';

const maxEnergyKwh = Decimal('Energy in kWh at which the session is stopped.', 30, {
  minimum: 0.001,
  maximum: 100_000,
});
const maxDurationMinutes = Decimal('Duration in minutes after which the session is stopped.', 240, {
  minimum: 1,
  maximum: 525_600,
});
const maxCost = Decimal(
  'Cost at which the session is stopped: with VAT, in the currency of its tariff.',
  20,
  { minimum: 0.01, maximum: 1_000_000 },
);

/** Limits of a requested session. */
export const limitFields = {
  maxEnergyKwh: Type.Optional(maxEnergyKwh),
  maxDurationMinutes: Type.Optional(maxDurationMinutes),
  maxCost: Type.Optional(maxCost),
};

/** Body that changes the limits of a running session. */
export const LimitChange = Type.Object(
  {
    maxEnergyKwh: Type.Optional(Nullable(maxEnergyKwh)),
    maxDurationMinutes: Type.Optional(Nullable(maxDurationMinutes)),
    maxCost: Type.Optional(Nullable(maxCost)),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    description: 'Limits to change. An omitted limit stays; null removes it.',
  },
);
