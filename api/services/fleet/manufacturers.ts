import { DomainError } from '#shared/domain/kernel/errors.ts';
import { violates } from '#shared/postgres/kernel/client.ts';
import {
  findManufacturer,
  insertManufacturer,
  isManufacturerInUse,
  listManufacturers,
  type ManufacturerDetails,
  type ManufacturerRecord,
  removeManufacturer,
  updateManufacturer,
} from '#shared/postgres/fleet/manufacturers.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import { requireCatalogEditor } from '#api/services/access/catalog-editors.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import { defined } from '#api/services/kernel/defined.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { requireVersion } from '#api/services/kernel/versions.ts';

export type { ManufacturerRecord } from '#shared/postgres/fleet/manufacturers.ts';

/** One page of the manufacturers, oldest first; `search`: a part of the name. */
export async function listCatalogManufacturers(
  { sql }: ServiceDeps,
  search: string | undefined,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: ManufacturerRecord[]; nextCursor: string | null }> {
  return cutById(await listManufacturers(sql, search, decodeIdCursor(cursor), limit + 1), limit);
}

/** @throws {DomainError} MANUFACTURER_NOT_FOUND. */
export async function readManufacturer({ sql }: ServiceDeps, uuid: string): Promise<ManufacturerRecord> {
  return foundManufacturer(await findManufacturer(sql, uuid), uuid);
}

/** @throws {DomainError} CATALOG_NOT_ALLOWED, MANUFACTURER_EXISTS. */
export async function createManufacturer(
  { sql }: ServiceDeps,
  by: Actor,
  manufacturer: Partial<ManufacturerDetails> & Pick<ManufacturerDetails, 'name'>,
): Promise<ManufacturerRecord> {
  requireCatalogEditor(by.caller);
  const details = { website: null, supportEmail: null, supportPhone: null, ...defined(manufacturer) };
  return namesStayUnique(details.name, () =>
    sql.begin(async (transaction) => {
      const made = await insertManufacturer(transaction, details);
      await auditChange(transaction, by, { ...audited(made, 'create'), before: null, after: made });
      return made;
    }),
  );
}

/**
 * Changes fields of a manufacturer; undefined fields stay.
 * @throws {DomainError} CATALOG_NOT_ALLOWED, MANUFACTURER_NOT_FOUND, MANUFACTURER_EXISTS,
 * PRECONDITION_FAILED.
 */
export async function changeManufacturer(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
  change: Partial<ManufacturerDetails>,
): Promise<ManufacturerRecord> {
  requireCatalogEditor(by.caller);
  return namesStayUnique(change.name, () =>
    sql.begin(async (transaction) => {
      const before = foundManufacturer(await findManufacturer(transaction, uuid, 'change'), uuid);
      requireVersion(before, expected);
      const after = await updateManufacturer(transaction, before.id, { ...before, ...defined(change) });
      await auditChange(transaction, by, { ...audited(before, 'update'), before, after });
      return after;
    }),
  );
}

/**
 * Removes a manufacturer that no model is of any more.
 * @throws {DomainError} CATALOG_NOT_ALLOWED, MANUFACTURER_NOT_FOUND, MANUFACTURER_IN_USE, PRECONDITION_FAILED.
 */
export async function deleteManufacturer(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
): Promise<void> {
  requireCatalogEditor(by.caller);
  await sql.begin(async (transaction) => {
    const before = foundManufacturer(await findManufacturer(transaction, uuid, 'change'), uuid);
    requireVersion(before, expected);
    if (await isManufacturerInUse(transaction, before.id)) {
      throw new DomainError(
        'MANUFACTURER_IN_USE',
        'There are charger models of this manufacturer: remove them first.',
      );
    }
    await removeManufacturer(transaction, before.id);
    await auditChange(transaction, by, { ...audited(before, 'delete'), before, after: null });
  });
}

async function namesStayUnique<Result>(
  name: string | undefined,
  store: () => Promise<Result>,
): Promise<Result> {
  try {
    return await store();
  } catch (error) {
    if (!violates(error, 'manufacturers_name_key')) throw error;
    throw new DomainError('MANUFACTURER_EXISTS', `There is a manufacturer ${name} already.`);
  }
}

/** @throws {DomainError} MANUFACTURER_NOT_FOUND. */
export function foundManufacturer(manufacturer: ManufacturerRecord | null, uuid: string): ManufacturerRecord {
  if (manufacturer !== null) return manufacturer;
  throw new DomainError('MANUFACTURER_NOT_FOUND', `There is no manufacturer ${uuid}.`);
}

function audited({ uuid, name }: ManufacturerRecord, action: string) {
  return { networkId: null, category: 'manufacturer', action, resourceId: uuid, resourceName: name };
}
