import { callerOfSession, type SessionDeps } from './browser-callers.ts';
import { type Caller, callerOfKey, type Credentials, type KeyDeps } from './callers.ts';
import { callerOfDriverToken } from './driver-callers.ts';
import { callerOfOperatorToken } from './operator-tokens.ts';

/** Authentication of one API family. Throws the error to answer with. */
export type Authenticate = (sent: Credentials) => Promise<Caller>;

/** /cpms/v1: an operator key, else an operator's access token, else the session of a browser. */
export function authenticateOperators(deps: SessionDeps): Authenticate {
  return (sent) => {
    if (isOfSession(sent)) return callerOfSession(deps, sent);
    return sent.apiKey === undefined && sent.bearer !== undefined
      ? callerOfOperatorToken(deps, sent)
      : callerOfKey(deps, sent, 'cpms');
  };
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
