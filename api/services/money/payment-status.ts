import { sessionPayments } from '#shared/domain/money/session-payments.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { toMajor } from '#shared/pricing/money.ts';
import {
  findPartnerNames,
  listPaymentMovements,
} from '#shared/postgres/money/session-payments.statements.ts';

/** WALLET: from the driver's wallet; TOP_UP: by a later top-up of a wallet that was short; ROAMING: through a partner. */
export const paymentMethods = ['WALLET', 'TOP_UP', 'ROAMING'] as const;
type PaymentMethod = (typeof paymentMethods)[number];

/** Amount that was paid for a session, in minor units; below zero: returned. */
export interface Payment {
  sessionUuid: string;
  method: PaymentMethod;
  /** Name of the payment provider or of the roaming partner. */
  provider: string | null;
  amountMinor: bigint;
  /** Null: a roaming partner is billed by its own terms. */
  paidAt: Date | null;
}

/** FREE: the price is zero; CREDITED: a credit note took the invoice back, so nothing is due. */
export const paymentStates = ['FREE', 'PAID', 'DUE', 'CREDITED'] as const;
export type PaymentState = (typeof paymentStates)[number];

/** Payments of a bill, and the amount due. */
export interface PaymentStatus {
  state: PaymentState;
  payments: Payment[];
  paidMinor: bigint;
  dueMinor: bigint;
}

/** A session with its price. */
export interface SessionPrice {
  uuid: string;
  totalInclVatMinor: bigint;
}

/** Settlement of a credit note, and of the invoice that it credits. */
export const credited: PaymentStatus = { state: 'CREDITED', payments: [], paidMinor: 0n, dueMinor: 0n };

/** Returns what was paid so far for the sessions of one bill. */
export async function readPaymentStatus(
  sql: Queryable,
  sessions: readonly SessionPrice[],
): Promise<PaymentStatus> {
  const [status] = await readPaymentStatuses(sql, [sessions]);
  if (status === undefined) throw new Error('a bill has no payment status');
  return status;
}

/** Returns what was paid so far for the sessions of each of these bills. */
export async function readPaymentStatuses(
  sql: Queryable,
  bills: readonly (readonly SessionPrice[])[],
): Promise<PaymentStatus[]> {
  const uuids = bills.flat().map(({ uuid }) => uuid);
  const [partners, movements] = await Promise.all([
    findPartnerNames(sql, uuids),
    listPaymentMovements(sql, uuids),
  ]);
  const paid = sessionPayments(movements)
    .filter(({ sessionUuid }) => !partners.has(sessionUuid))
    .map(({ at, ...payment }) => ({ ...payment, paidAt: at }));
  return bills.map((sessions) => statusOf(sessions, partners, paid));
}

function statusOf(
  sessions: readonly SessionPrice[],
  partners: ReadonlyMap<string, string>,
  paid: readonly Payment[],
): PaymentStatus {
  const billed = new Set(sessions.map(({ uuid }) => uuid));
  const roaming = sessions
    .filter(({ uuid, totalInclVatMinor }) => partners.has(uuid) && totalInclVatMinor !== 0n)
    .map(({ uuid, totalInclVatMinor }) => ({
      sessionUuid: uuid,
      method: 'ROAMING' as const,
      provider: partners.get(uuid) ?? null,
      amountMinor: totalInclVatMinor,
      paidAt: null,
    }));
  const payments = [...roaming, ...paid.filter(({ sessionUuid }) => billed.has(sessionUuid))];
  const totalMinor = sessions.reduce((sum, session) => sum + session.totalInclVatMinor, 0n);
  const paidMinor = payments.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  const dueMinor = totalMinor - paidMinor;
  return { state: stateOf(totalMinor, dueMinor), payments, paidMinor, dueMinor };
}

function stateOf(totalMinor: bigint, dueMinor: bigint): PaymentState {
  if (dueMinor > 0n) return 'DUE';
  return totalMinor === 0n ? 'FREE' : 'PAID';
}

/** Returns a paymentStatus in major units of its currency. */
export function majorPaymentStatus(
  { state, payments, paidMinor, dueMinor }: PaymentStatus,
  currency: string,
) {
  return {
    state,
    paid: toMajor(paidMinor, currency),
    due: toMajor(dueMinor, currency),
    payments: payments.map(({ amountMinor, ...payment }) => ({
      ...payment,
      amount: toMajor(amountMinor, currency),
    })),
  };
}
