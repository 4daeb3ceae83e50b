import { Type } from 'typebox';
import { DateTime, Flag, Integer, isoOrNull, Named, Nullable, OneOf, Str, Uuid } from '#api/routes/schema.ts';
import type { ListedApiKey } from '#api/services/access/api-keys.service.ts';
import { driverScopes } from '#shared/domain/access/public-scopes.ts';

/** Types of API keys. */
export const keyTypes = ['Private', 'Publishable'] as const;

/** Fields of a key of either API family. */
const keyFields = {
  id: Uuid('API key identifier.'),
  name: Nullable(Str('Name of the key. Null when it has none.', 'Harbour Charging')),
  description: Nullable(Str('Description of the key. Null when it has none.', 'Key of the fleet dashboard')),
  keyType: OneOf(keyTypes, 'Private: secret of a server. Publishable: key for apps and pages.'),
  visibility: OneOf(keyTypes, 'Alias of `keyType`. Publishable: the secret may appear in apps and pages.'),
  apiFamily: OneOf(['cpms', 'emsp'], 'API that the key opens: `cpms` for /cpms/v1, `emsp` for /emsp/v1.'),
  userId: Nullable(Uuid('Driver that the key belongs to. Null for other keys.')),
  keyClass: OneOf(
    ['ServerSide', 'ClientSide'],
    'ServerSide for private keys, ClientSide for publishable keys.',
  ),
  keyEnvironment: Type.Literal('Live', { description: 'Always `Live`: an installation is one environment.' }),
  keyPrefix: Str('Leading characters of the secret.', 'cpms_live_3f'),
  last4: Str('Trailing characters of the secret.', 'x7Qk'),
  permissions: Type.Array(Type.String({ examples: ['cpms:read'] }), {
    description: 'Scopes of the key.',
  }),
  unrestricted: Flag('True when the key is not restricted to a set of networks.'),
  networkUuids: Type.Array(Uuid(), { description: 'Networks that the key is restricted to.' }),
  allowedIPs: Type.Array(Type.String({ examples: ['203.0.113.0/24'] }), {
    description: 'IPv4 and IPv6 addresses and CIDR ranges that may use the key. Empty allows any address.',
  }),
  expiresAt: Nullable(DateTime('Time from which the key is rejected. Null: no expiry.')),
  isRevoked: Flag('True when the key was revoked.'),
  isExpired: Flag('True after `expiresAt`.'),
  lastUsedAt: Nullable(
    DateTime('Time of the latest request, updated every few seconds. Null before the first one.'),
  ),
  usageCount: Integer('Number of requests, updated every few seconds.', 1042),
  rateLimitPerHour: Nullable(Integer('Maximum number of requests per hour. Null: no limit.', 3600)),
  createdBy: Type.Union(
    [
      Type.Object({
        type: OneOf(['key', 'operator'], 'Kind of the creator.'),
        id: Uuid('API key or operator identifier.'),
        name: Nullable(Str('Name of the creator. Null when it has none.', 'Ada')),
      }),
      Type.Null(),
    ],
    {
      description:
        'Key or operator that created the key. The key is revoked with it. Null for the first key of the ' +
        'installation.',
    },
  ),
  createdAt: DateTime('Time of creation.'),
};

/** Key in a list, without its secret. */
export const Key = Named('ApiKey', keyFields);
/** Key with its secret, shown once. */
export const CreatedKey = Named('CreatedApiKey', {
  ...keyFields,
  key: Str('Secret of the key. Shown this once; only its hash is stored.', 'HeartbeatInterval'),
  message: Str('Note to keep the secret.', 'Keep this key now: it is shown once and cannot be read again.'),
});

/** Message alongside the secret of a new key. */
export const keepKeyNote = 'Keep this key now: it is shown once and cannot be read again.';

/** Result of a revocation. */
export const Revoked = Named('RevokedApiKey', {
  id: Uuid('API key identifier.'),
  revoked: Type.Literal(true, { description: 'Always true.' }),
  deleted: Type.Literal(true, { description: 'Always true.' }),
  alsoRevoked: Type.Array(Uuid(), {
    description:
      'Keys of both API families that the key created, directly or through other keys. They are revoked with ' +
      'it.',
  }),
});

export function revokedView(id: string, minted: readonly ListedApiKey[]) {
  const alsoRevoked = minted.map(({ uuid }) => uuid);
  return { id, revoked: true as const, deleted: true as const, alsoRevoked };
}

function creatorView({ createdByKeyUuid, createdByOperatorUuid, createdByName: name }: ListedApiKey) {
  if (createdByKeyUuid !== null) return { type: 'key' as const, id: createdByKeyUuid, name };
  return createdByOperatorUuid === null
    ? null
    : { type: 'operator' as const, id: createdByOperatorUuid, name };
}

export function keyView(key: ListedApiKey) {
  return {
    id: key.uuid,
    name: key.name,
    description: key.description,
    keyType: key.keyType,
    visibility: key.keyType,
    apiFamily: key.apiFamily,
    userId: key.userUuid,
    keyClass: key.keyType === 'Publishable' ? ('ClientSide' as const) : ('ServerSide' as const),
    keyEnvironment: 'Live' as const,
    keyPrefix: key.keyPrefix,
    last4: key.last4,
    permissions: key.userUuid === null ? key.scopes : [...driverScopes],
    unrestricted: key.unrestricted,
    networkUuids: key.networkUuids,
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
