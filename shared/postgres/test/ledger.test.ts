import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import t, { type Test } from 'tap';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { settleFrom } from '#shared/domain/money/wallet.ts';
import { openPostgres, type Sql, type Transaction } from '#shared/postgres/kernel/client.ts';
import { placeHold, releaseHold } from '#shared/postgres/money/wallet-holds.ts';
import { listMovements } from '#shared/postgres/money/wallet-ledger.ts';
import { ensureWallet, findWallet, moveMoney } from '#shared/postgres/money/wallets.statements.ts';
import { seedNetwork, seedUser } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { withDatabase } from '#shared/testing/test-servers.ts';

async function openWallet(t: Test, openingMinor = 0n) {
  const { sql, databaseUrl } = await testStores(t);
  const network = await seedNetwork(sql);
  const user = await seedUser(sql, network.id);
  const opened = await ensureWallet(sql, allNetworks, { id: user.id });
  if (opened === null) throw new Error('no wallet');
  const { id, uuid, currency } = opened.wallet;
  const move = (amountMinor: bigint, mayOwe = false) =>
    sql.begin((transaction) =>
      moveMoney(transaction, id, {
        cause: amountMinor > 0n ? 'CREDIT' : 'DEBIT',
        causeId: randomUUID(),
        counter: 'adjustments',
        amountMinor,
        mayOwe,
      }),
    );
  if (openingMinor > 0n) await move(openingMinor);
  return {
    sql,
    databaseUrl,
    id,
    move,
    hold: (amountMinor: bigint, expiresAt = new Date(Date.now() + 60_000)) =>
      sql.begin((transaction) =>
        placeHold(transaction, {
          userId: user.id,
          networkId: network.id,
          currency,
          amountMinor,
          expiresAt,
          remoteStartId: null,
        }),
      ),
    release: (holdId: bigint) => sql.begin((transaction) => releaseHold(transaction, holdId)),
    balances: async () => {
      const wallet = await findWallet(sql, allNetworks, uuid);
      return wallet && [wallet.availableMinor, wallet.heldMinor, wallet.owedMinor].map(Number);
    },
    movements: () => listMovements(sql, allNetworks, { of: { walletId: id } }, null, 1000),
  };
}

/** The entries of all wallets by account; their sum is zero whatever happened. */
async function trialBalance(sql: Sql): Promise<Record<string, number>> {
  const rows = await sql<{ account: string; minor: number }[]>`
    select account, sum(amount_minor)::integer as minor from ledger_entries group by account`;
  return Object.fromEntries(rows.map(({ account, minor }) => [account, minor]));
}

void t.test('keeps the sum of money for every cost and hold', async () => {
  const cents = fc.bigInt({ min: 0n, max: 100_000n });
  const due = fc.bigInt({ min: -100_000n, max: 100_000n });
  fc.assert(
    fc.property(cents, cents, cents, fc.boolean(), due, (net, hold, others, isOwing, due) => {
      const before = {
        availableMinor: isOwing ? 0n : net,
        heldMinor: hold + others,
        owedMinor: isOwing ? net : 0n,
      };
      const after = settleFrom(before, hold, due);
      const sum = ({ availableMinor, heldMinor, owedMinor }: typeof before) =>
        availableMinor + heldMinor - owedMinor;
      const isNegative = after.availableMinor < 0n || after.owedMinor < 0n;
      return (
        sum(after) === sum(before) - due &&
        after.heldMinor === others &&
        !isNegative &&
        (after.availableMinor === 0n || after.owedMinor === 0n)
      );
    }),
  );
});

