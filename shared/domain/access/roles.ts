import { commandScopes, grants, readAllScope, readScopes, type Scope, writeScopes } from './scopes.ts';

/** Built-in roles of operators. A role is granted only by itself or an earlier one (`isWithin`). */
export const roles = ['Owner', 'Admin', 'Manager', 'Technician', 'Support', 'Finance', 'Viewer'] as const;
export type Role = (typeof roles)[number];

/** Roles of operators with those that are composed of scopes. Such a role has no ceiling: it grants no roles. */
export const operatorRoles = [...roles, 'Custom'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

const everyScope: readonly string[] = [readAllScope, ...readScopes, ...writeScopes, ...commandScopes];

/** Scopes of operator accounts and their roles, reserved for Owner and Admin. */
const accountScopes: readonly string[] = ['cpms:read:operators', 'cpms:write:operators'] satisfies Scope[];

const viewer = readScopes.filter((scope) => !accountScopes.includes(scope));

const support: readonly Scope[] = [
  'cpms:read:chargers',
  'cpms:read:networks',
  'cpms:read:catalog',
  'cpms:read:locations',
  'cpms:read:users',
  'cpms:read:id-tokens',
  'cpms:read:reservations',
  'cpms:read:charging-profiles',
  'cpms:read:device-data',
  'cpms:read:sessions',
  'cpms:read:alerts',
  'cpms:read:load-sites',
  'cpms:write:alerts',
  'cpms:command:remote-start',
  'cpms:command:remote-stop',
  'cpms:command:reboot',
  'cpms:command:unlock-connector',
];

const scopesByRole: Record<OperatorRole, readonly string[]> = {
  Owner: everyScope,
  Admin: everyScope,
  /** Sees and changes all data but accounts. */
  Manager: [...viewer, ...writeScopes.filter((scope) => !accountScopes.includes(scope))],
  /** Support that also services chargers. */
  Technician: [
    ...support,
    'cpms:command:trigger-message',
    'cpms:command:change-availability',
    'cpms:command:configuration',
    'cpms:command:variables',
    'cpms:command:firmware',
  ],
  /** Helps drivers: sees chargers, sessions and drivers, and attends to alerts. Neither money nor accounts nor keys. */
  Support: support,
  /** Sees all data but accounts, and changes money. */
  Finance: [...viewer, 'cpms:write:tariffs', 'cpms:write:exports', 'cpms:command:billing'],
  Viewer: viewer,
  /** Each custom role has its own. */
  Custom: [],
};

/** Scopes that a custom role can have: all single ones except account scopes. */
export const customRoleScopes: readonly string[] = everyScope.filter(
  (scope) => scope !== readAllScope && !accountScopes.includes(scope),
);

/** Returns the scopes of a role. */
export function scopesOfRole(role: OperatorRole): readonly string[] {
  return scopesByRole[role];
}

/** Returns whether a holder of `ceiling` can grant `role`: its own, or a later one that it covers. */
export function isWithin(ceiling: OperatorRole, role: OperatorRole): boolean {
  if (operatorRoles.indexOf(role) <= operatorRoles.indexOf(ceiling)) return role === ceiling;
  return coversRole(scopesOfRole(ceiling), role);
}

/** Returns the first role in the order of `roles` that these words name, in any case; null if they name none. */
export function highestRole(words: readonly string[]): Role | null {
  const named = new Set(words.map((word) => word.toLowerCase()));
  return roles.find((role) => named.has(role.toLowerCase())) ?? null;
}

/** Returns whether these scopes cover all scopes of a role. */
export function coversRole(granted: readonly string[], role: OperatorRole): boolean {
  return scopesOfRole(role).every((scope) => grantsAny(granted, scope));
}

/** Returns whether a caller with these scopes has `wanted`, which can be `cpms:read` too. */
export function grantsAny(granted: readonly string[], wanted: string): boolean {
  if (wanted === readAllScope) return granted.includes(readAllScope);
  return grants(granted, wanted as Scope);
}
