import { DomainError } from '#shared/domain/kernel/errors.ts';
import { violates } from '#shared/postgres/kernel/client.ts';
import {
  type CustomRole,
  type CustomRoleDetails,
  findCustomRole,
  insertCustomRole,
  listCustomRoles,
  removeCustomRole,
  updateCustomRole,
} from '#shared/postgres/people/custom-roles.statements.ts';
import { lockOperatorsOfRole } from '#shared/postgres/people/operators.statements.ts';
import type { Actor } from '#api/services/access/audit.ts';
import { AuditedRecords } from '#api/services/access/audited-records.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { requireUnlimited } from '#api/services/access/key-authority.ts';
import { revokeExcessKeys } from '#api/services/access/key-revocation.ts';
import { namedNetwork } from '#api/services/access/networks.service.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { defined } from '#api/services/kernel/edits.service.ts';
import { scopeBeyond } from './granted-roles.ts';

export type { CustomRole } from '#shared/postgres/people/custom-roles.statements.ts';

const records = new AuditedRecords<CustomRole>({
  category: 'role',
  noun: 'custom role',
  notFound: 'ROLE_NOT_FOUND',
  find: (sql, scope, uuid, lock) => findCustomRole(sql, scope, uuid, lock === true ? 'change' : undefined),
  networkOf: ({ networkId }) => networkId,
  nameOf: ({ name }) => name,
});

/** Returns one page of the custom roles that a caller can see, oldest first. */
export async function listOwnCustomRoles(
  { sql }: ServiceDeps,
  caller: Caller,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: CustomRole[]; nextCursor: string | null }> {
  return cutById(await listCustomRoles(sql, caller.networks, decodeIdCursor(cursor), limit + 1), limit);
}

/** @throws {DomainError} ROLE_NOT_FOUND. */
export function readCustomRole({ sql }: ServiceDeps, caller: Caller, uuid: string): Promise<CustomRole> {
  return records.require(sql, caller.networks, uuid);
}

/**
 * Creates a role with at most the scopes of its creator.
 * @throws {DomainError} KEY_LIMIT_EXCEEDED, SCOPE_MISSING, ROLE_NOT_ALLOWED, NETWORK_NOT_FOUND, ROLE_EXISTS.
 */
export async function createCustomRole(
  deps: ServiceDeps,
  by: Actor,
  { networkUuid, ...role }: CustomRoleDetails & { networkUuid: string | null },
): Promise<CustomRole> {
  requireUnlimited(by.caller, 'a role');
  requireScopes(by.caller, role.scopes);
  const network = networkUuid === null ? null : await namedNetwork(deps, by.caller, networkUuid);
  requireAuthority(by.caller, network?.id ?? null);
  const details = { ...role, networkId: network?.id ?? null };
  return uniquely(() =>
    records.create(deps.sql, by, (transaction) => insertCustomRole(transaction, details)),
  );
}

/**
 * Changes a role, for all its operators. The caller must have the scopes of the role before and after. Keys that operators of
 * the role created are revoked where they exceed it afterwards.
 * @throws {DomainError} ROLE_NOT_FOUND, PRECONDITION_FAILED, KEY_LIMIT_EXCEEDED, SCOPE_MISSING, ROLE_NOT_ALLOWED, ROLE_EXISTS.
 */
export async function changeCustomRole(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
  change: { name?: string | undefined; scopes?: readonly string[] | undefined },
): Promise<CustomRole> {
  requireUnlimited(by.caller, 'a role');
  return uniquely(() =>
    records.change(sql, by, uuid, expected, async (transaction, before) => {
      const details = { ...before, ...defined(change) };
      requireAuthority(by.caller, before.networkId);
      requireScopes(by.caller, [...before.scopes, ...details.scopes]);
      const after = await updateCustomRole(transaction, before, details);
      if (before.scopes.every((scope) => after.scopes.includes(scope))) return after;
      for (const operator of await lockOperatorsOfRole(transaction, before.id)) {
        await revokeExcessKeys(transaction, by, operator, operator);
      }
      return after;
    }),
  );
}

/**
 * Deletes a role that no operator has.
 * @throws {DomainError} ROLE_NOT_FOUND, PRECONDITION_FAILED, SCOPE_MISSING, ROLE_NOT_ALLOWED, ROLE_IN_USE.
 */
export async function deleteCustomRole(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
): Promise<void> {
  return records.remove(sql, by, uuid, expected, async (transaction, before) => {
    requireAuthority(by.caller, before.networkId);
    requireScopes(by.caller, before.scopes);
    // Counted under the lock, which an operator that receives the role waits for.
    const { length: operators } = await lockOperatorsOfRole(transaction, before.id);
    if (operators > 0) {
      throw new DomainError(
        'ROLE_IN_USE',
        `Operators have the role ${before.name}: give them another role first.`,
        { operators },
      );
    }
    await removeCustomRole(transaction, before.id);
  });
}

/** Roles of the installation apply in every network, so that only callers of every network change them. */
function requireAuthority({ networks }: Caller, networkId: number | null): void {
  if (networkId !== null || networks.all) return;
  throw new DomainError(
    'ROLE_NOT_ALLOWED',
    'Only a caller that is not restricted to networks can create or change a role of the installation.',
  );
}

function requireScopes(caller: Caller, scopes: readonly string[]): void {
  const missing = scopeBeyond(caller, scopes);
  if (missing === undefined) return;
  throw new DomainError('SCOPE_MISSING', `You cannot grant ${missing}, which you do not have yourself.`, {
    scope: missing,
  });
}

async function uniquely(work: () => Promise<CustomRole>): Promise<CustomRole> {
  try {
    return await work();
  } catch (error) {
    if (!violates(error, 'custom_roles_name_key')) throw error;
    throw new DomainError('ROLE_EXISTS', 'The network already has a custom role with this name.');
  }
}
