import { DomainError } from '#shared/domain/kernel/errors.ts';
import { remoteStartDeadlines } from '#shared/domain/charging/remote-start.ts';
import type { Transaction } from '#shared/postgres/kernel/client.ts';
import { type MinimumBalance, readMinimumBalance } from '#shared/postgres/money/minimum-balance.ts';
import { placeHold } from '#shared/postgres/money/wallet-holds.ts';
import { toMajor } from '#shared/pricing/money.ts';

/** Driver whose wallet pays for the session of a remote start. */
export interface Payer {
  userId: number;
  /** Network of the charger. */
  networkId: number;
}

/**
 * Holds a network's minimum balance in the driver's wallet for the session of a remote start. Returns the hold, or null where the
 * minimum is zero. `shared/postgres/money/minimum-balance.ts` has the rule.
 * @param known the minimum, when the caller has read it.
 * @throws {DomainError} BALANCE_TOO_LOW.
 */
export async function holdMinimum(
  transaction: Transaction,
  { userId, networkId }: Payer,
  remoteStartId: bigint,
  known?: MinimumBalance,
): Promise<{ id: bigint } | null> {
  const minimum = known ?? (await readMinimumBalance(transaction, networkId, userId));
  const { amountMinor, currency, isLacking } = minimum;
  if (isLacking) throw tooLow(amountMinor === 0n ? leastMinor : amountMinor, currency);
  if (amountMinor === 0n) return null;
  const expiresAt = new Date(Date.now() + remoteStartDeadlines.holdMs);
  const wanted = { userId, networkId, currency, amountMinor, expiresAt, remoteStartId };
  const hold = await placeHold(transaction, wanted);
  if (hold === null) throw tooLow(amountMinor, currency);
  return hold;
}

/** Smallest balance of a wallet that is not empty. */
const leastMinor = 1n;

function tooLow(amountMinor: bigint, currency: string): DomainError {
  const needed = toMajor(amountMinor, currency);
  return new DomainError('BALANCE_TOO_LOW', `A session needs ${needed} ${currency} in the wallet.`, {
    needed,
    currency,
  });
}
