import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import {
  type ChargerModelDetails,
  type ChargerModelFilter,
  type ChargerModelRecord,
  findChargerModel,
  insertChargerModel,
  isChargerModelInUse,
  listChargerModels,
  removeChargerModel,
  updateChargerModel,
} from '#shared/postgres/fleet/charger-models.statements.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import type { Actor } from '#api/services/access/audit.ts';
import { defined } from '#api/services/kernel/edits.service.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { Catalog } from './catalog.ts';
import { keepManufacturer } from './manufacturers.service.ts';
import { AuditedRecords } from '#api/services/access/audited-records.ts';

export type { ChargerModelRecord } from '#shared/postgres/fleet/charger-models.statements.ts';

/** Fields of a model that an operator sets. */
interface ChargerModelChange extends Partial<ChargerModelDetails> {
  manufacturerUuid?: string;
}

/** Required fields of a new model. */
type NewChargerModel = ChargerModelChange &
  Pick<ChargerModelDetails, 'modelName' | 'ocppVersion'> & { manufacturerUuid: string };

/** One page of the models, by maker and name. */
export function listCatalogModels(
  { sql }: ServiceDeps,
  filter: ChargerModelFilter,
  page: PageRequest,
): Promise<Page<ChargerModelRecord>> {
  return listChargerModels(sql, filter, page);
}

const records = new AuditedRecords<ChargerModelRecord>({
  category: 'charger-model',
  notFound: 'MODEL_NOT_FOUND',
  find: (sql, _scope, uuid, lock) => findChargerModel(sql, uuid, lock === true ? 'change' : undefined),
  networkOf: () => null,
  nameOf: ({ manufacturerName, modelName }) => `${manufacturerName} ${modelName}`,
});

const models = new Catalog<ChargerModelRecord>({
  records,
  isInUse: isChargerModelInUse,
  remove: removeChargerModel,
  nameConstraint: 'charger_models_name_key',
  nameExists: (name) =>
    new DomainError('MODEL_EXISTS', `The manufacturer has a model ${name ?? 'of this name'} already.`),
  inUse: () =>
    new DomainError(
      'MODEL_IN_USE',
      'There are chargers of this model, or firmware for it: change or remove them first.',
    ),
});

/**
 * Returns a model, locked if requested: for a `change`, or to `keep` it until the transaction ends.
 * @throws {DomainError} MODEL_NOT_FOUND.
 */
export async function requireChargerModel(
  sql: Queryable,
  uuid: string,
  lock?: 'change' | 'keep',
): Promise<ChargerModelRecord> {
  return records.requireFound(await findChargerModel(sql, uuid, lock), uuid);
}

/** @throws {DomainError} MODEL_NOT_FOUND. */
export function readChargerModel({ sql }: ServiceDeps, uuid: string): Promise<ChargerModelRecord> {
  return requireChargerModel(sql, uuid);
}

/** @throws {DomainError} CATALOG_NOT_ALLOWED, MANUFACTURER_NOT_FOUND, MODEL_EXISTS. */
export function createChargerModel(
  { sql }: ServiceDeps,
  by: Actor,
  { manufacturerUuid, ...model }: NewChargerModel,
): Promise<ChargerModelRecord> {
  return models.create(sql, by, model.modelName, async (transaction) => {
    const manufacturerId = await keepManufacturer(transaction, manufacturerUuid);
    const { uuid } = await insertChargerModel(transaction, {
      ...defaults,
      ...defined(model),
      manufacturerId,
    });
    return requireChargerModel(transaction, uuid);
  });
}

/**
 * Changes the given details of a model.
 * @throws {DomainError} CATALOG_NOT_ALLOWED, MODEL_NOT_FOUND, MANUFACTURER_NOT_FOUND, MODEL_EXISTS, PRECONDITION_FAILED.
 */
export function changeChargerModel(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
  { manufacturerUuid, ...change }: ChargerModelChange,
): Promise<ChargerModelRecord> {
  const name = change.modelName;
  return models.change(sql, by, { uuid, expected, name }, async (transaction, before) => {
    const manufacturerId =
      manufacturerUuid === undefined
        ? before.manufacturerId
        : await keepManufacturer(transaction, manufacturerUuid);
    await updateChargerModel(transaction, before.id, { ...before, ...defined(change), manufacturerId });
    return requireChargerModel(transaction, uuid);
  });
}

/**
 * Deletes a model without chargers and firmware images.
 * @throws {DomainError} CATALOG_NOT_ALLOWED, MODEL_NOT_FOUND, MODEL_IN_USE, PRECONDITION_FAILED.
 */
export function deleteChargerModel(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
): Promise<void> {
  return models.remove(sql, by, uuid, expected);
}

const defaults: Omit<ChargerModelDetails, 'modelName' | 'ocppVersion'> = {
  description: null,
  maxPowerW: null,
  numberOfConnectors: null,
  supportedConnectorTypes: null,
  supportedFeatures: null,
  imageUrl: null,
  datasheetUrl: null,
};
