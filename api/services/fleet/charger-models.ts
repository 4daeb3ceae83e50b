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
} from '#shared/postgres/fleet/charger-models.ts';
import { type Transaction, violates } from '#shared/postgres/kernel/client.ts';
import { findManufacturer } from '#shared/postgres/fleet/manufacturers.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import { requireCatalogEditor } from '#api/services/access/catalog-editors.ts';
import { defined } from '#api/services/kernel/defined.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { foundManufacturer } from './manufacturers.ts';
import { requireVersion } from '#api/services/kernel/versions.ts';

export type { ChargerModelRecord } from '#shared/postgres/fleet/charger-models.ts';

/** Fields of a model that an operator sets. */
export interface ChargerModelChange extends Partial<ChargerModelDetails> {
  manufacturerUuid?: string;
}

/** Required fields of a new model. */
export type NewChargerModel = ChargerModelChange &
  Pick<ChargerModelDetails, 'modelName' | 'ocppVersion'> & { manufacturerUuid: string };

/** One page of the models, by maker and name. */
export function listCatalogModels(
  { sql }: ServiceDeps,
  filter: ChargerModelFilter,
  page: PageRequest,
): Promise<Page<ChargerModelRecord>> {
  return listChargerModels(sql, filter, page);
}

/** @throws {DomainError} MODEL_NOT_FOUND. */
export async function readChargerModel({ sql }: ServiceDeps, uuid: string): Promise<ChargerModelRecord> {
  return foundModel(await findChargerModel(sql, uuid), uuid);
}

/** @throws {DomainError} CATALOG_NOT_ALLOWED, MANUFACTURER_NOT_FOUND, MODEL_EXISTS. */
export async function createChargerModel(
  { sql }: ServiceDeps,
  by: Actor,
  { manufacturerUuid, ...model }: NewChargerModel,
): Promise<ChargerModelRecord> {
  requireCatalogEditor(by.caller);
  return namesStayUnique(model.modelName, () =>
    sql.begin(async (transaction) => {
      const manufacturerId = await manufacturerOf(transaction, manufacturerUuid);
      const details = { ...defaults, ...defined(model), manufacturerId };
      const { uuid } = await insertChargerModel(transaction, details);
      const made = foundModel(await findChargerModel(transaction, uuid), uuid);
      await auditChange(transaction, by, { ...audited(made, 'create'), before: null, after: made });
      return made;
    }),
  );
}

/**
 * Changes fields of a model; undefined fields stay.
 * @throws {DomainError} CATALOG_NOT_ALLOWED, MODEL_NOT_FOUND, MANUFACTURER_NOT_FOUND, MODEL_EXISTS,
 * PRECONDITION_FAILED.
 */
export async function changeChargerModel(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
  { manufacturerUuid, ...change }: ChargerModelChange,
): Promise<ChargerModelRecord> {
  requireCatalogEditor(by.caller);
  return namesStayUnique(change.modelName, () =>
    sql.begin(async (transaction) => {
      const before = foundModel(await findChargerModel(transaction, uuid, 'change'), uuid);
      requireVersion(before, expected);
      const manufacturerId =
        manufacturerUuid === undefined
          ? before.manufacturerId
          : await manufacturerOf(transaction, manufacturerUuid);
      await updateChargerModel(transaction, before.id, { ...before, ...defined(change), manufacturerId });
      const after = foundModel(await findChargerModel(transaction, uuid), uuid);
      await auditChange(transaction, by, { ...audited(before, 'update'), before, after });
      return after;
    }),
  );
}

/**
 * Removes a model that no charger is of, and no firmware is for, any more.
 * @throws {DomainError} CATALOG_NOT_ALLOWED, MODEL_NOT_FOUND, MODEL_IN_USE, PRECONDITION_FAILED.
 */
export async function deleteChargerModel(
  { sql }: ServiceDeps,
  by: Actor,
  uuid: string,
  expected: number | null,
): Promise<void> {
  requireCatalogEditor(by.caller);
  await sql.begin(async (transaction) => {
    const before = foundModel(await findChargerModel(transaction, uuid, 'change'), uuid);
    requireVersion(before, expected);
    if (await isChargerModelInUse(transaction, before.id)) {
      throw new DomainError(
        'MODEL_IN_USE',
        'There are chargers of this model, or firmware for it: change or remove them first.',
      );
    }
    await removeChargerModel(transaction, before.id);
    await auditChange(transaction, by, { ...audited(before, 'delete'), before, after: null });
  });
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

async function manufacturerOf(transaction: Transaction, uuid: string): Promise<number> {
  return foundManufacturer(await findManufacturer(transaction, uuid, 'keep'), uuid).id;
}

async function namesStayUnique<Result>(
  name: string | undefined,
  store: () => Promise<Result>,
): Promise<Result> {
  try {
    return await store();
  } catch (error) {
    if (!violates(error, 'charger_models_name_key')) throw error;
    throw new DomainError('MODEL_EXISTS', `The manufacturer has a model ${name ?? 'of this name'} already.`);
  }
}

/** @throws {DomainError} MODEL_NOT_FOUND. */
export function foundModel(model: ChargerModelRecord | null, uuid: string): ChargerModelRecord {
  if (model === null) throw new DomainError('MODEL_NOT_FOUND', `There is no charger model ${uuid}.`);
  return model;
}

function audited({ uuid, manufacturerName, modelName }: ChargerModelRecord, action: string) {
  const resourceName = `${manufacturerName} ${modelName}`;
  return { networkId: null, category: 'charger-model', action, resourceId: uuid, resourceName };
}
