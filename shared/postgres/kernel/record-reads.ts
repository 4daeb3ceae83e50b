import { type NetworkScope, onlyNetworks } from '#shared/domain/access/tenancy.ts';
import { batchLoader } from '#shared/domain/kernel/loader.ts';
import { batchOptions } from './batch-options.ts';
import type { Fragment, Queryable } from './client.ts';
import { inScope } from './scope.ts';

/** Records visible to a caller: those of networks, and of one driver only where `userId` is given. */
export interface RecordScope {
  networks: NetworkScope;
  userId: number | null;
}

/** Records of one kind, as statements read them. */
export interface RecordSource {
  /** Column of the identifier. */
  uuid: string;
  /** Column of the number, for records that a number distinguishes below the identifier. */
  number?: string;
  /** Column of the network. */
  network: string;
  /** Column of the driver who owns the record; null when only networks restrict it. */
  driver: string | null;
  columns(sql: Queryable): Fragment;
  tables(sql: Queryable): Fragment;
  /**
   * Version of the record, as text without line feeds. It changes whenever the record may be shown otherwise, and never
   * comes back: transactions that wrote the rows (`xmin`), identifiers, and values that depend on the time.
   */
  version(sql: Queryable): Fragment;
  /** Tables of the version and the condition; by default all of them. */
  versionTables?(sql: Queryable): Fragment;
  /** Condition of a record alongside its scope. */
  where(sql: Queryable): Fragment;
}

/** A record with the version of its rows, which the same statement has read. */
export type Versioned<Row> = Row & { rowVersion: string };

/** Identifier of a record, with its number where the source has one. */
export type RecordKey = string | { uuid: string; number: number };

/** Reads of single records within the scope of their caller. */
export interface RecordReads<Row> {
  /** Returns a record; null when the caller sees none. */
  find: (sql: Queryable, scope: RecordScope, key: RecordKey) => Promise<Versioned<Row> | null>;
  /** Returns the version of a record now; null when the caller sees none. */
  findVersion: (sql: Queryable, scope: RecordScope, key: RecordKey) => Promise<string | null>;
}

interface Wanted extends RecordScope {
  uuid: string;
  number: number | null;
}

function wantedOf({ networks, userId }: RecordScope, key: RecordKey): Wanted {
  return typeof key === 'string'
    ? { networks, userId, uuid: key, number: null }
    : { networks, userId, uuid: key.uuid, number: key.number };
}

/** Only records of the same networks share a statement. */
const kindOf = ({ networks }: Wanted) => (networks.all ? 'all' : networks.networkIds.join());

/** Returns reads of single records, of which concurrent ones share a statement. */
export function recordReads<Row extends object>(source: RecordSource): RecordReads<Row> {
  const find = batchLoader({
    ...batchOptions,
    kindOf,
    async read(sql: Queryable, wanted: Wanted[]) {
      const rows = await sql<(Versioned<Row> & { wantedPlace: number })[]>`
        select wanted_place::integer as "wantedPlace", ${source.columns(sql)}, ${source.version(sql)} as "rowVersion"
        from ${visible(sql, source, source.tables(sql), wanted)}`;
      const found = new Map<Wanted, Versioned<Row>>();
      for (const row of rows) {
        const asked = wanted[row.wantedPlace - 1];
        if (asked !== undefined) found.set(asked, row);
      }
      return found;
    },
  });
  const findVersion = batchLoader({
    ...batchOptions,
    kindOf,
    async read(sql: Queryable, wanted: Wanted[]) {
      const tables = source.versionTables?.(sql) ?? source.tables(sql);
      // As one text: a row for each record would be most of the cost.
      const [row] = await sql<{ versions: string | null }[]>`
        select string_agg(wanted_place || ' ' || ${source.version(sql)}, chr(10)) as versions
        from ${visible(sql, source, tables, wanted)}`;
      const versions = new Map<Wanted, string>();
      for (const text of row?.versions?.split('\n') ?? []) {
        const space = text.indexOf(' ');
        const asked = wanted[Number(text.slice(0, space)) - 1];
        if (asked !== undefined) versions.set(asked, text.slice(space + 1));
      }
      return versions;
    },
  });
  return {
    find: async (sql, scope, key) => (await find(sql, wantedOf(scope, key))) ?? null,
    findVersion: async (sql, scope, key) => (await findVersion(sql, wantedOf(scope, key))) ?? null,
  };
}

/** Tables joined with the wanted records, each within the scope of its caller. All are of the same networks. */
function visible(sql: Queryable, source: RecordSource, tables: Fragment, wanted: readonly Wanted[]) {
  const [first] = wanted;
  const uuids = wanted.map(({ uuid }) => uuid);
  const drivers = wanted.map(({ userId }) => userId);
  const numbers =
    source.number === undefined
      ? { arrays: sql``, column: sql``, condition: sql`` }
      : {
          arrays: sql`, ${wanted.map(({ number }) => number)}::integer[]`,
          column: sql`wanted_number,`,
          condition: sql`and ${sql(source.number)} = wanted_number`,
        };
  const isTheirs =
    source.driver === null
      ? sql``
      : sql`and (wanted_driver is null or ${sql(source.driver)} = wanted_driver)`;
  return sql`
    ${tables}
    join unnest(${uuids}::uuid[], ${drivers}::integer[] ${numbers.arrays}) with ordinality
      as wanted (wanted_uuid, wanted_driver, ${numbers.column} wanted_place)
      on ${sql(source.uuid)} = wanted_uuid ${isTheirs} ${numbers.condition}
    where ${inScope(sql, source.network, first?.networks ?? onlyNetworks([]))} and ${source.where(sql)}`;
}
