import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { useFormats } from '../../texts/formats.ts';
import { useNow } from '../../ui/time.tsx';
import { weekdayName } from './opening-fields.tsx';

/** Opening times in words, with the exceptions that have not ended. */
export function Opening({ location: { openingTimes, timeZone } }: { location: Schemas['Location'] }) {
  const { t } = useTranslation('locations');
  const formats = useFormats(timeZone);
  const now = useNow();
  if (openingTimes === null) return t('opening.unknown');
  const {
    twentyFourSeven,
    regularHours = [],
    exceptionalOpenings = [],
    exceptionalClosings = [],
  } = openingTimes;
  const exceptions = [
    ...exceptionalOpenings.map((period) => ({ ...period, text: 'exception.open' as const })),
    ...exceptionalClosings.map((period) => ({ ...period, text: 'exception.closed' as const })),
  ].filter(({ periodEnd }) => Date.parse(periodEnd) > now);
  return (
    <ul>
      {twentyFourSeven && <li>{t('opening.always')}</li>}
      {regularHours.map(({ weekday, periodBegin, periodEnd }) => (
        <li key={`${weekday}-${periodBegin}`}>
          {weekdayName(weekday, formats.locale)} {periodBegin}–{periodEnd}
        </li>
      ))}
      {exceptions
        .toSorted((a, b) => Date.parse(a.periodBegin) - Date.parse(b.periodBegin))
        .map(({ periodBegin, periodEnd, text }) => (
          <li key={`${text} ${periodBegin} ${periodEnd}`}>
            {t(text, {
              begin: formats.shortDateTime(periodBegin),
              end: formats.shortDateTime(periodEnd),
            })}
          </li>
        ))}
    </ul>
  );
}
