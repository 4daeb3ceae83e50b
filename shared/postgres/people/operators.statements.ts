import type { OperatorRole } from '#shared/domain/access/roles.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { removeAllFactors } from './second-factors.statements.ts';
import { reachesWithin } from '#shared/postgres/access/scope-sets.ts';

/** Fields of an operator. */
export interface OperatorDetails {
  /** Null only for an external account whose issuer omits it. */
  email: string | null;
  name: string;
  role: OperatorRole;
  /** Custom role; null for a built-in role. */
  customRoleId: number | null;
  unrestricted: boolean;
  /** The networks that the operator is pinned to; empty for an unrestricted one. */
  networkIds: readonly number[];
  isDisabled: boolean;
}

/** An operator's account, without its password. */
export interface OperatorRecord extends OperatorDetails {
  id: number;
  uuid: string;
  networkUuids: string[];
  customRole: { uuid: string; name: string; scopes: string[]; networkId: number | null } | null;
  /** The OpenID Connect issuer of an external account; null: ours. */
  issuer: string | null;
  hasSecondFactor: boolean;
  /** One of the operator's networks requires a second factor. False for an external account, which its issuer protects. */
  requiresSecondFactor: boolean;
  lastLoginAt: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Filter of a list of operators. */
export interface OperatorFilter {
  role?: OperatorRole | undefined;
  /** Part of the name or the e-mail address. */
  search?: string | undefined;
  isDisabled?: boolean | undefined;
}

const networks = { alias: 'o', table: 'operator_networks', holder: 'operator_id' };

const columns = (sql: Queryable) => sql`
  o.id, o.uuid, o.email, o.name, o.role, o.custom_role_id as "customRoleId", o.unrestricted,
  o.is_disabled as "isDisabled", o.issuer,
  array(select network_id from operator_networks where operator_id = o.id order by network_id) as "networkIds",
  array(select n.uuid::text from operator_networks p join networks n on n.id = p.network_id
    where p.operator_id = o.id order by n.id) as "networkUuids",
  (select jsonb_build_object('uuid', c.uuid, 'name', c.name, 'scopes', c.scopes, 'networkId', c.network_id)
    from custom_roles c where c.id = o.custom_role_id) as "customRole",
  exists (select from second_factors f where f.operator_id = o.id and f.state = 'active') as "hasSecondFactor",
  (o.issuer is null and exists (
    select from networks n where n.requires_second_factor and n.deleted_at is null and (o.unrestricted or n.id in (
      select network_id from operator_networks where operator_id = o.id)))) as "requiresSecondFactor",
  o.last_login_at as "lastLoginAt", o.version, o.created_at as "createdAt", o.updated_at as "updatedAt"`;

/** Condition for operators `o` that reach nothing beyond `scope`. */
export const operatorsWithin = (sql: Queryable, scope: NetworkScope) => reachesWithin(sql, networks, scope);

/** The operators that reach nothing beyond `scope`, after this id, oldest first. */
export async function listOperators(
  sql: Queryable,
  scope: NetworkScope,
  { role, search, isDisabled }: OperatorFilter,
  after: number | null,
  limit: number,
): Promise<OperatorRecord[]> {
  return sql<OperatorRecord[]>`
    select ${columns(sql)} from operators o
    where o.deleted_at is null and ${operatorsWithin(sql, scope)} and o.id > ${after ?? 0}
      and (${role ?? null}::text is null or o.role = ${role ?? null})
      and (${isDisabled ?? null}::boolean is null or o.is_disabled = ${isDisabled ?? null})
      and (${search ?? null}::text is null
        or strpos(lower(o.name || ' ' || coalesce(o.email, '')), lower(${search ?? null})) > 0)
    order by o.id limit ${limit}`;
}

/** Returns the operators with a custom role, locked for a change of their rights. */
export async function lockOperatorsOfRole(sql: Queryable, customRoleId: number): Promise<OperatorRecord[]> {
  return sql<OperatorRecord[]>`
    select ${columns(sql)} from operators o
    where o.custom_role_id = ${customRoleId} and o.deleted_at is null order by o.id for no key update`;
}

/** One of them, or null. `lock`: for a change in this transaction. */
export async function findOperator(
  sql: Queryable,
  scope: NetworkScope,
  uuid: string,
  lock = false,
): Promise<OperatorRecord | null> {
  const [row] = await sql<OperatorRecord[]>`
    select ${columns(sql)} from operators o
    where o.uuid = ${uuid} and o.deleted_at is null and ${operatorsWithin(sql, scope)}
    ${lock ? sql`for no key update` : sql``}`;
  return row ?? null;
}

/** The account of what an issuer calls this, or null. */
export async function findExternalOperator(
  sql: Queryable,
  issuer: string,
  subject: string,
): Promise<OperatorRecord | null> {
  const [row] = await sql<OperatorRecord[]>`
    select ${columns(sql)} from operators o
    where o.issuer = ${issuer} and o.subject = ${subject} and o.deleted_at is null`;
  return row ?? null;
}

/** Writes the events of an operator: one in each network that the operator is bound to. */
async function recordOperator(
  sql: Queryable,
  type: 'operator.created' | 'operator.updated' | 'operator.removed',
  id: number,
): Promise<void> {
  await sql`
    insert into outbox (network_id, type, subject_id, subject_uuid, data)
    select n.network_id, ${type}, o.id, o.uuid, jsonb_build_object('role', o.role, 'isUnrestricted', o.unrestricted,
      'isDisabled', o.is_disabled, 'version', o.version)
    from operators o left join operator_networks n on n.operator_id = o.id where o.id = ${id}`;
}

/**
 * Stores a new account: one of ours with its password's hash, or an external one with its issuer's subject.
 */
export async function insertOperator(
  sql: Queryable,
  operator: OperatorDetails & ({ passwordHash: string } | { issuer: string; subject: string }),
): Promise<OperatorRecord> {
  const proof =
    'issuer' in operator
      ? { issuer: operator.issuer, subject: operator.subject }
      : { password_hash: operator.passwordHash };
  const [row] = await sql<{ id: number; uuid: string }[]>`
    insert into operators ${sql({ ...toColumns(operator), ...proof })} returning id, uuid`;
  if (row === undefined) throw new Error('the insert of an operator returned no row');
  await pin(sql, row.id, operator.networkIds);
  await recordOperator(sql, 'operator.created', row.id);
  return readStored(sql, row.uuid);
}

/** Replaces what is set of an operator. */
export async function updateOperator(
  sql: Queryable,
  { id, uuid }: Pick<OperatorRecord, 'id' | 'uuid'>,
  details: OperatorDetails,
): Promise<OperatorRecord> {
  await sql`
    update operators set ${sql(toColumns(details))}, version = version + 1, updated_at = now() where id = ${id}`;
  await sql`delete from operator_networks where operator_id = ${id}`;
  await pin(sql, id, details.networkIds);
  await recordOperator(sql, 'operator.updated', id);
  return readStored(sql, uuid);
}

/** Removes an operator softly. */
export async function removeOperator(sql: Queryable, id: number): Promise<void> {
  await sql`update operators set deleted_at = now(), version = version + 1 where id = ${id}`;
  await removeAllFactors(sql, id);
  await recordOperator(sql, 'operator.removed', id);
}

/**
 * Returns whether another enabled Owner of ours has access to everything that this operator has. Takes a lock
 * of this transaction first: two Owners that are removed at once must not both count on the other.
 */
export async function hasOtherOwner(
  sql: Queryable,
  { id, unrestricted, networkIds }: Pick<OperatorRecord, 'id' | 'unrestricted' | 'networkIds'>,
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${ownersLock})`;
  const [row] = await sql<{ found: boolean }[]>`
    select exists (
      select 1 from operators o
      where o.id <> ${id} and o.role = 'Owner' and o.issuer is null and not o.is_disabled and o.deleted_at is null
        and (o.unrestricted or (not ${unrestricted}::boolean and ${networkIds as number[]}::integer[] <@
          array(select network_id from operator_networks where operator_id = o.id)))
    ) as found`;
  return row?.found ?? false;
}

/** The number means nothing beyond being ours. */
const ownersLock = 7_140_900_011;

async function pin(sql: Queryable, id: number, networkIds: readonly number[]): Promise<void> {
  await sql`
    insert into operator_networks (operator_id, network_id)
    select ${id}, network from unnest(${networkIds as number[]}::integer[]) as network`;
}

async function readStored(sql: Queryable, uuid: string): Promise<OperatorRecord> {
  const operator = await findOperator(sql, { all: true }, uuid);
  if (operator === null) throw new Error('the operator that was stored is gone');
  return operator;
}

function toColumns(details: OperatorDetails) {
  return {
    email: details.email,
    name: details.name,
    role: details.role,
    custom_role_id: details.customRoleId,
    unrestricted: details.unrestricted,
    is_disabled: details.isDisabled,
  };
}
