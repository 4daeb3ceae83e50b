import type { Sql } from '#shared/postgres/kernel/client.ts';
import { listExpiredHolds, releaseHold } from '#shared/postgres/money/wallet-holds.ts';

const holdsAtOnce = 100;

/** Releases wallet holds whose sessions never began. Any number of processes may run it. */
export async function releaseExpiredHolds(sql: Sql): Promise<void> {
  for (const id of await listExpiredHolds(sql, holdsAtOnce)) {
    await sql.begin((transaction) => releaseHold(transaction, id));
  }
}
