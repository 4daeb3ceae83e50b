import { commandScopes, grants, readAllScope, readScopes, type Scope, writeScopes } from './scopes.ts';

/** The roles of operators, the highest first. */
export const roles = ['Owner', 'Admin', 'Manager', 'Viewer'] as const;
export type Role = (typeof roles)[number];

/** Who has an account and with which role is the business of Owner and Admin alone. */
const accountScopes: readonly string[] = ['cpms:read:operators', 'cpms:write:operators'] satisfies Scope[];

/** What a role may do: commands are for Owner and Admin, changes for Manager too, reading for all. */
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

/** Whether one who may give away roles up to `ceiling` may give `role`: none above one's own. */
export function isWithin(ceiling: Role, role: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(ceiling);
}

/** The highest of the roles that these words name, in any case; null: they name none. */
export function highestRole(words: readonly string[]): Role | null {
  const said = new Set(words.map((word) => word.toLowerCase()));
  return roles.find((role) => said.has(role.toLowerCase())) ?? null;
}

/** Whether these scopes cover all that a role may do. */
export function coversRole(granted: readonly string[], role: Role): boolean {
  return scopesOfRole(role).every((scope) => grantsAny(granted, scope));
}

/** Whether a caller with these scopes has `wanted`, which may be `cpms:read` too. */
export function grantsAny(granted: readonly string[], wanted: string): boolean {
  if (wanted === readAllScope) return granted.includes(readAllScope);
  return grants(granted, wanted as Scope);
}
