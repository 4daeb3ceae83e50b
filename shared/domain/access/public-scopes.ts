import { grantsAny } from './roles.ts';
import type { Scope } from './scopes.ts';

/**
 * Scopes of the public API, `/emsp/v1`, each with the operator scopes that a caller of `/cpms/v1` must carry to grant it.
 * A key of the public API never does what its creator could not do through `/cpms/v1`.
 */
export const publicScopeNeeds = {
  /** Branding of a network, public chargers and their prices. `emsp:read` covers it. */
  'emsp:public': ['cpms:read:networks', 'cpms:read:chargers', 'cpms:read:tariffs'],
  /** Every read: chargers, sessions, drivers, tokens, wallets, transactions, invoices, analytics and reports. */
  'emsp:read': [
    'cpms:read:networks',
    'cpms:read:chargers',
    'cpms:read:locations',
    'cpms:read:tariffs',
    'cpms:read:sessions',
    'cpms:read:users',
    'cpms:read:id-tokens',
    'cpms:read:wallets',
    'cpms:read:invoices',
    'cpms:read:analytics',
  ],
  /** Drivers and their tokens. */
  'emsp:write': ['cpms:write:users', 'cpms:write:id-tokens'],
  /** Invoices, credit notes and top-ups. */
  'emsp:billing': ['cpms:command:billing'],
  /** Start, stop and schedule sessions. */
  'emsp:charge': ['cpms:command:remote-start', 'cpms:command:remote-stop'],
  /** Restart chargers. */
  'emsp:command': ['cpms:command:reboot'],
} as const satisfies Record<string, readonly Scope[]>;

export type PublicScope = keyof typeof publicScopeNeeds;

/** Every scope that an operator's key of the public API may carry. */
export const publicScopes = Object.keys(publicScopeNeeds) as PublicScope[];

/** All that an operator's key of the public API can do. */
export const allPublicScopes: readonly PublicScope[] = publicScopes.filter(
  (scope) => scope !== 'emsp:public',
);

/** Scopes of every driver, by key or by token: the same for all, bounded to the driver's own data. */
export const driverScopes: readonly PublicScope[] = allPublicScopes.filter(
  (scope) => scope !== 'emsp:command',
);

/** The scopes of a publishable key: no secret is behind them, and they change nothing. */
export const publishableScopes: readonly PublicScope[] = ['emsp:public'];

/** Returns true when a caller of the public API with these scopes has `wanted`. */
export function grantsPublic(granted: readonly string[], wanted: PublicScope): boolean {
  return granted.includes(wanted) || (wanted === 'emsp:public' && granted.includes('emsp:read'));
}

/** The operator scope that a caller with `held` lacks to grant a scope of the public API; null: none. */
export function missingToGrant(held: readonly string[], wanted: PublicScope): Scope | null {
  return publicScopeNeeds[wanted].find((scope) => !grantsAny(held, scope)) ?? null;
}
