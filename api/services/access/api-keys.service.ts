import { DomainError } from '#shared/domain/kernel/errors.ts';
import { type PublicScope, publishableScopes } from '#shared/domain/access/public-scopes.ts';
import { hashSecret, newApiKey, newPublishableKey } from '#shared/domain/kernel/secrets.ts';
import { onlyNetworks } from '#shared/domain/access/tenancy.ts';
import {
  type ApiFamily,
  insertApiKey,
  type KeyType,
  type NewApiKey,
} from '#shared/postgres/access/api-keys.statements.ts';
import {
  holdKeyTree,
  listApiKeys,
  type ListedApiKey,
  lockApiKey,
} from '#shared/postgres/access/api-key-listing.ts';
import { findUser, lockUser } from '#shared/postgres/people/users.statements.ts';
import type { Actor } from './audit.ts';
import type { Caller } from './callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import {
  creatorNow,
  type KeyLimits,
  limitsWithin,
  operatorScopesWithin,
  publicScopesWithin,
  reaches,
  requireDriverGrant,
} from './key-authority.ts';
import { auditKey, revokeKeys } from './key-revocation.ts';
import { namedNetwork, networkForNew } from './networks.service.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';

export type { ListedApiKey } from '#shared/postgres/access/api-key-listing.ts';

/** Name, description and limits of a new key. */
interface NewKey extends KeyLimits {
  name?: string | undefined;
  description?: string | undefined;
}

/** A new operator key. Without scopes it has every read of its creator. */
export type NewOperatorKey = NewKey & { scopes?: readonly string[] | undefined };

/** A new key of the public API. The scopes of a driver's key and of a publishable key are fixed. */
export type NewPublicKey = NewKey & {
  keyType?: KeyType | undefined;
  scopes?: readonly PublicScope[] | undefined;
  userUuid?: string | undefined;
};

/** As many keys as a list shows. */
export const maxListedKeys = 1000;

/** Requests of a publishable key within an hour, unless the key is minted with another rate. */
export const publishableRate = 36_000;

const shownOfKey = { prefix: 12, last: 4 };

/**
 * The keys of a family that reach nothing beyond the caller's networks, the newest first; of a network: those pinned to it.
 * @throws {DomainError} NETWORK_NOT_FOUND.
 */
export async function listOwnKeys(
  deps: ServiceDeps,
  caller: Caller,
  family: ApiFamily,
  networkUuid: string | undefined,
): Promise<ListedApiKey[]> {
  const networkId = await networkIdOf(deps, caller, networkUuid);
  return listApiKeys(deps.sql, caller.networks, family, networkId, maxListedKeys);
}

/**
 * Mints an operator key for the network named, else for what the caller itself reaches. It can do nothing that the caller
 * cannot. The secret is in this answer only.
 * @throws {DomainError} NETWORK_NOT_FOUND, SCOPE_MISSING, KEY_LIMIT_EXCEEDED, VALIDATION_FAILED.
 */
export async function mintKey(
  deps: ServiceDeps,
  by: Actor,
  networkUuid: string | undefined,
  wanted: NewOperatorKey,
): Promise<{ key: ListedApiKey; secret: string }> {
  const networkId = await networkIdOf(deps, by.caller, networkUuid);
  return storeKey(deps, by, 'cpms', (creator) => ({
    unrestricted: networkId === null && creator.unrestricted,
    networkIds: networkId === null ? ownNetworkIds(creator) : [networkId],
    userId: null,
    scopes: operatorScopesWithin(creator, wanted.scopes),
    ...describedBy(wanted),
    ...limitsWithin(creator, wanted),
  }));
}

/**
 * Mints a key of the public API: an operator's for one network, or a driver's, bounded to that driver's own data. It can do
 * nothing that the caller could not do through the operator API.
 * @throws {DomainError} NETWORK_NOT_FOUND, USER_NOT_FOUND, SCOPE_MISSING, KEY_LIMIT_EXCEEDED, VALIDATION_FAILED.
 */
