import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { type Formats, useFormats } from '../../texts/formats.ts';
import type { EnergyMix } from './energy-mix.ts';

/** Returns an energy mix in words: its origin, then its sources, impacts and product. */
export function energyWords(t: TFunction<'locations'>, formats: Formats, mix: EnergyMix): string[] {
  const { energySources = [], environmentalImpacts = [] } = mix;
  const product = [mix.energyProductName, mix.supplierName].filter((name) => name !== undefined);
  return [
    t(mix.isGreenEnergy ? 'energy.green' : 'energy.notGreen'),
    ...energySources.map(
      ({ source, percentage }) => `${t(`energy.sourceOf.${source}`)} ${formats.percent(percentage / 100)}`,
    ),
    ...environmentalImpacts.map(
      ({ category, amount }) => `${t(`energy.impact.${category}`)}: ${formats.decimal(amount)}`,
    ),
    ...(product.length > 0 ? [product.join(', ')] : []),
  ];
}

/** Energy mix in words. */
export function Energy({ mix }: { mix: EnergyMix | null }) {
  const { t } = useTranslation('locations');
  const formats = useFormats();
  if (mix === null) return t('energy.unknown');
  return (
    <ul>
      {energyWords(t, formats, mix).map((words) => (
        <li key={words}>{words}</li>
      ))}
    </ul>
  );
}
