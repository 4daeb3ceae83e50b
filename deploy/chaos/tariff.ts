import type { Tariff } from '#shared/pricing/tariff.ts';

/** Price in cents of a Wh. Registers are multiples of 100 Wh, so no price of a session is rounded. */
export const minorPerWh = 0.1;

/** Tariff of the network: 1.00 per kWh. */
export const tariffElements: Tariff['elements'] = [
  { price_components: [{ type: 'ENERGY', price: '1.00', step_size: 1 }] },
];
