import type { TimedMessage } from '#shared/domain/fleet/local-time.ts';

/** Returns the time of the last reading of MeterValues; undefined: it has none. */
export function lastReading({
  meterValue,
}: {
  meterValue: readonly { timestamp: string }[];
}): TimedMessage | undefined {
  const last = meterValue.at(-1);
  return last === undefined ? undefined : { said: last.timestamp, kind: 'other' };
}
