import { type ChargerState, chargerStates } from '#shared/domain/fleet/charger-state.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { type ChargerFilter, chargersMatching, chargerStateRank, filteredTables } from './charger-filter.ts';

/** Number of chargers by state. */
export type StateCounts = Record<ChargerState, number>;

/** Number of chargers that share a value. */
interface ValueCount {
  /** Null: the chargers without one. */
  value: string | null;
  count: number;
}

/** Counts of the chargers that a filter selects. */
export interface ChargerSummary {
  total: number;
  states: StateCounts;
  ocppVersions: ValueCount[];
  firmwareVersions: ValueCount[];
  models: (ValueCount & { modelName: string | null; manufacturerName: string | null })[];
  runningSessions: number;
  /** Null: no running session reported its power. */
  powerW: number | null;
  /** Time of the oldest report that `powerW` includes, and of the newest. */
  powerFrom: Date | null;
  powerTo: Date | null;
}

/** Maximum number of values of one kind; the most frequent ones. */
const maxSummaryValues = 100;

type Kind = 'total' | 'state' | 'ocpp' | 'model' | 'firmware';

interface CountRow {
  kind: Kind;
  value: string | null;
  modelName: string | null;
  manufacturerName: string | null;
  count: number;
}

/** Counts the chargers in scope that a filter selects, in two statements. */
export async function summarizeChargers(
  sql: Queryable,
  scope: NetworkScope,
  filter: ChargerFilter,
): Promise<ChargerSummary> {
  const [rows, [running]] = await Promise.all([
    readCounts(sql, scope, filter),
    sql<Pick<ChargerSummary, 'runningSessions' | 'powerW' | 'powerFrom' | 'powerTo'>[]>`
      select count(*)::integer as "runningSessions", sum(s.power_w) as "powerW",
        min(s.live_at) filter (where s.power_w is not null) as "powerFrom",
        max(s.live_at) filter (where s.power_w is not null) as "powerTo"
      from sessions s
      where s.status in ('ACTIVE', 'STOPPING')
        and s.charger_id in (
          select c.id from ${filteredTables(sql)} where ${chargersMatching(sql, scope, filter)})`,
  ]);
  const of = (kind: Kind) => rows.filter((row) => row.kind === kind);
  const valuesOf = (kind: Kind) => of(kind).map(({ value, count }) => ({ value, count }));
  return {
    total: of('total')[0]?.count ?? 0,
    states: stateCounts((state) => of('state').find(({ value }) => value === state)?.count),
    ocppVersions: valuesOf('ocpp'),
    firmwareVersions: valuesOf('firmware'),
    models: of('model').map(({ value, count, modelName, manufacturerName }) => ({
      value,
      count,
      modelName,
      manufacturerName,
    })),
    ...(running ?? { runningSessions: 0, powerW: null, powerFrom: null, powerTo: null }),
  };
}

/** Returns counts of all states; a missing one is 0. */
export function stateCounts(count: (state: ChargerState) => number | undefined): StateCounts {
  return Object.fromEntries(chargerStates.map((state) => [state, count(state) ?? 0])) as StateCounts;
}

/** The rows of each kind, most frequent first. */
function readCounts(sql: Queryable, scope: NetworkScope, filter: ChargerFilter): Promise<CountRow[]> {
  return sql<CountRow[]>`
    with counted as (
      select case when grouping(state) = 0 then 'state' when grouping(ocpp_version) = 0 then 'ocpp'
          when grouping(model_id) = 0 then 'model' when grouping(firmware_version) = 0 then 'firmware'
          else 'total' end as kind,
        state, ocpp_version, model_id, firmware_version, sum(n)::integer as count
      from (
        select ${chargerStateRank(sql)} as state, c.ocpp_version, c.model_id, c.firmware_version, count(*) as n
        from ${filteredTables(sql)} where ${chargersMatching(sql, scope, filter)}
        group by 1, 2, 3, 4) c
      group by grouping sets ((), (state), (ocpp_version), (model_id), (firmware_version))
    ), ranked as (
      select *, row_number() over (partition by kind order by count desc, ocpp_version, model_id, firmware_version) as place
      from counted
    )
    select kind, case kind when 'state' then (${[...chargerStates]}::text[])[state] when 'ocpp' then ranked.ocpp_version when 'model' then m.uuid::text
        when 'firmware' then firmware_version end as value,
      m.model_name as "modelName", f.name as "manufacturerName", count
    from ranked
    left join charger_models m on m.id = ranked.model_id
    left join manufacturers f on f.id = m.manufacturer_id
    where place <= ${maxSummaryValues} order by kind, place`;
}
