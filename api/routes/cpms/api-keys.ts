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
import { driverScopes, publicScopeNeeds, publicScopes } from '#shared/domain/public-scopes.ts';
import { grantableScopes } from '#shared/domain/scopes.ts';
import { Envelope, success } from './envelope.ts';
import { networkOf, networkQuery } from './network-query.ts';

/** Fields of a new key of either family. */
const newKeyFields = {
  name: Type.Optional(Text(100)),
  description: Type.Optional(Text(500)),
  expiresAt: Type.Optional(
    DateTime('In the future, not later than that of the calling key, which is also the default'),
  ),
  rateLimitPerHour: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Requests; at most that of the calling key, which is also the default',
    }),
  ),
  allowedIPs: Type.Optional(
    Type.Array(Type.String({ maxLength: 49 }), {
      maxItems: 100,
      description:
        'IPv4 and IPv6 addresses and CIDR ranges, each within one range of the calling key. By default those of the calling ' +
        'key; empty: any address',
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
          description: 'Scopes that the caller carries itself; by default all its reads',
        }),
      ),
    },
    { additionalProperties: false },
  ),
);

const grants =
  'What a caller must carry to grant each scope: ' +
  Object.entries(publicScopeNeeds)
    .map(([scope, needs]) => `\`${scope}\`: ${needs.map((need) => `\`${need}\``).join(', ')}`)
    .join('; ');

const NewPublicKey = OptionalBody(
  Type.Object(
    {
      ...newKeyFields,
      scopes: Type.Optional(
        Type.Array(OneOf(publicScopes), {
          maxItems: publicScopes.length,
          description: `Not for a driver's key. By default \`emsp:read\`, where the caller may grant it. ${grants}.`,
        }),
      ),
      userId: Type.Optional(
        Uuid(
          `A driver's key, bounded to the driver's own data, with the fixed scopes ${driverScopes.join(', ')}. ` +
            'The caller must be able to grant all of them.',
        ),
      ),
    },
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
  createdBy: Type.Union([Type.Object({ type: OneOf(['key', 'operator']), id: Uuid() }), Type.Null()], {
    description:
      'Key or operator that minted it, and with which it is revoked. Null: the installation itself.',
  }),
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
  alsoRevoked: Type.Array(Uuid(), {
    description:
      'Keys of both families that the key minted, directly or through others: they are revoked with it',
  }),
});

function revokedView(id: string, minted: readonly ListedApiKey[]) {
  const alsoRevoked = minted.map(({ uuid }) => uuid);
  return { id, revoked: true as const, deleted: true as const, alsoRevoked };
}

function creatorView({ createdByKeyUuid, createdByOperatorUuid }: ListedApiKey) {
  if (createdByKeyUuid !== null) return { type: 'key' as const, id: createdByKeyUuid };
  return createdByOperatorUuid === null ? null : { type: 'operator' as const, id: createdByOperatorUuid };
}

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
    permissions: key.userUuid === null ? key.scopes : [...driverScopes],
    unrestricted: key.unrestricted,
    allowedIPs: key.allowedIPs,
    expiresAt: isoOrNull(key.expiresAt),
    isRevoked: key.isRevoked,
    isExpired: key.isExpired,
    lastUsedAt: isoOrNull(key.lastUsedAt),
    usageCount: key.usageCount,
    rateLimitPerHour: key.rateLimitPerHour,
    createdBy: creatorView(key),
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
        'that is not. It can do nothing that the caller cannot, and is revoked with the key or the operator that mints it.',
      querystring: Type.Object(networkQuery),
      body: NewKey,
      response: {
        201: Envelope(CreatedKey, 'The key is minted'),
        ...cpmsErrors('NETWORK_NOT_FOUND', 'KEY_LIMIT_EXCEEDED', ...bodyErrors),
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
      summary: 'Revoke an operator key and the keys that it minted, from their next request on',
      params: Type.Object({ id: Uuid() }),
      querystring: Type.Object(networkQuery),
      response: {
        200: Envelope(Revoked, 'The key is revoked'),
        ...cpmsErrors('NETWORK_NOT_FOUND', 'API_KEY_NOT_FOUND'),
      },
    },
    handler: async (request) => {
      const { id } = request.params;
      const minted = await revokeKey(deps, actorOf(request), 'cpms', id, networkOf(request.query));
      return success(revokedView(id, minted));
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
      description:
        'It can do nothing that the caller could not do through this API, and is revoked with the key or the operator that ' +
        'mints it.',
      querystring: Type.Object(networkQuery),
      body: NewPublicKey,
      response: {
        201: Envelope(CreatedKey, 'The key is minted'),
        ...cpmsErrors('NETWORK_NOT_FOUND', 'USER_NOT_FOUND', 'KEY_LIMIT_EXCEEDED', ...bodyErrors),
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
      const minted = await revokeKey(deps, actorOf(request), 'emsp', id, networkOf(request.query));
      return success(revokedView(id, minted));
    },
  });
}
