import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { bodyErrors, cpmsErrors } from '#api/plugins/error-schemas.ts';
import { DateTime, isoOrNull, Named, Nullable, OneOf, OptionalBody, Text, Uuid } from '#api/routes/schema.ts';
import {
  type ListedApiKey,
  listOwnKeys,
  mintKey,
  mintPublicKey,
  mostListedKeys,
  revokeKey,
} from '#api/services/api-keys.ts';
import type { ServiceDeps } from '#api/services/deps.ts';
import { grantableScopes } from '#shared/domain/scopes.ts';
import { Envelope, success } from './envelope.ts';
import { networkOf, networkQuery } from './network-query.ts';

/** What may be said of a new key of either family. */
const newKeyFields = {
  name: Type.Optional(Text(100)),
  description: Type.Optional(Text(500)),
  expiresAt: Type.Optional(DateTime('In the future; never unless said')),
  rateLimitPerHour: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Any number unless said' }),
  ),
  allowedIPs: Type.Optional(
    Type.Array(Type.String({ maxLength: 49 }), {
      maxItems: 100,
      description: 'IPv4 and IPv6 addresses and CIDR ranges; from anywhere unless said',
    }),
  ),
};

const NewKey = OptionalBody(
  Type.Object(
    {
      ...newKeyFields,
      scopes: Type.Optional(
        Type.Array(OneOf(grantableScopes), {
          maxItems: 200,
          description: 'At most what the caller carries itself; all its reads unless said',
        }),
      ),
    },
    { additionalProperties: false },
  ),
);

const NewPublicKey = OptionalBody(
  Type.Object(
    { ...newKeyFields, userId: Type.Optional(Uuid("A driver's key: it sees what is theirs")) },
    { additionalProperties: false },
  ),
);

const keyFields = {
  id: Uuid(),
  name: Nullable(Type.String()),
  description: Nullable(Type.String()),
  keyType: Type.String(),
  visibility: Type.Literal('Private'),
  apiFamily: OneOf(['cpms', 'emsp']),
  userId: Nullable(Uuid("A driver's key of the public API: whose")),
  keyClass: Type.Literal('ServerSide'),
  keyEnvironment: Type.Literal('Live', { description: 'An installation is one environment' }),
  keyPrefix: Type.String({ description: 'The leading characters of the secret' }),
  last4: Type.String({ description: 'Its trailing characters' }),
  permissions: Type.Array(Type.String(), { description: 'The scopes that it carries' }),
  unrestricted: Type.Boolean({ description: 'Not pinned to a set of networks' }),
  allowedIPs: Type.Array(Type.String()),
  expiresAt: Nullable(DateTime('Null: never')),
  isRevoked: Type.Boolean(),
  isExpired: Type.Boolean(),
  lastUsedAt: Nullable(DateTime('Written every few seconds')),
  usageCount: Type.Integer({ description: 'Requests, written every few seconds' }),
  rateLimitPerHour: Nullable(Type.Integer({ description: 'Requests; null: any number' })),
  createdAt: DateTime(),
};

const Key = Named('ApiKey', keyFields);
const CreatedKey = Named('CreatedApiKey', {
  ...keyFields,
  key: Type.String({ description: 'The secret. Shown this once; only its hash is stored.' }),
  message: Type.String(),
});

const keepIt = 'Keep this key now: it is shown this once and cannot be read again.';

const Revoked = Named('RevokedApiKey', {
  id: Uuid(),
  revoked: Type.Literal(true),
  deleted: Type.Literal(true),
});

function keyView(key: ListedApiKey) {
  return {
    id: key.uuid,
    name: key.name,
    description: key.description,
    keyType: key.keyType,
    visibility: 'Private' as const,
    apiFamily: key.apiFamily,
    userId: key.userUuid,
    keyClass: 'ServerSide' as const,
    keyEnvironment: 'Live' as const,
    keyPrefix: key.keyPrefix,
    last4: key.last4,
    permissions: key.scopes,
    unrestricted: key.unrestricted,
    allowedIPs: key.allowedIPs,
    expiresAt: isoOrNull(key.expiresAt),
    isRevoked: key.isRevoked,
    isExpired: key.isExpired,
    lastUsedAt: isoOrNull(key.lastUsedAt),
    usageCount: key.usageCount,
    rateLimitPerHour: key.rateLimitPerHour,
    createdAt: key.createdAt.toISOString(),
  };
}

