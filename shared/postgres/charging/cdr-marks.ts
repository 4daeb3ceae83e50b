import type { Transaction } from '#shared/postgres/kernel/client.ts';

/** Marks a session that no longer belongs to a partner: its CDR must be credited. */
export async function markLeftCdr(transaction: Transaction, sessionId: bigint): Promise<void> {
  await transaction`
    insert into cdr_marks (session_id)
    select s.id from sessions s
    where s.id = ${sessionId} and s.ocpi_partner_id is null and exists (select from cdrs where session_id = s.id)`;
}
