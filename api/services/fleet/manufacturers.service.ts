import { DomainError } from '#shared/domain/kernel/errors.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import {
  findManufacturer,
  insertManufacturer,
  isManufacturerInUse,
  listManufacturers,
  type ManufacturerDetails,
  type ManufacturerRecord,
  removeManufacturer,
  updateManufacturer,
} from '#shared/postgres/fleet/manufacturers.statements.ts';
import type { Actor } from '#api/services/access/audit.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import { defined } from '#api/services/kernel/edits.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { Catalog } from './catalog.ts';
import { AuditedRecords } from '#api/services/access/audited-records.ts';

export type { ManufacturerRecord } from '#shared/postgres/fleet/manufacturers.statements.ts';

/** Returns a page of manufacturers, oldest first; `search` is a part of the name. */
export async function listCatalogManufacturers(
  { sql }: ServiceDeps,
  search: string | undefined,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<{ rows: ManufacturerRecord[]; nextCursor: string | null }> {
  return cutById(await listManufacturers(sql, search, decodeIdCursor(cursor), limit + 1), limit);
}

const records = new AuditedRecords<ManufacturerRecord>({
  category: 'manufacturer',
  notFound: 'MANUFACTURER_NOT_FOUND',
  find: (sql, _scope, uuid, lock) => findManufacturer(sql, uuid, lock === true ? 'change' : undefined),
  networkOf: () => null,
  nameOf: ({ name }) => name,
});

const manufacturers = new Catalog<ManufacturerRecord>({
  records,
  isInUse: isManufacturerInUse,
  remove: removeManufacturer,
  nameConstraint: 'manufacturers_name_key',
  nameExists: (name) => new DomainError('MANUFACTURER_EXISTS', `There is a manufacturer ${name} already.`),
  inUse: () =>
    new DomainError(
      'MANUFACTURER_IN_USE',
      'There are charger models of this manufacturer: remove them first.',
    ),
});

/** @throws {DomainError} MANUFACTURER_NOT_FOUND. */
export function readManufacturer({ sql }: ServiceDeps, uuid: string): Promise<ManufacturerRecord> {
  return records.require(sql, allNetworks, uuid);
}

/**
 * Returns the id of a manufacturer and keeps it until the transaction ends.
 * @throws {DomainError} MANUFACTURER_NOT_FOUND.
 */
export async function keepManufacturer(transaction: Transaction, uuid: string): Promise<number> {
  return records.requireFound(await findManufacturer(transaction, uuid, 'keep'), uuid).id;
}

/** @throws {DomainError} CATALOG_NOT_ALLOWED, MANUFACTURER_EXISTS. */
export function createManufacturer(
  { sql }: ServiceDeps,
  by: Actor,
  manufacturer: Partial<ManufacturerDetails> & Pick<ManufacturerDetails, 'name'>,
): Promise<ManufacturerRecord> {
  const details = { website: null, supportEmail: null, supportPhone: null, ...defined(manufacturer) };
  return manufacturers.create(sql, by, details.name, (transaction) =>
    insertManufacturer(transaction, details),
  );
}

/**
 * Changes the given details of a manufacturer.
 * @throws {DomainError} CATALOG_NOT_ALLOWED, MANUFACTURER_NOT_FOUND, MANUFACTURER_EXISTS, PRECONDITION_FAILED.
 */
export function changeManufacturer(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
  change: Partial<ManufacturerDetails>,
): Promise<ManufacturerRecord> {
  const { name } = change;
  return manufacturers.change(sql, by, { uuid, expected, name }, (transaction, before) =>
    updateManufacturer(transaction, before.id, { ...before, ...defined(change) }),
  );
}

/**
 * Deletes a manufacturer without charger models.
 * @throws {DomainError} CATALOG_NOT_ALLOWED, MANUFACTURER_NOT_FOUND, MANUFACTURER_IN_USE, PRECONDITION_FAILED.
 */
export function deleteManufacturer(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
): Promise<void> {
  return manufacturers.remove(sql, by, uuid, expected);
}
