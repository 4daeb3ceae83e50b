import type { SessionScope } from '#shared/domain/access/tenancy.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import { listSessions } from '#shared/postgres/charging/session-pages.ts';
import {
  findSession,
  type SessionFilter,
  type SessionRecord,
} from '#shared/postgres/charging/session-records.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { requireOrder } from '#api/services/kernel/validation.service.ts';
import { type PricedSession, sessionCost, sessionSeconds } from './session-cost.ts';
import { type SessionIdle, sessionIdle } from './session-idle.ts';
import { runningReadings } from './session-readings.ts';
import { shownLimits, type ShownLimits } from './session-limits.service.ts';

/** A session with how long it lasted and what it costs, as of now while it runs. */
export interface SessionReading extends PricedSession {
  session: SessionRecord;
  durationSeconds: number;
  idle: SessionIdle;
  limits: ShownLimits;
}

/**
 * Returns one page of the caller's sessions, newest first: a driver's own, an operator's networks'.
 * @throws {DomainError} VALIDATION_FAILED.
 */
export async function listCallerSessions(
  deps: Pick<ServiceDeps, 'sql' | 'clickhouse'>,
  caller: Caller,
  filter: SessionFilter,
  page: PageRequest,
): Promise<Page<SessionReading>> {
  requireOrder(filter);
  const { rows, total } = await listSessions(deps.sql, scopeOf(caller), filter, page);
  return { rows: await sessionReadings(deps, rows), total };
}

/** @throws {DomainError} SESSION_NOT_FOUND. */
export async function readCallerSession(
  deps: ServiceDeps,
  caller: Caller,
  uuid: string,
): Promise<SessionReading> {
  return sessionReading(deps, await requireSession(deps, caller, uuid));
}

/** @throws {DomainError} SESSION_NOT_FOUND for an unknown session and for another's alike. */
export async function requireSession(
  { sql }: Pick<ServiceDeps, 'sql'>,
  caller: Caller,
  uuid: string,
): Promise<SessionRecord> {
  const session = await findSession(sql, scopeOf(caller), uuid);
  if (session === null) throw new DomainError('SESSION_NOT_FOUND', `There is no session ${uuid}.`);
  return session;
}

function scopeOf(caller: Caller): SessionScope {
  return { networks: caller.networks, userId: caller.userId };
}

/** A session as of now. */
async function sessionReading(deps: ServiceDeps, session: SessionRecord): Promise<SessionReading> {
  const [reading] = await sessionReadings(deps, [session]);
  if (reading === undefined) throw new Error('a session that was read no longer exists');
  return reading;
}

/** Sessions as of now. */
export async function sessionReadings(
  deps: Pick<ServiceDeps, 'sql' | 'clickhouse'>,
  sessions: readonly SessionRecord[],
): Promise<SessionReading[]> {
  const now = new Date();
  const readings = await runningReadings(deps, sessions, now);
  return sessions.map((session) => ({
    session,
    durationSeconds: sessionSeconds(session, now),
    idle: sessionIdle(session, now),
    limits: shownLimits(session),
    ...sessionCost(session, now, readings.get(session.uuid)),
  }));
}
