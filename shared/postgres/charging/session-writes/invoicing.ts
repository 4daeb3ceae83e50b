import type { Transaction } from '#shared/postgres/kernel/client.ts';

/** Stores the number of the invoice that these sessions are on; null: of none. */
export async function stampSessions(
  transaction: Transaction,
  sessionIds: readonly bigint[],
  number: string | null,
): Promise<void> {
  await transaction`
    update sessions set invoice_number = ${number}, updated_at = now()
    where id = any(${sessionIds.map(String)}::bigint[])`;
}

/** Removes the number of a credited invoice from its sessions. They may be amended and invoiced again. */
export async function unstampSessions(
  transaction: Transaction,
  networkId: number,
  number: string,
): Promise<void> {
  // In the order in which an issuer of invoices locks sessions.
  const sessions = await transaction<{ id: bigint }[]>`
    select id from sessions where network_id = ${networkId} and invoice_number = ${number}
    order by id for no key update`;
  await stampSessions(
    transaction,
    sessions.map(({ id }) => id),
    null,
  );
}
