import type { SessionScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { newestSessionsFirst } from '#shared/domain/charging/session-order.ts';
import { findOrderedSessions } from '#shared/postgres/charging/ordered-sessions.ts';
import { readSessions } from '#shared/postgres/charging/session-pages.ts';
import type { SessionFilter, SessionRecord } from '#shared/postgres/charging/session-records.ts';

/** The newest sessions in scope, as the API reads them. */
export async function listedSessions(
  sql: Queryable,
  scope: SessionScope,
  filter: SessionFilter = {},
): Promise<SessionRecord[]> {
  const found = await findOrderedSessions(sql, scope, filter, newestSessionsFirst, {
    after: null,
    asOf: new Date(),
    limit: 100,
  });
  return readSessions(sql, scope, found);
}
