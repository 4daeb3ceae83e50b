import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import { readCost } from '#shared/postgres/money/cost.ts';
import { findReceiptNumber } from '#shared/postgres/money/receipts.ts';
import type { SessionPlace } from '#shared/postgres/charging/session-places.ts';
import {
  findTransaction,
  findTransactionPlaces,
  readTransactions,
  type TransactionFilter,
  type TransactionRecord,
} from '#shared/postgres/charging/transactions.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
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

/** @throws {DomainError} TRANSACTION_NOT_FOUND, for a session that has not ended too. */
export async function readCallerTransaction(
  { sql }: Pick<ServiceDeps, 'sql'>,
  { networks, userId }: Caller,
  uuid: string,
): Promise<SettledTransaction> {
  const found = await findTransaction(sql, { networks, userId }, uuid);
  if (found === null) throw new DomainError('TRANSACTION_NOT_FOUND', `There is no transaction ${uuid}.`);
  const cost = found.cost === null || found.priceState === 'REVIEW' ? null : readCost(found.cost);
  const [receiptNumber, paymentStatus] = await Promise.all([
    findReceiptNumber(sql, found.id),
    cost && readPaymentStatus(sql, [{ uuid: found.uuid, totalInclVatMinor: cost.totalInclVatMinor }]),
  ]);
  return { ...readingOf(found), receiptNumber, paymentStatus };
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
