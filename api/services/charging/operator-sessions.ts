import type { CommandResult } from '#shared/domain/commands/commands.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { SessionStatus } from '#shared/domain/charging/session.ts';
import { listSessionRevisions, type SessionRevision } from '#shared/postgres/charging/session-amending.ts';
import { findSessionsAfter, placesOf, type SessionPlace } from '#shared/postgres/charging/session-places.ts';
import type { SessionFilter } from '#shared/postgres/charging/session-records.ts';
import type { Actor } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { requireCharger } from '#api/services/fleet/chargers.ts';
import { cutPage, decodeRowCursor } from '#api/services/kernel/cursors.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import type { ItemReads, Versioned } from '#api/services/kernel/item-reads.ts';
import { networksOfCall } from '#api/services/access/networks.ts';
import { requireOrder } from '#api/services/kernel/validation.ts';
import { remoteStop } from './remote-stops.ts';
import { callerSessionItem, readCallerSession, type SessionReading } from './sessions.ts';

export type { SessionRevision } from '#shared/postgres/charging/session-amending.ts';

/**
 * Returns the keys of a page of sessions, of the caller's networks or of the named one, newest first.
 * @throws {DomainError} NETWORK_NOT_FOUND; VALIDATION_FAILED for a cursor or times that are wrong.
 */
export async function findOperatorSessions(
  deps: ServiceDeps,
  caller: Caller,
  networkUuid: string | undefined,
  filter: SessionFilter,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ places: SessionPlace[]; nextCursor: string | null }> {
  requireOrder(filter);
  const after = decodeRowCursor(cursor);
  const scope = { networks: await networksOfCall(deps, caller, networkUuid), userId: caller.userId };
  const found = await findSessionsAfter(deps.sql, scope, filter, after, limit + 1);
  const page = cutPage(found, limit, ({ startedAt, id }) => ({ time: startedAt, tie: String(id) }));
  return { places: await placesOf(deps.sql, page.rows), nextCursor: page.nextCursor };
}

/**
 * Returns a session with its states before each correction, oldest first.
 * @throws {DomainError} SESSION_NOT_FOUND.
 */
export async function readOperatorSession(
  deps: ServiceDeps,
  caller: Caller,
  uuid: string,
): Promise<Versioned<OperatorSessionReading>> {
  const reading = await readCallerSession(deps, caller, uuid);
  const revisions = await listSessionRevisions(deps.sql, reading.session.id);
  return { reading, revisions, rowVersion: reading.rowVersion };
}

/** A session with its revisions. */
export interface OperatorSessionReading {
  reading: SessionReading;
  revisions: SessionRevision[];
}

/** Returns the reads of a session with its revisions. */
export function operatorSessionItem(
  deps: ServiceDeps,
  caller: Caller,
  uuid: string,
): ItemReads<Versioned<OperatorSessionReading>> {
  return {
    ...callerSessionItem(deps, caller, uuid),
    row: async () => readOperatorSession(deps, caller, uuid),
  };
}

/**
 * Sends a stop to the charger of a running session.
 * @throws {DomainError} SESSION_NOT_FOUND, NO_ACTIVE_SESSION, CHARGER_NOT_FOUND where the charger was
 * removed, and the errors of `commandCharger`.
 */
export async function stopSession(
  deps: ServiceDeps,
  by: Actor,
  uuid: string,
): Promise<{ chargerUuid: string; sessionUuid: string; status: SessionStatus; result: CommandResult }> {
  const { session } = await readCallerSession(deps, by.caller, uuid);
  if (session.endedAt !== null) throw new DomainError('NO_ACTIVE_SESSION', 'The session has ended.');
  const charger = await requireCharger(deps, by.caller, session.chargerUuid);
  const stopped = await remoteStop(deps, by, charger, { sessionId: session.uuid });
  return { ...stopped, chargerUuid: charger.uuid };
}
