import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { lockAmendableSession } from '#shared/postgres/charging/session-amending.statements.ts';
import { approvePrice } from '#shared/postgres/charging/session-writes/price.statements.ts';
import type { Rig } from './rig.ts';
import { sessionOf } from './scripted16.ts';

/** Approves the price of a session in review, as an operator. */
export async function approve(rig: Rig, transactionId: string | number): Promise<void> {
  const { uuid } = await sessionOf(rig, transactionId);
  await rig.stores.sql.begin(async (transaction) => {
    const session = await lockAmendableSession(transaction, allNetworks, uuid);
    if (session === null) throw new Error(`no session of ${transactionId}`);
    await approvePrice(transaction, session, { reason: 'The meter was read.', by: null });
  });
}
