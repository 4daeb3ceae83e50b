import { Type } from 'typebox';
import { calendarPeriods } from '#shared/domain/calendar.ts';
import { DateTime, OneOf } from './schema.ts';

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
