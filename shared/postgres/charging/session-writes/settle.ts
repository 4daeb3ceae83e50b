import { walletShort } from '#shared/domain/money/wallet.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { settleWallet } from '#shared/postgres/money/wallet-holds.ts';

/**
 * Has the wallets of a session pay what is due (`settleWallet`), and flags the session while its wallet has less than that.
 * Every write of end, cost or driver of a session calls this after it, in the same transaction.
 */
export async function settle(transaction: Transaction, sessionId: bigint): Promise<void> {
  const isShort = await settleWallet(transaction, sessionId);
  if (isShort === null) return;
  await transaction`
    update sessions set flags = array_remove(flags, ${walletShort}) || ${isShort ? [walletShort] : []}::text[]
    where id = ${sessionId}`;
}
