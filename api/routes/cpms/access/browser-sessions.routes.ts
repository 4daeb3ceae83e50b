import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { clearSessionCookie } from '#api/plugins/session-cookie.ts';
import { operation } from '#api/routes/operation.ts';
import { Integer, Uuid } from '#api/routes/schema.ts';
import {
  currentSession,
  endAllOwnSessions,
  endCurrentSession,
  endOwnSession,
  listOwnSessions,
  maxListedSessions,
} from '#api/services/access/browser-sessions.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { LoginSession, sessionView, SignedIn, signedInView } from './browser-session-view.ts';

const signedOut = Type.Literal(true, { description: 'Always true.' });

/** Registers the routes of the caller's own sessions. */
export function browserSessionRoutes(app: App, deps: ApiDeps): void {
  const { publicUrl } = deps.settings;

  app.route({
    method: 'GET',
    url: '/auth/session',
    config: { scope: null, enrols: true },
    schema: {
      operationId: 'getCurrentSession',
      summary: 'Get the session of the request and its holder',
      description:
        'The session of the cookie or access token, with the operator or key that holds it. A request with a ' +
        'key in `X-API-Key` has no session (404).',
      response: {
        200: Envelope(SignedIn, 'The session and its holder.'),
        ...cpmsErrors('LOGIN_SESSION_NOT_FOUND'),
      },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      return success(await signedInView(deps, caller, await currentSession(deps, caller)));
    },
  });

  app.route({
    method: 'DELETE',
    url: '/auth/session',
    config: { scope: null, enrols: true },
    schema: {
      operationId: 'signOut',
      summary: 'Sign out: end the session of the request',
      description: 'Its streams end within seconds, and its cookie is removed.',
      response: {
        200: Envelope(Type.Object({ signedOut }), 'The session has ended.'),
        ...cpmsErrors('LOGIN_SESSION_NOT_FOUND'),
      },
    },
    handler: async (request, reply) => {
      await endCurrentSession(deps, actorOf(request));
      clearSessionCookie(reply, publicUrl);
      return success({ signedOut: true as const });
    },
  });

  operation(app, 'GET /auth/sessions', null, {
    operationId: 'listOwnSessions',
    summary: `List the newest ${maxListedSessions} sessions of the caller`,
    description: 'An operator sees sessions of browsers and of tokens, a key the sessions begun with it.',
    response: { 200: Envelope(Type.Array(LoginSession), 'Sessions, newest first.'), ...cpmsErrors() },
    handler: async (request) => {
      const caller = callerOf(request);
      const sessions = await listOwnSessions(deps, caller);
      return success(sessions.map((session) => sessionView(session, caller)));
    },
  });

  operation(app, 'DELETE /auth/sessions/:id', null, {
    operationId: 'endOwnSession',
    summary: 'End a session of the caller',
    description:
      'The cookie or tokens of the session are refused from the next request on. Sessions of other holders ' +
      'are not found.',
    params: Type.Object({ id: Uuid('Identifier of the session.') }),
    response: {
      200: Envelope(
        Type.Object({ id: Uuid('Identifier of the session.'), signedOut }),
        'The session has ended.',
      ),
      ...cpmsErrors('LOGIN_SESSION_NOT_FOUND'),
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      const by = actorOf(request);
      await endOwnSession(deps, by, id);
      if (id === by.caller.who.sessionId) clearSessionCookie(reply, publicUrl);
      return success({ id, signedOut: true as const });
    },
  });

  operation(app, 'DELETE /auth/sessions', null, {
    operationId: 'signOutEverywhere',
    summary: 'Sign out everywhere: end all sessions of the caller',
    description:
      'The sessions of access and refresh tokens of an operator end too. API keys, and access tokens of an external ' +
      'issuer, stay valid.',
    response: {
      200: Envelope(
        Type.Object({
          endedSessions: Integer('Number of sessions that ended.', 2),
        }),
        'The sessions have ended.',
      ),
      ...cpmsErrors(),
    },
    handler: async (request, reply) => {
      const endedSessions = await endAllOwnSessions(deps, actorOf(request));
      clearSessionCookie(reply, publicUrl);
      return success({ endedSessions });
    },
  });
}
