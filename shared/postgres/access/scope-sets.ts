import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';

/**
 * The condition that keeps a query to those holders of networks (keys, operators) that reach nothing beyond the caller's:
 * who is not pinned, or is pinned to a network of others too, is beyond a pinned caller. `alias` is the holders' table, whose
 * networks are in `table`, by its column `holder`.
 */
export function reachesWithin(
  sql: Queryable,
  { alias, table, holder }: { alias: string; table: string; holder: string },
  scope: NetworkScope,
) {
  if (scope.all) return sql`true`;
  return sql`(not ${sql(`${alias}.unrestricted`)}
    and exists (select 1 from ${sql(table)} own where ${sql(`own.${holder}`)} = ${sql(`${alias}.id`)})
    and not exists (
      select 1 from ${sql(table)} other where ${sql(`other.${holder}`)} = ${sql(`${alias}.id`)}
        and other.network_id <> all(${scope.networkIds as number[]}::integer[])
    ))`;
}
