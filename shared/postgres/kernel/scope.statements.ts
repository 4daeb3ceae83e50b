import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable } from './client.ts';

/** The condition that keeps a query within the caller's networks; `column` is the table's network id. */
export function inScope(sql: Queryable, column: string, scope: NetworkScope) {
  if (scope.all) return sql`true`;
  const [only, ...others] = scope.networkIds;
  // Of one network an index gives the rows in the order of its next columns; of several it does not.
  if (only !== undefined && others.length === 0) return sql`${sql(column)} = ${only}`;
  return sql`${sql(column)} = any(${scope.networkIds as number[]}::integer[])`;
}
