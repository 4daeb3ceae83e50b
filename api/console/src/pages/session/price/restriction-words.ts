import type { TFunction } from 'i18next';
import type { Schemas } from '../../../api/client.ts';
import type { Formats } from '../../../texts/formats.ts';

type Restrictions = Schemas['MatchedRestrictions'];

const weekdays = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const;

/** A week whose first day is a Sunday. */
const sunday = Date.UTC(2023, 0, 1);
const dayMs = 86_400_000;

const bounds = ['min_kwh', 'max_kwh', 'min_current', 'max_current', 'min_power', 'max_power'] as const;
const durations = ['min_duration', 'max_duration'] as const;

/** Returns the conditions of an element of a tariff, such as `22:00–06:00` or `below 10 kWh`. */
export function restrictionWords(
  t: TFunction<['session', 'common']>,
  formats: Formats,
  restrictions: Restrictions,
): string[] {
  const { start_time, end_time, start_date, end_date, day_of_week } = restrictions;
  const words: string[] = [];
  if (start_time !== undefined && end_time !== undefined)
    words.push(t('price.restriction.time', { from: start_time, to: end_time }));
  else if (start_time !== undefined) words.push(t('price.restriction.fromTime', { time: start_time }));
  else if (end_time !== undefined) words.push(t('price.restriction.untilTime', { time: end_time }));
  if (start_date !== undefined) words.push(t('price.restriction.dateFrom', { date: start_date }));
  if (end_date !== undefined) words.push(t('price.restriction.dateUntil', { date: end_date }));
  if (day_of_week !== undefined) words.push(day_of_week.map((day) => weekday(formats, day)).join(', '));
  for (const name of bounds) {
    const value = restrictions[name];
    if (value !== undefined) words.push(t(`price.restriction.${name}`, { value: formats.decimal(value) }));
  }
  for (const name of durations) {
    const value = restrictions[name];
    if (value !== undefined)
      words.push(t(`price.restriction.${name}`, { value: formats.exactDuration(value) }));
  }
  return words;
}

/** Returns the short name of a day of the week. */
export function weekday({ locale }: Formats, day: (typeof weekdays)[number]): string {
  const format = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
  return format.format(sunday + weekdays.indexOf(day) * dayMs);
}
