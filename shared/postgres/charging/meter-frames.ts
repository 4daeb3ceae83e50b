import type { MeterFrame } from '#shared/domain/charging/session-meter.ts';
import { meterStartMissing, startMissing } from '#shared/domain/charging/session.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';

/** Expression for the maximum power of a connector: its own, else that of its charger or model. */
export const ratedPower = (sql: Queryable, connectorId: Fragment) => sql`
  (select coalesce(k.max_power_w, c.max_power_w, m.max_power_w)
    from connectors k join chargers c on c.id = k.charger_id left join charger_models m on m.id = c.model_id
    where k.id = ${connectorId})`;

/** Columns of a `MeterFrame` but the start, of sessions `s`. An assumed register is not a register of the start. */
export const frameColumns = (sql: Queryable) => sql`
  case when not s.flags && ${[meterStartMissing, startMissing]}::text[] then s.meter_start_wh end as "startWh",
  ${ratedPower(sql, sql`s.connector_id`)} as "ratedPowerW"`;

/** Expression for the readings of sessions `s`. Those of the previous version are in `register_count`. */
export const storedMeter = (sql: Queryable) => sql`
  coalesce(s.meter, case when jsonb_typeof(s.register_count -> 'last') = 'object' then
    jsonb_build_object('registers', jsonb_build_object('Outlet import', jsonb_build_object(
      'first', jsonb_build_object('value', s.meter_start_wh, 'atMs', floor(extract(epoch from s.started_at) * 1000)),
      'last', jsonb_build_object('value', s.register_count -> 'last' -> 'registerWh',
        'atMs', s.register_count -> 'last' -> 'atMs'),
      'energyWh', s.register_count -> 'energyWh', 'readings', 2, 'fall', null)
      || case when s.register_count ? 'wasReset' or jsonb_typeof(s.register_count -> 'beforeReset') = 'object'
        then '{"wasReset": true}'::jsonb else '{}' end))
    end, '{"registers": {}}')`;

/** Reads the facts by which the readings of sessions are judged, by session uuid. */
export async function readMeterFrames(
  sql: Queryable,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, MeterFrame>> {
  const rows = await sql<(MeterFrame & { uuid: string })[]>`
    select s.uuid, s.started_at as "startedAt", ${frameColumns(sql)}
    from sessions s where s.uuid = any(${[...uuids]}::uuid[])`;
  return new Map(rows.map(({ uuid, ...frame }) => [uuid, frame]));
}
