import { Type } from 'typebox';
import { calendarPeriods } from '#shared/domain/kernel/calendar.ts';
import { DateTime, OneOf, Formed } from './schema.ts';

/** Time window of analytics. */
export const windowQuery = {
  from: Type.Optional(DateTime('Start of the window, inclusive. Default: 30 days before `to`.')),
  to: Type.Optional(DateTime('End of the window, inclusive. Default: now.')),
};

/** Length of a period of analytics. */
export const Period = OneOf(
  calendarPeriods,
  'Length of a period: days, weeks from Monday (ISO 8601) or months, in the time zone of the network.',
);
export const periodQuery = {
  period: Type.Optional({ ...Period, default: 'day' as const }),
};

/** Query parameter for the currency of the total. */
export const currencyQuery = {
  currency: Type.Optional(
    Formed('three letters (ISO 4217)', '^[A-Za-z]{3}$', {
      description: 'Currency of `totalRevenue` (ISO 4217). The response lists every currency in any case.',
      examples: ['EUR'],
    }),
  ),
};

/** Rule for the currency of the total, for descriptions. */
export const headlineRule =
  'Amounts in different currencies are never added. `totalRevenue` is in the requested `currency`. Without ' +
  'it, the first currency with priced sessions in the window is used: currencies of the networks come ' +
  'first, the oldest network before the others. Without such sessions `totalRevenue` is 0 in the currency ' +
  'of the oldest network.';

/** Time window of a response. */
export const window = {
  from: DateTime('Start of the window, inclusive.'),
  to: DateTime('End of the window, inclusive.'),
};

/** Date that identifies a period. */
export const BucketDate = Type.String({
  format: 'date',
  description: 'Local date on which the period begins. The first and the last period are cut to the window.',
});

export function windowView({ from, to }: { from: Date; to: Date }) {
  return { from: from.toISOString(), to: to.toISOString() };
}
