import { randomUUID } from 'node:crypto';
import { allNetworks } from '#shared/domain/tenancy.ts';
import { placeHold } from '#shared/postgres/wallet-holds.ts';
import { listMovements } from '#shared/postgres/wallet-ledger.ts';
import { ensureWallet, findWallet, moveMoney } from '#shared/postgres/wallets.ts';
import { seedRemoteStart, seedToken, seedUser } from '#shared/testing/seed.ts';
import type { Rig } from './rig.ts';
import { minute } from './scripted16.ts';

/** A driver with a card and a wallet of the rig's network, and what became of the wallet. */
export async function seedDriver({ stores: { sql }, network }: Rig, openingMinor: bigint) {
  const user = await seedUser(sql, network.id);
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
    const wanted = { userId: user.id, networkId: network.id, currency: 'EUR', amountMinor, expiresAt };
    const hold = await sql.begin((transaction) => placeHold(transaction, wanted));
    if (hold === null) throw new Error('the wallet has too little');
    return hold;
  };
  return {
    id: user.id,
    tag,
    /** Available, held and owed. */
    balances: async () => {
      const wallet = await findWallet(sql, allNetworks, uuid);
      return wallet && [wallet.availableMinor, wallet.heldMinor, wallet.owedMinor].map(Number);
    },
    causes: async () => {
      const movements = await listMovements(sql, allNetworks, { of: { walletId: id } }, null, 100);
      return movements.map(({ cause }) => cause as string).toReversed();
    },
    setAside,
    /** Sets aside money for a session at a connector, as a driver's start of 50 minutes ago does. */
    hold: async (chargerId: number, amountMinor: bigint) => {
      const { id: holdId } = await setAside(amountMinor);
      await seedRemoteStart(sql, chargerId, { idToken: tag, remoteStartId: 4711, holdId });
      await sql`
        update remote_starts set requested_at = requested_at - interval '50 minutes' where charger_id = ${chargerId}`;
    },
  };
}
