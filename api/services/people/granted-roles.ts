import { DomainError } from '#shared/domain/kernel/errors.ts';
import {
  coversRole,
  grantsAny,
  isWithin,
  type Role,
  roles,
  scopesOfRole,
} from '#shared/domain/access/roles.ts';
import { grants } from '#shared/domain/access/scopes.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { findCustomRole } from '#shared/postgres/people/custom-roles.statements.ts';
import type { OperatorRecord } from '#shared/postgres/people/operators.statements.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { limitOf } from '#api/services/access/key-authority.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';

/** Role of an operator: built-in, or custom. */
type GrantedRole = Pick<OperatorRecord, 'role' | 'customRole'>;

/** Role that a request names. */
type WantedRole = { role: Role } | { customRoleId: string };

/** Returns the built-in roles that a caller can grant to operators: none when it cannot create accounts. */
export function grantableRoles(caller: Caller): Role[] {
  if (!grants(caller.scopes, 'cpms:write:operators') || limitOf(caller) !== null) return [];
  return roles.filter((role) => mayGrant(caller, { role, customRole: null }));
}

/** Returns the first of these scopes of a custom role that a caller cannot grant: it lacks the scope, or its highest role does. */
export function scopeBeyond({ scopes, roleCeiling }: Caller, wanted: readonly string[]): string | undefined {
  const ceiling = scopesOfRole(roleCeiling);
  return wanted.find((scope) => !grantsAny(scopes, scope) || !grantsAny(ceiling, scope));
}

/** Returns the role that a request names, or null. */
export function wantedRole({
  role,
  customRoleId,
}: {
  role?: Role | undefined;
  customRoleId?: string | undefined;
}): WantedRole | null {
  if (role !== undefined && customRoleId !== undefined) {
    throw wrongField('customRoleId', 'cannot be combined with role');
  }
  if (customRoleId !== undefined) return { customRoleId };
  return role === undefined ? null : { role };
}

/**
 * Returns the role that a caller grants. A custom role cannot change until the transaction ends.
 * @throws {DomainError} ROLE_NOT_ALLOWED, ROLE_NOT_FOUND.
 */
export async function roleToGrant(
  transaction: Transaction,
  caller: Caller,
  wanted: WantedRole,
): Promise<Pick<OperatorRecord, 'role' | 'customRole' | 'customRoleId'>> {
  const granted =
    'role' in wanted
      ? { ...wanted, customRole: null, customRoleId: null }
      : await keepCustomRole(transaction, caller, wanted.customRoleId);
  requireRole(caller, granted);
  return granted;
}

async function keepCustomRole(transaction: Transaction, caller: Caller, uuid: string) {
  const kept = await findCustomRole(transaction, caller.networks, uuid, 'keep');
  if (kept === null) throw new DomainError('ROLE_NOT_FOUND', `There is no custom role ${uuid}.`);
  const { id, name, scopes, networkId } = kept;
  return {
    role: 'Custom' as const,
    customRoleId: id,
    customRole: { uuid, name, scopes: [...scopes], networkId },
  };
}

/** Refuses a role of a network for operators of others: a change of the role must not reach them. */
export function requireRoleOfNetworks({
  customRole,
  unrestricted,
  networkIds,
}: Pick<OperatorRecord, 'customRole' | 'unrestricted' | 'networkIds'>): void {
  const roleNetwork = customRole?.networkId ?? null;
  if (roleNetwork === null || (!unrestricted && networkIds.every((id) => id === roleNetwork))) return;
  throw wrongField('customRoleId', 'belongs to a network, and requires an operator of that network only');
}

/** Refuses to grant or revoke a role above the caller's own, or one with scopes that the caller lacks. */
export function requireRole(caller: Caller, granted: GrantedRole): void {
  if (mayGrant(caller, granted)) return;
  const { role, customRole } = granted;
  throw new DomainError(
    'ROLE_NOT_ALLOWED',
    `You cannot grant, change or revoke the role ${customRole?.name ?? role}.`,
    { role },
  );
}

function mayGrant(caller: Caller, { role, customRole }: GrantedRole): boolean {
  const isCovered = isWithin(caller.roleCeiling, role) && coversRole(caller.scopes, role);
  return isCovered && scopeBeyond(caller, customRole?.scopes ?? []) === undefined;
}
