import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import { readCost } from '#shared/postgres/money/cost.statements.ts';
import {
  findTransaction,
  listTransactions,
  type TransactionFilter,
  type TransactionRecord,
} from '#shared/postgres/charging/transactions.statements.ts';
import type { Caller } from '#api/services/access/callers.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { requireOrder } from '#api/services/kernel/validation.service.ts';
import { type SessionCost, sessionSeconds, storedCost } from '#api/services/charging/session-cost.ts';
import { sessionIdle } from '#api/services/charging/session-idle.ts';
import { readPaymentStatus, type PaymentStatus } from './payment-status.ts';

export { transactionStatuses } from '#shared/postgres/charging/transactions.statements.ts';

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
 * Returns one page of the caller's completed sessions, last ended first: a driver's own, an operator's networks'.
 * @throws {DomainError} VALIDATION_FAILED.
 */
export async function listCallerTransactions(
  { sql }: Pick<ServiceDeps, 'sql'>,
  { networks, userId }: Caller,
  filter: TransactionFilter,
  page: PageRequest,
): Promise<Page<TransactionReading>> {
  requireOrder(filter);
  const { rows, total } = await listTransactions(sql, { networks, userId }, filter, page);
  return { rows: rows.map(readingOf), total };
}

/** @throws {DomainError} TRANSACTION_NOT_FOUND where the caller sees none, also for a session that has not ended. */
export async function readTransaction(
  { sql }: Pick<ServiceDeps, 'sql'>,
  caller: Caller,
  uuid: string,
): Promise<SettledTransaction> {
  const found = await findTransaction(sql, caller, uuid);
  if (found === null) throw new DomainError('TRANSACTION_NOT_FOUND', `There is no transaction ${uuid}.`);
  const cost = found.cost === null || found.priceState === 'REVIEW' ? null : readCost(found.cost);
  const price = cost && [{ uuid: found.uuid, totalInclVatMinor: cost.totalInclVatMinor }];
  const paymentStatus = price && (await readPaymentStatus(sql, price));
  return { ...readingOf(found), receiptNumber: found.receiptNumber, paymentStatus };
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
