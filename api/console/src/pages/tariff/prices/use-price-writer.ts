import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../texts/formats.ts';
import type { PriceWriter } from './price-words.ts';

/** Returns what writes the prices of a currency in words. */
export function usePriceWriter(currency: string): PriceWriter {
  const { t } = useTranslation(['tariffs', 'session', 'common']);
  const { t: sessionWords } = useTranslation(['session', 'common']);
  const { t: locationWords } = useTranslation('locations');
  const formats = useFormats();
  return useMemo(
    () => ({ t, sessionWords, locationWords, formats, currency }),
    [t, sessionWords, locationWords, formats, currency],
  );
}
