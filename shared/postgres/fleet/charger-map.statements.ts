import { chargerStates } from '#shared/domain/fleet/charger-state.ts';
import {
  gridCells,
  type MapBox,
  maxMapFeatures,
  maxMercatorLatitude,
  singleLocationsZoom,
} from '#shared/domain/fleet/charger-map.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';
import { type ChargerFilter, chargersMatching, chargerStateRank, filteredTables } from './charger-filter.ts';
import { type StateCounts, stateCounts } from './charger-summary.ts';

/** Locations of a cell of the grid, or a single location. */
export interface MapFeature {
  /** Centre: the mean of its chargers. */
  longitude: number;
  latitude: number;
  box: MapBox;
  locations: number;
  /** Of a single location; null: a cluster. */
  locationUuid: string | null;
  name: string | null;
  chargers: number;
  states: StateCounts;
}

/** Chargers of a part of the map. */
export interface ChargerMap {
  features: MapFeature[];
  /** Number of chargers in the box. */
  chargers: number;
  /** Number of chargers without a location, which no box contains. */
  chargersWithoutLocation: number;
}

type FeatureRow = Omit<MapFeature, 'box' | 'states'> & MapBox & Record<keyof StateCounts, number | null>;

/** Returns the chargers in scope that a filter selects, in a box, clustered for a zoom level. */
export async function readChargerMap(
  sql: Queryable,
  scope: NetworkScope,
  filter: ChargerFilter,
  box: MapBox,
  zoom: number,
): Promise<ChargerMap> {
  const matching = chargersMatching(sql, scope, filter);
  const [rows, [apart]] = await Promise.all([
    readFeatures(sql, matching, box, zoom),
    sql<{ count: number }[]>`
      select count(*)::integer as count from ${filteredTables(sql)} where ${matching} and c.location_id is null`,
  ]);
  return {
    features: rows.map(featureOf),
    chargers: rows.reduce((sum, { chargers }) => sum + chargers, 0),
    chargersWithoutLocation: apart?.count ?? 0,
  };
}

async function readFeatures(
  sql: Queryable,
  matching: Fragment,
  box: MapBox,
  zoom: number,
): Promise<FeatureRow[]> {
  const cells = gridCells(box, zoom);
  const { west, south, east, north } = box;
  const inWidth =
    west <= east
      ? sql`l.longitude between ${west} and ${east}`
      : sql`(l.longitude >= ${west} or l.longitude <= ${east})`;
  const bounded = sql`least(${maxMercatorLatitude}::double precision, greatest(-${maxMercatorLatitude}::double precision, latitude))`;
  const cell = sql`
    floor((longitude + 180) / 360 * ${cells}::integer) as cell_x,
    floor((0.5 - ln(tan(pi() / 4 + ${bounded} * pi() / 360)) / (2 * pi())) * ${cells}::integer) as cell_y`;
  // Locations keep to themselves where few enough of them are seen from near.
  const isSingle = sql`${zoom >= singleLocationsZoom} and total <= ${maxMapFeatures}`;
  const summed = chargerStates
    .map((state, index) => sql`sum(n) filter (where rank = ${index + 1}::integer)::integer as ${sql(state)}`)
    .reduce((columns, column) => sql`${columns}, ${column}`);
  return sql<FeatureRow[]>`
    with located as materialized (
      select c.location_id, ${chargerStateRank(sql)} as rank, count(*) as n
      from ${filteredTables(sql)}
      where ${matching} and l.latitude between ${south} and ${north} and ${inWidth}
      group by 1, 2
    ), placed as (
      select location_id, rank, n, l.uuid, l.name, latitude, longitude, ${cell},
        (select count(distinct location_id) from located) as total
      from located join locations l on l.id = located.location_id
    )
    select least(max(longitude), greatest(min(longitude), sum(longitude * n) / sum(n))) as longitude,
      least(max(latitude), greatest(min(latitude), sum(latitude * n) / sum(n))) as latitude,
      min(longitude) as west, min(latitude) as south, max(longitude) as east, max(latitude) as north,
      count(distinct location_id)::integer as locations, sum(n)::integer as chargers, ${summed},
      case when count(distinct location_id) = 1 then min(uuid::text) end as "locationUuid",
      case when count(distinct location_id) = 1 then min(name) end as name
    from placed
    group by case when ${isSingle} then location_id end, case when not (${isSingle}) then cell_x end,
      case when not (${isSingle}) then cell_y end
    order by chargers desc, longitude, latitude limit ${maxMapFeatures}`;
}

function featureOf({ west, south, east, north, ...row }: FeatureRow): MapFeature {
  const { longitude, latitude, locations, locationUuid, name, chargers } = row;
  return {
    longitude,
    latitude,
    box: { west, south, east, north },
    locations,
    locationUuid,
    name,
    chargers,
    states: stateCounts((state) => row[state] ?? undefined),
  };
}
