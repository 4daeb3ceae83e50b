import { setTimeout as wait } from 'node:timers/promises';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { onlyNetworks } from '#shared/domain/access/tenancy.ts';
import { findCharger } from '#shared/postgres/fleet/charger-records.ts';
import type { Actor } from '#api/services/access/audit.ts';
import { asPublicError } from '#api/services/commands/send.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { remoteStop } from './remote-stops.ts';
import { readCallerSession, type SessionReading } from './sessions.service.ts';

/** Time in ms to wait for the charger's own stop, which has the final register. */
const stopWithinMs = 8000;
const lookEveryMs = 250;

/**
 * Requests the stop of one of the caller's sessions from its charger. Returns the session: ended and priced when the charger's
 * stop came within `withinMs`, else as it is then.
 * @throws {DomainError} SESSION_NOT_FOUND, SESSION_NOT_RUNNING, CHARGER_UNAVAILABLE, STOP_REFUSED, CHARGER_REFUSED,
 * CHARGER_TIMEOUT.
 */
export async function stopCharging(
  deps: ServiceDeps,
  by: Actor,
  sessionUuid: string,
  withinMs = stopWithinMs,
): Promise<SessionReading> {
  const deadline = Date.now() + withinMs;
  const { session } = await readCallerSession(deps, by.caller, sessionUuid);
  if (session.endedAt !== null) {
    throw new DomainError('SESSION_NOT_RUNNING', `The session ended at ${session.endedAt.toISOString()}.`);
  }
  // The charger may no longer be visible to drivers.
  const charger = await findCharger(deps.sql, onlyNetworks([session.networkId]), session.chargerUuid);
  if (charger === null) {
    throw new DomainError('CHARGER_UNAVAILABLE', `The charger ${session.chargerUid} was removed.`);
  }
  const { result } = await remoteStop(deps, by, charger, { sessionId: session.uuid }).catch(
    (error: unknown) => {
      throw asPublicError(error, 'STOP_REFUSED');
    },
  );
  // A charger that is stopping for an earlier request refuses the next one.
  const isRefused = !result.accepted && (await isActive(deps, by, session.uuid));
  if (isRefused) {
    const { status } = result;
    throw new DomainError('STOP_REFUSED', `The charger answered ${status ?? 'no'}.`, { status });
  }
  return untilEnded(deps, by, session.uuid, deadline);
}

async function isActive(deps: ServiceDeps, by: Actor, uuid: string): Promise<boolean> {
  const { session } = await readCallerSession(deps, by.caller, uuid);
  return session.status === 'ACTIVE';
}

async function untilEnded(
  deps: ServiceDeps,
  by: Actor,
  uuid: string,
  deadline: number,
): Promise<SessionReading> {
  const isLast = Date.now() + lookEveryMs > deadline;
  const reading = await readCallerSession(deps, by.caller, uuid);
  const isFinal = reading.session.endedAt !== null && reading.costUnavailable !== 'COST_PENDING';
  if (isFinal || isLast) return reading;
  await wait(lookEveryMs);
  return untilEnded(deps, by, uuid, deadline);
}
