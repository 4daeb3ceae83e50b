import { Type } from 'typebox';
import { calendarPeriods } from '#shared/domain/kernel/calendar.ts';
import { DateTime, OneOf, Formed } from './schema.ts';

/** The window of analytics. */
export const windowQuery = {
  from: Type.Optional(DateTime('Inclusive; without it 30 days before `to`')),
  to: Type.Optional(DateTime('Inclusive; without it now')),
};

/** What the sums of a window are told by. */
export const Period = OneOf(
  calendarPeriods,
  "Days, weeks from Monday on (ISO 8601) or months, in the network's time zone",
);
export const periodQuery = {
  period: Type.Optional({ ...Period, default: 'day' as const }),
};

/** The currency in which an answer gives its headline. */
export const currencyQuery = {
  currency: Type.Optional(
    Formed('three letters (ISO 4217)', '^[A-Za-z]{3}$', {
      description: 'Currency of `totalRevenue` (ISO 4217). The response lists every currency in any case.',
      examples: ['EUR'],
    }),
  ),
};

/** The rule by which a headline has its currency, for descriptions. */
export const headlineRule =
  'Amounts in different currencies are never added. `totalRevenue` is in the requested `currency`; without it in the first ' +
  'that has priced sessions in the window, the currencies of the networks before others and the oldest network’s first; ' +
  'without such sessions it is 0 in the currency of the oldest network.';

/** The window that an answer is about. */
export const window = { from: DateTime('Inclusive'), to: DateTime('Inclusive') };

/** The date that names a bucket. */
export const BucketDate = Type.String({
  format: 'date',
  description: 'The local date on which the period begins; the first and the last are cut to the window',
});

export function windowView({ from, to }: { from: Date; to: Date }) {
  return { from: from.toISOString(), to: to.toISOString() };
}
