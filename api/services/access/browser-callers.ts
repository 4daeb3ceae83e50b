import { DomainError } from '#shared/domain/kernel/errors.ts';
import { hashSecret } from '#shared/domain/kernel/secrets.ts';
import {
  type AuthenticatedSession,
  findBrowserSession,
} from '#shared/postgres/people/browser-sessions.statements.ts';
import { findOperator } from '#shared/postgres/people/operators.statements.ts';
import { type Caller, callerOfKeyHash, type Credentials, type KeyDeps } from './callers.ts';
import type { ExternalIssuerDeps } from './external-issuer.ts';
import { callerOfOperator, requireEnabled } from './operator-callers.ts';
import type { SessionUse } from './session-use.service.ts';

/** Dependencies of the look-up of a browser's session. `sessionUse` null: the look-up is no use of the session. */
export type SessionDeps = KeyDeps & ExternalIssuerDeps & { sessionUse: SessionUse | null };

/**
 * Returns the operator or the API key of a browser's session. Reads session and holder each time, so that their changes count
 * from the next request on; the session of a key passes every check of the key.
 * @throws {DomainError} SIGN_IN_REQUIRED, OPERATOR_NOT_ALLOWED; KEY_REVOKED, KEY_EXPIRED, ADDRESS_NOT_ALLOWED of a key.
 */
export async function callerOfSession(
  deps: SessionDeps,
  { sessionToken = '', address }: Credentials,
): Promise<Caller> {
  const session = await findBrowserSession(deps.sql, hashSecret(sessionToken));
  if (session === null || session.isEnded) throw signInRequired();
  const caller = await holderOf(deps, session, address);
  if (session.isUseDue) deps.sessionUse?.note(session.id);
  return caller;
}

async function holderOf(
  deps: SessionDeps,
  { id, operatorUuid, keyHash }: AuthenticatedSession,
  address: string,
): Promise<Caller> {
  if (keyHash !== null) {
    const caller = await callerOfKeyHash(deps, keyHash, address, 'cpms');
    return { ...caller, who: { ...caller.who, sessionId: id } };
  }
  const operator = operatorUuid && (await findOperator(deps.sql, { all: true }, operatorUuid));
  // Sessions of an issuer that is no longer configured are invalid.
  if (!operator || (operator.issuer !== null && operator.issuer !== deps.externalIssuer?.issuer)) {
    throw signInRequired();
  }
  requireEnabled(operator);
  return callerOfOperator(operator, id);
}

function signInRequired(): DomainError {
  return new DomainError('SIGN_IN_REQUIRED', 'The session of this browser has ended: sign in again.');
}
