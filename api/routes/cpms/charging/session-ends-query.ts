import { type Static, Type } from 'typebox';
import { DateTime, Flag, Integer, Text, Uuid } from '#api/routes/schema.ts';
import type { OperatorSessionQuery } from '#api/services/charging/operator-sessions.ts';

/** Filters of the sessions that analytics sum. */
export const endsQuery = {
  counted: Type.Optional(
    Flag(
      'True selects the sessions that analytics count: completed, with a price that is not in review. False selects the others.',
    ),
  ),
  modelId: Type.Optional(Uuid('Charger model to filter by.')),
  tariffId: Type.Optional(Uuid('Tariff to filter by.')),
  endedFrom: Type.Optional(DateTime('Earliest end, inclusive. Selects completed sessions only.')),
  endedTo: Type.Optional(DateTime('Latest end, inclusive. Selects completed sessions only.')),
  endedWeekday: Type.Optional(
    Integer('Day of the week of the end in `timeZone`, from 1 for Monday (ISO 8601).', 1, {
      minimum: 1,
      maximum: 7,
    }),
  ),
  endedHour: Type.Optional(Integer('Hour of the end in `timeZone`.', 17, { minimum: 0, maximum: 23 })),
  timeZone: Type.Optional(
    Text(64, 'Time zone of `endedWeekday` and `endedHour` (IANA). Default: UTC.', 'Europe/Amsterdam'),
  ),
};

const Ends = Type.Object(endsQuery);

const timeOf = (text: string | undefined) => (text === undefined ? undefined : new Date(text));

/** Returns the filter of a query; undefined without one. */
export function endsOf(query: Static<typeof Ends>): OperatorSessionQuery['ends'] {
  const { counted, modelId, tariffId, endedFrom, endedTo, endedWeekday, endedHour, timeZone } = query;
  const filters = {
    isCounted: counted,
    modelUuid: modelId,
    tariffUuid: tariffId,
    from: timeOf(endedFrom),
    to: timeOf(endedTo),
    weekday: endedWeekday,
    hour: endedHour,
  };
  if (Object.values(filters).every((value) => value === undefined) && timeZone === undefined)
    return undefined;
  return { ...filters, timeZone: timeZone ?? 'UTC' };
}
