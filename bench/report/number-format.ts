import type { Ratio } from '#bench/scenarios/scenario.ts';

export function formatGoal(goal: NonNullable<Ratio['goal']>): string {
  return 'atMost' in goal ? `at most ${goal.atMost}` : `at least ${goal.atLeast}`;
}

export function meets(value: number, goal: NonNullable<Ratio['goal']>): string {
  return ('atMost' in goal ? value <= goal.atMost : value >= goal.atLeast) ? 'met' : 'missed';
}

/** Formats with three significant digits, and whole numbers whole. */
export function formatNumber(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}
