import { DomainError } from '#shared/domain/kernel/errors.ts';
import { violates } from '#shared/postgres/kernel/client.ts';
import { movementCause } from '#shared/postgres/money/ledger.ts';
import type { WalletOrder } from '#shared/domain/money/wallet-order.ts';
import {
  listMovements,
  type MovementFilter,
  type MovementRecord,
} from '#shared/postgres/money/wallet-ledger.ts';
import {
  ensureWallet,
  findWallet,
  listDriverWallets,
  listWallets,
  moveMoney,
  sumWallets,
  type WalletFilter,
  type WalletRecord,
  type WalletSums,
} from '#shared/postgres/money/wallets.statements.ts';
import { inMinor, shownBalances } from '#api/services/kernel/amounts.ts';
import { type Actor, auditChange } from '#api/services/access/audit.ts';
import { causeOf } from '#api/services/access/idempotency.service.ts';
import type { Caller } from '#api/services/access/callers.ts';
import { readsDrivers } from '#api/services/charging/operator-sessions.ts';
import { cutById, decodeIdCursor } from '#api/services/kernel/cursors.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { networksOfCall } from '#api/services/access/networks.service.ts';

export type { MovementRecord } from '#shared/postgres/money/wallet-ledger.ts';
export type { WalletRecord, WalletSums } from '#shared/postgres/money/wallets.statements.ts';

type Slice = { cursor: string | undefined; limit: number };

/** List of wallets that an operator requests. */
export interface WalletQuery extends Omit<WalletFilter, 'search'> {
  networkUuid: string | undefined;
  /** Part of the e-mail address or name of the driver; for callers who read drivers also of the phone number or external id. */
  search: string | undefined;
}

function filterOf(caller: Caller, { search: text, ...filter }: WalletQuery): WalletFilter {
  return { ...filter, search: text === undefined ? undefined : { text, inAll: readsDrivers(caller) } };
}

/** One page of the wallets that the caller may see, in an order. */
export async function listOwnWallets(
  deps: ServiceDeps,
  caller: Caller,
  query: WalletQuery,
  order: WalletOrder,
  { cursor, limit }: Slice,
): Promise<{ rows: WalletRecord[]; nextCursor: string | null }> {
  const after = decodeIdCursor(cursor);
  const networks = await networksOfCall(deps, caller, query.networkUuid);
  const page = { after, limit: limit + 1 };
  return cutById(await listWallets(deps.sql, networks, filterOf(caller, query), order, page), limit);
}

/**
 * Returns the sums of the wallets of a list, by currency.
 * @throws {DomainError} NETWORK_NOT_FOUND.
 */
export async function summarizeOwnWallets(
  deps: ServiceDeps,
  caller: Caller,
  query: WalletQuery,
): Promise<WalletSums[]> {
  const networks = await networksOfCall(deps, caller, query.networkUuid);
  return sumWallets(deps.sql, networks, filterOf(caller, query));
}

/** @throws {DomainError} WALLET_NOT_FOUND. */
export async function readWallet({ sql }: ServiceDeps, caller: Caller, uuid: string): Promise<WalletRecord> {
  const wallet = await findWallet(sql, caller.networks, uuid);
  if (wallet === null) throw new DomainError('WALLET_NOT_FOUND', `There is no wallet ${uuid}.`);
  return wallet;
}

/**
 * One page of the movements of a wallet, newest first.
 * @throws {DomainError} WALLET_NOT_FOUND.
 */
export async function readLedger(
  deps: ServiceDeps,
  caller: Caller,
  uuid: string,
  filter: Omit<MovementFilter, 'of'>,
  { cursor, limit }: Slice,
): Promise<{ rows: MovementRecord[]; nextCursor: string | null }> {
  const before = decodeIdCursor(cursor, 'bigint');
  const wallet = await readWallet(deps, caller, uuid);
  const of = { walletId: wallet.id };
  return cutById(await listMovements(deps.sql, caller.networks, { ...filter, of }, before, limit + 1), limit);
}

/**
 * Opens the wallet of a driver, in the currency of the driver's network.
 * @throws {DomainError} USER_NOT_FOUND, WALLET_EXISTS.
 */
export async function openWallet({ sql }: ServiceDeps, by: Actor, userUuid: string): Promise<WalletRecord> {
  return sql.begin(async (transaction) => {
    const opened = await ensureWallet(transaction, by.caller.networks, { uuid: userUuid });
    if (opened === null) throw new DomainError('USER_NOT_FOUND', `There is no driver ${userUuid}.`);
    const { wallet, isNew } = opened;
    if (!isNew) {
      throw new DomainError('WALLET_EXISTS', 'This driver has a wallet already.', { walletId: wallet.uuid });
    }
    const after = { userId: wallet.userUuid, currency: wallet.currency };
    await auditChange(transaction, by, { ...audited(wallet, 'open'), before: null, after });
    return wallet;
  });
}

/** Wallet adjustment of an operator, with its reason; in major units of the wallet's currency. */
interface Adjustment {
  kind: 'credit' | 'debit';
  amount: number;
  reason: string;
}

/**
 * Gives a driver money, which pays first what is owed, or takes what is available.
 * @throws {DomainError} WALLET_NOT_FOUND, VALIDATION_FAILED, INSUFFICIENT_BALANCE.
 */
export async function adjustWallet(
  deps: ServiceDeps,
  by: Actor,
  uuid: string,
  { kind, amount, reason }: Adjustment,
): Promise<WalletRecord> {
  const { id, currency } = await readWallet(deps, by.caller, uuid);
  const minor = inMinor(amount, currency);
  const adjusted = deps.sql.begin(async (transaction) => {
    const before = await moveMoney(transaction, id, {
      cause: kind === 'credit' ? 'CREDIT' : 'DEBIT',
      causeId: causeOf(by),
      counter: 'adjustments',
      amountMinor: kind === 'credit' ? minor : -minor,
      mayOwe: false,
      reason,
    });
    if (before === null) {
      throw new DomainError('INSUFFICIENT_BALANCE', 'The wallet has less than that available.');
    }
    const wallet = await findWallet(transaction, by.caller.networks, uuid);
    if (wallet === null) throw new Error('the wallet that was moved is gone');
    await auditChange(transaction, by, {
      ...audited(wallet, kind),
      before: shownBalances(before, currency),
      after: shownBalances(wallet, currency),
      reason,
    });
    return wallet;
  });
  return adjusted.catch((error: unknown) => {
    // An earlier attempt of the request has booked it.
    if (violates(error, movementCause)) return readWallet(deps, by.caller, uuid);
    throw error;
  });
}

function audited({ uuid, networkId, userUuid }: WalletRecord, action: string) {
  return { networkId, category: 'wallet', action, resourceId: uuid, resourceName: `of driver ${userUuid}` };
}

/** Maximum number of wallets that an operator's key of the public API reads; the operator API has pages. */
export const maxListedWallets = 500;

/** Returns the wallets of the calling driver, or the first ones of an operator's networks. */
export async function readOwnWallets({ sql }: ServiceDeps, caller: Caller): Promise<WalletRecord[]> {
  return listDriverWallets(sql, caller.networks, caller.userId, maxListedWallets);
}

/** Returns the newest movements of all wallets of the calling driver, or of an operator's networks. */
export async function readOwnLedger(
  { sql }: ServiceDeps,
  caller: Caller,
  limit: number,
): Promise<MovementRecord[]> {
  return listMovements(sql, caller.networks, { of: { userId: caller.userId } }, null, limit);
}
