import type { Interval } from '#shared/domain/kernel/intervals.ts';

/** Causes of outages that regulators and contracts exclude: the operator could not prevent them, or announced them. */
export const exclusionCauses = ['maintenance', 'vandalism', 'grid', 'customer', 'weather'] as const;
export type ExclusionCause = (typeof exclusionCauses)[number];

/** Maximum length of an exclusion in days. */
export const maxExclusionDays = 366;

/** Time of an EVSE for which an operator entered a cause. */
export interface ExcludedTime extends Interval {
  cause: ExclusionCause;
}
