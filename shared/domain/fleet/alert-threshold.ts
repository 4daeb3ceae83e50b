import type { AlertSeverity } from './alert.ts';

/** Metrics of a network that thresholds compare, with their units. */
export const thresholdMetrics = {
  'chargers-offline': '%',
  'chargers-faulted': '%',
  'chargers-rejected': '',
  'starts-failed': '',
  'sessions-in-review': '',
  'review-age': 'h',
  'sessions-running': '',
  power: 'kW',
} as const;
export type ThresholdMetric = keyof typeof thresholdMetrics;
export const thresholdMetricNames = Object.keys(thresholdMetrics) as [ThresholdMetric, ...ThresholdMetric[]];

export const thresholdComparisons = ['above', 'below'] as const;
export type ThresholdComparison = (typeof thresholdComparisons)[number];

/** Fields of a threshold that its editors decide. */
export interface ThresholdDetails {
  name: string;
  metric: ThresholdMetric;
  comparison: ThresholdComparison;
  value: number;
  /** Time for which the metric must exceed the value without a break. */
  forMinutes: number;
  severity: AlertSeverity;
  isEnabled: boolean;
}

/** Thresholds of a network. */
export const maxThresholds = 50;
