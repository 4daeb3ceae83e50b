import type { Queryable } from '#shared/postgres/kernel/client.ts';

/** Charger that analytics are computed for, removed ones included. */
interface AnalyzedCharger {
  id: number;
  networkId: number;
  locationId: number | null;
  modelId: number | null;
}

/** Selects chargers; a field that is left out matches all. */
export interface ChargerChoice {
  chargerUuid?: string | undefined;
  locationUuid?: string | undefined;
  modelUuid?: string | undefined;
}

/** Returns the chargers of networks that match, removed ones included. */
export async function listAnalyzedChargers(
  sql: Queryable,
  networkIds: readonly number[],
  { chargerUuid, locationUuid, modelUuid }: ChargerChoice,
): Promise<Pick<AnalyzedCharger, 'id' | 'networkId'>[]> {
  return sql<Pick<AnalyzedCharger, 'id' | 'networkId'>[]>`
    select c.id, c.network_id as "networkId" from chargers c
    where c.network_id = any(${[...networkIds]}::integer[])
      ${chargerUuid === undefined ? sql`` : sql`and c.uuid = ${chargerUuid}`}
      ${locationUuid === undefined ? sql`` : sql`and c.location_id = (select id from locations where uuid = ${locationUuid})`}
      ${modelUuid === undefined ? sql`` : sql`and c.model_id = (select id from charger_models where uuid = ${modelUuid})`}`;
}

/** Returns chargers of networks by id with their present location and model. */
export async function findAnalyzedChargers(
  sql: Queryable,
  networkIds: readonly number[],
  ids: Iterable<number>,
): Promise<AnalyzedCharger[]> {
  return sql<AnalyzedCharger[]>`
    select id, network_id as "networkId", location_id as "locationId", model_id as "modelId" from chargers
    where id = any(${[...ids]}::integer[]) and network_id = any(${[...networkIds]}::integer[])`;
}

/** Returns the key of a tariff of networks, removed ones included, or null. */
export async function findAnalyzedTariff(
  sql: Queryable,
  networkIds: readonly number[],
  uuid: string,
): Promise<number | null> {
  const [row] = await sql<{ id: number }[]>`
    select id from tariffs where uuid = ${uuid} and network_id = any(${[...networkIds]}::integer[])`;
  return row?.id ?? null;
}

/** Records that sums are grouped by. */
export type AnalyzedKind = 'charger' | 'location' | 'model' | 'network' | 'tariff';

/** Name of a record. */
export interface AnalyzedName {
  id: number;
  uuid: string;
  name: string;
  /** City of a location, manufacturer of a model, location of a charger; else null. */
  detail: string | null;
}

/** Returns the names of records, removed ones included, by id. */
export async function listAnalyzedNames(
  sql: Queryable,
  kind: AnalyzedKind,
  ids: readonly number[],
): Promise<Map<number, AnalyzedName>> {
  const rows = await sql<AnalyzedName[]>`
    ${namesOf[kind](sql)} where r.id = any(${[...ids]}::integer[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

const namesOf = {
  charger: (sql: Queryable) => sql`
    select r.id, r.uuid, r.uid as name, l.name as detail from chargers r left join locations l on l.id = r.location_id`,
  location: (sql: Queryable) => sql`select r.id, r.uuid, r.name, r.city as detail from locations r`,
  model: (sql: Queryable) => sql`
    select r.id, r.uuid, r.model_name as name, m.name as detail
    from charger_models r join manufacturers m on m.id = r.manufacturer_id`,
  network: (sql: Queryable) => sql`select r.id, r.uuid, r.name, null::text as detail from networks r`,
  tariff: (sql: Queryable) => sql`select r.id, r.uuid, r.name, null::text as detail from tariffs r`,
} satisfies Record<AnalyzedKind, (sql: Queryable) => unknown>;
