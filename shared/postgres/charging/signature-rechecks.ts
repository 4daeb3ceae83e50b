import type { Fragment, Queryable } from '#shared/postgres/kernel/client.ts';

/** Duration after which the claim of a process that ended is given up. */
const claim = '5 minutes';

/** Check of a charger's sessions after a change of its keys. */
interface SignatureRecheck {
  chargerId: number;
  /** Time of the change, as text: a later one begins again. */
  requestedAt: string;
}

/** Session whose values another key may verify. */
interface CheckableSession {
  id: bigint;
  uuid: string;
}

const isFree = (sql: Queryable) => sql`(claimed_until is null or claimed_until < now())`;

/** The condition that sessions are to be checked. */
export const areRechecksDue = (sql: Queryable): Fragment =>
  sql`exists (select from signature_rechecks where ${isFree(sql)})`;

/** Claims the check of a charger, or the oldest one. Returns null if no unclaimed check exists. */
export async function claimRecheck(
  sql: Queryable,
  chargerId: number | null,
): Promise<SignatureRecheck | null> {
  const [row] = await sql<SignatureRecheck[]>`
    update signature_rechecks set claimed_until = now() + ${claim}::interval
    where charger_id = (
      select charger_id from signature_rechecks
      where ${isFree(sql)} ${chargerId === null ? sql`` : sql`and charger_id = ${chargerId}`}
      order by requested_at limit 1 for update skip locked)
    returning charger_id as "chargerId", requested_at::text as "requestedAt"`;
  return row ?? null;
}

/** Returns the newest sessions of a claimed check that were not checked yet. */
export async function listUnchecked(
  sql: Queryable,
  { chargerId }: SignatureRecheck,
  limit: number,
): Promise<CheckableSession[]> {
  return sql<CheckableSession[]>`
    select s.id, s.uuid from sessions s join signature_rechecks r on r.charger_id = s.charger_id
    where s.charger_id = ${chargerId} and (s.started_at, s.id) < (r.before_at, r.before_id)
      and s.signature_state in ('UNVERIFIED', 'INVALID', 'UNSUPPORTED', 'INCOMPLETE')
    order by s.started_at desc, s.id desc limit ${limit}`;
}

/** Stores that the sessions from this one on were checked, and ends the claim. Null: all were, and the check is over. */
export async function storeRecheck(
  sql: Queryable,
  { chargerId, requestedAt }: SignatureRecheck,
  last: CheckableSession | null,
): Promise<void> {
  // Through text: as a time the parameter has only milliseconds.
  const isSame = sql`r.charger_id = ${chargerId} and r.requested_at = ${requestedAt}::text::timestamptz`;
  if (last === null) {
    await sql`delete from signature_rechecks r where ${isSame}`;
    return;
  }
  await sql`
    update signature_rechecks r set before_at = s.started_at, before_id = s.id, claimed_until = null
    from sessions s where s.id = ${String(last.id)}::bigint and ${isSame}`;
}
