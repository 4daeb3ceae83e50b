import { isAddressRange, isRangeWithin } from '#shared/domain/access/addresses.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { driverScopes, missingToGrant, type PublicScope } from '#shared/domain/access/public-scopes.ts';
import { grantsAny, isWithin } from '#shared/domain/access/roles.ts';
import { readAllScope, readScopes } from '#shared/domain/access/scopes.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { isKeyInForce, type ListedApiKey } from '#shared/postgres/access/api-key-listing.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { findOperator } from '#shared/postgres/people/operators.statements.ts';
import type { Caller } from './callers.ts';
import { callerOfOperator, requireEnabled } from './operator-callers.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';

/** Requested limits of a key. An omitted limit is inherited from the caller that creates the key. */
export interface KeyLimits {
  expiresAt?: string | undefined;
  rateLimitPerHour?: number | undefined;
  allowedIPs?: readonly string[] | undefined;
}

/**
 * Returns the current rights of a key's creator. Called in the transaction that creates the key: they may
 * have ended since its authentication.
 * @throws {DomainError} KEY_REVOKED, OPERATOR_NOT_ALLOWED.
 */
export async function creatorNow(transaction: Transaction, { who, ...caller }: Caller): Promise<Caller> {
  if (who.kind === 'key') {
    if (await isKeyInForce(transaction, who.id)) return { who, ...caller };
    throw new DomainError('KEY_REVOKED', 'This key was revoked.');
  }
  const operator = who.kind === 'operator' ? await findOperator(transaction, allNetworks, who.uuid) : null;
  if (operator === null) throw new DomainError('OPERATOR_NOT_ALLOWED', 'This account cannot create keys.');
  requireEnabled(operator);
  return callerOfOperator(operator, null);
}

/**
 * Limits of a new key, within the limits of its creator.
 * @throws {DomainError} KEY_LIMIT_EXCEEDED, VALIDATION_FAILED.
 */
export function limitsWithin(creator: Caller, wanted: KeyLimits) {
  return {
    expiresAt: expiryWithin(creator.expiresAt, wanted.expiresAt),
    rateLimitPerHour: rateWithin(creator.rateLimitPerHour, wanted.rateLimitPerHour),
    allowedIPs: addressesWithin(creator.allowedIPs, wanted.allowedIPs),
  };
}

/**
 * Scopes of a new operator key: those requested, or every read of its creator.
 * @throws {DomainError} SCOPE_MISSING.
 */
export function operatorScopesWithin(
  creator: Caller,
  wanted: readonly string[] | undefined,
): readonly string[] {
  if (wanted === undefined) {
    const reads = grantsAny(creator.scopes, readAllScope) ? [readAllScope] : readScopes;
    return reads.filter((scope) => grantsAny(creator.scopes, scope));
  }
  const beyond = wanted.find((scope) => !grantsAny(creator.scopes, scope));
  if (beyond === undefined) return [...new Set(wanted)];
  throw new DomainError('SCOPE_MISSING', `You cannot grant ${beyond}, which you do not have yourself.`, {
    scope: beyond,
  });
}

/**
 * Scopes of a new key of the public API: those requested, or the reads that its creator may grant.
 * @throws {DomainError} SCOPE_MISSING, naming the operator scope that the creator lacks.
 */
export function publicScopesWithin(
  creator: Caller,
  wanted: readonly PublicScope[] | undefined,
): readonly PublicScope[] {
  if (wanted === undefined) {
    const read = (['emsp:read', 'emsp:public'] as const).find((scope) => mayGrant(creator, scope));
    return read === undefined ? [] : [read];
  }
  for (const scope of wanted) requireGrant(creator, scope, scope);
  return [...new Set(wanted)];
}

/** @throws {DomainError} SCOPE_MISSING where the creator may not grant the fixed scopes of a driver. */
export function requireDriverGrant(creator: Caller): void {
  for (const scope of driverScopes) requireGrant(creator, scope, "a driver's key");
}

