import type { Measurement } from '#bench/scenarios/scenario.ts';

/** Returns a function that makes the measurements of one subject. */
export function measurementsOf(subject: string) {
  return (what: string, value: number, unit = ''): Measurement => ({ subject, what, value, unit });
}

/** Bytes in MiB. */
export function toMiB(bytes: number): number {
  return bytes / 2 ** 20;
}
