import type { BootAnswer, BootNotice } from '#shared/domain/commands/charger-messages.ts';
import type { Registration } from '#shared/domain/fleet/registration.ts';
import { findRegistration } from '#shared/postgres/commands/charger-registration.ts';
import type { Context } from './context.ts';

/**
 * Seconds between heartbeats, in the middle. A charger counts as online for 5 minutes after it was heard, so one
 * heartbeat may be late by half a minute before operators see it offline.
 */
const heartbeatIntervalSeconds = 240;

/** Chargers that came back together do not beat together: their intervals differ by up to a tenth. */
const spread = 0.1;

/** Seconds until a charger that is held asks again. */
const retrySeconds = { Pending: 60, Rejected: 300 } as const;

/** Stores the particulars of a charger that came up, and answers with its registration. */
export async function handleBoot(
  context: Context<'sql' | 'boots' | 'meterOverrides'>,
  notice: BootNotice,
): Promise<BootAnswer> {
  await context.stores.boots.add({
    ...notice,
    chargerId: context.charger.id,
    ocppVersion: context.ocppVersion,
    at: context.receivedAt,
  });
  context.stores.meterOverrides.forget(context.charger.id);
  const status = await registrationOf(context);
  const seconds = status === 'Accepted' ? heartbeatIntervalSeconds : retrySeconds[status];
  return { status, now: new Date(), intervalSeconds: spreadOver(seconds, context.charger.id) };
}

/** A charger that is held is looked up: it may boot before the news of its acceptance is here. */
async function registrationOf({ charger, stores }: Context<'sql'>): Promise<Registration> {
  if (charger.registration !== 'Accepted') {
    charger.registration = (await findRegistration(stores.sql, charger.id)) ?? 'Rejected';
  }
  return charger.registration;
}

/** A charger's own interval, the same at every boot; neighbouring ids are far apart (Fibonacci hashing). */
function spreadOver(seconds: number, chargerId: number): number {
  const fraction = (Math.imul(chargerId, 0x9e3779b1) >>> 0) / 2 ** 32;
  return Math.round(seconds * (1 - spread + 2 * spread * fraction));
}
