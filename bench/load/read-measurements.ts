import type { Result } from 'autocannon';
import type { Measurement } from '#bench/scenario.ts';

/** Returns a line of a report for one kind of request: rate, latency and failures are its columns. */
export function readMeasurements(what: string, result: Result): Measurement[] {
  const of = (subject: string, value: number): Measurement => ({ subject, what, value, unit: '' });
  return [
    of('requests per second', result.requests.total / result.duration),
    of('median, ms', result.latency.p50),
    of('99th percentile, ms', result.latency.p99),
    of('failed', result.non2xx + result.errors),
  ];
}
