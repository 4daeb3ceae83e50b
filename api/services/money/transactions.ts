import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import { readCost } from '#shared/postgres/money/cost.ts';
import type { SessionPlace } from '#shared/postgres/charging/session-places.ts';
import {
  findTransactionPlaces,
  readTransactions,
  type TransactionFilter,
  type TransactionRecord,
  transactionReads,
} from '#shared/postgres/charging/transactions.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { type ItemReads, itemReads, type Versioned } from '#api/services/kernel/item-reads.ts';
import { requireOrder } from '#api/services/kernel/validation.ts';
import { type SessionCost, sessionSeconds, storedCost } from '#api/services/charging/session-cost.ts';
import { sessionIdle } from '#api/services/charging/session-idle.ts';
import { readPaymentStatus, type PaymentStatus } from './payment-status.ts';

export { type TransactionStatus, transactionStatuses } from '#shared/postgres/charging/transactions.ts';

/** A completed session with what it cost. */
export interface TransactionReading {
  transaction: TransactionRecord;
  durationSeconds: number;
  /** Total of all idle periods. */
  idleSeconds: number;
  /** Null: none yet, or no tariff. */
  cost: SessionCost | null;
}

/** A transaction with its receipt and its payments. */
export interface SettledTransaction extends TransactionReading {
  /** Null: no receipt was issued. */
  receiptNumber: string | null;
  /** Null: there is no final price. */
  paymentStatus: PaymentStatus | null;
}

/**
 * Returns the keys of a page of the caller's completed sessions, last ended first: a driver's own, an
 * operator's networks'.
 * @throws {DomainError} VALIDATION_FAILED.
 */
export async function findCallerTransactions(
  { sql }: Pick<ServiceDeps, 'sql'>,
  { networks, userId }: Caller,
  filter: TransactionFilter,
  page: PageRequest,
): Promise<Page<SessionPlace>> {
  requireOrder(filter);
  return findTransactionPlaces(sql, { networks, userId }, filter, page);
}

/** The caller's completed sessions at such places, in any order. */
export async function readCallerTransactions(
  { sql }: Pick<ServiceDeps, 'sql'>,
  { networks, userId }: Caller,
  places: readonly SessionPlace[],
): Promise<TransactionReading[]> {
  return (await readTransactions(sql, { networks, userId }, places)).map(readingOf);
}

/**
 * Returns the reads of a transaction: TRANSACTION_NOT_FOUND where the caller sees none, also for a session that has not
 * ended. The payments are read after the version, which includes theirs.
 */
export function transactionItem(
  { sql }: Pick<ServiceDeps, 'sql'>,
  scope: Caller,
  uuid: string,
): ItemReads<Versioned<SettledTransaction>> {
  const notFound = () => new DomainError('TRANSACTION_NOT_FOUND', `There is no transaction ${uuid}.`);
  const single = itemReads({ sql, scope, reads: transactionReads, key: uuid, notFound });
  return {
    version: single.version,
    async row() {
      const { rowVersion, ...found } = await single.row();
      const cost = found.cost === null || found.priceState === 'REVIEW' ? null : readCost(found.cost);
      const price = cost && [{ uuid: found.uuid, totalInclVatMinor: cost.totalInclVatMinor }];
      const paymentStatus = price && (await readPaymentStatus(sql, price));
      return { ...readingOf(found), receiptNumber: found.receiptNumber, paymentStatus, rowVersion };
    },
  };
}

function readingOf(transaction: TransactionRecord): TransactionReading {
  const { endedAt, cost, priceState } = transaction;
  return {
    transaction,
    durationSeconds: sessionSeconds(transaction, endedAt),
    idleSeconds: sessionIdle(transaction, endedAt).idleSeconds,
    cost: cost === null ? null : { ...storedCost(cost), isFinal: priceState !== 'REVIEW' },
  };
}
