import type { Schemas } from '../../../api/client.ts';

type Restrictions = Schemas['TariffRestrictions'];
type Day = NonNullable<Restrictions['day_of_week']>[number];

/** Days of the week from Monday on. */
export const days: readonly Day[] = [
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
  'SUNDAY',
];

/** Conditions of an element, each with the bounds that it has inputs for. */
export const conditions = {
  time: ['start_time', 'end_time'],
  days: [],
  energy: ['min_kwh', 'max_kwh'],
  power: ['min_power', 'max_power'],
  duration: ['min_duration', 'max_duration'],
  current: ['min_current', 'max_current'],
  dates: ['start_date', 'end_date'],
  reservation: ['reservation'],
} as const;
export type Condition = keyof typeof conditions;
export type Bound = (typeof conditions)[Condition][number];
export const conditionNames = Object.keys(conditions) as Condition[];

/** Conditions of an element as their inputs hold them. Durations are in minutes. */
export interface ConditionFields {
  shown: readonly Condition[];
  values: Partial<Record<Bound, string>>;
  days: readonly Day[];
}

export const noConditions: ConditionFields = { shown: [], values: {}, days: [] };

const secondsPerMinute = 60;
const isDuration = (bound: Bound) => bound === 'min_duration' || bound === 'max_duration';

/** Returns the conditions of stored restrictions. */
export function conditionFields(restrictions: Restrictions | undefined): ConditionFields {
  if (restrictions === undefined) return noConditions;
  const { day_of_week = [] } = restrictions;
  const values: ConditionFields['values'] = {};
  for (const bound of Object.values(conditions).flat()) {
    const value = restrictions[bound];
    if (value === undefined) continue;
    values[bound] = String(isDuration(bound) ? Number(value) / secondsPerMinute : value);
  }
  const shown = conditionNames.filter((name) =>
    name === 'days' ? day_of_week.length > 0 : conditions[name].some((bound) => values[bound] !== undefined),
  );
  return { shown, values, days: day_of_week };
}

const texts = ['start_time', 'end_time', 'start_date', 'end_date', 'reservation'] as const;
const numbers = ['min_kwh', 'max_kwh', 'min_power', 'max_power', 'min_current', 'max_current'] as const;
const durations = ['min_duration', 'max_duration'] as const;

/** Returns the restrictions of the shown conditions, or undefined. */
export function restrictionsOf(
  { shown, values, days: chosen }: ConditionFields,
  numberIn: (text: string) => number,
): Restrictions | undefined {
  const isShown = new Set<Bound>(shown.flatMap((name) => conditions[name]));
  const filled = <Name extends Bound>(names: readonly Name[]) =>
    names.flatMap((name) => {
      const text = values[name]?.trim() ?? '';
      return text === '' || !isShown.has(name) ? [] : [[name, text] as const];
    });
  const entries = [
    ...filled(texts),
    ...filled(numbers).map(([name, text]) => [name, numberIn(text)] as const),
    ...filled(durations).map(
      ([name, text]) => [name, Math.round(numberIn(text) * secondsPerMinute)] as const,
    ),
    ...(shown.includes('days') && chosen.length > 0 ? [['day_of_week', chosen] as const] : []),
  ];
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Restrictions);
}
