import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { Closed, DateTime, idParams, Integer, OneOf, OptionalBody, Text, Uuid } from '#api/routes/schema.ts';
import {
  listOwnKeys,
  mintKey,
  mintPublicKey,
  maxListedKeys,
  publishableRate,
  revokeKey,
} from '#api/services/access/api-keys.service.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { driverScopes, publicScopeNeeds, publicScopes } from '#shared/domain/access/public-scopes.ts';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import { CreatedKey, keepKeyNote, Key, keyTypes, keyView, Revoked, revokedView } from './api-key-view.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';

/** Fields of a new key of either API family. */
const newKeyFields = {
  name: Type.Optional(Text(100, 'Name of the key.', 'Harbour Charging')),
  description: Type.Optional(Text(500, 'Description of the key.', 'Key of the fleet dashboard')),
  expiresAt: Type.Optional(
    DateTime(
      'Time from which the key is rejected, not later than the expiry of the calling key. Default: the expiry of the ' +
        'calling key.',
    ),
  ),
  rateLimitPerHour: Type.Optional(
    Integer(
      'Maximum number of requests per hour, at most the limit of the calling key. Default: the limit of the calling key.',
      3600,
      { minimum: 1, maximum: 2_147_483_647 },
    ),
  ),
  allowedIPs: Type.Optional(
    Type.Array(Type.String({ maxLength: 49, examples: ['203.0.113.0/24'] }), {
      maxItems: 100,
      description:
        'IPv4 and IPv6 addresses and CIDR ranges, each within one range of the calling key. Default: the ranges of the ' +
        'calling key. Empty allows any address.',
    }),
  ),
};

const NewKey = OptionalBody(
  Closed({
    ...newKeyFields,
    scopes: Type.Optional(
      Type.Array(OneOf(grantableScopes), {
        maxItems: 200,
        description:
          'Scopes of the key, each of which the caller must have. Default: all read scopes of the caller.',
      }),
    ),
  }),
);

const grants =
  'Operator scopes that a caller needs to grant each scope: ' +
  Object.entries(publicScopeNeeds)
    .map(([scope, needs]) => `\`${scope}\`: ${needs.map((need) => `\`${need}\``).join(', ')}`)
    .join('; ');

const NewPublicKey = OptionalBody(
  Closed({
    ...newKeyFields,
    keyType: Type.Optional(
      OneOf(
        keyTypes,
        `Type of the key. Private (default): secret of a server. Publishable: for apps and pages, where it is readable by everyone. A publishable key has only the scope \`emsp:public\` (branding, public chargers, prices) and always a rate limit, per client address and per key (rateLimitPerHour, default ${publishableRate}).`,
      ),
    ),
    scopes: Type.Optional(
      Type.Array(OneOf(publicScopes), {
        maxItems: publicScopes.length,
        description: `Scopes of the key. Not allowed for a driver's key or a publishable key. Default: \`emsp:read\`, where the caller may grant it. ${grants}.`,
      }),
    ),
    userId: Type.Optional(
      Uuid(
        `Driver of the key. The key is limited to the driver's own data and has the fixed scopes ${driverScopes.join(', ')}. The caller must be able to grant all of them.`,
      ),
    ),
  }),
);

