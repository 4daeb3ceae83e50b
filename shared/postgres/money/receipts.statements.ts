import type { Queryable, Sql } from '#shared/postgres/kernel/client.ts';

/** Receipt of one version of a session. */
export interface ReceiptRecord extends ReceiptPreview {
  /** R-YYYY-000001, counted without gaps within a network and year. */
  number: string;
}

/** Receipt that a version of a session would have if it were issued now. */
interface ReceiptPreview {
  number: string | null;
  issuedAt: Date;
  /** Number of the receipt of an earlier version of the session. */
  replaces: string | null;
}

interface ReceiptKey {
  networkId: number;
  sessionId: bigint;
  sessionVersion: number;
}

/** Returns the receipt of a version of a session. Issues it with the next number of its network and year at the first call. */
export async function ensureReceipt(sql: Sql, key: ReceiptKey): Promise<ReceiptRecord> {
  const found = await findReceipt(sql, key);
  if (found !== null) return found;
  return sql.begin(async (transaction) => {
    // The network's other receipts and invoices wait: a number that is rolled back is given again.
    await transaction`select id from networks where id = ${key.networkId} for no key update`;
    const issued = await findReceipt(transaction, key);
    if (issued !== null) return issued;
    await transaction`
      with counted as (
        insert into receipt_counters (network_id, year, last_number)
        select id, extract(year from statement_timestamp() at time zone time_zone)::integer, 1 from networks
        where id = ${key.networkId}
        on conflict (network_id, year) do update set last_number = receipt_counters.last_number + 1
        returning year, last_number
      )
      insert into receipts (network_id, session_id, session_version, number, issued_at)
      select ${key.networkId}, ${key.sessionId}, ${key.sessionVersion},
        'R-' || year || '-' || lpad(last_number::text, greatest(6, length(last_number::text)), '0'), statement_timestamp()
      from counted`;
    const made = await findReceipt(transaction, key);
    if (made === null) throw new Error('a receipt that was issued no longer exists');
    return made;
  });
}

/** Returns a receipt without a number. It issues nothing. */
export async function previewReceipt(
  sql: Queryable,
  { sessionId, sessionVersion }: ReceiptKey,
): Promise<ReceiptPreview> {
  const [row] = await sql<ReceiptPreview[]>`
    select null as number, statement_timestamp() as "issuedAt", (
      select number from receipts where session_id = ${sessionId} and session_version < ${sessionVersion}
      order by session_version desc limit 1) as replaces`;
  if (row === undefined) throw new Error('a select without a table returned no row');
  return row;
}

async function findReceipt(
  sql: Queryable,
  { sessionId, sessionVersion }: ReceiptKey,
): Promise<ReceiptRecord | null> {
  const [row] = await sql<ReceiptRecord[]>`
    select r.number, r.issued_at as "issuedAt", (
      select number from receipts where session_id = r.session_id and session_version < r.session_version
      order by session_version desc limit 1) as replaces
    from receipts r where r.session_id = ${sessionId} and r.session_version = ${sessionVersion}`;
  return row ?? null;
}
