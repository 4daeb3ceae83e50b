import { DomainError } from '#shared/domain/kernel/errors.ts';
import { grants } from '#shared/domain/access/scopes.ts';
import { coversRole, grantsAny, isWithin, type Role, roles } from '#shared/domain/access/roles.ts';
import { newOperatorPassword } from '#shared/domain/kernel/secrets.ts';
import { type Transaction, violates } from '#shared/postgres/kernel/client.ts';
import { findCustomRole } from '#shared/postgres/people/custom-roles.ts';
import { endSessions } from '#shared/postgres/people/browser-sessions.ts';
import { setPasswordHash } from '#shared/postgres/people/operator-logins.ts';
import {
  findOperator,
  hasOtherOwner,
  insertOperator,
  listOperators,
  type OperatorDetails,
  type OperatorFilter,
  type OperatorRecord,
  removeOperator,
  updateOperator,
} from '#shared/postgres/people/operators.ts';
import { type Actor } from '#api/services/access/audit.ts';
import type { ListedApiKey } from '#shared/postgres/access/api-key-listing.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import { defined, requireVersion } from '#api/services/kernel/edits.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { limitOf, requireUnlimited } from '#api/services/access/key-authority.ts';
import { hasSameAuthority, revokeExcessKeys } from '#api/services/access/key-revocation.ts';
import { namedNetwork } from '#api/services/access/networks.ts';
import { hashPassword } from './passwords.ts';
import { wrongField } from '#api/services/kernel/validation.ts';
import { AuditedRecords } from '#api/services/access/audited-records.ts';

export type { OperatorRecord } from '#shared/postgres/people/operators.ts';

/** Networks that an operator has access to; with neither field all that the caller has access to. */
interface Reach {
  networkUuids?: readonly string[] | undefined;
  unrestricted?: boolean | undefined;
}

/** Fields of a new operator. */
export interface NewOperator extends Reach {
  email: string;
  name: string;
  /** Built-in role; undefined with a custom role. */
  role?: Role | undefined;
  /** Custom role instead of a built-in one. */
  customRoleId?: string | undefined;
  /** Generated and returned once by default. */
  password?: string | undefined;
}

/** Fields of an operator that can be changed. */
export type OperatorChange = Partial<NewOperator> & { isDisabled?: boolean | undefined };

/** One page of the operators that reach nothing beyond the caller's networks, oldest first. */
export async function listOwnOperators(
  { sql }: ServiceDeps,
  caller: Caller,
  filter: OperatorFilter,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: OperatorRecord[]; nextCursor: string | null }> {
  const after = decodeIdCursor(cursor);
  return cutById(await listOperators(sql, caller.networks, filter, after, limit + 1), limit);
}

const operators = new AuditedRecords<OperatorRecord>({
  category: 'operator',
  notFound: 'OPERATOR_NOT_FOUND',
  find: findOperator,
  networkOf: ({ networkIds }) => networkIds[0] ?? null,
  nameOf: ({ email, name }) => email ?? name,
});

/** @throws {DomainError} OPERATOR_NOT_FOUND. */
export async function readOperator(
  { sql }: ServiceDeps,
  caller: Caller,
  uuid: string,
): Promise<OperatorRecord> {
  return operators.require(sql, caller.networks, uuid);
}

/**
 * Makes an account; without a password given one is made and answered, this once.
 * @throws {DomainError} KEY_LIMIT_EXCEEDED, ROLE_NOT_ALLOWED, NETWORK_NOT_FOUND, NETWORK_NOT_ALLOWED, OPERATOR_EXISTS, VALIDATION_FAILED.
 */
export async function createOperator(
  deps: ServiceDeps,
  by: Actor,
  { password, networkUuids, unrestricted, role, customRoleId, ...named }: NewOperator,
): Promise<{ operator: OperatorRecord; madePassword: string | null }> {
  requireUnlimited(by.caller, 'an account');
  const wanted = wantedRole({ role, customRoleId });
  if (wanted === null) throw wrongField('role', 'is required, or customRoleId');
  const reach = await reachOf(deps, by.caller, { networkUuids, unrestricted });
  const madePassword = password === undefined ? newOperatorPassword() : null;
  const passwordHash = await hashPassword(password ?? madePassword ?? '');
  return uniquely(named.email, () =>
    deps.sql.begin(async (transaction) => {
      const granted = await roleToGrant(transaction, by.caller, wanted);
      const details = { ...named, ...reach, ...granted, isDisabled: false };
      requireRoleOfNetworks(details);
      const made = await insertOperator(transaction, { ...details, passwordHash });
      await operators.audit(transaction, by, 'create', null, made);
      return { operator: made, madePassword };
    }),
  );
}

