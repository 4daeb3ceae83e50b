import type { ChargerOrder } from '#shared/domain/fleet/charger-state.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';
import { lateJoinPage } from '#shared/postgres/kernel/late-join-page.ts';
import { listRecords } from '#shared/postgres/kernel/records.statements.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';
import { withTotal } from '#shared/postgres/kernel/totals.ts';
import { type ListedCharger, listedChargers } from './charger-records.ts';
import { type ChargerFilter, chargersMatching, chargerStateRank, filteredTables } from './charger-filter.ts';

/**
 * Returns one page of the chargers in scope, oldest first without an order.
 * @param list reads the chargers that a query finds, as `listRecords`.
 */
export async function listChargers<Row>(
  sql: Queryable,
  list: (sql: Queryable, found: Fragment) => Promise<Row[]>,
  scope: NetworkScope,
  filter: ChargerFilter,
  { page, pageSize }: PageRequest,
  order?: ChargerOrder,
): Promise<Page<Row>> {
  const sorted = sortedChargers(sql, scope, filter, order);
  const found = lateJoinPage(sql, 'c', sql`select c.id ${sorted.key} from ${sorted.rows}`, sorted.order, {
    limit: pageSize,
    offset: (page - 1) * pageSize,
  });
  const rows = await list(sql, sql`select id from ${found} c ${sorted.order}`);
  const count = async () => {
    const [row] = await sql<{ total: number }[]>`
      select count(*)::integer as total from ${filteredTables(sql)} where ${chargersMatching(sql, scope, filter)}`;
    return row?.total ?? 0;
  };
  return withTotal(sql, { key: ['chargers', scope, filter], count }, { page, pageSize }, rows);
}

/** Returns the keys of all chargers in scope that a filter selects, in order. */
export async function findChargerIds(
  sql: Queryable,
  scope: NetworkScope,
  filter: ChargerFilter,
  order?: ChargerOrder,
): Promise<number[]> {
  const sorted = sortedChargers(sql, scope, filter, order);
  const [row] = await sql<{ ids: number[] }[]>`
    select array(select c.id from (select c.id ${sorted.key} from ${sorted.rows}) c ${sorted.order}) as ids`;
  return row?.ids ?? [];
}

/** Returns the chargers with these keys, in this order. Those that are no longer in scope are left out. */
export function listChargersById(
  sql: Queryable,
  scope: NetworkScope,
  ids: readonly number[],
): Promise<ListedCharger[]> {
  return listRecords(
    sql,
    listedChargers,
    sql`
    select c.id from unnest(${[...ids]}::integer[]) with ordinality as wanted (id, place)
    join chargers c on c.id = wanted.id
    where c.deleted_at is null and ${inScope(sql, 'c.network_id', scope)} order by wanted.place`,
  );
}

/** Rows of `c` with their sort key, and their order. Chargers with the same key stand in the order of their ids. */
function sortedChargers(
  sql: Queryable,
  scope: NetworkScope,
  filter: ChargerFilter,
  order: ChargerOrder | undefined,
): { key: Fragment; rows: Fragment; order: Fragment } {
  const rows = sql`${filteredTables(sql)} ${order === undefined ? sql`` : (rankTables[order.by]?.(sql) ?? sql``)} where ${chargersMatching(sql, scope, filter)}`;
  if (order === undefined) return { key: sql``, rows, order: sql`order by c.id` };
  const direction = order.isDescending ? sql`desc` : sql`asc`;
  // A null as the last one: an index in the same order would only serve names, which are never null.
  const nulls = order.by === 'name' ? sql`` : sql`nulls last`;
  return {
    key: sql`, ${sortKeys[order.by](sql)} as sort_key`,
    rows,
    order: sql`order by sort_key ${direction} ${nulls}, id ${direction}`,
  };
}

const sortKeys: Record<ChargerOrder['by'], (sql: Queryable) => Fragment> = {
  name: (sql) => sql`lower(c.uid)`,
  status: chargerStateRank,
  location: (sql) => sql`ranked.place`,
  model: (sql) => sql`ranked.place`,
  firmware: (sql) => sql`c.firmware_version`,
  lastSeenAt: (sql) => sql`c.last_heartbeat_at`,
};

/** Locations and models are sorted once, not for each of their chargers. */
const rankTables: Partial<Record<ChargerOrder['by'], (sql: Queryable) => Fragment>> = {
  location: (sql) => sql`
    left join (select id, rank() over (order by lower(name)) as place from locations) ranked on ranked.id = c.location_id`,
  model: (sql) => sql`
    left join (
      select o.id, rank() over (order by lower(f.name || ' ' || o.model_name)) as place
      from charger_models o join manufacturers f on f.id = o.manufacturer_id) ranked on ranked.id = c.model_id`,
};
