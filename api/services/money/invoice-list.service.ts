import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import {
  type InvoiceFilter,
  type ListedInvoice,
  listFilteredInvoices,
  listInvoicedSessions,
} from '#shared/postgres/money/invoice-list.statements.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';
import { cutPage, decodeIdCursor, encodeCursor } from '#api/services/kernel/cursors.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { isPayable } from './invoice-document.ts';
import {
  credited,
  type PaymentState,
  type PaymentStatus,
  readPaymentStatuses,
  type SessionPrice,
} from './payment-status.ts';

/** List of invoices that an operator requests. */
interface InvoiceQuery extends Omit<InvoiceFilter, 'isPayable'> {
  networkUuid: string | undefined;
  paymentState?: PaymentState | undefined;
}

/** Invoice in a list, and its payments so far. */
export interface InvoiceWithPayments extends ListedInvoice {
  paymentStatus: PaymentStatus;
}

interface InvoicePage {
  rows: InvoiceWithPayments[];
  nextCursor: string | null;
}

/** Invoices whose payments one request reads at most, to find those in a state. */
const maxScanned = 1000;
const scanned = 200;

/**
 * One page of the invoices of the caller's networks, or of the named one, newest first. With a state of payment a page
 * can be short before the list ends: the state follows from the wallets, so rows are read and selected.
 * @throws {DomainError} NETWORK_NOT_FOUND; VALIDATION_FAILED for a cursor.
 */
export async function listOperatorInvoices(
  deps: ServiceDeps,
  caller: Caller,
  { networkUuid, paymentState, ...filter }: InvoiceQuery,
  { cursor, limit }: { cursor: string | undefined; limit: number },
): Promise<InvoicePage> {
  const before = decodeIdCursor(cursor, 'bigint');
  const position = before === null ? null : BigInt(before);
  const scope = await networksOfCall(deps, caller, networkUuid);
  const { sql } = deps;
  if (paymentState !== undefined && paymentState !== 'CREDITED') {
    const read = readerOf(sql, scope, { ...filter, isPayable: true });
    return selectByState(read, paymentState, position, limit);
  }
  const read = readerOf(sql, scope, { ...filter, ...(paymentState === 'CREDITED' && { isPayable: false }) });
  return cutPage(await read(position, limit + 1), limit, positionOf);
}

type Reader = (before: bigint | null, limit: number) => Promise<InvoiceWithPayments[]>;

function readerOf(sql: Queryable, scope: NetworkScope, filter: InvoiceFilter): Reader {
  return async (before, limit) =>
    withPaymentStatuses(sql, await listFilteredInvoices(sql, scope, filter, before, limit));
}

async function selectByState(
  read: Reader,
  state: PaymentState,
  after: bigint | null,
  limit: number,
): Promise<InvoicePage> {
  const selected: InvoiceWithPayments[] = [];
  let before = after;
  for (let count = 0; count < maxScanned; count += scanned) {
    const rows = await read(before, scanned);
    selected.push(...rows.filter(({ paymentStatus }) => paymentStatus.state === state));
    if (selected.length > limit || rows.length < scanned) return cutPage(selected, limit, positionOf);
    before = rows.at(-1)?.id ?? null;
  }
  return { rows: selected, nextCursor: before === null ? null : encodeCursor(positionOf({ id: before })) };
}

function positionOf({ id }: { id: bigint }) {
  return { time: new Date(0), tie: String(id) };
}

async function withPaymentStatuses(
  sql: Queryable,
  invoices: readonly ListedInvoice[],
): Promise<InvoiceWithPayments[]> {
  const payable = invoices.filter(isPayable);
  const prices = new Map<bigint, SessionPrice[]>(payable.map(({ id }) => [id, []]));
  for (const { invoiceId, ...price } of await listInvoicedSessions(sql, [...prices.keys()])) {
    prices.get(invoiceId)?.push(price);
  }
  const statuses = await readPaymentStatuses(sql, [...prices.values()]);
  const statusOf = new Map([...prices.keys()].map((id, index) => [id, statuses[index]]));
  return invoices.map((invoice) => ({ ...invoice, paymentStatus: statusOf.get(invoice.id) ?? credited }));
}
