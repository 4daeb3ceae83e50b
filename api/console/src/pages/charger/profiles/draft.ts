import type {
  profileKinds,
  profilePurposes,
  recurrencies,
} from '#shared/domain/charging/charging-profile.ts';
import { inputOf, instantOf } from '../../../texts/zoned-time.ts';
import { numberOf } from '../../../texts/numbers.ts';
import type { DrawnProfile, RateUnit } from './profile-steps.ts';

/** Period of a profile that is being written, as its inputs hold it. */
export interface DraftPeriod {
  /** Identifies the row of inputs. */
  id: number;
  minutes: string;
  limit: string;
  phases: '1' | '2' | '3';
}

/** Charging profile that is being written. */
export interface Draft {
  connector: string;
  purpose: (typeof profilePurposes)[number];
  kind: (typeof profileKinds)[number];
  recurrency: (typeof recurrencies)[number];
  stackLevel: string;
  unit: RateUnit;
  startsAt: string;
  hours: string;
  validFrom: string;
  validTo: string;
  /** Seconds between two requests for the limit of a Dynamic profile; empty: none. */
  interval: string;
  periods: DraftPeriod[];
}

export function newDraft(now: number, timeZone: string): Draft {
  return {
    connector: '0',
    purpose: 'StationMax',
    kind: 'Absolute',
    recurrency: 'Daily',
    stackLevel: '0',
    unit: 'A',
    startsAt: inputOf(now, timeZone),
    hours: '',
    validFrom: '',
    validTo: '',
    interval: '60',
    periods: [{ id: 0, minutes: '0', limit: '16', phases: '3' }],
  };
}

/** Returns the draft with a change, and what follows from it: the connectors that a purpose permits, and the one limit of a Dynamic profile. */
export function changedDraft(draft: Draft, change: Partial<Draft>, firstConnector: string): Draft {
  const changed = { ...draft, ...change };
  const next = changed.kind === 'Dynamic' ? { ...changed, periods: changed.periods.slice(0, 1) } : changed;
  if (next.purpose === 'StationMax') return { ...next, connector: '0' };
  return next.purpose === 'Tx' && next.connector === '0' ? { ...next, connector: firstConnector } : next;
}

/** Returns whether a schedule has a start of its own. */
export const hasStart = ({ kind }: Pick<Draft, 'kind'>): boolean =>
  kind === 'Absolute' || kind === 'Recurring';

/** Returns the number of an input; NaN for one that holds none. */
const decimal = (text: string) => numberOf(text) ?? Number.NaN;

/** Returns the profile as the API accepts it. */
export function profileOf(draft: Draft, timeZone: string) {
  const startsAt = hasStart(draft) ? instantOf(draft.startsAt, timeZone) : undefined;
  const validFrom = instantOf(draft.validFrom, timeZone);
  const validTo = instantOf(draft.validTo, timeZone);
  return {
    connectorNumber: Number(draft.connector),
    purpose: draft.purpose,
    kind: draft.kind,
    stackLevel: Number(draft.stackLevel),
    rateUnit: draft.unit,
    ...(draft.kind === 'Recurring' ? { recurrency: draft.recurrency } : {}),
    ...(startsAt === undefined ? {} : { startsAt }),
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validTo === undefined ? {} : { validTo }),
    ...(draft.kind === 'Dynamic' && draft.interval.trim() !== ''
      ? { updateIntervalSeconds: Math.round(decimal(draft.interval)) }
      : {}),
    ...(draft.hours.trim() === '' ? {} : { durationSeconds: Math.round(decimal(draft.hours) * 3600) }),
    periods: draft.periods.map(({ minutes, limit, phases }) => ({
      startSeconds: Math.round(decimal(minutes) * 60),
      limit: decimal(limit),
      ...(draft.unit === 'A' ? { phases: Number(phases) } : {}),
    })),
  };
}

const time = (text: string | undefined) => (text === undefined ? null : Date.parse(text));

/** Returns the profile for its preview. */
export function previewOf(draft: Draft, timeZone: string): DrawnProfile {
  const { kind, recurrency, startsAt, durationSeconds, validFrom, validTo, rateUnit, periods } = profileOf(
    draft,
    timeZone,
  );
  return {
    kind,
    recurrency: recurrency ?? null,
    startsAt: time(startsAt),
    durationSeconds: durationSeconds ?? null,
    validFrom: time(validFrom),
    validTo: time(validTo),
    unit: rateUnit,
    periods: periods
      .filter(({ startSeconds, limit }) => Number.isFinite(startSeconds) && Number.isFinite(limit))
      .map((period) => ({ phases: null, ...period })),
  };
}
