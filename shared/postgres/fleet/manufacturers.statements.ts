import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { containing } from '#shared/postgres/kernel/search.statements.ts';
import { announceMeterOverrides } from './meter-overrides.statements.ts';

/** Fields of a manufacturer. */
export interface ManufacturerDetails {
  name: string;
  website: string | null;
  supportEmail: string | null;
  supportPhone: string | null;
}

/** A maker of chargers, of the catalog that all networks share. */
export interface ManufacturerRecord extends ManufacturerDetails {
  id: number;
  uuid: string;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const columns = (sql: Queryable) => sql`
  id, uuid, name, website, support_email as "supportEmail", support_phone as "supportPhone", version,
  created_at as "createdAt", updated_at as "updatedAt"`;

/** The manufacturers after this id, oldest first; `search`: a part of the name. */
export async function listManufacturers(
  sql: Queryable,
  search: string | undefined,
  after: number | null,
  limit: number,
): Promise<ManufacturerRecord[]> {
  return sql<ManufacturerRecord[]>`
    select ${columns(sql)} from manufacturers
    where deleted_at is null and id > ${after ?? 0}
      ${search === undefined ? sql`` : sql`and name ilike ${containing(search)}`}
    order by id limit ${limit}`;
}

/**
 * One manufacturer, or null. `lock`: `change` for a change of it in this transaction, `keep` so that it
 * is not removed before the end of this transaction.
 */
export async function findManufacturer(
  sql: Queryable,
  uuid: string,
  lock?: 'change' | 'keep',
): Promise<ManufacturerRecord | null> {
  const locking = { change: sql`for update`, keep: sql`for key share` };
  const [row] = await sql<ManufacturerRecord[]>`
    select ${columns(sql)} from manufacturers where uuid = ${uuid} and deleted_at is null
    ${lock === undefined ? sql`` : locking[lock]}`;
  return row ?? null;
}

/** Stores a new manufacturer; the violation of `manufacturers_name_key` means that the name is taken. */
export async function insertManufacturer(
  sql: Queryable,
  details: ManufacturerDetails,
): Promise<ManufacturerRecord> {
  const [row] = await sql<ManufacturerRecord[]>`
    insert into manufacturers ${sql(toColumns(details))} returning ${columns(sql)}`;
  if (row === undefined) throw new Error('the insert of a manufacturer returned no row');
  return row;
}

/** Replaces the fields of a locked manufacturer; violations as of `insertManufacturer`. */
export async function updateManufacturer(
  sql: Queryable,
  id: number,
  details: ManufacturerDetails,
): Promise<ManufacturerRecord> {
  const [row] = await sql<ManufacturerRecord[]>`
    update manufacturers set ${sql(toColumns(details))}, version = version + 1, updated_at = now()
    where id = ${id} returning ${columns(sql)}`;
  if (row === undefined) throw new Error('the manufacturer that was locked is gone');
  // Chargers without a model have one by the manufacturer's name.
  await announceMeterOverrides(sql);
  return row;
}

/** Removes a manufacturer softly. */
export async function removeManufacturer(sql: Queryable, id: number): Promise<void> {
  await sql`
    update manufacturers set deleted_at = now(), updated_at = now(), version = version + 1 where id = ${id}`;
}

/** Returns whether a manufacturer has models. */
export async function isManufacturerInUse(sql: Queryable, id: number): Promise<boolean> {
  const [row] = await sql<{ inUse: boolean }[]>`
    select exists (select 1 from charger_models where manufacturer_id = ${id} and deleted_at is null) as "inUse"`;
  return row?.inUse ?? false;
}

function toColumns(details: ManufacturerDetails) {
  return {
    name: details.name,
    website: details.website,
    support_email: details.supportEmail,
    support_phone: details.supportPhone,
  };
}
