import type { SessionScope } from '#shared/domain/access/tenancy.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { findPlaces, readPlaces, type SessionPlace } from './session-places.ts';
import { type SessionRecord, sessionColumns, sessionTables, visibleSessions } from './session-records.ts';

/**
 * Billing state of a completed session: INVOICED; OPEN, with a price and on no invoice; PENDING, priced as
 * soon as its readings are read; UNPRICED, no tariff was assigned; REVIEW, an operator must approve its
 * price.
 */
export const transactionStatuses = ['OPEN', 'INVOICED', 'PENDING', 'UNPRICED', 'REVIEW'] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

/** A completed session. */
export interface TransactionRecord extends SessionRecord {
  endedAt: Date;
  billing: TransactionStatus;
}

/** Filter of transactions; `from` and `to` bound their end, both inclusive. */
export interface TransactionFilter {
  billing?: TransactionStatus | undefined;
  userUuid?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

const transactionColumns = (sql: Queryable) => sql`${sessionColumns(sql)}, s.billing`;

const matching = (sql: Queryable, scope: SessionScope, filter: TransactionFilter) => sql`
  s.status = 'COMPLETED' and ${visibleSessions(sql, scope)}
  ${filter.billing === undefined ? sql`` : sql`and s.billing = ${filter.billing}`}
  ${filter.userUuid === undefined ? sql`` : sql`and s.user_id = (select id from users where uuid = ${filter.userUuid})`}
  ${filter.from === undefined ? sql`` : sql`and s.ended_at >= ${filter.from}`}
  ${filter.to === undefined ? sql`` : sql`and s.ended_at <= ${filter.to}`}`;

/** Returns the completed sessions of one page, last ended first. */
export function findTransactionPlaces(
  sql: Queryable,
  scope: SessionScope,
  filter: TransactionFilter,
  page: PageRequest,
): Promise<Page<SessionPlace>> {
  const where = () => matching(sql, scope, filter);
  const key = ['transactions', scope, filter];
  const isNarrow = filter.userUuid !== undefined;
  return findPlaces(sql, { scope, isNarrow, where, newestBy: 'ended_at', key }, page);
}

/** The transactions at such places, in any order. */
export function readTransactions(
  sql: Queryable,
  scope: SessionScope,
  places: readonly SessionPlace[],
): Promise<TransactionRecord[]> {
  return readPlaces<TransactionRecord>(sql, transactionColumns(sql), scope, places);
}

/** One completed session in scope; null when there is none. */
export async function findTransaction(
  sql: Queryable,
  scope: SessionScope,
  uuid: string,
): Promise<TransactionRecord | null> {
  const [row] = await sql<TransactionRecord[]>`
    select ${transactionColumns(sql)} from ${sessionTables(sql)}
    where s.uuid = ${uuid} and ${matching(sql, scope, {})}`;
  return row ?? null;
}
