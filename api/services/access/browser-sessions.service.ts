import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  endSession,
  endSessions,
  findLiveSession,
  type ListedSession,
  listSessions,
  type SessionHolder,
} from '#shared/postgres/people/browser-sessions.statements.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import type { Actor } from './audit.ts';
import type { Caller } from './callers.ts';
import { auditLogin } from './login-audit.ts';

export type { ListedSession } from '#shared/postgres/people/browser-sessions.statements.ts';

type SqlDeps = Pick<ServiceDeps, 'sql'>;

/** Maximum number of sessions in a list. */
export const maxListedSessions = 500;

/** Returns the holder of a caller's sessions. */
export function holderOf({ who: { kind, id } }: Caller): SessionHolder {
  if (kind === 'driver') throw new Error('a driver has no session of the operator API');
  return { kind, id };
}

/** Returns the newest sessions of the caller that have not ended. */
export async function listOwnSessions({ sql }: SqlDeps, caller: Caller): Promise<ListedSession[]> {
  return listSessions(sql, holderOf(caller), maxListedSessions);
}

/**
 * Returns the session of the request.
 * @throws {DomainError} LOGIN_SESSION_NOT_FOUND for a key in a header and for a token of the external issuer.
 */
export async function currentSession({ sql }: SqlDeps, caller: Caller): Promise<ListedSession> {
  const id = currentId(caller);
  const session = await findLiveSession(sql, holderOf(caller), id);
  if (session === null) throw notFound(id);
  return session;
}

/**
 * Ends one session of the caller.
 * @throws {DomainError} LOGIN_SESSION_NOT_FOUND.
 */
export async function endOwnSession({ sql }: SqlDeps, by: Actor, id: string): Promise<void> {
  await sql.begin(async (transaction) => {
    if (!(await endSession(transaction, holderOf(by.caller), id))) throw notFound(id);
    await auditLogin(transaction, by, 'logout', { sessionId: id });
  });
}

/**
 * Ends the session of the request.
 * @throws {DomainError} LOGIN_SESSION_NOT_FOUND.
 */
export async function endCurrentSession(deps: SqlDeps, by: Actor): Promise<void> {
  await endOwnSession(deps, by, currentId(by.caller));
}

/** Ends every session of the caller, those of access and refresh tokens included. Returns their number. */
export async function endAllOwnSessions({ sql }: SqlDeps, by: Actor): Promise<number> {
  return sql.begin(async (transaction) => {
    const ended = await endSessions(transaction, holderOf(by.caller));
    await auditLogin(transaction, by, 'logout-everywhere', { endedSessions: ended });
    return ended;
  });
}

function currentId({ who }: Caller): string {
  if (who.sessionId !== null) return who.sessionId;
  throw new DomainError(
    'LOGIN_SESSION_NOT_FOUND',
    'This request belongs to no session: it has a key, or a token of the external issuer.',
  );
}

function notFound(id: string): DomainError {
  return new DomainError('LOGIN_SESSION_NOT_FOUND', `You have no session ${id}.`);
}
