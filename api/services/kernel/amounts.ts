import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Balances } from '#shared/domain/money/wallet.ts';
import { minorDigits } from '#shared/pricing/currencies.ts';
import { toMajor } from '#shared/pricing/money.ts';

/**
 * An amount of a request, in major units, as minor units of its currency.
 * @throws {DomainError} VALIDATION_FAILED when it has more decimals than the currency.
 */
export function inMinor(amount: number, currency: string, field = 'amount'): bigint {
  const minor = BigInt(Math.round(amount * 10 ** minorDigits(currency)));
  if (toMajor(minor, currency) === amount) return minor;
  const rule = `must have at most ${minorDigits(currency)} decimals in ${currency}`;
  throw new DomainError('VALIDATION_FAILED', `Invalid body: ${field} ${rule}.`, {
    errors: [{ field, message: rule }],
  });
}

/** Balances in major units, with their sum: what is there less what is owed. */
export function shownBalances({ availableMinor, heldMinor, owedMinor }: Balances, currency: string) {
  return {
    balance: toMajor(availableMinor + heldMinor - owedMinor, currency),
    available: toMajor(availableMinor, currency),
    held: toMajor(heldMinor, currency),
    owed: toMajor(owedMinor, currency),
  };
}

/** Returns the balance that a driver needs in a wallet to start a session, in major units. */
export function minimumBalance(network: { minimumBalanceMinor: bigint; currency: string }): number {
  return toMajor(network.minimumBalanceMinor, network.currency);
}
