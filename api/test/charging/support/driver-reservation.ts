import { randomUUID } from 'node:crypto';
import { answerCalls } from '#gateway/test/support/answering.ts';
import type { Version } from '#gateway/test/support/rig.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { ensureWallet, moveMoney } from '#shared/postgres/money/wallets.statements.ts';
import { seedToken, seedUser } from '#shared/testing/seed.ts';
import type { OperatedRig } from '#api/test/support/operated-rig.ts';

const minute = 60_000;

/** A driver with 50.00 in the wallet. */
export async function seedPayer({ network, stores: { sql } }: OperatedRig) {
  const user = await seedUser(sql, network.id);
  const wallet = (await ensureWallet(sql, allNetworks, { id: user.id }))?.wallet;
  if (wallet === undefined) throw new Error('no wallet');
  const credit = { cause: 'CREDIT', counter: 'adjustments', amountMinor: 5000n, mayOwe: false } as const;
  await sql.begin((transaction) => moveMoney(transaction, wallet.id, { ...credit, causeId: randomUUID() }));
  return { user, wallet };
}

/** A charger that accepts reservations, and a driver with 50.00 in the wallet. */
export async function startScene(rig: OperatedRig, version: Version) {
  const { sql } = rig.stores;
  const { charger, client } = await rig.connect(version);
  answerCalls(client, () => ({ status: 'Accepted' }));
  const { user, wallet } = await seedPayer(rig);
  const idTag = await seedToken(sql, rig.network.id, { userId: user.id });
  const is16 = version === 'ocpp1.6';
  /** Reserves, and moves the reservation this many minutes into the past. */
  const reserve = async (minutesAgo: number, changed: object = {}) => {
    const made = await rig.call('POST', '/reservations', {
      chargerId: charger.uuid,
      connectorNumber: 1,
      idTag,
      expiresAt: new Date(Date.now() + 60 * minute).toISOString(),
      ...changed,
    });
    if (made.status !== 201) throw new Error(JSON.stringify(made.json));
    const { id, reservationId, billedSessionId } = made.json.data as {
      id: string;
      reservationId: number;
      billedSessionId: string | null;
    };
    const at = new Date(Date.now() - minutesAgo * minute);
    await sql`update reservations set created_at = ${at} where uuid = ${id}`;
    await sql`
      update sessions set reserved_at = ${at}, started_at = ${at}
      where id = (select billed_session_id from reservations where uuid = ${id})`;
    return { id, reservationId, billedSessionId };
  };
  const start = async (
    reservationId: number | undefined,
    at = new Date(),
    { transaction = 'tx-1', presented = idTag } = {},
  ) => {
    const named = reservationId !== undefined && { reservationId };
    const timestamp = at.toISOString();
    if (is16) {
      const body = { connectorId: 1, idTag: presented, meterStart: 0, timestamp, ...named };
      const { transactionId } = (await client.call('StartTransaction', body)) as { transactionId: number };
      return String(transactionId);
    }
    await client.call('TransactionEvent', {
      eventType: 'Started',
      triggerReason: 'Authorized',
      seqNo: 0,
      timestamp,
      transactionInfo: { transactionId: transaction },
      evse: { id: 1, connectorId: 1 },
      idToken: { idToken: presented, type: 'ISO14443' },
      meterValue: [{ timestamp, sampledValue: [{ value: 0 }] }],
      ...named,
    });
    return transaction;
  };
  const stop = async (transactionId: string, wh: number) => {
    const timestamp = new Date().toISOString();
    if (is16) {
      await client.call('StopTransaction', {
        transactionId: Number(transactionId),
        meterStop: wh,
        timestamp,
      });
      return;
    }
    await client.call('TransactionEvent', {
      eventType: 'Ended',
      triggerReason: 'EVDeparted',
      seqNo: 1,
      timestamp,
      transactionInfo: { transactionId },
      meterValue: [{ timestamp, sampledValue: [{ value: wh }] }],
    });
  };
  const sessions = () => sql<Record<string, unknown>[]>`
    select uuid, status, reservation_end as "end", cost_minor::integer as cost, price_state as state, user_id as "userId",
      energy_wh as "energyWh", ended_at as "endedAt"
    from sessions where charger_id = ${charger.id} order by id`;
  const balance = async () => {
    const [row] = await sql<{ minor: number }[]>`
      select available_minor::integer as minor from wallets where id = ${wallet.id}`;
    return row?.minor;
  };
  return { charger, client, user, idTag, reserve, start, stop, sessions, balance };
}

export type Scene = Awaited<ReturnType<typeof startScene>>;
