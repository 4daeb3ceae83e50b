import { createHash } from 'node:crypto';
import type { MeterOrigin } from '#shared/clickhouse/meter-samples.ts';
import type { MeterSample } from '#shared/domain/charging/meter-sample.ts';
import { firstReceipt } from '#shared/postgres/charging/reading-receipts.ts';
import type { Context } from './context.ts';

/** Returns true when every reading has the time that the charger gave it, which identifies it. */
export function haveOwnTimes(samples: readonly MeterSample[]): boolean {
  for (const { saidTime } of samples) if (saidTime !== null) return false;
  return true;
}

/**
 * Returns readings with the times that identify them. When the charger's clock is implausible, the time is that of the
 * first receipt, so that a repeat produces the same row. While the clock is stopped, no reading can be recognized as a
 * repeat, and each has its own time of receipt.
 */
export async function identified(
  { readingClock, stores }: Context<'sql'>,
  origin: MeterOrigin,
  samples: readonly MeterSample[],
): Promise<MeterSample[]> {
  return Promise.all(
    samples.map(async (sample) => {
      if (sample.saidTime === null) return sample;
      const identity = identityOf(origin, sample, sample.saidTime);
      const { evse, connector } = origin.position;
      const series = JSON.stringify([evse, connector, sample.context]);
      if (!readingClock.advances(series, identity, sample, sample.saidTime)) return sample;
      const receipt = { chargerId: origin.chargerId, identity, receivedAt: sample.receivedAt };
      const time = await firstReceipt(stores.sql, receipt);
      return { ...sample, time, receivedAt: time };
    }),
  );
}

/** Returns a digest of a reading as the charger sent it, in the form of a uuid. */
function identityOf({ position, sessionId }: MeterOrigin, sample: MeterSample, saidTime: string): string {
  const { context, energyWh, powerW, currentA, voltageV, socPercent, temperatureC, extra } = sample;
  const values = [energyWh, powerW, currentA, voltageV, socPercent, temperatureC, extra];
  const text = JSON.stringify([position.evse, position.connector, sessionId, saidTime, context, ...values]);
  const digest = createHash('sha256').update(text).digest('hex');
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');
}
