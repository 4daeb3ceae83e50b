import type { Fragment, Queryable } from './client.ts';
import type { RecordScope, RecordSource, Versioned } from './record-reads.ts';
import { inScope } from './scope.ts';

/** Position of a record in a list. */
export interface RecordPlace {
  id: number;
  /** Version of the record, as of `RecordSource`. */
  version: string;
}

/** Records of one kind, as lists read them. */
interface ListedSource extends RecordSource {
  /** Column of the internal key, by which the list is ordered. */
  id: string;
}

/** Reads of the records of a page. */
export interface RecordPages<Row> {
  /**
   * Returns the positions of the records that a query of the column `id` finds, by their keys. The query names the scope of
   * the caller.
   */
  placesOf: (sql: Queryable, found: Fragment) => Promise<RecordPlace[]>;
  /** Returns the same positions, in the order in which the query has them. */
  placesInOrder: (sql: Queryable, found: Fragment) => Promise<RecordPlace[]>;
  /** Returns the records at positions, in any order, each with its version. Those that the caller does not see are left out. */
  read: (sql: Queryable, scope: RecordScope, places: readonly RecordPlace[]) => Promise<Versioned<Row>[]>;
}

/** Returns the reads of a page: positions in one statement, and the records that are not cached in another. */
export function recordPages<Row extends object>(source: ListedSource): RecordPages<Row> {
  return {
    async placesOf(sql, found) {
      const id = sql(source.id);
      const tables = source.versionTables?.(sql) ?? source.tables(sql);
      // As one text: a row for each record would be most of the cost.
      const [row] = await sql<{ places: string | null }[]>`
        select string_agg(${id} || ' ' || ${source.version(sql)}, chr(10) order by ${id}) as places
        from ${tables} where ${id} = any(array(select id from (${found}) found))`;
      return row?.places?.split('\n').map(placeOf) ?? [];
    },
    async placesInOrder(sql, found) {
      const id = sql(source.id);
      const tables = source.versionTables?.(sql) ?? source.tables(sql);
      const [row] = await sql<{ places: string | null }[]>`
        select string_agg(${id} || ' ' || ${source.version(sql)}, chr(10) order by found_place) as places
        from ${tables}
        join unnest(array(${found})) with ordinality as found (found_id, found_place) on ${id} = found_id`;
      return row?.places?.split('\n').map(placeOf) ?? [];
    },
    async read(sql, { networks, userId }, places) {
      return sql<Versioned<Row>[]>`
        select ${source.columns(sql)}, ${source.version(sql)} as "rowVersion" from ${source.tables(sql)}
        where ${sql(source.id)} = any(array(select unnest(${places.map(({ id }) => id)}::integer[])))
          and ${inScope(sql, source.network, networks)} and ${source.where(sql)}
          ${source.driver === null || userId === null ? sql`` : sql`and ${sql(source.driver)} = ${userId}`}`;
    },
  };
}

function placeOf(text: string): RecordPlace {
  const space = text.indexOf(' ');
  return { id: Number(text.slice(0, space)), version: text.slice(space + 1) };
}
