import type { SessionScope } from '#shared/domain/access/tenancy.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { recordFinder } from '#shared/postgres/kernel/records.statements.ts';
import { newestSessionPage } from './session-pages.ts';
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
export function listTransactions(
  sql: Queryable,
  scope: SessionScope,
  filter: TransactionFilter,
  page: PageRequest,
): Promise<Page<TransactionRecord>> {
  const where = () => matching(sql, scope, filter);
  const key = ['transactions', scope, filter];
  const isNarrow = filter.userUuid !== undefined;
  const list = { scope, isNarrow, where, newestBy: 'ended_at', key } as const;
  return newestSessionPage<TransactionRecord>(sql, transactionColumns(sql), list, page);
}

/** A completed session with its receipt. */
interface SettledRecord extends TransactionRecord {
  /** Number of its newest receipt; null when none was issued. */
  receiptNumber: string | null;
}

const receiptNumber = (sql: Queryable) => sql`(
  select number from receipts where session_id = s.id order by session_version desc limit 1)`;

/** Finds one transaction in scope. */
export const findTransaction = recordFinder<SettledRecord>({
  id: 's.id',
  uuid: 's.uuid',
  network: 's.network_id',
  driver: 's.user_id',
  columns: (sql) => sql`${transactionColumns(sql)}, ${receiptNumber(sql)} as "receiptNumber"`,
  tables: (sql) => sessionTables(sql),
  where: (sql) => sql`s.status = 'COMPLETED'`,
});
