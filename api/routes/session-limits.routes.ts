import { Type } from 'typebox';
import { Nullable } from './schema.ts';

const maxEnergyKwh = Type.Number({
  minimum: 0.001,
  maximum: 100_000,
  description: 'Energy in kWh at which the session is stopped.',
  examples: [30],
});
const maxDurationMinutes = Type.Number({
  minimum: 1,
  maximum: 525_600,
  description: 'Duration in minutes after which the session is stopped.',
  examples: [240],
});
const maxCost = Type.Number({
  minimum: 0.01,
  maximum: 1_000_000,
  description: 'Cost at which the session is stopped: with VAT, in the currency of its tariff.',
  examples: [20],
});

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
