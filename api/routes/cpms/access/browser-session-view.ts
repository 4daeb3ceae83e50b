import type { Static } from 'typebox';
import { DateTime, Flag, isoOrNull, Named, Nullable, OneOf, Str, Uuid } from '#api/routes/schema.ts';
import type { ListedSession } from '#api/services/access/browser-sessions.service.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { signInMethods } from '#shared/domain/access/browser-session.ts';
import { operatorRoles } from '#shared/domain/access/roles.ts';
import { contextFields, contextOf } from './context-view.ts';

/** A session of an operator or a key. */
export const LoginSession = Named('LoginSession', {
  id: Uuid('Identifier of the session.'),
  kind: OneOf(
    ['browser', 'token'],
    'browser: session of a browser, with a cookie. token: access and refresh tokens of `POST /auth/login`.',
  ),
  method: OneOf(
    signInMethods,
    'Way of the sign-in. password: e-mail address and password. apiKey: an API key. oidc: the OpenID Connect issuer.',
  ),
  createdAt: DateTime('Time of the sign-in.'),
  lastUsedAt: Nullable(DateTime('Time of the last request, to the minute. Null for tokens.')),
  expiresAt: DateTime('Time at which the session ends, however much it is used.'),
  ipAddress: Nullable(Str('Client address of the sign-in. Null when it is unknown.', '192.0.2.10')),
  userAgent: Nullable(
    Str(
      'User-Agent of the sign-in, cut to 256 characters. Null for tokens and when none was sent.',
      'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    ),
  ),
  isCurrent: Flag('True for the session of this request.'),
});

/** The holder of a session, with its rights, and the session. */
export const SignedIn = Named('SignedIn', {
  ...contextFields,
  keyId: Nullable(Uuid('API key identifier. Null for an operator.')),
  name: Nullable(Str('Name of the operator or the key. Null for a key without a name.', 'Ada Lovelace')),
  role: OneOf(
    operatorRoles,
    'Role of the operator, or the highest role that the key can give an operator. `scopes` are the rights.',
  ),
  customRoleName: Nullable(
    Str('Name of the custom role of the operator. Null for other roles, and for a key.', 'Night shift'),
  ),
  session: LoginSession,
});

/** Returns a session as the API shows it to its holder. */
export function sessionView(session: ListedSession, { who }: Caller): Static<typeof LoginSession> {
  return {
    id: session.id,
    kind: session.kind,
    method: session.method,
    createdAt: session.createdAt.toISOString(),
    lastUsedAt: isoOrNull(session.lastUsedAt),
    expiresAt: session.expiresAt.toISOString(),
    ipAddress: session.ipAddress,
    userAgent: session.userAgent,
    isCurrent: session.id === who.sessionId,
  };
}

/** Returns a session with its holder. */
export async function signedInView(
  deps: ApiDeps,
  caller: Caller,
  session: ListedSession,
): Promise<Static<typeof SignedIn>> {
  const { who, roleCeiling } = caller;
  return {
    ...(await contextOf(deps, caller)),
    keyId: who.kind === 'key' ? who.uuid : null,
    name: who.name,
    role: roleCeiling,
    customRoleName: who.kind === 'operator' ? who.customRoleName : null,
    session: sessionView(session, caller),
  };
}
