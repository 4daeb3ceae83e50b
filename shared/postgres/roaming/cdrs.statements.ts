import type { Fragment, Queryable, Sql, Transaction } from '#shared/postgres/kernel/client.ts';
import { hasEvents, inRange, oldestUnread, readEvents } from '#shared/postgres/kernel/outbox.statements.ts';
import type { StoredCost } from '#shared/postgres/money/cost.statements.ts';
import type { ChangedSlice } from './ocpi-tokens.statements.ts';
import { ofClient, type Requester } from './requester.ts';

/** Stored charge detail record; `Document` is OCPI's CDR. */
export interface CdrRecord<Document extends object = object> {
  id: bigint;
  networkId: number;
  /** The partner that got it. */
  partnerId: number;
  ocpiId: string;
  sessionVersion: number;
  currency: string;
  totalExclVatMinor: bigint;
  totalInclVatMinor: bigint;
  document: Document;
}

/** A record that is made now. */
interface NewCdr<Document extends object = object> extends Omit<CdrRecord<Document>, 'id'> {
  sessionId: bigint;
  /** Null: it is no credit. */
  creditsId: bigint | null;
  at: Date;
}

/** A session whose record is due, by the newest of its marks. */
export interface CdrMark {
  markId: bigint;
  sessionId: bigint;
}

/** Events that are read in one transaction. */
const eventsAtOnce = 2000;

/**
 * Marks the sessions of partners that ended or were corrected: their records are due. A session in review, or without a price,
 * is marked by the event that ends that.
 */
export async function markDueCdrs(sql: Sql, stopping?: AbortSignal): Promise<void> {
  await readEvents(
    sql,
    'cdr-marks',
    eventsAtOnce,
    (transaction, range) => transaction`
      insert into cdr_marks (session_id)
      select s.id from (
        select min(position) as position, subject_id from outbox
        where ${inRange(transaction, range)} and (type = 'session.started'
          or internal -> 'changed' ?| '{status,version,ocpi_partner_id,cost,price_state}')
        group by subject_id
      ) e join sessions s on s.id = e.subject_id
      where s.status = 'COMPLETED' and s.ocpi_partner_id is not null and s.cost is not null and s.price_state <> 'REVIEW'
      order by e.position`,
    stopping,
  );
}

/** The condition that a session may need a record. */
export const isCdrDue = (sql: Queryable): Fragment =>
  sql`(exists (select from cdr_marks) or ${hasEvents(sql, 'cdr-marks')})`;

/** Time since which the oldest session may need a record: that of its event, or of its latest change once it is marked. Null: none. */
export const oldestDueCdr = (sql: Queryable): Fragment => sql`
  least(${oldestUnread(sql, 'cdr-marks')},
    (select s.updated_at from cdr_marks m join sessions s on s.id = m.session_id order by m.id limit 1))`;

/** Up to `limit` sessions whose records are due after this mark, in the order in which they were marked. */
export async function listCdrMarks(sql: Sql, after: bigint, limit: number): Promise<CdrMark[]> {
  return sql<CdrMark[]>`
    select max(id) as "markId", session_id as "sessionId" from (
      select id, session_id from cdr_marks where id > ${String(after)}::bigint order by id limit ${limit}
    ) m group by session_id order by max(id)`;
}

/** Current bill of a session, which is locked until the end of the transaction. */
interface BilledSession {
  version: number;
  /** Null: it is no partner's. */
  partnerId: number | null;
  cost: StoredCost | null;
  isInReview: boolean;
  /** Readings were stored after the session was priced. It is priced again. */
  isPricedAnew: boolean;
}

/** Locks a session; what others change of it waits. */
export async function lockBilledSession(
  transaction: Transaction,
  sessionId: bigint,
): Promise<BilledSession | null> {
  const [row] = await transaction<BilledSession[]>`
    select version, ocpi_partner_id as "partnerId", cost, price_state = 'REVIEW' as "isInReview",
      price_readings in ('LATE', 'MISSING_LATE') and invoice_number is null as "isPricedAnew"
    from sessions where id = ${String(sessionId)}::bigint for update`;
  return row ?? null;
}

