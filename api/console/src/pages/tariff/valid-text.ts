import type { TFunction } from 'i18next';
import type { Formats } from '../../texts/formats.ts';
import type { Tariff } from './tariff-queries.ts';

/** Returns the time in which a tariff applies, in words. */
export function validText(
  t: TFunction<['tariffs', 'session', 'common']>,
  formats: Formats,
  { start_date_time: from, end_date_time: until }: Pick<Tariff, 'start_date_time' | 'end_date_time'>,
): string {
  if (from !== null && until !== null) return `${formats.date(from)} – ${formats.date(until)}`;
  if (from !== null) return t('valid.from', { date: formats.date(from) });
  return until === null ? t('valid.always') : t('valid.until', { date: formats.date(until) });
}
