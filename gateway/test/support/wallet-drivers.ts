import { randomUUID } from 'node:crypto';
import type { RPCClient } from 'ocpp-rpc';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { placeHold } from '#shared/postgres/money/wallet-holds.ts';
import { listMovements } from '#shared/postgres/money/wallet-ledger.ts';
import { ensureWallet, findWallet, moveMoney } from '#shared/postgres/money/wallets.statements.ts';
import { seedRemoteStart, seedToken, seedUser } from '#shared/testing/seed.ts';
import type { Rig } from './rig.ts';
import { minute } from './scripted16.ts';

/** A driver with a card and a wallet of the rig's network, and what became of the wallet. */
export async function seedDriver(
  { stores: { sql }, network }: Rig,
  openingMinor: bigint,
  known?: { id: number },
) {
  const user = known ?? (await seedUser(sql, network.id));
  const tag = await seedToken(sql, network.id, { userId: user.id });
  const opened = await ensureWallet(sql, allNetworks, { id: user.id });
  if (opened === null) throw new Error('no wallet');
  const { id, uuid } = opened.wallet;
  await sql.begin((transaction) =>
    moveMoney(transaction, id, {
      cause: 'CREDIT',
      causeId: randomUUID(),
      counter: 'adjustments',
      amountMinor: openingMinor,
      mayOwe: false,
    }),
  );
  const setAside = async (amountMinor: bigint) => {
    const expiresAt = new Date(Date.now() + minute);
    const of = { userId: user.id, networkId: network.id, currency: 'EUR' };
    const wanted = { ...of, amountMinor, expiresAt, remoteStartId: null };
    const held = await sql.begin((transaction) => placeHold(transaction, wanted));
    if (held === null) throw new Error('the wallet has too little');
    return held;
  };
  const movements = () => listMovements(sql, allNetworks, { of: { walletId: id } }, null, 100);
  return {
    id: user.id,
    tag,
    walletId: id,
    /** Available, held and owed. */
    balances: async () => {
      const wallet = await findWallet(sql, allNetworks, uuid);
      return wallet && [wallet.availableMinor, wallet.heldMinor, wallet.owedMinor].map(Number);
    },
    /** The newest first. */
    movements,
    causes: async () => (await movements()).map(({ cause }) => cause as string).toReversed(),
    setAside,
    /** Takes money out of the wallet. */
    spend: (amountMinor: bigint, causeId: string) =>
      sql.begin((transaction) =>
        moveMoney(transaction, id, {
          cause: 'DEBIT',
          causeId,
          counter: 'adjustments',
          amountMinor: -amountMinor,
          mayOwe: false,
        }),
      ),
    /** Sets aside money for a session at a connector, as a driver's start of 50 minutes ago does. */
    hold: async (chargerId: number, amountMinor: bigint) => {
      const { id: holdId } = await setAside(amountMinor);
      await seedRemoteStart(sql, chargerId, { idToken: tag, remoteStartId: 4711, holdId });
      await sql`
        update remote_starts set requested_at = requested_at - interval '50 minutes' where charger_id = ${chargerId}`;
    },
  };
}

/** Tells an event of a 2.0.1 transaction that began an hour ago, with the register then, and the token that is shown. */
export function events201(client: RPCClient, transactionId: string) {
  const begin = Date.now() - 60 * minute;
  return (eventType: string, minutes: number, register: number, tag?: string) => {
    const timestamp = new Date(begin + minutes * minute).toISOString();
    return client.call('TransactionEvent', {
      eventType,
      timestamp,
      triggerReason: 'Trigger',
      seqNo: minutes,
      transactionInfo: { transactionId },
      evse: { id: 1, connectorId: 1 },
      ...(tag !== undefined && { idToken: { idToken: tag, type: 'ISO14443' } }),
      meterValue: [{ timestamp, sampledValue: [{ value: register, context: contexts[eventType] }] }],
    });
  };
}

const contexts: Record<string, string> = {
  Started: 'Transaction.Begin',
  Updated: 'Sample.Periodic',
  Ended: 'Transaction.End',
};