/** Removes the marks of a session up to this one. */
export async function removeCdrMarks(sql: Queryable, { sessionId, markId }: CdrMark): Promise<void> {
  await sql`
    delete from cdr_marks where session_id = ${String(sessionId)}::bigint and id <= ${String(markId)}::bigint`;
}

const columns = (sql: Queryable) => sql`
  c.id, c.network_id as "networkId", c.partner_id as "partnerId", c.ocpi_id as "ocpiId",
  c.session_version as "sessionVersion", c.currency,
  c.total_excl_vat_minor as "totalExclVatMinor", c.total_incl_vat_minor as "totalInclVatMinor", c.document`;

/** The record of a session that holds: not a credit, and not credited. Null: no such value. */
export async function findValidCdr<Document extends object>(
  sql: Queryable,
  sessionId: bigint,
): Promise<CdrRecord<Document> | null> {
  const [row] = await sql<CdrRecord<Document>[]>`
    select ${columns(sql)} from cdrs c
    where c.session_id = ${String(sessionId)}::bigint and c.credits_id is null
      and not exists (select 1 from cdrs k where k.credits_id = c.id)`;
  return row ?? null;
}

/** Stores a record, indefinitely. */
export async function insertCdr(sql: Queryable, cdr: NewCdr): Promise<void> {
  await sql`
    with stored as (
      insert into cdrs (network_id, partner_id, session_id, session_version, ocpi_id, credits_id, currency,
        total_excl_vat_minor, total_incl_vat_minor, document, created_at)
      values (${cdr.networkId}, ${cdr.partnerId}, ${String(cdr.sessionId)}, ${cdr.sessionVersion}, ${cdr.ocpiId},
        ${cdr.creditsId === null ? null : String(cdr.creditsId)}, ${cdr.currency}, ${cdr.totalExclVatMinor},
        ${cdr.totalInclVatMinor}, ${sql.json(cdr.document as never)}, ${cdr.at})
      returning *
    )
    insert into outbox (network_id, type, subject_id, subject_uuid, charger_id, data)
    select d.network_id, 'cdr.created', d.id, d.uuid, s.charger_id, jsonb_build_object('cdrId', d.ocpi_id, 'sessionId', s.uuid,
      'partnerId', (select p.uuid from ocpi_partners p where p.id = d.partner_id), 'isCredit', d.credits_id is not null,
      'currency', d.currency, 'totalInclVatMinor', d.total_incl_vat_minor)
    from stored d join sessions s on s.id = d.session_id`;
}

/** A slice of a partner's records, oldest first, and how many there are in all. */
export async function listCdrs<Document extends object>(
  sql: Queryable,
  requester: Requester,
  { offset, limit, from, to }: ChangedSlice,
): Promise<{ rows: CdrRecord<Document>[]; total: number }> {
  const where = sql`
    c.partner_id = ${requester.id} ${ofClient(sql, requester, sql`c.document -> 'cdr_token'`)}
    ${from === null ? sql`` : sql`and c.created_at >= ${from}`}
    ${to === null ? sql`` : sql`and c.created_at < ${to}`}`;
  const [rows, [count]] = await Promise.all([
    sql<CdrRecord<Document>[]>`
      select ${columns(sql)} from cdrs c where ${where} order by c.id limit ${limit} offset ${offset}`,
    sql<{ total: number }[]>`select count(*)::integer as total from cdrs c where ${where}`,
  ]);
  return { rows, total: count?.total ?? 0 };
}

/** One of a partner's records by its id in OCPI, a CiString, or null. */
export async function findCdr<Document extends object>(
  sql: Queryable,
  requester: Requester,
  ocpiId: string,
): Promise<CdrRecord<Document> | null> {
  const [row] = await sql<CdrRecord<Document>[]>`
    select ${columns(sql)} from cdrs c
    where c.partner_id = ${requester.id} and c.ocpi_id = ${canonicalId(ocpiId)}
      ${ofClient(sql, requester, sql`c.document -> 'cdr_token'`)}`;
  return row ?? null;
}

/** Ours are a uuid, which is in lower case, and -C behind it where they credit. */
function canonicalId(ocpiId: string): string {
  return ocpiId.toLowerCase().replace(/-c$/, '-C');
}
