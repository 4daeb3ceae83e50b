import type { Result } from 'autocannon';
import { measurementsOf } from '#bench/report/measurement.ts';
import type { Measurement } from '#bench/scenarios/scenario.ts';

/** Returns rate, latency and failures of one kind of request. */
export function readMeasurements(subject: string, result: Result): Measurement[] {
  const of = measurementsOf(subject);
  return [
    of('requests per second', result.requests.total / result.duration),
    of('median', result.latency.p50, 'ms'),
    of('99th percentile', result.latency.p99, 'ms'),
    of('failed', result.non2xx + result.errors),
  ];
}
