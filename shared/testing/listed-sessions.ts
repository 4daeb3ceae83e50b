import type { SessionScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { findSessionsAfter, placesOf, readSessions } from '#shared/postgres/charging/session-places.ts';
import type { SessionFilter, SessionRecord } from '#shared/postgres/charging/session-records.ts';

/** The newest sessions in scope, as the API reads them. */
export async function listedSessions(
  sql: Queryable,
  scope: SessionScope,
  filter: SessionFilter = {},
): Promise<SessionRecord[]> {
  const found = await findSessionsAfter(sql, scope, filter, null, 100);
  const records = await readSessions(sql, scope, await placesOf(sql, found));
  return found.flatMap(({ id }) => records.find((record) => record.id === id) ?? []);
}
