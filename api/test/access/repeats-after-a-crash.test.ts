import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { stripePayments } from '#api/services/money/payments/stripe.service.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { type BillingScene, billingScene } from '#api/test/support/billing.ts';
import { publicCharger } from '#api/test/support/charging-drivers.ts';
import { addDriver } from '#api/test/support/drivers.ts';
import {
  accepted,
  type Answer,
  holdCharger,
  mintKey,
  register,
  startTestApi,
  type TestApi,
} from '#api/test/support/fixtures.ts';
import { addUser } from '#api/test/support/records.ts';
import { secretKey, startStripe, webhookSecret } from '#api/test/support/stripe-server.ts';

/** Leaves the last request as a process does that is killed after its commits and before it keeps the answer. */
async function loseAnswer(sql: Sql): Promise<void> {
  const lost = await sql`
    update idempotency_keys set answer = null, claimed_until = now() where answer is not null returning 1`;
  if (lost.length !== 1) throw new Error(`${lost.length} answers were kept`);
}

/** Sends a request, loses its answer, and sends it again: returns both answers without what names the request. */
async function sentTwice(api: TestApi, key: string, url: string, payload: object): Promise<[Answer, Answer]> {
  const headers = { 'idempotency-key': randomUUID() };
  const send = () => api.call(key, { method: 'POST', url, payload, headers });
  const first = await send();
  await loseAnswer(api.stores.sql);
  return [first, await send()];
}

const withoutTime = ({ status, text }: Answer) => ({
  status,
  body: text.replace(/"timestamp":"[^"]*"/, ''),
});

