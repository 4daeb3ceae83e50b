import { useMemo } from 'react';
import { alpha2ByAlpha3 } from '#shared/domain/fleet/countries.ts';
import { useFormats } from '../../texts/formats.ts';
import type { ComboOption } from '../../ui/combo-box.tsx';

/** Returns the countries by alpha-3 code, with their names in the shown language. */
export function useCountries(): ComboOption[] {
  const { locale } = useFormats();
  return useMemo(() => {
    const names = new Intl.DisplayNames(locale, { type: 'region' });
    return [...alpha2ByAlpha3]
      .map(([id, alpha2]) => ({ id, text: names.of(alpha2) ?? id }))
      .toSorted((a, b) => a.text.localeCompare(b.text, locale));
  }, [locale]);
}
