import type { Schemas } from '../../../api/client.ts';

export type RateUnit = 'A' | 'W';

/** Charging profile of either OCPP version, as it is drawn. */
export interface DrawnProfile {
  kind: string;
  recurrency: string | null;
  /** Start of the schedule in ms. Null: the start of a session. */
  startsAt: number | null;
  durationSeconds: number | null;
  validFrom: number | null;
  validTo: number | null;
  unit: RateUnit;
  periods: Period[];
}

export interface Period {
  startSeconds: number;
  limit: number;
  /** Null: three. */
  phases: number | null;
}

/** Limit between two times in ms. */
export interface Step {
  from: number;
  to: number;
  limit: number;
  phases: number;
}

export interface Span {
  from: number;
  to: number;
}

type Raw = Record<string, unknown>;

const record = (value: unknown): Raw => (typeof value === 'object' && value !== null ? (value as Raw) : {});
const text = (value: unknown) => (typeof value === 'string' ? value : null);
const number = (value: unknown) => (typeof value === 'number' ? value : null);
const time = (value: unknown) => {
  const parsed = Date.parse(text(value) ?? '');
  return Number.isNaN(parsed) ? null : parsed;
};

/** Reads a stored profile, which has the format of the charger's OCPP version. */
export function drawnProfile({ profile, reportedAt }: Schemas['ChargingProfile']): DrawnProfile {
  const { chargingSchedule } = profile;
  // 2.0.1 has up to three schedules, for cars that choose among them (ISO 15118).
  const schedule = record(Array.isArray(chargingSchedule) ? chargingSchedule[0] : chargingSchedule);
  const kind = text(profile['chargingProfileKind']) ?? 'Absolute';
  const periods: unknown = schedule['chargingSchedulePeriod'];
  return {
    kind,
    recurrency: text(profile['recurrencyKind']),
    startsAt: kind === 'Relative' ? null : (time(schedule['startSchedule']) ?? Date.parse(reportedAt)),
    durationSeconds: number(schedule['duration']),
    validFrom: time(profile['validFrom']),
    validTo: time(profile['validTo']),
    unit: schedule['chargingRateUnit'] === 'W' ? 'W' : 'A',
    periods: (Array.isArray(periods) ? periods : []).map(record).map((period) => ({
      startSeconds: number(period['startPeriod']) ?? 0,
      limit: number(period['limit']) ?? 0,
      phases: number(period['numberPhases']),
    })),
  };
}

const daySeconds = 86_400;
/** Maximum number of repetitions that are drawn. */
const maxRepetitions = 400;

/** Returns the limits of a profile within a span. A Relative one is drawn as for a session that starts with the span. */
export function stepsOf(profile: DrawnProfile, span: Span): Step[] {
  const origin = profile.startsAt ?? span.from;
  const repeat = profile.recurrency === null ? null : daySeconds * (profile.recurrency === 'Weekly' ? 7 : 1);
  const bounds = {
    from: Math.max(span.from, profile.validFrom ?? span.from),
    to: Math.min(span.to, profile.validTo ?? span.to),
  };
  if (repeat === null) return stepsFrom(profile, origin, profile.durationSeconds, bounds);
  const first = Math.floor((span.from - origin) / (repeat * 1000));
  const last = Math.min(first + maxRepetitions, Math.floor((span.to - origin) / (repeat * 1000)));
  const seconds = Math.min(repeat, profile.durationSeconds ?? repeat);
  const steps: Step[] = [];
  for (let each = first; each <= last; each += 1) {
    steps.push(...stepsFrom(profile, origin + each * repeat * 1000, seconds, bounds));
  }
  return steps;
}

function stepsFrom({ periods }: DrawnProfile, origin: number, seconds: number | null, span: Span): Step[] {
  const end = seconds === null ? Infinity : origin + seconds * 1000;
  return periods
    .map(({ startSeconds, limit, phases }, index) => {
      const next = periods[index + 1];
      const until = next === undefined ? end : Math.min(end, origin + next.startSeconds * 1000);
      return {
        from: Math.max(span.from, origin + startSeconds * 1000),
        to: Math.min(span.to, until),
        limit,
        phases: phases ?? 3,
      };
    })
    .filter(({ from, to }) => to > from);
}

/** Nominal voltage between phase and neutral, by which currents and powers are compared. */
export const nominalVolts = 230;

/** Returns a limit in A for each phase, or in kW. */
export function limitIn(shown: 'A' | 'kW', { limit, phases }: Step, unit: RateUnit): number {
  if (shown === 'A') return unit === 'A' ? limit : limit / (nominalVolts * phases);
  return unit === 'W' ? limit / 1000 : (limit * nominalVolts * phases) / 1000;
}
