import { Type } from 'typebox';
import { DateTime, isoOrNull, Named, Nullable, OneOf, Uuid } from '#api/routes/schema.ts';
import type { ListedApiKey } from '#api/services/access/api-keys.ts';
import { driverScopes } from '#shared/domain/access/public-scopes.ts';

/** Types of keys. */
export const keyTypes = ['Private', 'Publishable'] as const;

/** Fields of a key of either family. */
const keyFields = {
  id: Uuid(),
  name: Nullable(Type.String()),
  description: Nullable(Type.String()),
  keyType: OneOf(keyTypes),
  visibility: OneOf(keyTypes, 'Publishable: everybody may read it. Its secret may stand in apps and pages.'),
  apiFamily: OneOf(['cpms', 'emsp']),
  userId: Nullable(Uuid("A driver's key of the public API: whose")),
  keyClass: OneOf(['ServerSide', 'ClientSide']),
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

/** A key in lists, without its secret. */
export const Key = Named('ApiKey', keyFields);
/** A key as it is shown once, with its secret. */
export const CreatedKey = Named('CreatedApiKey', {
  ...keyFields,
  key: Type.String({ description: 'The secret. Shown this once; only its hash is stored.' }),
  message: Type.String(),
});

/** Message beside the secret of a new key. */
export const keepIt = 'Keep this key now: it is shown this once and cannot be read again.';

/** A revocation. */
export const Revoked = Named('RevokedApiKey', {
  id: Uuid(),
  revoked: Type.Literal(true),
  deleted: Type.Literal(true),
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