/** Registers the routes of API keys of both families. */
export function apiKeyRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /api-keys', 'cpms:read:api-keys', {
    operationId: 'listApiKeys',
    summary: `List the newest ${maxListedKeys} operator keys`,
    description:
      'Lists the keys that are limited to networks of the caller; with a network, those that are restricted to ' +
      'it.',
    querystring: Type.Object(networkQuery),
    response: { 200: Envelope(Type.Array(Key), 'The keys.'), ...cpmsErrors('NETWORK_NOT_FOUND') },
    handler: async (request) => {
      const keys = await listOwnKeys(deps, callerOf(request), 'cpms', networkOf(request.query));
      return success(keys.map(keyView));
    },
  });

  operation(app, 'POST /api-keys', 'cpms:write:api-keys', {
    operationId: 'createApiKey',
    summary: 'Create an operator key',
    description:
      'The key is restricted to the given network, otherwise to the networks of the caller. An unrestricted ' +
      'caller creates an unrestricted key. The key never exceeds the rights of the caller, and is revoked ' +
      'with the key or operator that created it.',
    querystring: Type.Object(networkQuery),
    body: NewKey,
    response: {
      201: Envelope(CreatedKey, 'The created key.'),
      ...cpmsErrors('NETWORK_NOT_FOUND', 'KEY_LIMIT_EXCEEDED'),
    },
    handler: async (request, reply) => {
      const { key, secret } = await mintKey(
        deps,
        actorOf(request),
        networkOf(request.query),
        request.body ?? {},
      );
      reply.header('cache-control', 'no-store');
      return reply.code(201).send(success({ ...keyView(key), key: secret, message: keepKeyNote }));
    },
  });

  operation(app, 'DELETE /api-keys/:id', 'cpms:write:api-keys', {
    operationId: 'revokeApiKey',
    summary: 'Revoke an operator key and the keys that it created',
    description:
      'The key, and every key created with it, is refused from the next request on. This cannot be undone. A ' +
      "key beyond the caller's networks is not found.",
    params: idParams('API key', 'id'),
    querystring: Type.Object(networkQuery),
    response: {
      200: Envelope(Revoked, 'The key is revoked from the next request on.'),
      ...cpmsErrors('NETWORK_NOT_FOUND', 'API_KEY_NOT_FOUND'),
    },
    handler: async (request) => {
      const { id } = request.params;
      const minted = await revokeKey(deps, actorOf(request), 'cpms', id, networkOf(request.query));
      return success(revokedView(id, minted));
    },
  });

  operation(app, 'GET /public-api-keys', 'cpms:read:api-keys', {
    operationId: 'listPublicApiKeys',
    summary: `List the newest ${maxListedKeys} keys of the public API`,
    description:
      'Lists keys of `/emsp/v1` that are limited to networks of the caller, including the keys of drivers. The ' +
      'secrets are not shown.',
    querystring: Type.Object(networkQuery),
    response: { 200: Envelope(Type.Array(Key), 'The keys.'), ...cpmsErrors('NETWORK_NOT_FOUND') },
    handler: async (request) => {
      const keys = await listOwnKeys(deps, callerOf(request), 'emsp', networkOf(request.query));
      return success(keys.map(keyView));
    },
  });

  operation(app, 'POST /public-api-keys', 'cpms:write:api-keys', {
    operationId: 'createPublicApiKey',
    summary: 'Create a key of the public API, for a network or for a driver',
    description:
      'The key never exceeds the rights of the caller, and is revoked with the key or operator that created ' +
      'it.',
    querystring: Type.Object(networkQuery),
    body: NewPublicKey,
    response: {
      201: Envelope(CreatedKey, 'The created key.'),
      ...cpmsErrors('NETWORK_NOT_FOUND', 'USER_NOT_FOUND', 'KEY_LIMIT_EXCEEDED'),
    },
    handler: async (request, reply) => {
      const { userId: userUuid, ...wanted } = request.body ?? {};
      const { key, secret } = await mintPublicKey(deps, actorOf(request), networkOf(request.query), {
        ...wanted,
        userUuid,
      });
      reply.header('cache-control', 'no-store');
      return reply.code(201).send(success({ ...keyView(key), key: secret, message: keepKeyNote }));
    },
  });

  operation(app, 'DELETE /public-api-keys/:id', 'cpms:write:api-keys', {
    operationId: 'revokePublicApiKey',
    summary: 'Revoke a key of the public API',
    description:
      "The key is refused from the next request on. This cannot be undone. A key beyond the caller's networks " +
      'is not found.',
    params: idParams('API key', 'id'),
    querystring: Type.Object(networkQuery),
    response: {
      200: Envelope(Revoked, 'The key is revoked from the next request on.'),
      ...cpmsErrors('NETWORK_NOT_FOUND', 'API_KEY_NOT_FOUND'),
    },
    handler: async (request) => {
      const { id } = request.params;
      const minted = await revokeKey(deps, actorOf(request), 'emsp', id, networkOf(request.query));
      return success(revokedView(id, minted));
    },
  });
}
