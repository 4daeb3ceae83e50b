import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import type { Queryable } from '#shared/postgres/kernel/client.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';
import {
  type InvoiceKind,
  type InvoiceSummary,
  invoiceColumns,
  invoiceTables,
} from './invoices.statements.ts';

/** Invoice in an operator's list. */
export interface ListedInvoice extends InvoiceSummary {
  /** Name of the buyer as printed. Null: unknown. */
  buyerName: string | null;
}

/** Filter of a list of invoices. */
export interface InvoiceFilter {
  userUuid?: string | undefined;
  kind?: InvoiceKind | undefined;
  /** True: invoices that no credit note cancelled. False: credit notes and the invoices that they cancelled. */
  isPayable?: boolean | undefined;
  /** Part of the number. */
  search?: string | undefined;
  /** Both inclusive. */
  from?: Date | undefined;
  to?: Date | undefined;
}

/** The invoices in scope before this id, newest first. */
export function listFilteredInvoices(
  sql: Queryable,
  scope: NetworkScope,
  { userUuid, kind, isPayable, search, from, to }: InvoiceFilter,
  before: bigint | null,
  limit: number,
): Promise<ListedInvoice[]> {
  // The page is cut before the joins: with a condition on a joined credit note PostgreSQL would join and sort all invoices.
  const found = sql`(
    select * from invoices i
    where ${inScope(sql, 'i.network_id', scope)}
      ${before === null ? sql`` : sql`and i.id < ${before}`}
      ${userUuid === undefined ? sql`` : sql`and i.user_id = (select id from users where uuid = ${userUuid})`}
      ${kind === undefined ? sql`` : sql`and i.kind = ${kind}`}
      ${isPayable === undefined ? sql`` : payable(sql, isPayable)}
      ${search === undefined ? sql`` : sql`and strpos(i.number, ${search}) > 0`}
      ${from === undefined ? sql`` : sql`and i.issued_at >= ${from}`}
      ${to === undefined ? sql`` : sql`and i.issued_at <= ${to}`}
    order by i.id desc limit ${limit})`;
  return sql<ListedInvoice[]>`
    select ${invoiceColumns(sql)}, i.document -> 'buyer' ->> 'name' as "buyerName"
    from ${invoiceTables(sql, found)} order by i.id desc`;
}

function payable(sql: Queryable, isPayable: boolean) {
  const isCredited = sql`exists (select from invoices c where c.credited_id = i.id)`;
  return isPayable
    ? sql`and i.kind = 'INVOICE' and not ${isCredited}`
    : sql`and (i.kind = 'CREDIT_NOTE' or ${isCredited})`;
}

/** Session of an invoice with its price. */
interface InvoicedSession {
  invoiceId: bigint;
  uuid: string;
  totalInclVatMinor: bigint;
}

/** Returns the sessions of invoices with their prices as issued. */
export function listInvoicedSessions(
  sql: Queryable,
  invoiceIds: readonly bigint[],
): Promise<InvoicedSession[]> {
  return sql<InvoicedSession[]>`
    select i.id as "invoiceId", s ->> 'uuid' as uuid, (s -> 'cost' ->> 'totalInclVatMinor')::bigint as "totalInclVatMinor"
    from invoices i cross join lateral jsonb_array_elements(i.document -> 'sessions') s
    where i.id = any(${invoiceIds.map(String)}::bigint[])`;
}
