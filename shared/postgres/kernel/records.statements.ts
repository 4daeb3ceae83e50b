import { type NetworkScope, onlyNetworks } from '#shared/domain/access/tenancy.ts';
import { batchLoader } from '#shared/domain/kernel/loader.ts';
import { batchOptions } from './batch-options.ts';
import type { Fragment, Queryable, Transaction } from './client.ts';
import { inScope } from './scope.statements.ts';

/** Records visible to a caller: records of networks, and of one driver only where `userId` is given. */
interface RecordScope {
  networks: NetworkScope;
  userId: number | null;
}

/** Records of one kind, as statements read them. */
export interface RecordSource {
  /** Column of the internal key. */
  id: string;
  /** Column of the identifier. */
  uuid: string;
  /** Column of the network. */
  network: string;
  /** Column of the driver who owns the record; null when only networks restrict it. */
  driver: string | null;
  columns(sql: Queryable): Fragment;
  tables(sql: Queryable): Fragment;
  /** Condition of a record in addition to its scope. */
  where(sql: Queryable): Fragment;
}

/** Finds one record in the scope of its caller; null when the caller sees none. */
export type FindRecord<Row> = (sql: Queryable, scope: RecordScope, uuid: string) => Promise<Row | null>;

interface Wanted extends RecordScope {
  uuid: string;
}

/** Returns the read of single records, of which concurrent ones share a statement. */
export function recordFinder<Row extends object>(source: RecordSource): FindRecord<Row> {
  const find = batchLoader({
    ...batchOptions,
    // Only records of the same networks share a statement.
    kindOf: ({ networks }: Wanted) => (networks.all ? 'all' : networks.networkIds.join()),
    async read(sql: Queryable, wanted: Wanted[]) {
      const rows = await sql<(Row & { wantedPlace: number })[]>`
        select wanted_place::integer as "wantedPlace", ${source.columns(sql)}
        from ${visible(sql, source, wanted)}`;
      const found = new Map<Wanted, Row>();
      for (const { wantedPlace, ...row } of rows) {
        const one = wanted[wantedPlace - 1];
        if (one !== undefined) found.set(one, row as unknown as Row);
      }
      return found;
    },
  });
  return async (sql, { networks, userId }, uuid) => (await find(sql, { networks, userId, uuid })) ?? null;
}

/** Tables joined with the wanted records, each within the scope of its caller. All are of the same networks. */
function visible(sql: Queryable, source: RecordSource, wanted: readonly Wanted[]) {
  const uuids = wanted.map(({ uuid }) => uuid);
  const drivers = wanted.map(({ userId }) => userId);
  const isTheirs =
    source.driver === null
      ? sql``
      : sql`and (wanted_driver is null or ${sql(source.driver)} = wanted_driver)`;
  return sql`
    ${source.tables(sql)}
    join unnest(${uuids}::uuid[], ${drivers}::integer[]) with ordinality
      as wanted (wanted_uuid, wanted_driver, wanted_place)
      on ${sql(source.uuid)} = wanted_uuid ${isTheirs}
    where ${inScope(sql, source.network, wanted[0]?.networks ?? onlyNetworks([]))} and ${source.where(sql)}`;
}

/** Returns the records that a query of the column `id` finds, in its order. The query keeps to the scope of the caller. */
export async function listRecords<Row extends object>(
  sql: Queryable,
  source: RecordSource,
  found: Fragment,
): Promise<Row[]> {
  return sql<Row[]>`
    select ${source.columns(sql)} from ${source.tables(sql)}
    join unnest(array(${found})) with ordinality as found (found_id, found_place)
      on ${sql(source.id)} = found_id
    order by found_place`;
}

/** Records of networks as statements read them. */
interface NetworkSource {
  /** Alias of their table, which has the columns `id` and `uuid`. */
  alias: string;
  /** Column of the network; `network_id` of the table by default. */
  network?: string;
  /** Columns and tables: `select … from …`. */
  select(sql: Queryable): Fragment;
  /** Condition of a record in addition to its scope. */
  where(sql: Queryable): Fragment;
}

/** Returns the reads of records of networks: a list, oldest first, and a single record. */
export function networkRecords<Row extends object>(source: NetworkSource) {
  const { alias, network = `${alias}.network_id` } = source;
  const inReach = (sql: Queryable, scope: NetworkScope) =>
    sql`${source.select(sql)} where ${source.where(sql)} and ${inScope(sql, network, scope)}`;
  return {
    /** Returns the records in scope after this id. */
    list: async (
      sql: Queryable,
      scope: NetworkScope,
      after: number | null,
      limit: number,
    ): Promise<Row[]> => {
      const id = sql(`${alias}.id`);
      return sql<Row[]>`${inReach(sql, scope)} and ${id} > ${after ?? 0} order by ${id} limit ${limit}`;
    },
    /** Returns a record in scope, or null. `lock`: for a change in this transaction. */
    find: async (sql: Queryable, scope: NetworkScope, uuid: string, lock = false): Promise<Row | null> => {
      const [row] = await sql<Row[]>`
        ${inReach(sql, scope)} and ${sql(`${alias}.uuid`)} = ${uuid}
        ${lock ? sql`for no key update of ${sql(alias)}` : sql``}`;
      return row ?? null;
    },
  };
}

/** Returns the number of records of a network, which is locked for a new one until the end of the transaction. */
export async function countOfNetwork(
  transaction: Transaction,
  table: 'alert_channels' | 'alert_thresholds' | 'webhook_endpoints',
  networkId: number,
): Promise<number> {
  await transaction`select from networks where id = ${networkId} for no key update`;
  const [row] = await transaction<{ count: number }[]>`
    select count(*)::integer as count from ${transaction(table)} where network_id = ${networkId} and deleted_at is null`;
  return row?.count ?? 0;
}
