import { DomainError } from '#shared/domain/kernel/errors.ts';
import { callerOfSession, type SessionDeps } from './browser-callers.ts';
import { type Caller, callerOfKey, type Credentials, type KeyDeps } from './callers.ts';
import { callerOfDriverToken } from './driver-callers.ts';
import { callerOfOperatorToken } from './operator-tokens.ts';

/**
 * Authentication of one API family. Throws the error to answer with.
 * @param isEnrolment the request serves to enrol a second factor.
 */
export type Authenticate = (sent: Credentials, isEnrolment?: boolean) => Promise<Caller>;

/** /cpms/v1: an operator key, else an operator's access token, else the session of a browser. */
export function authenticateOperators(deps: SessionDeps): Authenticate {
  return async (sent, isEnrolment = false) => {
    const caller = await operatorCaller(deps, sent);
    if (!isEnrolment) requireEnrolled(caller);
    return caller;
  };
}

function operatorCaller(deps: SessionDeps, sent: Credentials): Promise<Caller> {
  if (isOfSession(sent)) return callerOfSession(deps, sent);
  return sent.apiKey === undefined && sent.bearer !== undefined
    ? callerOfOperatorToken(deps, sent)
    : callerOfKey(deps, sent, 'cpms');
}

/** @throws {DomainError} SECOND_FACTOR_ENROLMENT_REQUIRED. */
function requireEnrolled({ who }: Caller): void {
  if (who.kind !== 'operator' || !who.mustEnrol) return;
  throw new DomainError(
    'SECOND_FACTOR_ENROLMENT_REQUIRED',
    'A network of this account requires a second factor: add one with POST /auth/second-factors.',
  );
}

/** /emsp/v1: a key of that family, of an operator or of a driver, else a driver's access token. */
export function authenticatePublic(deps: KeyDeps): Authenticate {
  return (sent) =>
    sent.apiKey === undefined && sent.bearer !== undefined
      ? callerOfDriverToken(deps, sent)
      : callerOfKey(deps, sent, 'emsp');
}

/** Returns true when the cookie of a session authenticates a request: a key or a token in a header has precedence. */
export function isOfSession({ apiKey, bearer, sessionToken }: Credentials): boolean {
  return apiKey === undefined && bearer === undefined && sessionToken !== undefined;
}