/** An account after a change or a removal, and the keys that it minted and that were revoked with it. */
export interface ChangedOperator {
  operator: OperatorRecord;
  revokedKeys: ListedApiKey[];
}

/**
 * Changes an account; what is undefined stays. Disabling it and setting its password end its sessions. Keys that the account
 * minted are revoked where they hold more than the account does after the change.
 * @throws {DomainError} OPERATOR_NOT_FOUND, KEY_LIMIT_EXCEEDED, PRECONDITION_FAILED, ROLE_NOT_ALLOWED, NETWORK_NOT_FOUND, NETWORK_NOT_ALLOWED,
 *   OPERATOR_EXISTS, OPERATOR_EXTERNAL, LAST_OWNER, VALIDATION_FAILED.
 */
export async function changeOperator(
  deps: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
  { password, networkUuids, unrestricted, role, customRoleId, ...named }: OperatorChange,
): Promise<ChangedOperator> {
  if (!isDisablingAlone({ password, networkUuids, unrestricted, role, customRoleId, ...named })) {
    requireUnlimited(by.caller, 'an account');
  }
  const isReachChanged = networkUuids !== undefined || unrestricted !== undefined;
  const reach = isReachChanged ? await reachOf(deps, by.caller, { networkUuids, unrestricted }) : {};
  const passwordHash = password === undefined ? null : await hashPassword(password);
  return uniquely(named.email, () =>
    deps.sql.begin(async (transaction) => {
      const wanted = wantedRole({ role, customRoleId });
      // The role before the operator, as a change of the role locks them.
      const granted = wanted === null ? {} : await roleToGrant(transaction, by.caller, wanted);
      const before = await operators.require(transaction, by.caller.networks, uuid, true);
      requireVersion(before, expected);
      requireRole(by.caller, before);
      if (passwordHash !== null) requireOther(by.caller, before);
      requireOurs(before, { ...named, ...reach, ...granted, password });
      const details = { ...before, ...defined(named), ...reach, ...granted };
      requireRoleOfNetworks(details);
      if (isLessOfAnOwner(before, details) && !(await hasOtherOwner(transaction, before))) throw lastOwner();
      const after = await updateOperator(transaction, before, details);
      if (passwordHash !== null) await setPasswordHash(transaction, before.id, passwordHash);
      if (passwordHash !== null || after.isDisabled)
        await endSessions(transaction, { kind: 'operator', id: before.id });
      const revokedKeys = hasSameAuthority(before, after)
        ? []
        : await revokeExcessKeys(transaction, by, before, after);
      const action = passwordHash === null ? 'update' : 'set-password';
      await operators.audit(transaction, by, action, before, after);
      return { operator: after, revokedKeys };
    }),
  );
}

/**
 * Removes an account, ends its sessions and revokes the keys that it minted. An external one comes back with its next token: disable it instead.
 * @throws {DomainError} OPERATOR_NOT_FOUND, PRECONDITION_FAILED, ROLE_NOT_ALLOWED, LAST_OWNER.
 */
export async function deleteOperator(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
): Promise<ListedApiKey[]> {
  return operators.remove(sql, by, uuid, expected, async (transaction, before) => {
    requireRole(by.caller, before);
    if (isOwner(before) && !(await hasOtherOwner(transaction, before))) throw lastOwner();
    await removeOperator(transaction, before.id);
    await endSessions(transaction, { kind: 'operator', id: before.id });
    return revokeExcessKeys(transaction, by, before, null);
  });
}

function isDisablingAlone(change: OperatorChange): boolean {
  const { isDisabled, ...others } = defined(change);
  return isDisabled === true && Object.keys(others).length === 0;
}

/** Returns the roles that a caller can grant to operators: none when it cannot create accounts. */
export function grantableRoles(caller: Caller): Role[] {
  if (!grants(caller.scopes, 'cpms:write:operators') || limitOf(caller) !== null) return [];
  return roles.filter((role) => mayGrant(caller, { role, customRole: null }));
}

type GrantedRole = Pick<OperatorRecord, 'role' | 'customRole'>;

function mayGrant({ roleCeiling, scopes }: Caller, { role, customRole }: GrantedRole): boolean {
  const own = customRole?.scopes ?? [];
  return (
    isWithin(roleCeiling, role) && coversRole(scopes, role) && own.every((scope) => grantsAny(scopes, scope))
  );
}

type WantedRole = { role: Role } | { customRoleId: string };

