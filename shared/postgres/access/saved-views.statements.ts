import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';

/** Owner of a view: a key or an operator. */
export interface ViewOwner {
  kind: 'key' | 'operator';
  id: number;
}

/** View of a list. */
export interface SavedView {
  id: number;
  uuid: string;
  /** Network that it is shared with; null: only its owner sees it. */
  networkId: number | null;
  networkUuid: string | null;
  isOwn: boolean;
  ownerName: string | null;
  name: string;
  page: string;
  query: Record<string, unknown>;
  createdAt: Date;
  updatedAt: Date;
}

/** Fields of a view that its owner sets. */
export type SavedViewFields = Pick<SavedView, 'networkId' | 'name' | 'page' | 'query'>;

const isOwn = (sql: Queryable, { kind, id }: ViewOwner) =>
  kind === 'key'
    ? sql`coalesce(v.owner_key_id = ${id}, false)`
    : sql`coalesce(v.owner_operator_id = ${id}, false)`;

const columns = (sql: Queryable, owner: ViewOwner) => sql`
  v.id, v.uuid, v.network_id as "networkId", (select n.uuid from networks n where n.id = v.network_id) as "networkUuid",
  ${isOwn(sql, owner)} as "isOwn", v.owner_name as "ownerName", v.name, v.page, v.query, v.created_at as "createdAt",
  v.updated_at as "updatedAt"`;

/** Returns the views that a caller owns, and those that are shared with a network in scope, oldest first. */
export async function listSavedViews(
  sql: Queryable,
  scope: NetworkScope,
  owner: ViewOwner,
  page: string | undefined,
): Promise<SavedView[]> {
  return sql<SavedView[]>`
    select ${columns(sql, owner)} from saved_views v
    where (${isOwn(sql, owner)} or v.network_id is not null and ${inScope(sql, 'v.network_id', scope)})
      ${page === undefined ? sql`` : sql`and v.page = ${page}`}
    order by v.id limit 1000`;
}

/** Locks a view that a caller owns until the end of the transaction, or null. */
export async function lockSavedView(
  sql: Queryable,
  owner: ViewOwner,
  uuid: string,
): Promise<SavedView | null> {
  const [row] = await sql<SavedView[]>`
    select ${columns(sql, owner)} from saved_views v where v.uuid = ${uuid} and ${isOwn(sql, owner)} for update of v`;
  return row ?? null;
}

/** Counts the views of an owner. */
export async function countSavedViews(sql: Queryable, owner: ViewOwner): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from saved_views v where ${isOwn(sql, owner)}`;
  return row?.count ?? 0;
}

/** Stores a view. */
export async function insertSavedView(
  sql: Queryable,
  owner: ViewOwner & { name: string | null },
  { networkId, name, page, query }: SavedViewFields,
): Promise<SavedView> {
  const [row] = await sql<SavedView[]>`
    insert into saved_views as v (network_id, owner_key_id, owner_operator_id, owner_name, name, page, query)
    values (${networkId}, ${owner.kind === 'key' ? owner.id : null}, ${owner.kind === 'operator' ? owner.id : null},
      ${owner.name}, ${name}, ${page}, ${sql.json(query as never)})
    returning ${columns(sql, owner)}`;
  if (row === undefined) throw new Error('the insert of a view returned no row');
  return row;
}

/** Changes a view. */
export async function updateSavedView(
  sql: Queryable,
  owner: ViewOwner,
  id: number,
  { networkId, name, page, query }: SavedViewFields,
): Promise<SavedView> {
  const [row] = await sql<SavedView[]>`
    update saved_views v set network_id = ${networkId}, name = ${name}, page = ${page},
      query = ${sql.json(query as never)}, updated_at = now()
    where id = ${id} returning ${columns(sql, owner)}`;
  if (row === undefined) throw new Error('the update of a view returned no row');
  return row;
}

/** Removes a view. */
export async function deleteSavedView(sql: Queryable, id: number): Promise<void> {
  await sql`delete from saved_views where id = ${id}`;
}
