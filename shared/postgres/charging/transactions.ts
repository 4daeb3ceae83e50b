import type { SessionScope } from '#shared/domain/access/tenancy.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { recordReads } from '#shared/postgres/kernel/record-reads.ts';
import { findPlaces, readPlaces, type SessionPlace } from './session-places.ts';
import {
  type SessionRecord,
  sessionColumns,
  sessionRowVersion,
  sessionTables,
  sessionVersionTables,
  visibleSessions,
} from './session-records.ts';

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

/** A completed session with its receipt. */
export interface SettledRecord extends TransactionRecord {
  /** Number of its newest receipt; null when none was issued. */
  receiptNumber: string | null;
}

const receiptNumber = (sql: Queryable) => sql`(
  select number from receipts where session_id = s.id order by session_version desc limit 1)`;

/** Newest movement of each wallet that settled a session `s`: the ledger is append-only, and its payments follow from it. */
const newestMovements = (sql: Queryable) => sql`(
  select string_agg(newest.id::text, '-' order by settling.wallet_id)
  from (select distinct wallet_id from ledger_transactions where session_id = s.id and cause = 'SESSION') settling
  cross join lateral (
    select id from ledger_transactions t where t.wallet_id = settling.wallet_id order by t.id desc limit 1) newest)`;

/** Reads of single transactions. Their versions include payments, which are read afterwards. */
export const transactionReads = recordReads<SettledRecord>({
  uuid: 's.uuid',
  network: 's.network_id',
  driver: 's.user_id',
  columns: (sql) => sql`${transactionColumns(sql)}, ${receiptNumber(sql)} as "receiptNumber"`,
  tables: (sql) => sessionTables(sql),
  version: (sql) => sql`
    ${sessionRowVersion(sql)} || coalesce('/' || ${receiptNumber(sql)}, '')
      || coalesce('/p' || (select p.xmin::text from ocpi_partners p where p.id = s.ocpi_partner_id), '')
      || coalesce('/w' || ${newestMovements(sql)}, '')`,
  versionTables: sessionVersionTables,
  where: (sql) => sql`s.status = 'COMPLETED'`,
});
