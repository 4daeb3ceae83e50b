import type { BootAnswer, BootNotice } from '#shared/domain/commands/charger-messages.ts';
import type { Registration } from '#shared/domain/fleet/registration.ts';
import { findRegistration } from '#shared/postgres/commands/charger-registration.statements.ts';
import type { Context } from './context.ts';

/**
 * Average interval between heartbeats in seconds. A charger counts as online for 5 minutes after its last message, so
 * one heartbeat may be 30 s late before operators see the charger offline.
 */
const heartbeatIntervalSeconds = 240;

/** Variation of the interval: chargers that reconnect together must not send heartbeats together. */
const spread = 0.1;

/** Seconds until a held charger sends its next BootNotification. */
const retrySeconds = { Pending: 60, Rejected: 300 } as const;

/** Stores the boot data of a charger and answers with its registration status. */
export async function handleBoot(
  context: Context<'sql' | 'boots' | 'meterOverrides'>,
  notice: BootNotice,
): Promise<BootAnswer> {
  context.localTime.booted(context.receivedAt);
  await context.stores.boots.add({
    ...notice,
    chargerId: context.charger.id,
    ocppVersion: context.ocppVersion,
    at: context.receivedAt,
  });
  context.stores.meterOverrides.forget(context.charger.id);
  const status = await registrationOf(context);
  const seconds = status === 'Accepted' ? heartbeatIntervalSeconds : retrySeconds[status];
  return {
    status,
    now: new Date(context.clock.now()),
    intervalSeconds: spreadOver(seconds, context.charger.id),
  };
}

/** Reads the registration of a held charger: it may boot before the notification of its acceptance arrives. */
async function registrationOf({ charger, stores }: Context<'sql'>): Promise<Registration> {
  if (charger.registration !== 'Accepted') {
    charger.registration = (await findRegistration(stores.sql, charger.id)) ?? 'Rejected';
  }
  return charger.registration;
}

/**
 * Returns a charger's own interval, the same at every boot; intervals of neighbouring ids differ (Fibonacci hashing).
 */
function spreadOver(seconds: number, chargerId: number): number {
  const fraction = (Math.imul(chargerId, 0x9e3779b1) >>> 0) / 2 ** 32;
  return Math.round(seconds * (1 - spread + 2 * spread * fraction));
}
