import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { actorOf, callerOf } from '#api/plugins/auth.ts';
import { bodyErrors, cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { DateTime, OneOf, OptionalBody, Text, Uuid } from '#api/routes/schema.ts';
import {
  listOwnKeys,
  mintKey,
  mintPublicKey,
  maxListedKeys,
  publishableRate,
  revokeKey,
} from '#api/services/access/api-keys.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { driverScopes, publicScopeNeeds, publicScopes } from '#shared/domain/access/public-scopes.ts';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import { CreatedKey, keepIt, Key, keyTypes, keyView, Revoked, revokedView } from './api-key-view.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';

/** Fields of a new key of either family. */
const newKeyFields = {
  name: Type.Optional(Text(100, { description: 'Name of the key.', examples: ['Harbour Charging'] })),
  description: Type.Optional(
    Text(500, { description: 'Description of the key.', examples: ['Three phases, 11 kW'] }),
  ),
  expiresAt: Type.Optional(
    DateTime('In the future, not later than that of the calling key, which is also the default'),
  ),
  rateLimitPerHour: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Requests; at most that of the calling key, which is also the default',
      examples: [3600],
    }),
  ),
  allowedIPs: Type.Optional(
    Type.Array(Type.String({ maxLength: 49, examples: ['203.0.113.0/24'] }), {
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
  'Operator scopes that a caller needs to grant each scope: ' +
  Object.entries(publicScopeNeeds)
    .map(([scope, needs]) => `\`${scope}\`: ${needs.map((need) => `\`${need}\``).join(', ')}`)
    .join('; ');

const NewPublicKey = OptionalBody(
  Type.Object(
    {
      ...newKeyFields,
      keyType: Type.Optional(
        OneOf(
          keyTypes,
          'Private (the default): a secret of a server. Publishable: for apps and pages, where everybody can read it. It has ' +
            'the scope `emsp:public` alone (branding, public chargers, prices) and always a rate: of each client address, and ' +
            `of the key (rateLimitPerHour, by default ${publishableRate})`,
        ),
      ),
      scopes: Type.Optional(
        Type.Array(OneOf(publicScopes), {
          maxItems: publicScopes.length,
          description: `Not for a driver's key or a publishable key. By default \`emsp:read\`, where the caller may grant it. ${grants}.`,
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

/** The keys of the operator API and of the public one. */
export function apiKeyRoutes(app: App, deps: ApiDeps): void {
  app.route({
    method: 'GET',
    url: '/api-keys',
    config: { scope: 'cpms:read:api-keys' },
    schema: {
      tags: ['access'],
      operationId: 'listApiKeys',
      summary: `The operator keys, the newest ${maxListedKeys} first`,
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
      tags: ['access'],
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
      tags: ['access'],
      operationId: 'revokeApiKey',
      summary: 'Revoke an operator key and the keys that it minted, from their next request on',
      params: Type.Object({ id: Uuid('API key identifier.') }),
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
      tags: ['access'],
      operationId: 'listPublicApiKeys',
      summary: `The keys of the public API, the newest ${maxListedKeys} first`,
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
      tags: ['access'],
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
      tags: ['access'],
      operationId: 'revokePublicApiKey',
      summary: 'Revoke a key of the public API, from its next request on',
      params: Type.Object({ id: Uuid('API key identifier.') }),
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
