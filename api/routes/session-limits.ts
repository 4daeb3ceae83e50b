import { Type } from 'typebox';
import { Nullable } from './schema.ts';

const maxEnergyKwh = Type.Number({
  minimum: 0.001,
  maximum: 100_000,
  description: 'The session is stopped at this energy',
});
const maxDurationMinutes = Type.Number({
  minimum: 1,
  maximum: 525_600,
  description: 'The session is stopped after this time',
});
const maxCost = Type.Number({
  minimum: 0.01,
  maximum: 1_000_000,
  description: 'The session is stopped at this cost: with VAT, in the currency of its tariff',
});

/** What a session that is asked for may use at most. */
export const limitFields = {
  maxEnergyKwh: Type.Optional(maxEnergyKwh),
  maxDurationMinutes: Type.Optional(maxDurationMinutes),
  maxCost: Type.Optional(maxCost),
};

/** Other limits for a session that runs. */
export const LimitChange = Type.Object(
  {
    maxEnergyKwh: Type.Optional(Nullable(maxEnergyKwh)),
    maxDurationMinutes: Type.Optional(Nullable(maxDurationMinutes)),
    maxCost: Type.Optional(Nullable(maxCost)),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    description: 'What is left out stays; null ends the limit',
  },
);
