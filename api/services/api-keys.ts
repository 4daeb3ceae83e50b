import { isAddressRange } from '#shared/domain/addresses.ts';
import { DomainError } from '#shared/domain/errors.ts';
import { grantsAny } from '#shared/domain/roles.ts';
import { readAllScope, readScopes } from '#shared/domain/scopes.ts';
import { hashSecret, newApiKey } from '#shared/domain/secrets.ts';
import { onlyNetworks } from '#shared/domain/tenancy.ts';
import { type ApiFamily, insertApiKey, type NewApiKey } from '#shared/postgres/api-keys.ts';
import {
  listApiKeys,
  type ListedApiKey,
  lockApiKey,
  removeApiKey,
} from '#shared/postgres/api-key-listing.ts';
import { findUser, lockUser } from '#shared/postgres/users.ts';
import { type Actor, auditChange } from './audit.ts';
import type { Caller } from './callers.ts';
import type { ServiceDeps } from './deps.ts';
import { namedNetwork, networkForNew } from './networks.ts';
import { wrongField } from './wrong-field.ts';

export type { ListedApiKey } from '#shared/postgres/api-key-listing.ts';

/** What may be said of a new key. */
export interface NewKey {
  name?: string | undefined;
  description?: string | undefined;
  /** All reads that the caller has, unless said. */
  scopes?: readonly string[] | undefined;
  expiresAt?: string | undefined;
  rateLimitPerHour?: number | undefined;
  allowedIPs?: readonly string[] | undefined;
}

/** As many keys as a list shows. */
export const mostListedKeys = 1000;

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
  return listApiKeys(deps.sql, caller.networks, family, networkId, mostListedKeys);
}

/**
 * Mints an operator key for the network named, else for what the caller itself reaches. It can do nothing that the caller
 * cannot. The secret is in this answer alone.
 * @throws {DomainError} NETWORK_NOT_FOUND, SCOPE_MISSING, VALIDATION_FAILED.
 */
export async function mintKey(
  deps: ServiceDeps,
  by: Actor,
  networkUuid: string | undefined,
  wanted: NewKey,
): Promise<{ key: ListedApiKey; secret: string }> {
  const { caller } = by;
  const networkId = await networkIdOf(deps, caller, networkUuid);
  return storeKey(deps, by, networkId, {
    ...limitsOf(wanted),
    apiFamily: 'cpms',
    unrestricted: networkId === null && caller.unrestricted,
    networkIds: networkId === null ? ownNetworkIds(caller) : [networkId],
    userId: null,
    scopes: scopesFor(caller, wanted.scopes),
    roleCeiling: caller.roleCeiling,
  });
}

/**
 * Mints a key of the public API: an operator's for one network, or a driver's, who sees with it what is theirs.
 * @throws {DomainError} NETWORK_NOT_FOUND, USER_NOT_FOUND, VALIDATION_FAILED.
 */
export async function mintPublicKey(
  deps: ServiceDeps,
  by: Actor,
  networkUuid: string | undefined,
  { userUuid, ...wanted }: Omit<NewKey, 'scopes'> & { userUuid?: string | undefined },
): Promise<{ key: ListedApiKey; secret: string }> {
  const network = await networkForNew(deps, by.caller, networkUuid);
  const user =
    userUuid === undefined
      ? null
      : await findUser(deps.sql, { networks: onlyNetworks([network.id]), userId: null }, userUuid);
  if (userUuid !== undefined && user === null) throw noUser();
  return storeKey(deps, by, network.id, {
    ...limitsOf(wanted),
    apiFamily: 'emsp',
    unrestricted: false,
    networkIds: [network.id],
    userId: user?.id ?? null,
    scopes: [],
  });
}

async function storeKey(
  { sql }: ServiceDeps,
  by: Actor,
  networkId: number | null,
  made: Omit<NewApiKey, 'secretHash' | 'keyPrefix' | 'last4'>,
): Promise<{ key: ListedApiKey; secret: string }> {
  const secret = newApiKey(made.apiFamily);
  return sql.begin(async (transaction) => {
    // The removal of a driver revokes the keys that are there: none may come after it.
    if (made.userId !== null && !(await lockUser(transaction, made.userId))) throw noUser();
    const { uuid } = await insertApiKey(transaction, {
      ...made,
      secretHash: hashSecret(secret),
      keyPrefix: secret.slice(0, shownOfKey.prefix),
      last4: secret.slice(-shownOfKey.last),
    });
    const { networks } = by.caller;
    const key = found(await lockApiKey(transaction, networks, made.apiFamily, networkId, uuid), uuid);
    await auditChange(transaction, by, { ...audited(key, 'create'), before: null, after: key });
    return { key, secret };
  });
}

function limitsOf(wanted: Omit<NewKey, 'scopes'>) {
  return {
    name: wanted.name ?? null,
    description: wanted.description ?? null,
    expiresAt: expiryOf(wanted.expiresAt),
    rateLimitPerHour: wanted.rateLimitPerHour ?? null,
    allowedIPs: addressesOf(wanted.allowedIPs),
  };
}

/**
 * Revokes a key, from its next request on, and removes it.
 * @throws {DomainError} NETWORK_NOT_FOUND, API_KEY_NOT_FOUND.
 */
export async function revokeKey(
  deps: ServiceDeps,
  by: Actor,
  family: ApiFamily,
  uuid: string,
  networkUuid: string | undefined,
): Promise<void> {
  const networkId = await networkIdOf(deps, by.caller, networkUuid);
  await deps.sql.begin(async (transaction) => {
    const key = found(await lockApiKey(transaction, by.caller.networks, family, networkId, uuid), uuid);
    await removeApiKey(transaction, key.id);
    await auditChange(transaction, by, { ...audited(key, 'revoke'), before: key, after: null });
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

/** Writes and commands are off unless asked for. */
function scopesFor(caller: Caller, wanted: readonly string[] | undefined): readonly string[] {
  if (wanted === undefined) {
    const reads = grantsAny(caller.scopes, readAllScope) ? [readAllScope] : readScopes;
    return reads.filter((scope) => grantsAny(caller.scopes, scope));
  }
  const beyond = wanted.find((scope) => !grantsAny(caller.scopes, scope));
  if (beyond === undefined) return [...new Set(wanted)];
  throw new DomainError('SCOPE_MISSING', `You cannot grant ${beyond}, which you do not carry yourself.`, {
    scope: beyond,
  });
}

function expiryOf(expiresAt: string | undefined): Date | null {
  if (expiresAt === undefined) return null;
  const date = new Date(expiresAt);
  if (date > new Date()) return date;
  throw wrongField('expiresAt', 'must be in the future');
}

function addressesOf(allowedIPs: readonly string[] = []): readonly string[] {
  const index = allowedIPs.findIndex((range) => !isAddressRange(range));
  if (index === -1) return allowedIPs;
  throw wrongField(`allowedIPs.${index}`, 'must be an IPv4 or IPv6 address, or a CIDR range of such');
}

function noUser(): DomainError {
  return new DomainError('USER_NOT_FOUND', 'The network has no such user.');
}

function audited({ uuid, name, keyPrefix, last4, networkIds }: ListedApiKey, action: string) {
  return {
    networkId: networkIds[0] ?? null,
    category: 'api-key',
    action,
    resourceId: uuid,
    resourceName: name ?? `${keyPrefix}…${last4}`,
  };
}

function found(key: ListedApiKey | null, uuid: string): ListedApiKey {
  if (key === null) throw new DomainError('API_KEY_NOT_FOUND', `There is no API key ${uuid}.`);
  return key;
}