void t.test('pays debts first from incoming money, in double entry', async (t) => {
  const wallet = await openWallet(t);
  t.same(await wallet.move(300n), { id: wallet.id, availableMinor: 0n, heldMinor: 0n, owedMinor: 0n });
  t.equal(await wallet.move(-301n), null, 'more than there is');
  t.ok(await wallet.move(-500n, true));
  t.strictSame(await wallet.balances(), [0, 0, 200]);
  await wallet.move(150n);
  t.strictSame(await wallet.balances(), [0, 0, 50]);
  await wallet.move(75n);
  t.strictSame(await wallet.balances(), [25, 0, 0]);
  t.strictSame(await trialBalance(wallet.sql), { available: 25, receivable: 0, adjustments: -25 });
  t.strictSame(
    (await wallet.movements()).map(({ cause, change, after }) => [
      cause,
      Number(change.availableMinor),
      Number(change.owedMinor),
      Number(after.availableMinor),
      Number(after.owedMinor),
    ]),
    [
      ['CREDIT', 25, -50, 25, 0],
      ['CREDIT', 0, -150, 0, 50],
      ['DEBIT', -300, 200, 0, 200],
      ['CREDIT', 300, 0, 300, 0],
    ],
  );
});

void t.test('reserves and releases a hold once, within the balance', async (t) => {
  const wallet = await openWallet(t, 1200n);
  const first = await wallet.hold(500n);
  t.ok(await wallet.hold(500n));
  t.equal(await wallet.hold(500n), null);
  t.strictSame(await wallet.balances(), [200, 1000, 0]);
  t.equal(await wallet.move(-201n), null, 'what is held is not to be taken');
  if (first === null) throw new Error('no hold');
  await Promise.all([wallet.release(first.id), wallet.release(first.id), wallet.release(first.id)]);
  t.strictSame(await wallet.balances(), [700, 500, 0]);
  t.match(await wallet.movements(), [{ cause: 'RELEASE' }, { cause: 'HOLD' }, { cause: 'HOLD' }, {}]);
});

void t.test('keeps the balance positive under concurrent holds, debits and releases', async (t) => {
  const wallet = await openWallet(t, 1000n);
  // Connections of their own: each of these is another process to the database.
  const pool = openPostgres(wallet.databaseUrl, { name: 'race', connections: 20 });
  t.teardown(() => pool.end());
  const holds = Array.from({ length: 30 }, () => wallet.hold(70n));
  // More than there is of either, so that both run short.
  const debits = Array.from({ length: 40 }, () =>
    pool.begin((transaction) =>
      moveMoney(transaction, wallet.id, {
        cause: 'DEBIT',
        causeId: randomUUID(),
        counter: 'adjustments',
        amountMinor: -30n,
        mayOwe: false,
      }),
    ),
  );
  const [placed, taking] = await Promise.all([Promise.all(holds), Promise.all(debits)]);
  const held = placed.flatMap((hold) => hold ?? []);
  const debited = taking.filter((before) => before !== null);
  const taken = 70 * held.length + 30 * debited.length;
  t.ok(taken > 1000 - 30 && taken <= 1000, `${taken} of 1000 were taken`);
  t.strictSame(await wallet.balances(), [1000 - taken, 70 * held.length, 0]);
  await Promise.all(held.map(({ id }) => pool.begin((transaction) => releaseHold(transaction, id))));
  t.strictSame(await wallet.balances(), [1000 - 30 * debited.length, 0, 0]);
  const sums = Object.values(await trialBalance(wallet.sql));
  t.equal(
    sums.reduce((sum, minor) => sum + minor, 0),
    0,
  );
});

