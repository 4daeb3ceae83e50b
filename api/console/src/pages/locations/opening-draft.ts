import type { Schemas } from '../../api/client.ts';
import { editedInstant, zonedInput } from '../../texts/zoned-time.ts';

type OpeningTimes = NonNullable<Schemas['Location']['openingTimes']>;
type Period = NonNullable<OpeningTimes['exceptionalOpenings']>[number];

/** Hours of a weekday (1: Monday). */
export interface Hours {
  weekday: number;
  periodBegin: string;
  periodEnd: string;
}

export type Opening = 'unknown' | 'always' | 'hours';

/** Exceptional period in a form. Begin and end are wall-clock times of the location. */
export interface PeriodDraft {
  begin: string;
  end: string;
  /** Period as it was read. Null: a new one. */
  read: Period | null;
}

export const newPeriod = (): PeriodDraft => ({ begin: '', end: '', read: null });

/** Opening times in a form. */
export interface OpeningDraft {
  opening: Opening;
  hours: Hours[];
  openings: PeriodDraft[];
  closings: PeriodDraft[];
}

/** Draft of opening times. Null: the location states none. */
export function openingDraftOf(times: OpeningTimes | null, timeZone: string): OpeningDraft {
  const { exceptionalOpenings = [], exceptionalClosings = [] } = times ?? {};
  const periodOf = (read: Period): PeriodDraft => ({
    begin: zonedInput(read.periodBegin, timeZone),
    end: zonedInput(read.periodEnd, timeZone),
    read,
  });
  return {
    opening: times === null ? 'unknown' : times.twentyFourSeven ? 'always' : 'hours',
    hours: times?.regularHours ?? [],
    openings: exceptionalOpenings.map(periodOf),
    closings: exceptionalClosings.map(periodOf),
  };
}

/** Returns opening times as requests have them. The server refuses a period without begin or end, and names the field. */
export function openingTimesOf(
  { opening, hours, openings, closings }: OpeningDraft,
  timeZone: string,
): OpeningTimes | null {
  if (opening === 'unknown') return null;
  const periodOf = ({ begin, end, read }: PeriodDraft): Period => ({
    periodBegin: editedInstant(begin, timeZone, read?.periodBegin ?? null) ?? '',
    periodEnd: editedInstant(end, timeZone, read?.periodEnd ?? null) ?? '',
  });
  return {
    ...(opening === 'always' ? { twentyFourSeven: true } : { twentyFourSeven: false, regularHours: hours }),
    ...(openings.length > 0 && { exceptionalOpenings: openings.map(periodOf) }),
    ...(closings.length > 0 && { exceptionalClosings: closings.map(periodOf) }),
  };
}
