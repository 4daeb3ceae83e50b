import type { CommandResult } from '#shared/domain/commands/commands.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { SessionStatus } from '#shared/domain/charging/session.ts';
import {
  listSessionRevisions,
  type SessionRevision,
} from '#shared/postgres/charging/session-amending.statements.ts';
import { findOrderedSessions } from '#shared/postgres/charging/ordered-sessions.ts';
import { readSessions } from '#shared/postgres/charging/session-pages.ts';
import { resolveSessionSearch } from '#shared/postgres/charging/session-search.ts';
import { summarizeSessions } from '#shared/postgres/charging/session-summary.ts';
import { grants } from '#shared/domain/access/scopes.ts';
import type { SessionScope } from '#shared/domain/access/tenancy.ts';
import type { SessionOrder } from '#shared/domain/charging/session-order.ts';
import type { SessionFilter } from '#shared/postgres/charging/session-records.ts';
import type { Actor } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { requireCharger } from '#api/services/fleet/chargers.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';
import { requireTimeZone } from '#api/services/kernel/time-zones.ts';
import { requireOrder, wrongParameter } from '#api/services/kernel/validation.service.ts';
import { type DuringSummary, summarizeDuring } from './energy-during.ts';
import { cutSessionPage, decodeSessionCursor } from './session-cursors.ts';
import { remoteStop } from './remote-stops.ts';
import { readReviews, type SessionReview } from './session-reviews.ts';
import { readCallerSession, type SessionReading, sessionReadings } from './sessions.service.ts';

export type { SessionRevision } from '#shared/postgres/charging/session-amending.statements.ts';

/** List of sessions that an operator requests. */
export interface OperatorSessionQuery extends Omit<SessionFilter, 'search'> {
  networkUuid: string | undefined;
  /**
   * Token, transaction, OCPP identity of the charger, e-mail address of the driver, or first characters of the UUID.
   */
  search?: string | undefined;
}

/**
 * Returns a page of sessions in an order, of the caller's networks or of the named one.
 * @throws {DomainError} NETWORK_NOT_FOUND; VALIDATION_FAILED for a cursor, times or energies that are wrong.
 */
export async function listOperatorSessions(
  deps: ServiceDeps,
  caller: Caller,
  query: OperatorSessionQuery,
  order: SessionOrder,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ sessions: ReviewedSession[]; nextCursor: string | null }> {
  const { after, asOf } = decodeSessionCursor(cursor, order);
  const { scope, filter } = await operatorFilter(deps, caller, query);
  const slice = { after, asOf, limit: limit + 1 };
  const found = await findOrderedSessions(deps.sql, scope, filter, order, slice);
  const page = cutSessionPage(found, limit, order, asOf);
  const sessions = await readSessions(deps.sql, scope, page.rows);
  const [readings, reviews] = await Promise.all([
    sessionReadings(deps, sessions),
    readReviews(deps, sessions),
  ]);
  return {
    sessions: readings.map((reading) => ({ reading, review: reviews.get(reading.session.id) ?? null })),
    nextCursor: page.nextCursor,
  };
}

/**
 * Returns the sums of the sessions of a list; `energyDuringWh` is null without a window of time that they charged in.
 * @throws {DomainError} NETWORK_NOT_FOUND; VALIDATION_FAILED for times or energies that are wrong; STORE_UNAVAILABLE.
 */
export async function summarizeOperatorSessions(
  deps: ServiceDeps,
  caller: Caller,
  query: OperatorSessionQuery,
): Promise<Omit<DuringSummary, 'energyDuringWh'> & { energyDuringWh: number | null }> {
  const { scope, filter } = await operatorFilter(deps, caller, query);
  const { during } = filter;
  if (during !== undefined) return summarizeDuring(deps, scope, { ...filter, during });
  return { ...(await summarizeSessions(deps.sql, scope, filter)), energyDuringWh: null };
}

async function operatorFilter(
  deps: ServiceDeps,
  caller: Caller,
  { networkUuid, search: text, ...filter }: OperatorSessionQuery,
): Promise<{ scope: SessionScope; filter: SessionFilter }> {
  requireOrder(filter);
  requireEnergyOrder(filter);
  requireEnds(filter);
  if (filter.during !== undefined && filter.during.from > filter.during.to) {
    throw wrongParameter('duringFrom', 'must not be after duringTo');
  }
  const networks = await networksOfCall(deps, caller, networkUuid);
  const scope = { networks, userId: caller.userId };
  if (text === undefined) return { scope, filter };
  const search = await resolveSessionSearch(deps.sql, networks, text, { drivers: readsDrivers(caller) });
  return { scope, filter: { ...filter, search } };
}

/** Returns true when the caller reads the names and e-mail addresses of drivers. */
export function readsDrivers({ scopes }: Caller): boolean {
  return grants(scopes, 'cpms:read:users');
}

function requireEnds({ ends }: SessionFilter): void {
  if (ends === undefined) return;
  requireTimeZone(ends.timeZone, { part: 'query', field: 'timeZone' });
  if (ends.from === undefined || ends.to === undefined || ends.from <= ends.to) return;
  throw wrongParameter('endedFrom', 'must not be after endedTo');
}

function requireEnergyOrder({ minEnergyWh = 0, maxEnergyWh = Infinity }: SessionFilter): void {
  if (minEnergyWh <= maxEnergyWh) return;
  throw wrongParameter('minEnergyKwh', 'must not be above maxEnergyKwh');
}

/**
 * Returns a session with its states before each correction, oldest first.
 * @throws {DomainError} SESSION_NOT_FOUND.
 */
export async function readOperatorSession(
  deps: ServiceDeps,
  caller: Caller,
  uuid: string,
): Promise<OperatorSessionReading> {
  const reading = await readCallerSession(deps, caller, uuid);
  const { session } = reading;
  const [revisions, reviews] = await Promise.all([
    // Each revision increments the version, which begins at 1.
    session.version === 1 ? [] : listSessionRevisions(deps.sql, session.id),
    readReviews(deps, [session]),
  ]);
  const review = reviews.get(session.id) ?? null;
  return { reading, review, revisions };
}

/** A session with the review of its price; null: it is not in review. */
export interface ReviewedSession {
  reading: SessionReading;
  review: SessionReview | null;
}

/** A session with its revisions. */
export interface OperatorSessionReading extends ReviewedSession {
  revisions: SessionRevision[];
}

/**
 * Sends a stop to the charger of a running session.
 * @throws {DomainError} SESSION_NOT_FOUND, NO_ACTIVE_SESSION, CHARGER_NOT_FOUND where the charger was
 * removed, and the errors of `send`.
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