void t.test('refuses entries that do not add up', async (t) => {
  const { sql, id, move } = await openWallet(t, 1000n);
  const post = (
    entries: [account: string, minor: number][],
    after: [available: number, held: number, owed: number],
    causeId: string = randomUUID(),
  ) =>
    sql.begin(async (transaction: Transaction) => {
      const [posted] = await transaction<{ id: bigint }[]>`
        insert into ledger_transactions
          (wallet_id, cause, cause_id, available_after_minor, held_after_minor, owed_after_minor)
        values (${id}, 'CREDIT', ${causeId}, ${after[0]}, ${after[1]}, ${after[2]}) returning id`;
      const rows = entries.map(([account, minor]) => ({
        transaction_id: String(posted?.id),
        account,
        amount_minor: minor,
      }));
      await transaction`insert into ledger_entries ${transaction(rows)}`;
      return posted?.id;
    });
  const refused = { code: '23514' };
  await t.rejects(post([['available', 5]], [1005, 0, 0]), refused, 'one side only');
  await t.rejects(
    post(
      [
        ['available', 5],
        ['cash', -4],
      ],
      [1005, 0, 0],
    ),
    refused,
    'not zero',
  );
  await t.rejects(
    post(
      [
        ['available', 5],
        ['cash', -5],
      ],
      [1006, 0, 0],
    ),
    refused,
    'not what it says',
  );
  await t.rejects(
    post(
      [
        ['available', -1001],
        ['cash', 1001],
      ],
      [-1, 0, 0],
    ),
    refused,
    'below zero',
  );
  await t.rejects(
    post(
      [
        ['receivable', 1],
        ['cash', -1],
      ],
      [1000, 0, -1],
    ),
    refused,
    'owed below zero',
  );
  const posted = await post(
    [
      ['available', 5],
      ['cash', -5],
    ],
    [1005, 0, 0],
    'once',
  );
  await t.rejects(
    post(
      [
        ['available', 5],
        ['cash', -5],
      ],
      [1010, 0, 0],
      'once',
    ),
    { code: '23505' },
  );
  await t.rejects(
    sql`insert into ledger_entries (transaction_id, account, amount_minor)
      values (${posted ?? 0n}, 'held', 5), (${posted ?? 0n}, 'revenue', -5)`,
    refused,
    'entries that come later',
  );
  const forbidden = { code: '42501' };
  await t.rejects(sql`update wallets set available_minor = 0 where id = ${id}`, forbidden);
  await t.rejects(sql`update ledger_entries set amount_minor = 1`, forbidden);
  await t.rejects(sql`delete from ledger_transactions`, forbidden);
  const network = await seedNetwork(sql);
  const user = await seedUser(sql, network.id);
  await t.rejects(
    sql`insert into wallets (user_id, network_id, currency, available_minor)
      values (${user.id}, ${network.id}, 'EUR', 1)`,
    forbidden,
  );
  t.ok(await move(-1005n), 'nothing of what was refused is there');
});

void t.test('migrates the former ledger of single entries', async (t) => {
  const stores = await testStores(t);
  const name = `old_${randomUUID().slice(0, 8)}`;
  await stores.sql`create database ${stores.sql(name)}`;
  const sql = openPostgres(withDatabase(stores.databaseUrl, name), { name: 'old-ledger', connections: 1 });
  t.teardown(async () => {
    await sql.end();
    await stores.sql`drop database ${stores.sql(name)}`;
  });
  const folder = join(import.meta.dirname, '../migrations');
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).toSorted();
  const before = files.filter((file) => file < '0101');
  for (const file of before) await sql.unsafe(await readFile(join(folder, file), 'utf8'));
  await sql.unsafe(`
    insert into networks (slug, name) values ('old', 'Old');
    insert into users (network_id, email, name) select 1, n || '@example.org', n::text from generate_series(1, 3) n;
    insert into wallets (user_id, network_id, currency, balance_minor) values (1, 1, 'EUR', 700), (2, 1, 'EUR', 50), (3, 1, 'EUR', 0);
    insert into wallet_ledger (wallet_id, amount_minor, balance_after_minor, reason)
      values (1, 1000, 1000, 'paid in'), (1, -300, 700, 'charged');`);
  await sql.unsafe(await readFile(join(folder, '0150_wallet_ledger.sql'), 'utf8'));
  const wallets = await sql`select id, available_minor, held_minor, owed_minor from wallets order by id`;
  t.same(
    wallets.map((wallet) => wallet['available_minor'] as bigint),
    [700n, 50n, 0n],
  );
  t.match(
    await sql`
    select wallet_id, cause, reason, available_after_minor::integer as after from ledger_transactions order by id`,
    [
      { wallet_id: 1, cause: 'CREDIT', reason: 'paid in', after: 1000 },
      { wallet_id: 1, cause: 'DEBIT', reason: 'charged', after: 700 },
      { wallet_id: 2, cause: 'CREDIT', reason: 'Balance of the old ledger', after: 50 },
    ],
  );
  t.strictSame(await trialBalance(sql), { available: 750, adjustments: -750 });
});
