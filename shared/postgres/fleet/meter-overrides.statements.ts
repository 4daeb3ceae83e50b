import { type MeterOverride, overridesFor } from '#shared/domain/fleet/meter-override.ts';
import type { Queryable, Sql } from '#shared/postgres/kernel/client.ts';

/** Channel on which changes to overrides, and to the models that chargers have, are announced. */
const channel = 'meter_overrides_changed';

/** Pause in ms after a failed read of the changes. */
const retryMs = 2000;

/** Announces that the overrides of some chargers may have changed, once the transaction is committed. */
export async function announceMeterOverrides(sql: Queryable): Promise<void> {
  await sql`select pg_notify(${channel}, '')`;
}

/** The overrides of a charger model, as an operator set them. */
export interface MeterOverridesRecord {
  overrides: MeterOverride[];
  /** 0 while none were set. */
  version: number;
  updatedAt: Date | null;
}

/** The overrides of a model. */
export async function findMeterOverrides(sql: Queryable, modelId: number): Promise<MeterOverridesRecord> {
  const [row] = await sql<MeterOverridesRecord[]>`
    select overrides, version, updated_at as "updatedAt" from meter_overrides where model_id = ${modelId}`;
  return row ?? { overrides: [], version: 0, updatedAt: null };
}

/** Replaces the overrides of a model in the caller's transaction, and announces the change to the gateways. */
export async function storeMeterOverrides(
  sql: Queryable,
  modelId: number,
  overrides: readonly MeterOverride[],
): Promise<MeterOverridesRecord> {
  const json = sql.json(overrides.map((override) => ({ ...override })));
  const [row] = await sql<MeterOverridesRecord[]>`
    insert into meter_overrides as o (model_id, overrides) values (${modelId}, ${json})
    on conflict (model_id) do update set overrides = excluded.overrides, version = o.version + 1, updated_at = now()
    returning overrides, version, updated_at as "updatedAt"`;
  if (row === undefined) throw new Error('storing meter overrides returned no row');
  await announceMeterOverrides(sql);
  return row;
}

/**
 * Returns the overrides for these chargers, by their ids; chargers without any are left out. A charger's
 * model is the one that an operator set, else the catalog's model with the manufacturer and name from its
 * boot.
 */
export async function listMeterOverrides(
  sql: Queryable,
  chargerIds: number[],
): Promise<Map<number, readonly MeterOverride[]>> {
  const rows = await sql<{ chargerId: number; firmwareVersion: string | null; overrides: MeterOverride[] }[]>`
    select c.id as "chargerId", c.firmware_version as "firmwareVersion", o.overrides
    from chargers c
    join charger_models m on m.deleted_at is null and case when c.model_id is not null then m.id = c.model_id
      else lower(m.model_name) = lower(c.vendor_model) and exists (
        select 1 from manufacturers f where f.id = m.manufacturer_id and lower(f.name) = lower(c.vendor)) end
    join meter_overrides o on o.model_id = m.id
    where c.id = any(${chargerIds}::integer[])`;
  return new Map(
    rows.map(({ chargerId, firmwareVersion, overrides }) => [
      chargerId,
      overridesFor(overrides, firmwareVersion),
    ]),
  );
}

/**
 * Reports whether any model has overrides: at once, whenever those of some chargers may have changed, and
 * when a change may have been missed. Resolves after the first report, with a function that stops it.
 */
export async function followMeterOverrides(
  sql: Sql,
  follower: { changed(isAny: boolean): void; failed(error: unknown): void },
): Promise<() => Promise<void>> {
  let steps: Promise<void> = Promise.resolve();
  let retry: NodeJS.Timeout | undefined;
  let isStopped = false;
  const read = async (): Promise<void> => {
    const [row] = await sql<{ isAny: boolean }[]>`
      select exists (select 1 from meter_overrides where overrides <> '[]') as "isAny"`;
    follower.changed(row?.isAny ?? false);
  };
  // Sequential, so that the result of an earlier query never overwrites a later one.
  const look = (): void => {
    clearTimeout(retry);
    steps = steps.then(read).catch((error: unknown) => {
      if (isStopped) return;
      follower.failed(error);
      retry = setTimeout(look, retryMs).unref();
    });
  };
  const listening = await sql.listen(channel, look, look);
  await steps;
  return () => {
    isStopped = true;
    clearTimeout(retry);
    return listening.unlisten();
  };
}
