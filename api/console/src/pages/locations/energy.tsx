import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useFormats } from '../../texts/formats.ts';

/** Energy mix in words. */
export function Energy({ location: { energyMix } }: { location: Schemas['Location'] }) {
  const { t } = useTranslation('locations');
  const formats = useFormats();
  if (energyMix === null) return t('energy.unknown');
  const { isGreenEnergy, energySources = [], environmentalImpacts = [] } = energyMix;
  const { supplierName, energyProductName } = energyMix;
  const product = [energyProductName, supplierName].filter((name) => name !== undefined).join(', ');
  return (
    <ul>
      <li>{t(isGreenEnergy ? 'energy.green' : 'energy.notGreen')}</li>
      {energySources.map(({ source, percentage }) => (
        <li key={source}>
          {t(`energy.sourceOf.${source}`)} {formats.percent(percentage / 100)}
        </li>
      ))}
      {environmentalImpacts.map(({ category, amount }) => (
        <li key={category}>
          {t(`energy.impact.${category}`)}: {formats.decimal(amount)}
        </li>
      ))}
      {product !== '' && <li>{product}</li>}
    </ul>
  );
}