/** The keys of the operator API and of the public one. */
export function apiKeyRoutes(app: App, deps: ServiceDeps): void {
  app.route({
    method: 'GET',
    url: '/api-keys',
    config: { scope: 'cpms:read:api-keys' },
    schema: {
      tags: ['operator'],
      operationId: 'listApiKeys',
      summary: `The operator keys, the newest ${mostListedKeys} first`,
      description:
        "Those that reach nothing beyond the caller's networks; with a network those that are pinned to it.",
      querystring: Type.Object(networkQuery),
      response: { 200: Envelope(Type.Array(Key), 'The keys'), ...cpmsErrors('NETWORK_NOT_FOUND') },
    },
    handler: async (request) => {
      const keys = await listOwnKeys(deps, callerOf(request), 'cpms', networkOf(request.query));
      return success(keys.map(keyView));
    },
  });

  app.route({
    method: 'POST',
    url: '/api-keys',
    config: { scope: 'cpms:write:api-keys' },
    schema: {
      tags: ['operator'],
      operationId: 'createApiKey',
      summary: 'Mint an operator key',
      description:
        'Pinned to the network named, else to what the caller reaches: a caller that is not pinned to networks gets a key ' +
        'that is not. It can do nothing that the caller cannot.',
      querystring: Type.Object(networkQuery),
      body: NewKey,
      response: {
        201: Envelope(CreatedKey, 'The key is minted'),
        ...cpmsErrors('NETWORK_NOT_FOUND', ...bodyErrors),
      },
    },
    handler: async (request, reply) => {
      const { key, secret } = await mintKey(
        deps,
        actorOf(request),
        networkOf(request.query),
        request.body ?? {},
      );
      reply.header('cache-control', 'no-store');
      return reply.code(201).send(success({ ...keyView(key), key: secret, message: keepIt }));
    },
  });

  app.route({
    method: 'DELETE',
    url: '/api-keys/:id',
    config: { scope: 'cpms:write:api-keys' },
    schema: {
      tags: ['operator'],
      operationId: 'revokeApiKey',
      summary: 'Revoke an operator key, from its next request on',
      params: Type.Object({ id: Uuid() }),
      querystring: Type.Object(networkQuery),
      response: {
        200: Envelope(Revoked, 'The key is revoked'),
        ...cpmsErrors('NETWORK_NOT_FOUND', 'API_KEY_NOT_FOUND'),
      },
    },
    handler: async (request) => {
      const { id } = request.params;
      await revokeKey(deps, actorOf(request), 'cpms', id, networkOf(request.query));
      return success({ id, revoked: true as const, deleted: true as const });
    },
  });

  app.route({
    method: 'GET',
    url: '/public-api-keys',
    config: { scope: 'cpms:read:api-keys' },
    schema: {
      tags: ['operator'],
      operationId: 'listPublicApiKeys',
      summary: `The keys of the public API, the newest ${mostListedKeys} first`,
      querystring: Type.Object(networkQuery),
      response: { 200: Envelope(Type.Array(Key), 'The keys'), ...cpmsErrors('NETWORK_NOT_FOUND') },
    },
    handler: async (request) => {
      const keys = await listOwnKeys(deps, callerOf(request), 'emsp', networkOf(request.query));
      return success(keys.map(keyView));
    },
  });

  app.route({
    method: 'POST',
    url: '/public-api-keys',
    config: { scope: 'cpms:write:api-keys' },
    schema: {
      tags: ['operator'],
      operationId: 'createPublicApiKey',
      summary: 'Mint a key of the public API (/emsp/v1): for one network, or for one of its drivers',
      querystring: Type.Object(networkQuery),
      body: NewPublicKey,
      response: {
        201: Envelope(CreatedKey, 'The key is minted'),
        ...cpmsErrors('NETWORK_NOT_FOUND', 'USER_NOT_FOUND', ...bodyErrors),
      },
    },
    handler: async (request, reply) => {
      const { userId: userUuid, ...wanted } = request.body ?? {};
      const { key, secret } = await mintPublicKey(deps, actorOf(request), networkOf(request.query), {
        ...wanted,
        userUuid,
      });
      reply.header('cache-control', 'no-store');
      return reply.code(201).send(success({ ...keyView(key), key: secret, message: keepIt }));
    },
  });

  app.route({
    method: 'DELETE',
    url: '/public-api-keys/:id',
    config: { scope: 'cpms:write:api-keys' },
    schema: {
      tags: ['operator'],
      operationId: 'revokePublicApiKey',
      summary: 'Revoke a key of the public API, from its next request on',
      params: Type.Object({ id: Uuid() }),
      querystring: Type.Object(networkQuery),
      response: {
        200: Envelope(Revoked, 'The key is revoked'),
        ...cpmsErrors('NETWORK_NOT_FOUND', 'API_KEY_NOT_FOUND'),
      },
    },
    handler: async (request) => {
      const { id } = request.params;
      await revokeKey(deps, actorOf(request), 'emsp', id, networkOf(request.query));
      return success({ id, revoked: true as const, deleted: true as const });
    },
  });
}
