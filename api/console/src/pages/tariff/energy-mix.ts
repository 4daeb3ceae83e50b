import type { EnergyMix } from '../locations/energy-mix.ts';
import type { Tariff } from './tariff-queries.ts';

type TariffMix = NonNullable<Tariff['energy_mix']>;

/** Returns the energy mix of a tariff in the form that locations have. */
export function mixOfTariff(mix: TariffMix | null): EnergyMix | null {
  if (mix === null) return null;
  const { is_green_energy, energy_sources, environ_impact, supplier_name, energy_product_name } = mix;
  return {
    isGreenEnergy: is_green_energy,
    ...(energy_sources !== undefined && { energySources: energy_sources }),
    ...(environ_impact !== undefined && { environmentalImpacts: environ_impact }),
    ...(supplier_name !== undefined && { supplierName: supplier_name }),
    ...(energy_product_name !== undefined && { energyProductName: energy_product_name }),
  };
}

/** Returns an energy mix in the form that tariffs have. */
export function tariffMixOf(mix: EnergyMix | null): TariffMix | null {
  if (mix === null) return null;
  const { isGreenEnergy, energySources, environmentalImpacts, supplierName, energyProductName } = mix;
  return {
    is_green_energy: isGreenEnergy,
    ...(energySources !== undefined && { energy_sources: energySources }),
    ...(environmentalImpacts !== undefined && { environ_impact: environmentalImpacts }),
    ...(supplierName !== undefined && { supplier_name: supplierName }),
    ...(energyProductName !== undefined && { energy_product_name: energyProductName }),
  };
}
