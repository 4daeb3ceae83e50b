import { type ChangedValue, changedValues } from '../../../ui/changed-values.tsx';
import { energyWords } from '../../locations/energy.tsx';
import { mixOfTariff } from '../energy-mix.ts';
import { elementText, idleText, limitText, type PriceWriter, vatText } from '../prices/price-words.ts';
import type { Tariff } from '../tariff-queries.ts';

/** Fields of a tariff that versions differ in. */
export type Terms = Omit<Tariff, 'id' | 'version' | 'currency' | 'networkId' | 'createdAt' | 'updatedAt'>;

/** Returns what changed from one version of a tariff to another, in words. */
export function tariffChanges(writer: PriceWriter, before: Terms, after: Terms): ChangedValue[] {
  return changedValues(termsOf(writer, before), termsOf(writer, after), writer.t('common:none'));
}

/** Returns the terms of a tariff by name. Those that it does not have are left out. */
function termsOf(writer: PriceWriter, tariff: Terms): Map<string, string> {
  const { t, formats } = writer;
  const { idle, min_price, max_price, start_date_time, end_date_time, tariff_alt_url, energy_mix } = tariff;
  const terms = new Map<string, string>([
    [t('column.name'), tariff.name],
    [t('audience'), t(`type.${tariff.type ?? 'ANY'}`)],
  ]);
  for (const [index, element] of tariff.elements.entries()) {
    terms.set(t('element', { number: index + 1 }), elementText(writer, element));
  }
  if (idle !== null) {
    terms.set(t('dimension.idle'), `${idleText(writer, idle)} (${vatText(writer, idle.vat)})`);
  }
  if (min_price !== null) terms.set(t('dimension.minimum'), limitText(writer, min_price));
  if (max_price !== null) terms.set(t('dimension.maximum'), limitText(writer, max_price));
  if (start_date_time !== null) terms.set(t('valid.start'), formats.dateTime(start_date_time));
  if (end_date_time !== null) terms.set(t('valid.end'), formats.dateTime(end_date_time));
  for (const { language, text } of tariff.tariff_alt_text) terms.set(t('text', { language }), text);
  if (tariff_alt_url !== null) terms.set(t('web'), tariff_alt_url);
  const mix = mixOfTariff(energy_mix);
  if (mix !== null) terms.set(t('energyMix'), energyWords(writer.locationWords, formats, mix).join(', '));
  return terms;
}