export async function mintPublicKey(
  deps: ServiceDeps,
  by: Actor,
  networkUuid: string | undefined,
  { userUuid, keyType = 'Private', ...wanted }: NewPublicKey,
): Promise<{ key: ListedApiKey; secret: string }> {
  const isPublishable = keyType === 'Publishable';
  if (isPublishable && userUuid !== undefined)
    throw wrongField('userId', 'cannot be given to a publishable key');
  if ((isPublishable || userUuid !== undefined) && wanted.scopes !== undefined) {
    throw wrongField(
      'scopes',
      "cannot be given to a driver's key or a publishable key, whose scopes are fixed",
    );
  }
  const network = await networkForNew(deps, by.caller, networkUuid);
  const user =
    userUuid === undefined
      ? null
      : await findUser(deps.sql, { networks: onlyNetworks([network.id]), userId: null }, userUuid);
  if (userUuid !== undefined && user === null) throw noUser();
  return storeKey(deps, by, 'emsp', (creator) => {
    if (user !== null) requireDriverGrant(creator);
    return {
      unrestricted: false,
      networkIds: [network.id],
      userId: user?.id ?? null,
      keyType,
      scopes:
        user === null ? publicScopesWithin(creator, isPublishable ? publishableScopes : wanted.scopes) : [],
      ...describedBy(wanted),
      ...limitsWithin(creator, isPublishable ? publishedLimits(creator, wanted) : wanted),
    };
  });
}

/** The part of a new key that depends on its creator. */
type MadeKey = Omit<
  NewApiKey,
  | 'apiFamily'
  | 'secretHash'
  | 'keyPrefix'
  | 'last4'
  | 'roleCeiling'
  | 'createdByKeyId'
  | 'createdByOperatorId'
>;

async function storeKey(
  { sql }: ServiceDeps,
  by: Actor,
  apiFamily: ApiFamily,
  make: (creator: Caller) => MadeKey,
): Promise<{ key: ListedApiKey; secret: string }> {
  return sql.begin(async (transaction) => {
    await holdKeyTree(transaction, 'mint');
    const creator = await creatorNow(transaction, by.caller);
    const made = make(creator);
    const secret = made.keyType === 'Publishable' ? newPublishableKey() : newApiKey(apiFamily);
    if (!reaches(creator, made.networkIds)) throw new DomainError('NETWORK_NOT_FOUND', 'Unknown network.');
    // The removal of a driver revokes the keys that exist: none may follow it.
    if (made.userId !== null && !(await lockUser(transaction, made.userId))) throw noUser();
    const { uuid } = await insertApiKey(transaction, {
      ...made,
      apiFamily,
      secretHash: hashSecret(secret),
      keyPrefix: secret.slice(0, shownOfKey.prefix),
      last4: secret.slice(-shownOfKey.last),
      roleCeiling: creator.roleCeiling,
      createdByKeyId: creator.who.kind === 'key' ? creator.who.id : null,
      createdByOperatorId: creator.who.kind === 'operator' ? creator.who.id : null,
    });
    const key = requireFound(await lockApiKey(transaction, creator.networks, apiFamily, null, uuid), uuid);
    await auditKey(transaction, by, key, 'create');
    return { key, secret };
  });
}

/**
 * Revokes a key and all that it minted, directly or through others, from their next request on, and removes them. Returns the
 * keys alongside the one named.
 * @throws {DomainError} NETWORK_NOT_FOUND, API_KEY_NOT_FOUND.
 */
export async function revokeKey(
  deps: ServiceDeps,
  by: Actor,
  family: ApiFamily,
  uuid: string,
  networkUuid: string | undefined,
): Promise<ListedApiKey[]> {
  const networkId = await networkIdOf(deps, by.caller, networkUuid);
  return deps.sql.begin(async (transaction) => {
    await holdKeyTree(transaction, 'revoke');
    const key = requireFound(
      await lockApiKey(transaction, by.caller.networks, family, networkId, uuid),
      uuid,
    );
    return revokeKeys(transaction, by, [key]);
  });
}

async function networkIdOf(
  deps: ServiceDeps,
  caller: Caller,
  networkUuid: string | undefined,
): Promise<number | null> {
  return networkUuid === undefined ? null : (await namedNetwork(deps, caller, networkUuid)).id;
}

function ownNetworkIds({ networks }: Caller): readonly number[] {
  return networks.all ? [] : networks.networkIds;
}

function describedBy({
  name = null,
  description = null,
}: {
  name?: string | null;
  description?: string | null;
}) {
  return { name, description };
}

/** Returns the limits of a publishable key. It always has a rate, because the key is public. */
function publishedLimits({ rateLimitPerHour }: Caller, wanted: KeyLimits): KeyLimits {
  const byDefault = Math.min(rateLimitPerHour ?? publishableRate, publishableRate);
  return { ...wanted, rateLimitPerHour: wanted.rateLimitPerHour ?? byDefault };
}

function noUser(): DomainError {
  return new DomainError('USER_NOT_FOUND', 'The network has no such user.');
}

function requireFound(key: ListedApiKey | null, uuid: string): ListedApiKey {
  if (key === null) throw new DomainError('API_KEY_NOT_FOUND', `There is no API key ${uuid}.`);
  return key;
}
