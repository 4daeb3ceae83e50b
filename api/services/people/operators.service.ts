import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Role } from '#shared/domain/access/roles.ts';
import { newOperatorPassword } from '#shared/domain/kernel/secrets.ts';
import { isMintedBy, type ListedApiKey } from '#shared/postgres/access/api-key-listing.ts';
import { type Queryable, violates } from '#shared/postgres/kernel/client.ts';
import { endSessions } from '#shared/postgres/people/browser-sessions.statements.ts';
import { removeLoginChallenges } from '#shared/postgres/people/login-challenges.statements.ts';
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
} from '#shared/postgres/people/operators.statements.ts';
import { removeAllFactors } from '#shared/postgres/people/second-factors.statements.ts';
import { type Actor } from '#api/services/access/audit.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import { defined, requireVersion } from '#api/services/kernel/edits.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { queueMail } from '#api/services/mail/mails.ts';
import { requireUnlimited } from '#api/services/access/key-authority.ts';
import { hasSameAuthority, revokeExcessKeys } from '#api/services/access/key-revocation.ts';
import { namedNetwork } from '#api/services/access/networks.service.ts';
import { requireRole, requireRoleOfNetworks, roleToGrant, wantedRole } from './granted-roles.ts';
import { hashPassword } from './passwords.ts';
import { wrongField } from '#api/services/kernel/validation.service.ts';
import { AuditedRecords } from '#api/services/access/audited-records.ts';

export type { OperatorRecord } from '#shared/postgres/people/operators.statements.ts';

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
      if (passwordHash !== null) await requireOther(transaction, by.caller, before, 'password');
      if (named.email !== undefined && named.email !== before.email) {
        await requireOther(transaction, by.caller, before, 'email');
      }
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

/**
 * Removes the second factors of an operator that lost them, ends its sessions and notifies it by e-mail.
 * @throws {DomainError} OPERATOR_NOT_FOUND, KEY_LIMIT_EXCEEDED, ROLE_NOT_ALLOWED, VALIDATION_FAILED, SECOND_FACTOR_NOT_FOUND.
 */
export async function resetSecondFactors(
  deps: ServiceDeps,
  by: Actor,
  uuid: string,
): Promise<OperatorRecord> {
  requireUnlimited(by.caller, 'an account');
  return deps.sql.begin(async (transaction) => {
    const before = await operators.require(transaction, by.caller.networks, uuid, true);
    requireRole(by.caller, before);
    await requireOther(transaction, by.caller, before, 'secondFactor');
    if ((await removeAllFactors(transaction, before.id)) === 0) {
      throw new DomainError('SECOND_FACTOR_NOT_FOUND', 'This account has no second factor.');
    }
    await removeLoginChallenges(transaction, before.id);
    await endSessions(transaction, { kind: 'operator', id: before.id });
    const after = { ...before, hasSecondFactor: false };
    await operators.audit(transaction, by, 'reset-second-factor', before, after);
    const addressee = { networkId: before.networkIds[0] ?? null, email: before.email, language: null };
    await queueMail(deps, transaction, addressee, { kind: 'second-factor-reset' });
    return after;
  });
}

function isDisablingAlone(change: OperatorChange): boolean {
  const { isDisabled, ...others } = defined(change);
  return isDisabled === true && Object.keys(others).length === 0;
}

/** Ways in which an operator changes the protection of its own account. */
const ownHints = {
  password: 'Change your own password with POST /auth/change-password.',
  email: 'Your own e-mail address can be changed by another owner or administrator.',
  secondFactor: 'Remove your own second factors with POST /auth/second-factors/{id}/remove.',
};

/**
 * Refuses a change of the caller's own password, second factor or e-mail address, to which a reset is sent, also with a key that it
 * minted: a stolen token must not suffice to keep an account.
 */
async function requireOther(
  sql: Queryable,
  { who }: Caller,
  { id }: OperatorRecord,
  field: keyof typeof ownHints,
): Promise<void> {
  const isOwn =
    who.kind === 'operator' ? who.id === id : who.kind === 'key' && (await isMintedBy(sql, who.id, id));
  if (!isOwn) return;
  throw new DomainError('VALIDATION_FAILED', ownHints[field], {
    errors: [{ field, message: 'cannot be changed for your own account' }],
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
    throw new DomainError('OPERATOR_EXISTS', `An operator with the e-mail address ${email} already exists.`);
  }
}
