import { isAddressAmong } from '#shared/domain/access/addresses.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { driverScopes, grantsPublic, type PublicScope } from '#shared/domain/access/public-scopes.ts';
import type { OperatorRole } from '#shared/domain/access/roles.ts';
import { grants, type Scope } from '#shared/domain/access/scopes.ts';
import { hashSecret } from '#shared/domain/kernel/secrets.ts';
import { allNetworks, type NetworkScope, onlyNetworks } from '#shared/domain/access/tenancy.ts';
import {
  type ApiFamily,
  type ApiKeyRecord,
  findApiKey,
  type KeyType,
} from '#shared/postgres/access/api-keys.statements.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import type { KeyUse } from './key-use.service.ts';

/**
 * Identity of a caller: an API key, or an operator or a driver with a token. `id` is internal, `uuid` is
 * public.
 */
export type Identity =
  | {
      kind: 'key';
      id: number;
      uuid: string;
      name: string | null;
      /** Session of a browser that was begun with the key. */
      sessionId: string | null;
    }
  | {
      kind: 'operator';
      id: number;
      uuid: string;
      name: string;
      email: string | null;
      sessionId: string | null;
      /** Name of the role that is composed of scopes; null: one of the fixed roles. */
      customRoleName: string | null;
      /** A network requires a second factor, which the operator lacks: it may only enrol one. */
      mustEnrol: boolean;
    }
  /** Logged-in driver; `id` and `uuid` are the user's. */
  | { kind: 'driver'; id: number; uuid: string; name: null; sessionId: string | null };

/** Caller of a request, with its networks and scopes. */
export interface Caller {
  who: Identity;
  /** Null: no key. */
  keyType: KeyType | null;
  unrestricted: boolean;
  networks: NetworkScope;
  /** A driver, or a driver's key: this user's records only. Null: an operator. */
  userId: number | null;
  scopes: readonly string[];
  /** The highest role that the caller may give an operator. */
  roleCeiling: OperatorRole;
  /** Requests within an hour; null: any number. */
  rateLimitPerHour: number | null;
  /** Addresses and ranges that the caller is bound to; empty: any address. */
  allowedIPs: readonly string[];
  /** End of the caller's authority; null: none is set. */
  expiresAt: Date | null;
}

/** Credentials sent with a request. */
export interface Credentials {
  /** The header X-API-Key. */
  apiKey: string | undefined;
  /** Token of the header Authorization, where that is a Bearer token. */
  bearer: string | undefined;
  /** Token of the cookie of a browser's session. */
  sessionToken: string | undefined;
  /** The client's address. */
  address: string;
}

/** Dependencies of the look-up of a key. */
export type KeyDeps = Pick<ServiceDeps, 'sql' | 'secrets'> & { keyUse: KeyUse };

/**
 * The caller that a key's secret stands for. Revoking or an expiry counts from the next request on: the key
 * is looked up each time.
 * @throws {DomainError} KEY_MISSING, KEY_INVALID, KEY_REVOKED, KEY_EXPIRED, API_FAMILY_MISMATCH, ADDRESS_NOT_ALLOWED.
 */
export async function callerOfKey(
  deps: KeyDeps,
  { apiKey, address }: Pick<Credentials, 'apiKey' | 'address'>,
  family: ApiFamily,
): Promise<Caller> {
  if (apiKey === undefined || apiKey === '') {
    throw new DomainError(
      'KEY_MISSING',
      'Send a key in X-API-Key, or an access token in Authorization: Bearer.',
    );
  }
  return callerOfKeyHash(deps, hashSecret(apiKey), address, family);
}

/** The same for the digest of a key's secret. */
export async function callerOfKeyHash(
  { sql, keyUse }: KeyDeps,
  secretHash: Buffer,
  address: string,
  family: ApiFamily,
): Promise<Caller> {
  const key = await findApiKey(sql, secretHash);
  if (key === null) throw new DomainError('KEY_INVALID', 'The API key is not known.');
  if (key.isRevoked) throw new DomainError('KEY_REVOKED', 'This key was revoked.');
  if (key.expiresAt !== null && key.expiresAt <= new Date()) {
    throw new DomainError('KEY_EXPIRED', `This key expired at ${key.expiresAt.toISOString()}.`);
  }
  if (key.apiFamily !== family) {
    throw new DomainError(
      'API_FAMILY_MISMATCH',
      `This is a key of the ${key.apiFamily} family; /${family}/v1 takes keys of the ${family} family.`,
    );
  }
  if (key.allowedIPs.length > 0 && !isAddressAmong(address, key.allowedIPs)) {
    throw new DomainError('ADDRESS_NOT_ALLOWED', `This key may not be used from ${address}.`);
  }
  keyUse.note(key.id);
  return toCaller(key);
}

/** Returns the caller for a key that is in force. */
export function toCaller(key: ApiKeyRecord): Caller {
  return {
    who: { kind: 'key', id: key.id, uuid: key.uuid, name: key.name, sessionId: null },
    keyType: key.keyType,
    unrestricted: key.unrestricted,
    networks: key.unrestricted ? allNetworks : onlyNetworks(key.networkIds),
    userId: key.userId,
    scopes: key.userId === null ? key.scopes : driverScopes,
    roleCeiling: key.roleCeiling,
    rateLimitPerHour: key.rateLimitPerHour,
    allowedIPs: key.allowedIPs,
    expiresAt: key.expiresAt,
  };
}

/**
 * Stops a caller that does not carry `scope`. What drivers lack is reserved for operators.
 * @throws {DomainError} SCOPE_MISSING, naming the scope; OPERATOR_KEY_REQUIRED for a driver.
 */
export function requireScope(caller: Caller, scope: Scope | PublicScope): void {
  const isGranted = isPublic(scope) ? grantsPublic(caller.scopes, scope) : grants(caller.scopes, scope);
  if (isGranted) return;
  requireOperator(caller);
  throw new DomainError('SCOPE_MISSING', `The caller lacks the scope ${scope}.`, { scope });
}

function isPublic(scope: Scope | PublicScope): scope is PublicScope {
  return scope.startsWith('emsp:');
}

/** Returns true when a caller of the public API sees public chargers only: a driver, and a key that does not read the network. */
export function seesPublicOnly({ userId, scopes }: Caller): boolean {
  return userId !== null || !grantsPublic(scopes, 'emsp:read');
}

/**
 * Stops a driver where only operators may act.
 * @throws {DomainError} OPERATOR_KEY_REQUIRED.
 */
export function requireOperator(caller: Caller): void {
  if (caller.userId === null) return;
  throw new DomainError('OPERATOR_KEY_REQUIRED', "This takes an operator's key; this one is a driver's.");
}

/**
 * Returns the id of the calling driver. An operator's key belongs to no driver: the operator API reads
 * drivers' data.
 * @throws {DomainError} DRIVER_KEY_REQUIRED.
 */
export function requireDriver({ userId }: Caller): number {
  if (userId !== null) return userId;
  throw new DomainError('DRIVER_KEY_REQUIRED', 'Only a driver can call this operation.');
}

/**
 * The catalog is the same for all networks: it is kept by those who are not pinned to some.
 * @throws {DomainError} CATALOG_NOT_ALLOWED.
 */
export function requireCatalogEditor(caller: Caller): void {
  if (caller.unrestricted) return;
  throw new DomainError(
    'CATALOG_NOT_ALLOWED',
    'All networks share the catalog: only a caller that is not restricted to networks can change it.',
  );
}