/** Returns true when a caller holds all that a key does: its networks, its scopes and its role ceiling. */
export function covers(caller: Caller, key: ListedApiKey): boolean {
  const isReached = key.unrestricted ? caller.unrestricted : reaches(caller, key.networkIds);
  if (!isReached) return false;
  if (key.apiFamily === 'emsp') {
    const scopes = key.userUuid === null ? (key.scopes as PublicScope[]) : driverScopes;
    return scopes.every((scope) => mayGrant(caller, scope));
  }
  return (
    isWithin(caller.roleCeiling, key.roleCeiling) &&
    key.scopes.every((scope) => grantsAny(caller.scopes, scope))
  );
}

/** Returns true when a caller reaches all of these networks. */
export function reaches({ networks }: Caller, networkIds: readonly number[]): boolean {
  return networks.all || networkIds.every((id) => networks.networkIds.includes(id));
}

function mayGrant(caller: Caller, scope: PublicScope): boolean {
  return missingToGrant(caller.scopes, scope) === null;
}

function requireGrant(creator: Caller, scope: PublicScope, what: string): void {
  const missing = missingToGrant(creator.scopes, scope);
  if (missing === null) return;
  throw new DomainError(
    'SCOPE_MISSING',
    `You cannot grant ${what}: that takes ${missing}, which you do not have yourself.`,
    { scope: missing },
  );
}

function expiryWithin(bound: Date | null, wanted: string | undefined): Date | null {
  if (wanted === undefined) return bound;
  const date = new Date(wanted);
  if (date <= new Date()) throw wrongField('expiresAt', 'must be in the future');
  if (bound === null || date <= bound) return date;
  throw limitExceeded(
    'expiresAt',
    `must not be later than ${bound.toISOString()}, the expiry of its creator`,
  );
}

function rateWithin(bound: number | null, wanted: number | undefined): number | null {
  if (wanted === undefined || bound === null || wanted <= bound) return wanted ?? bound;
  throw limitExceeded('rateLimitPerHour', `must not exceed ${bound}, the limit of its creator`);
}

function addressesWithin(bound: readonly string[], wanted: readonly string[] | undefined): readonly string[] {
  if (wanted === undefined) return bound;
  const wrong = wanted.findIndex((range) => !isAddressRange(range));
  if (wrong !== -1) {
    throw wrongField(`allowedIPs.${wrong}`, 'must be an IPv4 or IPv6 address, or a CIDR range');
  }
  if (bound.length === 0) return wanted;
  const isWider = wanted.length === 0 || wanted.some((range) => !isRangeWithin(range, bound));
  if (!isWider) return wanted;
  throw limitExceeded('allowedIPs', `must each lie within one range of its creator's: ${bound.join(', ')}`);
}

/**
 * Stops a key with limits of its own from granting more than it has, such as an account, which has neither an expiry nor allowed
 * addresses nor a rate.
 * @param what the thing that would be without limits, with its article.
 * @throws {DomainError} KEY_LIMIT_EXCEEDED.
 */
export function requireUnlimited(caller: Caller, what: string): void {
  const field = limitOf(caller);
  if (field === null) return;
  throw new DomainError(
    'KEY_LIMIT_EXCEEDED',
    `This key has a limit (${field}), but ${what} cannot have one. Use a key without limits.`,
    { field },
  );
}

/** Returns the field that limits a caller; null: none does. */
export function limitOf({ expiresAt, rateLimitPerHour, allowedIPs }: Caller): string | null {
  const field = [
    expiresAt !== null && 'expiresAt',
    rateLimitPerHour !== null && 'rateLimitPerHour',
    allowedIPs.length > 0 && 'allowedIPs',
  ].find((name) => name !== false);
  return field ?? null;
}

function limitExceeded(field: string, bound: string): DomainError {
  return new DomainError(
    'KEY_LIMIT_EXCEEDED',
    `The key exceeds the permissions of its creator: ${field} ${bound}.`,
    {
      field,
    },
  );
}
