import { Type } from 'typebox';
import { DateTime, isoOrNull, Named, Nullable, OneOf, Uuid } from '#api/routes/schema.ts';
import type { ListedApiKey } from '#api/services/access/api-keys.ts';
import { driverScopes } from '#shared/domain/access/public-scopes.ts';

/** Types of keys. */
export const keyTypes = ['Private', 'Publishable'] as const;

/** Fields of a key of either family. */
const keyFields = {
  id: Uuid('API key identifier.'),
  name: Nullable(
    Type.String({ description: 'Name of the key. Null when it has none.', examples: ['Harbour Charging'] }),
  ),
  description: Nullable(
    Type.String({
      description: 'Description of the key. Null when it has none.',
      examples: ['Three phases, 11 kW'],
    }),
  ),
  keyType: OneOf(keyTypes, 'Private: secret of a server. Publishable: key for apps and pages.'),
  visibility: OneOf(keyTypes, 'Publishable: everybody may read it. Its secret may stand in apps and pages.'),
  apiFamily: OneOf(['cpms', 'emsp'], 'API that the key opens: `cpms` for /cpms/v1, `emsp` for /emsp/v1.'),
  userId: Nullable(Uuid("A driver's key of the public API: whose")),
  keyClass: OneOf(
    ['ServerSide', 'ClientSide'],
    'ServerSide for private keys, ClientSide for publishable keys.',
  ),
  keyEnvironment: Type.Literal('Live', { description: 'An installation is one environment' }),
  keyPrefix: Type.String({ description: 'The leading characters of the secret', examples: ['cpms_live_3f'] }),
  last4: Type.String({ description: 'Its trailing characters', examples: ['x7Qk'] }),
  permissions: Type.Array(Type.String({ examples: ['cpms:read'] }), {
    description: 'The scopes that it carries',
  }),
  unrestricted: Type.Boolean({ description: 'Not pinned to a set of networks' }),
  allowedIPs: Type.Array(Type.String({ examples: ['203.0.113.0/24'] }), {
    description: 'IPv4 and IPv6 addresses and CIDR ranges that may use the key. Empty allows any address.',
  }),
  expiresAt: Nullable(DateTime('Null: never')),
  isRevoked: Type.Boolean({ description: 'True when the key was revoked.' }),
  isExpired: Type.Boolean({ description: 'True after `expiresAt`.' }),
  lastUsedAt: Nullable(DateTime('Written every few seconds')),
  usageCount: Type.Integer({ description: 'Requests, written every few seconds', examples: [1042] }),
  rateLimitPerHour: Nullable(Type.Integer({ description: 'Requests; null: any number', examples: [3600] })),
  createdBy: Type.Union(
    [
      Type.Object({
        type: OneOf(['key', 'operator'], 'Kind of the creator.'),
        id: Uuid('API key identifier.'),
      }),
      Type.Null(),
    ],
    {
      description:
        'Key or operator that minted it, and with which it is revoked. Null: the installation itself.',
    },
  ),
  createdAt: DateTime('Time of creation.'),
};

/** A key in lists, without its secret. */
export const Key = Named('ApiKey', keyFields);
/** A key as it is shown once, with its secret. */
export const CreatedKey = Named('CreatedApiKey', {
  ...keyFields,
  key: Type.String({
    description: 'The secret. Shown this once; only its hash is stored.',
    examples: ['HeartbeatInterval'],
  }),
  message: Type.String({ description: 'Note to keep the secret.', examples: ['The charger accepted.'] }),
});

/** Message beside the secret of a new key. */
export const keepIt = 'Keep this key now: it is shown this once and cannot be read again.';

/** A revocation. */
export const Revoked = Named('RevokedApiKey', {
  id: Uuid('API key identifier.'),
  revoked: Type.Literal(true, { description: 'Always true.' }),
  deleted: Type.Literal(true, { description: 'Always true.' }),
  alsoRevoked: Type.Array(Uuid(), {
    description:
      'Keys of both families that the key minted, directly or through others: they are revoked with it',
  }),
});

export function revokedView(id: string, minted: readonly ListedApiKey[]) {
  const alsoRevoked = minted.map(({ uuid }) => uuid);
  return { id, revoked: true as const, deleted: true as const, alsoRevoked };
}

function creatorView({ createdByKeyUuid, createdByOperatorUuid }: ListedApiKey) {
  if (createdByKeyUuid !== null) return { type: 'key' as const, id: createdByKeyUuid };
  return createdByOperatorUuid === null ? null : { type: 'operator' as const, id: createdByOperatorUuid };
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