function wantedRole({ role, customRoleId }: Partial<NewOperator>): WantedRole | null {
  if (role !== undefined && customRoleId !== undefined) {
    throw wrongField('customRoleId', 'cannot be combined with role');
  }
  if (customRoleId !== undefined) return { customRoleId };
  return role === undefined ? null : { role };
}

/**
 * Returns the role that a caller grants. A custom role is kept as it is until the transaction ends.
 * @throws {DomainError} ROLE_NOT_ALLOWED, ROLE_NOT_FOUND.
 */
async function roleToGrant(
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
function requireRoleOfNetworks({
  customRole,
  unrestricted,
  networkIds,
}: Pick<OperatorRecord, 'customRole' | 'unrestricted' | 'networkIds'>): void {
  const roleNetwork = customRole?.networkId ?? null;
  if (roleNetwork === null || (!unrestricted && networkIds.every((id) => id === roleNetwork))) return;
  throw wrongField('customRoleId', 'belongs to a network, and requires an operator of that network only');
}

/** Refuses to grant or revoke a role above the caller's own, or one with scopes that the caller lacks. */
function requireRole(caller: Caller, granted: GrantedRole): void {
  if (mayGrant(caller, granted)) return;
  const { role, customRole } = granted;
  throw new DomainError(
    'ROLE_NOT_ALLOWED',
    `You cannot grant, change or revoke the role ${customRole?.name ?? role}.`,
    { role },
  );
}

/** One's own password is changed with the old one: a token that was stolen must not be enough to keep an account. */
function requireOther({ who }: Caller, { id }: OperatorRecord): void {
  if (who.kind !== 'operator' || who.id !== id) return;
  throw new DomainError('VALIDATION_FAILED', 'Change your own password with POST /auth/change-password.', {
    errors: [{ field: 'password', message: 'cannot be changed for your own account' }],
  });
}

/** Refuses changes of an external account, which its issuer manages, except of whether it is disabled. */
function requireOurs({ issuer }: OperatorRecord, change: Record<string, unknown>): void {
  const changed = Object.keys(defined(change)).filter((name) => name !== 'isDisabled');
  if (issuer === null || changed.length === 0) return;
  throw new DomainError(
    'OPERATOR_EXTERNAL',
    `The issuer ${issuer} manages this account: only isDisabled can be changed here.`,
  );
}

type ReachIds = Pick<OperatorDetails, 'unrestricted' | 'networkIds'>;

async function reachOf(
  deps: ServiceDeps,
  caller: Caller,
  { networkUuids, unrestricted }: Reach,
): Promise<ReachIds> {
  if (networkUuids !== undefined && unrestricted === true) {
    throw wrongField('networkUuids', 'cannot be given to an unrestricted operator');
  }
  if (unrestricted === false && networkUuids === undefined) {
    throw wrongField('networkUuids', 'is required of an operator that is not unrestricted');
  }
  if (networkUuids === undefined) return ownReach(caller, unrestricted === true);
  const networks = await Promise.all(networkUuids.map((uuid) => namedNetwork(deps, caller, uuid)));
  return { unrestricted: false, networkIds: networks.map(({ id }) => id).toSorted((a, b) => a - b) };
}

function ownReach({ networks }: Caller, wantsAll: boolean): ReachIds {
  if (networks.all) return { unrestricted: true, networkIds: [] };
  if (!wantsAll) return { unrestricted: false, networkIds: networks.networkIds };
  throw new DomainError(
    'NETWORK_NOT_ALLOWED',
    'Only a caller that is not restricted to networks can create an unrestricted operator.',
  );
}

function isOwner({
  role,
  isDisabled,
  issuer,
}: Pick<OperatorRecord, 'role' | 'isDisabled' | 'issuer'>): boolean {
  return role === 'Owner' && !isDisabled && issuer === null;
}

/** Returns whether a change removes networks from this Owner. */
function isLessOfAnOwner(before: OperatorRecord, after: OperatorRecord): boolean {
  if (!isOwner(before)) return false;
  if (!isOwner(after)) return true;
  if (after.unrestricted) return false;
  return before.unrestricted || before.networkIds.some((id) => !after.networkIds.includes(id));
}

function lastOwner(): DomainError {
  return new DomainError('LAST_OWNER', 'This is the last Owner of a network: add another Owner first.');
}

async function uniquely<T>(email: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!violates(error, 'operators_email_key')) throw error;
    throw new DomainError(
      'OPERATOR_EXISTS',
      `There is an operator with the e-mail address ${email} already.`,
    );
  }
}