async function count(sql: Sql, table: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::integer from ${sql(table)}`;
  return row?.count ?? -1;
}

/** A route that takes an Idempotency-Key, and the table that gets one row from it. */
interface Effect {
  name: string;
  table: string;
  request: (scene: BillingScene) => Promise<{ key: string; url: string; payload: object }>;
}

async function walletOf({ api, driver }: BillingScene, key: string): Promise<string> {
  const payload = { userId: driver.uuid };
  const opened = await api.call(key, { method: 'POST', url: '/cpms/v1/wallets', payload });
  const id = opened.json['data']?.['id'] as unknown as string;
  const credit = { amount: 100, reason: 'Gift' };
  await api.call(key, { method: 'POST', url: `/cpms/v1/wallets/${id}/credit`, payload: credit });
  return id;
}

const adjustments: Effect[] = (['credit', 'debit'] as const).map((kind) => ({
  name: `a wallet ${kind}`,
  table: 'ledger_transactions',
  request: async (scene: BillingScene) => {
    const key = await mintKey(scene.api);
    const url = `/cpms/v1/wallets/${await walletOf(scene, key)}/${kind}`;
    return { key, url, payload: { amount: 5, reason: 'Correction' } };
  },
}));

const others: Effect[] = [
  {
    name: 'invoice',
    table: 'invoices',
    request: async ({ charge, keys }) => ({
      key: keys.operator,
      url: '/emsp/v1/invoices',
      payload: { transactionIds: [await charge()] },
    }),
  },
  {
    name: 'credit note',
    table: 'invoices',
    request: async ({ call, charge, keys }) => {
      const payload = { transactionIds: [await charge()] };
      const issued = await call(keys.operator, '/invoices', { method: 'POST', payload });
      const number = issued.json['invoiceNumber'] as unknown as string;
      return { key: keys.operator, url: `/emsp/v1/invoices/${number}/credit`, payload: { reason: 'Wrong' } };
    },
  },
  {
    name: 'amendment',
    table: 'audit_log',
    request: async ({ api, charge }) => ({
      key: await mintKey(api),
      url: `/cpms/v1/sessions/${await charge()}/amend`,
      payload: { energyKwh: 10, reason: 'The meter was wrong' },
    }),
  },
  {
    name: 'charger with its password',
    table: 'chargers',
    request: async ({ api }) => ({
      key: await mintKey(api),
      url: '/cpms/v1/chargers',
      payload: { serial: 'CP-2' },
    }),
  },
  {
    name: 'API key with its secret',
    table: 'api_keys',
    request: async ({ api }) => ({
      key: await mintKey(api),
      url: '/cpms/v1/api-keys',
      payload: { name: 'Second', scopes: ['cpms:read:wallets'] },
    }),
  },
];

for (const { name, table, request } of adjustments) {
  void t.test(`a repeat returns ${name} of a process that ended before its answer was kept`, async (t) => {
    const scene = await billingScene(t);
    const { sql } = scene.api.stores;
    const { key, url, payload } = await request(scene);
    const before = await count(sql, table);
    const [first, again] = await sentTwice(scene.api, key, url, payload);
    t.match(String(first.status), /^20[01]$/, first.text);
    t.same(withoutTime(again), withoutTime(first));
    t.equal(await count(sql, table), before + 1);
  });
}

for (const { name, table, request } of others) {
  void t.test(
    `a repeat makes no second ${name} after a process ended before its answer was kept`,
    async (t) => {
      const scene = await billingScene(t);
      const { sql } = scene.api.stores;
      const { key, url, payload } = await request(scene);
      const before = await count(sql, table);
      const [first, again] = await sentTwice(scene.api, key, url, payload);
      t.match(String(first.status), /^20[01]$/, first.text);
      t.equal(again.status, 409);
      t.match(again.text, 'IDEMPOTENCY_OUTCOME_UNKNOWN');
      t.equal(await count(sql, table), before + 1);
    },
  );
}

void t.test('a repeat of a debit that emptied the wallet has an unknown outcome', async (t) => {
  const scene = await billingScene(t);
  const { sql } = scene.api.stores;
  const key = await mintKey(scene.api);
  const url = `/cpms/v1/wallets/${await walletOf(scene, key)}/debit`;
  const before = await count(sql, 'ledger_transactions');
  const [first, again] = await sentTwice(scene.api, key, url, { amount: 60, reason: 'Correction' });
  t.equal(first.status, 200);
  t.match(again, { status: 409, json: { error: { code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' } } });
  t.equal(await count(sql, 'ledger_transactions'), before + 1);
});

void t.test('a repeat continues the top-up of a process that ended before its answer was kept', async (t) => {
  const stripe = await startStripe(t);
  const payments = stripePayments({ secretKey, webhookSecret, apiUrl: stripe.url });
  const api = await startTestApi(t, { payments });
  const { sql } = api.stores;
  const { id: userId } = await addUser(sql, api.network.id, 'ada@example.org');
  const key = await mintKey(api, { apiFamily: 'emsp', scopes: [], userId });
  const [first, again] = await sentTwice(api, key, '/emsp/v1/wallet/top-up', { amount: 20 });
  t.equal(first.status, 201);
  t.equal(again.json['id'], first.json['id']);
  t.equal(await count(sql, 'wallet_top_ups'), 1);
  // Stripe answers a repeat with the first payment (RFC draft idempotency-key-header, as Stripe implements it).
  const keys = stripe.requests.map(({ headers }) => headers['idempotency-key']);
  t.same(keys, [first.json['id'], first.json['id']]);
});

void t.test('a command is not sent again when its process ended before its answer was kept', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  const taken = await holdCharger(api, 'CP-1', () => accepted);
  const [first, again] = await sentTwice(api, key, `/cpms/v1/chargers/${id}/reboot`, {});
  t.equal(first.status, 200);
  t.match(again, { status: 409, json: { error: { code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' } } });
  t.equal(taken.length, 1);
});

void t.test('a start is not requested again when its process ended before its answer was kept', async (t) => {
  const api = await startTestApi(t);
  const driver = await addDriver(api, 10_000n);
  const charger = await publicCharger(api);
  const payload = { chargerId: charger.uuid };
  const [first, again] = await sentTwice(api, driver.key, '/emsp/v1/charging/start', payload);
  t.equal(first.status, 200);
  t.match(again, { status: 409, json: { code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' } });
  t.equal(charger.taken.length, 1);
  t.equal(await count(api.stores.sql, 'remote_starts'), 1);
  t.match(await driver.shown(), { held: 5 });
});

void t.test(
  'an operator starts no second session when the process ended before its answer was kept',
  async (t) => {
    const api = await startTestApi(t);
    const key = await mintKey(api);
    const { id } = await register(api, key, { serial: 'CP-1' });
    const taken = await holdCharger(api, 'CP-1', () => accepted);
    const [first, again] = await sentTwice(api, key, `/cpms/v1/chargers/${id}/remote-start`, {});
    t.equal(first.status, 200);
    t.match(again, { status: 409, json: { error: { code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' } } });
    t.equal(taken.length, 1);
    t.equal(await count(api.stores.sql, 'remote_starts'), 1);
  },
);

void t.test(
  'starts the session of a repeat whose first attempt ended before it requested the start',
  async (t) => {
    const api = await startTestApi(t);
    const { sql } = api.stores;
    const driver = await addDriver(api, 10_000n);
    const charger = await publicCharger(api);
    const headers = { 'idempotency-key': randomUUID() };
    const payload = { chargerId: charger.uuid };
    const send = () =>
      api.call(driver.key, { method: 'POST', url: '/emsp/v1/charging/start', payload, headers });
    t.equal((await send()).status, 200);
    await loseAnswer(sql);
    await sql`delete from wallet_holds`;
    await sql`delete from remote_starts`;
    t.equal((await send()).status, 200);
    t.equal(await count(sql, 'remote_starts'), 1);
  },
);

void t.test('a command that was sent before a failure of ours is not sent again', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  const taken = await holdCharger(api, 'CP-1', () => accepted);
  const headers = { 'idempotency-key': randomUUID() };
  const url = `/cpms/v1/chargers/${id}/reboot`;
  const send = () => api.call(key, { method: 'POST', url, payload: {}, headers });
  await sql`alter table audit_log add constraint no_command check (category <> 'command') not valid`;
  t.equal((await send()).status, 500);
  await sql`alter table audit_log drop constraint no_command`;
  t.match(await send(), { status: 409, json: { error: { code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' } } });
  t.equal(taken.length, 1);
});

async function walletScene(t: Test) {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const driver = await addUser(sql, api.network.id, 'ada@example.org');
  const payload = { userId: driver.uuid };
  const opened = await api.call(key, { method: 'POST', url: '/cpms/v1/wallets', payload });
  const url = `/cpms/v1/wallets/${opened.json['data']?.['id'] as unknown as string}/credit`;
  const headers = { 'idempotency-key': randomUUID() };
  return {
    sql,
    credit: () => api.call(key, { method: 'POST', url, headers, payload: { amount: 5, reason: 'Gift' } }),
  };
}

void t.test('a repeat does not book again what was booked before a failure of ours', async (t) => {
  const { sql, credit } = await walletScene(t);
  t.equal((await credit()).status, 200);
  // As the claim is left by a request that committed and then failed with 500 or 503.
  await sql`update idempotency_keys set answer = null, claimed_until = now() + interval '1 minute'`;
  t.match(await credit(), { status: 409, headers: { 'retry-after': '5' } });
  await sql`update idempotency_keys set claimed_until = now()`;
  t.equal((await credit()).status, 200);
  t.equal(await count(sql, 'ledger_transactions'), 1);
});

void t.test(
  'an attempt that outlives its claim does not book alongside the one that took it over',
  async (t) => {
    const { sql, credit } = await walletScene(t);
    // The first attempt waits for the wallet, which the test has locked, until its claim has ended.
    const locked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const lock = sql.begin(async (transaction) => {
      await transaction`select 1 from wallets for update`;
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const first = credit();
    const claims = async () => sql`update idempotency_keys set claimed_until = now() returning 1`;
    while ((await claims()).length === 0);
    const second = credit();
    const attempts = async () => sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await attempts()).length < 2);
    release.resolve();
    await lock;
    const statuses = [(await first).status, (await second).status];
    t.same(statuses, [200, 200]);
    t.equal(await count(sql, 'ledger_transactions'), 1);
  },
);
