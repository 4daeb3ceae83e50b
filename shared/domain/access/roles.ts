import { commandScopes, grants, readAllScope, readScopes, type Scope, writeScopes } from './scopes.ts';

/** The roles of operators, the highest first. */
export const roles = ['Owner', 'Admin', 'Manager', 'Viewer'] as const;
export type Role = (typeof roles)[number];

/** Scopes of operator accounts and their roles, reserved for Owner and Admin. */
const accountScopes: readonly string[] = ['cpms:read:operators', 'cpms:write:operators'] satisfies Scope[];

/** Returns the scopes of a role: commands for Owner and Admin, writes for Manager too, reads for all. */
export function scopesOfRole(role: Role): readonly string[] {
  switch (role) {
    case 'Owner':
    case 'Admin':
      return [readAllScope, ...readScopes, ...writeScopes, ...commandScopes];
    case 'Manager':
      return [...readScopes, ...writeScopes].filter((scope) => !accountScopes.includes(scope));
    case 'Viewer':
      return readScopes.filter((scope) => !accountScopes.includes(scope));
    default:
      return role satisfies never;
  }
}

/** Returns whether a holder of `ceiling` can grant `role`. Roles above the own role cannot be granted. */
export function isWithin(ceiling: Role, role: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(ceiling);
}

/** The highest of the roles that these words name, in any case; null: they name none. */
export function highestRole(words: readonly string[]): Role | null {
  const said = new Set(words.map((word) => word.toLowerCase()));
  return roles.find((role) => said.has(role.toLowerCase())) ?? null;
}

/** Returns whether these scopes cover all scopes of a role. */
export function coversRole(granted: readonly string[], role: Role): boolean {
  return scopesOfRole(role).every((scope) => grantsAny(granted, scope));
}

/** Returns whether a caller with these scopes has `wanted`, which can be `cpms:read` too. */
export function grantsAny(granted: readonly string[], wanted: string): boolean {
  if (wanted === readAllScope) return granted.includes(readAllScope);
  return grants(granted, wanted as Scope);
}
