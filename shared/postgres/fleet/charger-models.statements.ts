import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { containing } from '#shared/postgres/kernel/search.statements.ts';
import { announceMeterOverrides } from './meter-overrides.statements.ts';

/** Fields of a charger model. */
export interface ChargerModelDetails {
  modelName: string;
  description: string | null;
  maxPowerW: number | null;
  numberOfConnectors: number | null;
  supportedConnectorTypes: string | null;
  ocppVersion: OcppVersion;
  supportedFeatures: string | null;
  imageUrl: string | null;
  datasheetUrl: string | null;
}

/** A charger model of the catalog that all networks share. */
export interface ChargerModelRecord extends ChargerModelDetails {
  id: number;
  uuid: string;
  manufacturerId: number;
  manufacturerUuid: string;
  manufacturerName: string;
  manufacturerWebsite: string | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const columns = (sql: Queryable) => sql`
  m.id, m.uuid, m.model_name as "modelName", m.description, m.max_power_w as "maxPowerW",
  m.number_of_connectors as "numberOfConnectors", m.supported_connector_types as "supportedConnectorTypes",
  m.ocpp_version as "ocppVersion", m.supported_features as "supportedFeatures", m.image_url as "imageUrl",
  m.datasheet_url as "datasheetUrl", m.version, m.created_at as "createdAt", m.updated_at as "updatedAt",
  f.id as "manufacturerId", f.uuid as "manufacturerUuid", f.name as "manufacturerName",
  f.website as "manufacturerWebsite"`;

const tables = (sql: Queryable) => sql`charger_models m join manufacturers f on f.id = m.manufacturer_id`;

/** Filter of a list of models. `search`: a part of the name, the manufacturer's name or the description. */
export interface ChargerModelFilter {
  search?: string | undefined;
  manufacturerUuid?: string | undefined;
}

/** One page of the models, by maker and name. */
export async function listChargerModels(
  sql: Queryable,
  { search, manufacturerUuid }: ChargerModelFilter,
  { page, pageSize }: PageRequest,
): Promise<Page<ChargerModelRecord>> {
  const where = sql`
    m.deleted_at is null
    ${manufacturerUuid === undefined ? sql`` : sql`and f.uuid = ${manufacturerUuid}`}
    ${search === undefined ? sql`` : sql`and concat_ws(' ', f.name, m.model_name, m.description) ilike ${containing(search)}`}`;
  const [rows, [count]] = await Promise.all([
    sql<ChargerModelRecord[]>`
      select ${columns(sql)} from ${tables(sql)} where ${where}
      order by lower(f.name), lower(m.model_name), m.id limit ${pageSize} offset ${(page - 1) * pageSize}`,
    sql<{ total: number }[]>`select count(*)::integer as total from ${tables(sql)} where ${where}`,
  ]);
  return { rows, total: count?.total ?? 0 };
}

/**
 * One model, or null. `lock`: `change` for a change of it in this transaction, `keep` so that it is not
 * removed before the end of this transaction.
 */
export async function findChargerModel(
  sql: Queryable,
  uuid: string,
  lock?: 'change' | 'keep',
): Promise<ChargerModelRecord | null> {
  const locking = { change: sql`for update of m`, keep: sql`for key share of m` };
  const [row] = await sql<ChargerModelRecord[]>`
    select ${columns(sql)} from ${tables(sql)} where m.uuid = ${uuid} and m.deleted_at is null
    ${lock === undefined ? sql`` : locking[lock]}`;
  return row ?? null;
}

/** Stores a new model; the violation of `charger_models_name_key` means that its maker has one of that name. */
export async function insertChargerModel(
  sql: Queryable,
  model: ChargerModelDetails & { manufacturerId: number },
): Promise<{ uuid: string }> {
  const [row] = await sql<{ uuid: string }[]>`
    insert into charger_models ${sql(toColumns(model))} returning uuid`;
  if (row === undefined) throw new Error('the insert of a charger model returned no row');
  return row;
}

/** Replaces the fields of a locked model; violations as of `insertChargerModel`. */
export async function updateChargerModel(
  sql: Queryable,
  id: number,
  model: ChargerModelDetails & { manufacturerId: number },
): Promise<void> {
  await sql`
    update charger_models set ${sql(toColumns(model))}, version = version + 1, updated_at = now()
    where id = ${id}`;
  await announceMeterOverrides(sql);
}

/** Removes a model softly. */
export async function removeChargerModel(sql: Queryable, id: number): Promise<void> {
  await sql`
    update charger_models set deleted_at = now(), updated_at = now(), version = version + 1 where id = ${id}`;
  await announceMeterOverrides(sql);
}

/** Returns whether a model has chargers or firmware. */
export async function isChargerModelInUse(sql: Queryable, id: number): Promise<boolean> {
  const [row] = await sql<{ inUse: boolean }[]>`
    select exists (select 1 from chargers where model_id = ${id} and deleted_at is null)
      or exists (select 1 from firmware_images where model_id = ${id} and deleted_at is null) as "inUse"`;
  return row?.inUse ?? false;
}

function toColumns(model: ChargerModelDetails & { manufacturerId: number }) {
  return {
    manufacturer_id: model.manufacturerId,
    model_name: model.modelName,
    description: model.description,
    max_power_w: model.maxPowerW,
    number_of_connectors: model.numberOfConnectors,
    supported_connector_types: model.supportedConnectorTypes,
    ocpp_version: model.ocppVersion,
    supported_features: model.supportedFeatures,
    image_url: model.imageUrl,
    datasheet_url: model.datasheetUrl,
  };
}
