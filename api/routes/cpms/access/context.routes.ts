import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { Named, OneOf, Str } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { driverScopes, publicScopeNeeds, publicScopes } from '#shared/domain/access/public-scopes.ts';
import { roles, scopesOfRole } from '#shared/domain/access/roles.ts';
import { commandScopes, readAllScope, readScopes, writeScopes } from '#shared/domain/access/scopes.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { contextFields, contextOf } from './context-view.ts';

const KeyContext = Named('KeyContext', contextFields);

const ScopeCatalog = Named('ScopeCatalog', {
  apiFamily: Type.Literal('cpms', {
    description: 'API that the key opens: `cpms` for /cpms/v1, `emsp` for /emsp/v1.',
  }),
  reads: Type.Array(Type.String(), { description: `Read scopes. ${readAllScope} grants all of them.` }),
  writes: Type.Array(Type.String(), { description: 'Write scopes, off by default.' }),
  commands: Type.Array(Type.String(), { description: 'Command scopes, for the roles Owner and Admin only.' }),
  roles: Type.Array(
    Type.Object({
      role: OneOf(roles, 'Role of operators.'),
      scopes: Type.Array(Type.String({ examples: ['cpms:read:chargers'] }), {
        description: 'Scopes of the role, each one listed.',
      }),
    }),
    { description: 'Roles of operators, the highest first, with their scopes.' },
  ),
  note: Str('Rules for granting scopes.', 'Command scopes are granted to the roles Admin and Owner only.'),
  publicApi: Type.Object(
    {
      scopes: Type.Array(
        Type.Object({
          scope: Str('Scope of the public API.'),
          requires: Type.Array(Type.String(), {
            description: 'Operator scopes that a caller needs to grant the scope.',
          }),
        }),
        { description: 'Scopes of the public API and their requirements.' },
      ),
      driver: Type.Array(Type.String(), {
        description: "Fixed scopes of drivers, by key or by access token, limited to the driver's own data.",
      }),
    },
    { description: 'Scopes of the public API, /emsp/v1.' },
  ),
});

const note =
  `${readAllScope} grants every ${readAllScope}:*. Write scopes are off by default. Command scopes are elevated: ` +
  'they are not part of the default set and are granted to the roles Admin and Owner only.';

/** Registers the routes of the caller's context and of the scope catalog. */
export function contextRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /me', null, {
    operationId: 'getKeyContext',
    summary: 'Get the context of the caller',
    description:
      'The key or operator of the request, with its scopes, networks and limits. Use it to test a new key, ' +
      'and to offer only permitted actions.',
    response: { 200: Envelope(KeyContext, 'The caller.'), ...cpmsErrors() },
    handler: async (request) => success(await contextOf(deps, callerOf(request))),
  });

  operation(app, 'GET /.well-known/scopes', null, {
    operationId: 'getScopeCatalog',
    summary: 'List the scopes that a key can have',
    description:
      'Every scope of the operator API with its meaning. A key can be given only scopes that its creator has.',
    response: { 200: Envelope(ScopeCatalog, 'The catalog of scopes.'), ...cpmsErrors() },
    handler: async () =>
      success({
        apiFamily: 'cpms' as const,
        reads: [readAllScope, ...readScopes],
        writes: [...writeScopes],
        commands: [...commandScopes],
        roles: roles.map((role) => ({ role, scopes: [...scopesOfRole(role)] })),
        note,
        publicApi: {
          scopes: publicScopes.map((scope) => ({ scope, requires: [...publicScopeNeeds[scope]] })),
          driver: [...driverScopes],
        },
      }),
  });
}
