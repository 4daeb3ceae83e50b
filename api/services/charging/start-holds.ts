import type { CommandResult } from '#shared/domain/commands/commands.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { readMinimumBalance } from '#shared/postgres/money/minimum-balance.ts';
import { listUntakenHolds, placeHold, releaseHold } from '#shared/postgres/money/wallet-holds.ts';
import { toMajor } from '#shared/pricing/money.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';

/** A session that a driver asks for. */
export interface PaidStart {
  userId: number;
  /** Of the charger. */
  networkId: number;
}

/** Longer than the limits of a remote start wait for its session (remote-control.ts), so that it finds its hold. */
const holdForMs = 15 * 60_000;

/**
 * Asks a charger for a session that the driver's wallet pays: sets aside what the network asks for, has `start` ask the
 * charger, and gives it back where no session can follow. A charger that stays silent may begin one all the same: then the
 * hold waits for it, and is given back when it expires. Who may start is the rule of `shared/postgres/money/minimum-balance.ts`; where
 * the minimum is zero, nothing is held.
 * @throws {DomainError} BALANCE_TOO_LOW, and what `start` throws.
 */
export async function startOnHold(
  { sql }: Pick<ServiceDeps, 'sql'>,
  wanted: PaidStart,
  start: (hold: { id: bigint } | null) => Promise<CommandResult>,
): Promise<CommandResult> {
  const hold = await holdMinimum(sql, wanted);
  const giveBack = async () => {
    if (hold !== null) await sql.begin((transaction) => releaseHold(transaction, hold.id));
  };
  let result: CommandResult;
  try {
    result = await start(hold);
  } catch (error) {
    const mayBegin = error instanceof DomainError && error.code === 'CHARGER_TIMEOUT';
    if (!mayBegin) await giveBack();
    throw error;
  }
  if (!result.accepted) await giveBack();
  return result;
}

/**
 * Gives back what was set aside for starts of a driver that led to no session. Call it once a start of this driver is
 * claimed (`charging-starts.ts`) and before it holds: all others are over then, if late sessions of theirs may still come.
 */
export async function releaseEarlierHolds({ sql }: Pick<ServiceDeps, 'sql'>, userId: number): Promise<void> {
  for (const id of await listUntakenHolds(sql, userId)) {
    await sql.begin((transaction) => releaseHold(transaction, id));
  }
}

async function holdMinimum(
  sql: ServiceDeps['sql'],
  { userId, networkId }: PaidStart,
): Promise<{ id: bigint } | null> {
  const { amountMinor, currency, isLacking } = await readMinimumBalance(sql, networkId, userId);
  if (isLacking) throw tooLow(amountMinor === 0n ? leastMinor : amountMinor, currency);
  if (amountMinor === 0n) return null;
  const expiresAt = new Date(Date.now() + holdForMs);
  const hold = await sql.begin((transaction) =>
    placeHold(transaction, { userId, networkId, currency, amountMinor, expiresAt }),
  );
  if (hold === null) throw tooLow(amountMinor, currency);
  return hold;
}

/** What a wallet that counts has in it when it is not empty. */
const leastMinor = 1n;

function tooLow(amountMinor: bigint, currency: string): DomainError {
  const needed = toMajor(amountMinor, currency);
  return new DomainError('BALANCE_TOO_LOW', `A session needs ${needed} ${currency} in the wallet.`, {
    needed,
    currency,
  });
}
