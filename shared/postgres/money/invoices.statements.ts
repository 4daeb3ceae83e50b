import type { SessionScope } from '#shared/domain/access/tenancy.ts';
import type { Page, PageRequest } from '#shared/domain/kernel/page.ts';
import type { Fragment, Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import type { StoredCost } from './cost.statements.ts';
import { inScope } from '#shared/postgres/kernel/scope.statements.ts';
import { storable } from '#shared/postgres/kernel/storable.ts';

/** CREDIT_NOTE: it takes an invoice back as a whole; its amounts are negative. */
export const invoiceKinds = ['INVOICE', 'CREDIT_NOTE'] as const;
export type InvoiceKind = (typeof invoiceKinds)[number];

/** Recipient of an invoice. */
export type Buyer = {
  name: string;
  email: string | null;
  postalAddress: string | null;
  vatNumber: string | null;
};

/** The seller of the energy. */
export type Seller = {
  name: string;
  legalName: string | null;
  vatNumber: string | null;
  /** Street lines; in documents from before there were fields for the rest, the whole address. */
  postalAddress: string | null;
  postalCode: string | null;
  city: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  iban: string | null;
  bic: string | null;
  bankAccount: string | null;
  website: string | null;
  supportEmail: string | null;
  supportPhone: string | null;
};

/**
 * Contents of an invoice, as stored in its jsonb column. Later changes of the records it names do not change
 * it.
 */
export type InvoiceDocument = {
  /** BCP 47, and the time zone and color of the network. */
  language: string;
  timeZone: string;
  primaryColor: string | null;
  logoUrl: string | null;
  /** Days from the issue until the invoice is due. */
  paymentTermDays: number;
  seller: Seller;
  /** Null: unknown. */
  buyer: Buyer | null;
  sessions: {
    uuid: string;
    idToken: string | null;
    chargerUid: string;
    connectorNumber: number;
    connectorStandard: string | null;
    locationName: string | null;
    locationAddress: string | null;
    timeZone: string;
    startedAt: string;
    endedAt: string;
    energyWh: number;
    cost: StoredCost;
  }[];
};

/** An invoice in a list. */
export interface InvoiceSummary {
  id: bigint;
  uuid: string;
  networkId: number;
  networkUuid: string;
  number: string;
  kind: InvoiceKind;
  /** Number of the credited invoice. */
  credits: string | null;
  creditsUuid: string | null;
  /** The number of the credit note that took it back. */
  creditedBy: string | null;
  creditedByUuid: string | null;
  reason: string | null;
  userId: number | null;
  userUuid: string | null;
  currency: string;
  issuedAt: Date;
  totalExclVatMinor: bigint;
  totalVatMinor: bigint;
  totalInclVatMinor: bigint;
  sessionCount: number;
}

export interface InvoiceRecord extends InvoiceSummary {
  document: InvoiceDocument;
}

/** Columns of an invoice in a list, of `invoiceTables`. */
export const invoiceColumns = (sql: Queryable) => sql`
  i.id, i.uuid, i.network_id as "networkId", n.uuid as "networkUuid", i.number, i.kind, taken.number as credits,
  taken.uuid as "creditsUuid", note.number as "creditedBy", note.uuid as "creditedByUuid", i.reason, i.user_id as "userId", u.uuid as "userUuid", i.currency,
  i.issued_at as "issuedAt", i.total_excl_vat_minor as "totalExclVatMinor", i.total_vat_minor as "totalVatMinor",
  i.total_incl_vat_minor as "totalInclVatMinor", i.session_count as "sessionCount"`;

/** Invoices `i`, all or those that a query has found, with their networks, drivers, credited invoices and credit notes. */
export const invoiceTables = (sql: Queryable, found: Fragment = sql`invoices`) => sql`
  ${found} i
  join networks n on n.id = i.network_id
  left join users u on u.id = i.user_id
  left join invoices taken on taken.id = i.credited_id
  left join invoices note on note.credited_id = i.id`;

const visible = (sql: Queryable, scope: SessionScope) => sql`
  ${inScope(sql, 'i.network_id', scope.networks)} ${scope.userId === null ? sql`` : sql`and i.user_id = ${scope.userId}`}`;

/** One page of the invoices in scope, newest first. */
export async function listInvoices(
  sql: Queryable,
  scope: SessionScope,
  { page, pageSize }: PageRequest,
): Promise<Page<InvoiceSummary>> {
  const where = visible(sql, scope);
  const [rows, [count]] = await Promise.all([
    sql<InvoiceSummary[]>`
      select ${invoiceColumns(sql)} from ${invoiceTables(sql)} where ${where}
      order by i.id desc limit ${pageSize} offset ${(page - 1) * pageSize}`,
    sql<{ total: number }[]>`select count(*)::integer as total from invoices i where ${where}`,
  ]);
  return { rows, total: count?.total ?? 0 };
}

/** Identification of invoices: a number, which several networks can have, or the uuid of one. */
type InvoiceKey = { number: string } | { uuid: string };

/** The invoices in scope with this key: of a number, one for each network that has it. */
export async function findInvoices(
  sql: Queryable,
  scope: SessionScope,
  key: InvoiceKey,
): Promise<InvoiceRecord[]> {
  const isNamed = 'uuid' in key ? sql`i.uuid = ${key.uuid}` : sql`i.number = ${key.number}`;
  const rows = await sql<InvoiceRecord[]>`
    select ${invoiceColumns(sql)}, i.document from ${invoiceTables(sql)}
    where ${isNamed} and ${visible(sql, scope)} order by i.id`;
  return rows.map((row) => ({ ...row, document: complete(row.document) }));
}

const laterFields = { logoUrl: null, paymentTermDays: 30 };
const laterSellerFields = {
  postalCode: null,
  city: null,
  country: null,
  iban: null,
  bic: null,
  bankAccount: null,
};

/** Returns a document with the fields that documents did not have when it was issued. */
function complete(document: InvoiceDocument): InvoiceDocument {
  return { ...laterFields, ...document, seller: { ...laterSellerFields, ...document.seller } };
}

/** New invoice. */
export type NewInvoice = Pick<
  InvoiceRecord,
  | 'networkId'
  | 'kind'
  | 'reason'
  | 'userId'
  | 'currency'
  | 'totalExclVatMinor'
  | 'totalVatMinor'
  | 'totalInclVatMinor'
  | 'document'
> & {
  /** Invoice credited by a credit note. */
  creditedId: bigint | null;
};

/**
 * Issues an invoice with the next number of its network and year. Until the transaction ends the network's other
 * invoices wait, so that a number that is rolled back is given again, and later numbers were issued later.
 */
export async function insertInvoice(
  transaction: Transaction,
  invoice: NewInvoice,
): Promise<{ number: string; issuedAt: Date }> {
  await transaction`select id from networks where id = ${invoice.networkId} for no key update`;
  const [row] = await transaction<{ number: string; issuedAt: Date }[]>`
    with counted as (
      insert into invoice_counters (network_id, year, last_number)
      select id, extract(year from statement_timestamp() at time zone time_zone)::integer, 1 from networks
      where id = ${invoice.networkId}
      on conflict (network_id, year) do update set last_number = invoice_counters.last_number + 1
      returning year, last_number
    ), issued as (
    insert into invoices (network_id, number, kind, credited_id, reason, user_id, currency, issued_at,
      total_excl_vat_minor, total_vat_minor, total_incl_vat_minor, session_count, document)
    select ${invoice.networkId}, year || '-' || lpad(last_number::text, greatest(6, length(last_number::text)), '0'), ${invoice.kind},
      ${invoice.creditedId}, ${invoice.reason}, ${invoice.userId}, ${invoice.currency},
      statement_timestamp(), ${invoice.totalExclVatMinor}, ${invoice.totalVatMinor}, ${invoice.totalInclVatMinor},
      ${invoice.document.sessions.length}, ${transaction.json(storable(invoice.document) as never)}
    from counted
    returning *
    ), event as (
      -- The API names an invoice by its number and its network: the subject is the driver.
      insert into outbox (network_id, type, subject_id, subject_uuid, data)
      select i.network_id, 'invoice.created', i.id, u.uuid, jsonb_build_object('number', i.number, 'kind', i.kind,
        'driverId', u.uuid, 'currency', i.currency, 'totalInclVatMinor', i.total_incl_vat_minor, 'sessions', i.session_count)
      from issued i join users u on u.id = i.user_id
    )
    select number, issued_at as "issuedAt" from issued`;
  if (row === undefined) throw new Error('the insert of an invoice returned no row');
  return row;
}
