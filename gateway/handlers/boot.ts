import type { BootAnswer, BootNotice } from '#shared/domain/charger-messages.ts';
import type { Context } from './context.ts';

/**
 * Seconds between heartbeats, in the middle. A charger counts as online for 5 minutes after it was heard, so one
 * heartbeat may be late by half a minute before operators see it offline.
 */
const heartbeatIntervalSeconds = 240;

/** Chargers that came back together do not beat together: their intervals differ by up to a tenth. */
const spread = 0.1;

/** A charger came up: its particulars are stored before it is accepted. */
export async function handleBoot(
  context: Context<'boots' | 'meterOverrides'>,
  notice: BootNotice,
): Promise<BootAnswer> {
  await context.stores.boots.add({
    ...notice,
    chargerId: context.charger.id,
    ocppVersion: context.ocppVersion,
    at: context.receivedAt,
  });
  context.stores.meterOverrides.forget(context.charger.id);
  return { now: new Date(), heartbeatIntervalSeconds: intervalOf(context.charger.id) };
}

/** A charger's own interval, the same at every boot; neighbouring ids are far apart (Fibonacci hashing). */
function intervalOf(chargerId: number): number {
  const fraction = (Math.imul(chargerId, 0x9e3779b1) >>> 0) / 2 ** 32;
  return Math.round(heartbeatIntervalSeconds * (1 - spread + 2 * spread * fraction));
}
