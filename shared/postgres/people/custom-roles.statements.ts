import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { operatorsWithin } from './operators.statements.ts';

/** Fields of a custom role that can be changed. */
export interface CustomRoleDetails {
  name: string;
  scopes: readonly string[];
}

/** Role that is composed of scopes. */
export interface CustomRole extends CustomRoleDetails {
  id: number;
  uuid: string;
  /** Null: of the installation, for operators of any network. */
  networkId: number | null;
  networkUuid: string | null;
  /** Number of operators with the role, among those that the reader may see. */
  operators: number;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const columns = (sql: Queryable, scope: NetworkScope) => sql`
  r.id, r.uuid, r.network_id as "networkId", r.name, r.scopes, r.version, r.created_at as "createdAt",
  r.updated_at as "updatedAt", (select n.uuid from networks n where n.id = r.network_id) as "networkUuid",
  (select count(*)::integer from operators o
    where o.custom_role_id = r.id and o.deleted_at is null and ${operatorsWithin(sql, scope)}) as operators`;

/** Roles of the installation are visible to every caller, roles of a network within the network. */
const isVisible = (sql: Queryable, scope: NetworkScope) =>
  scope.all
    ? sql`true`
    : sql`(r.network_id is null or r.network_id = any(${scope.networkIds as number[]}::integer[]))`;

/** Returns the custom roles in scope after an id, oldest first. */
export async function listCustomRoles(
  sql: Queryable,
  scope: NetworkScope,
  after: number | null,
  limit: number,
): Promise<CustomRole[]> {
  return sql<CustomRole[]>`
    select ${columns(sql, scope)} from custom_roles r where ${isVisible(sql, scope)} and r.id > ${after ?? 0}
    order by r.id limit ${limit}`;
}

/** Returns a custom role in scope, or null. `lock`: for a change of it, or to keep it while an operator receives it. */
export async function findCustomRole(
  sql: Queryable,
  scope: NetworkScope,
  uuid: string,
  lock?: 'change' | 'keep',
): Promise<CustomRole | null> {
  const [row] = await sql<CustomRole[]>`
    select ${columns(sql, scope)} from custom_roles r where r.uuid = ${uuid} and ${isVisible(sql, scope)}
    ${lock === undefined ? sql`` : lock === 'keep' ? sql`for share` : sql`for update`}`;
  return row ?? null;
}

/** Stores a new custom role. */
export async function insertCustomRole(
  sql: Queryable,
  { name, scopes, networkId }: CustomRoleDetails & { networkId: number | null },
): Promise<CustomRole> {
  const [row] = await sql<{ uuid: string }[]>`
    insert into custom_roles (network_id, name, scopes) values (${networkId}, ${name}, ${scopes as string[]})
    returning uuid`;
  return stored(sql, row?.uuid);
}

/** Replaces name and scopes of a custom role. */
export async function updateCustomRole(
  sql: Queryable,
  { id, uuid }: Pick<CustomRole, 'id' | 'uuid'>,
  { name, scopes }: CustomRoleDetails,
): Promise<CustomRole> {
  await sql`
    update custom_roles set name = ${name}, scopes = ${scopes as string[]}, version = version + 1, updated_at = now()
    where id = ${id}`;
  return stored(sql, uuid);
}

/** Removes a custom role, also from operators that were removed. */
export async function removeCustomRole(sql: Queryable, id: number): Promise<void> {
  await sql`update operators set role = 'Viewer', custom_role_id = null where custom_role_id = ${id}`;
  await sql`delete from custom_roles where id = ${id}`;
}

async function stored(sql: Queryable, uuid: string | undefined): Promise<CustomRole> {
  const role = uuid === undefined ? null : await findCustomRole(sql, { all: true }, uuid);
  if (role === null) throw new Error('the custom role that was stored is gone');
  return role;
}
