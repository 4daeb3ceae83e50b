import type { Tariff } from '#shared/pricing/tariff.ts';

/** Price in cents of a Wh in both tariffs. Registers are multiples of 100 Wh, so no price of a session is rounded. */
export const minorPerWh = 0.1;

/** Tariff of the network: 1.00 per kWh. */
export const tariffElements: Tariff['elements'] = [
  { price_components: [{ type: 'ENERGY', price: '1.00', step_size: 1 }] },
];

/** Tariff of every tenth charger: the same as long as the readings of the session show that power flowed. */
export const tariffByReadings: Tariff['elements'] = [
  { price_components: [{ type: 'ENERGY', price: '1.00', step_size: 1 }], restrictions: { min_power: 5 } },
  { price_components: [{ type: 'ENERGY', price: '9.00', step_size: 1 }] },
];
