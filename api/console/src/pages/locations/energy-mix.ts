import { environmentalImpacts } from '#shared/domain/fleet/location.ts';
import type { Schemas } from '../../api/client.ts';
import { numberOf, requiredNumber, textOf } from '../../texts/numbers.ts';

export type EnergyMix = NonNullable<Schemas['Location']['energyMix']>;
type EnergySource = NonNullable<EnergyMix['energySources']>[number]['source'];
type Impact = NonNullable<EnergyMix['environmentalImpacts']>[number]['category'];

export type Greenness = 'unknown' | 'green' | 'notGreen';

/** Sources in the order in which they are offered, the first of the rest for a new share. */
export const sources: readonly EnergySource[] = [
  'SOLAR',
  'WIND',
  'WATER',
  'GENERAL_GREEN',
  'GAS',
  'COAL',
  'GENERAL_FOSSIL',
  'NUCLEAR',
];

/** Largest amount of an impact in g/kWh that the API accepts. */
const maxAmount = 1_000_000;

/** Share of a source; the percentage as it is typed. */
export interface Share {
  source: EnergySource;
  percentage: string;
}

/** Energy mix in a form. Numbers are texts, as they are typed. */
export interface EnergyDraft {
  greenness: Greenness;
  shares: Share[];
  amounts: Record<Impact, string>;
  supplier: string;
  product: string;
}

/** Draft of an energy mix. Null: none is stated. */
export function energyDraftOf(mix: EnergyMix | null): EnergyDraft {
  const amountOf = (category: Impact) =>
    textOf(mix?.environmentalImpacts?.find((impact) => impact.category === category)?.amount ?? null);
  return {
    greenness: mix === null ? 'unknown' : mix.isGreenEnergy ? 'green' : 'notGreen',
    shares: (mix?.energySources ?? []).map(({ source, percentage }) => ({
      source,
      percentage: String(percentage),
    })),
    amounts: {
      CARBON_DIOXIDE: amountOf('CARBON_DIOXIDE'),
      NUCLEAR_WASTE: amountOf('NUCLEAR_WASTE'),
    },
    supplier: mix?.supplierName ?? '',
    product: mix?.energyProductName ?? '',
  };
}

/** Returns whether a text is a number from 0 to a maximum. */
function isWithin(text: string, maximum: number): boolean {
  const value = numberOf(text);
  return value !== null && value !== undefined && value >= 0 && value <= maximum;
}

export const isPercentage = (text: string) => isWithin(text, 100);

/** Returns whether a text is empty or an amount in g/kWh. */
export const isAmount = (text: string) => text.trim() === '' || isWithin(text, maxAmount);

/** Returns whether a mix can be sent. */
export function isComplete({ greenness, shares, amounts }: EnergyDraft): boolean {
  if (greenness === 'unknown') return true;
  return (
    shares.every(({ percentage }) => isPercentage(percentage)) &&
    environmentalImpacts.every((impact) => isAmount(amounts[impact]))
  );
}

/** Returns a mix as requests have it. The server refuses a share that is no number, and names the field. */
export function energyMixOf({
  greenness,
  shares,
  amounts,
  supplier,
  product,
}: EnergyDraft): EnergyMix | null {
  if (greenness === 'unknown') return null;
  const energySources = shares.map(({ source, percentage }) => ({
    source,
    percentage: requiredNumber(percentage),
  }));
  const impacts = environmentalImpacts.flatMap((category) =>
    amounts[category].trim() === '' ? [] : [{ category, amount: requiredNumber(amounts[category]) }],
  );
  return {
    isGreenEnergy: greenness === 'green',
    ...(energySources.length > 0 && { energySources }),
    ...(impacts.length > 0 && { environmentalImpacts: impacts }),
    ...(supplier.trim() !== '' && { supplierName: supplier.trim() }),
    ...(product.trim() !== '' && { energyProductName: product.trim() }),
  };
}
