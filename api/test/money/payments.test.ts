import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { watchForAlerts } from '#api/jobs/alerts.job.ts';
import { stripePayments } from '#api/services/money/payments/stripe.service.ts';
import { items, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { addUser } from '#api/test/support/records.ts';
import { secretKey, type SignedEvent, startStripe, webhookSecret } from '#api/test/support/stripe-server.ts';

async function scene(t: Test, currency = 'EUR') {
  const stripe = await startStripe(t);
  const payments = stripePayments({ secretKey, webhookSecret, apiUrl: stripe.url });
  const api = await startTestApi(t, { payments });
  const { sql } = api.stores;
  await sql`update networks set currency = ${currency}`;
  const user = await addUser(sql, api.network.id, 'ada@example.org');
  const key = await mintKey(api, { apiFamily: 'emsp', userId: user.id });
  return {
    api,
    stripe,
    sql,
    key,
    topUp: (payload: object, headers = {}) =>
      api.call(key, { method: 'POST', url: '/emsp/v1/wallet/top-up', payload, headers }),
    /** The payment of a top-up as events carry it. */
    intent: (id: string) => {
      const found = stripe.intents.get(id);
      if (found === undefined) throw new Error(`no intent ${id}`);
      const { amount, topUp } = found;
      return {
        id,
        object: 'payment_intent',
        amount,
        amount_received: amount,
        currency: found.currency,
        metadata: { top_up: topUp },
      };
    },
    shown: async () => items((await api.call(key, { url: '/emsp/v1/wallet' })).json['data'])[0],
    types: async () => {
      const { json } = await api.call(key, { url: '/emsp/v1/wallet/ledger' });
      return items(json['data']).map(({ type }) => type as unknown as string);
    },
  };
}

function tell(api: TestApi, { payload, headers }: SignedEvent) {
  return api.call(null, { method: 'POST', url: '/payments/stripe/webhook', payload, headers });
}

void t.test('a driver pays into the wallet, and is credited once', async (t) => {
  const { api, stripe, topUp, intent, shown, types } = await scene(t);
  t.equal(await shown(), undefined, 'no wallet yet');
  const begun = await topUp({ amount: 25.5 });
  t.match(begun, {
    status: 201,
    json: { amount: 25.5, currency: 'EUR', provider: 'stripe', clientSecret: 'pi_1_secret_x' },
  });
  const id = begun.json['id'] as unknown as string;
  const [asked] = stripe.requests;
  t.equal(asked?.form.get('amount'), '2550');
  t.equal(asked?.form.get('currency'), 'eur');
  t.equal(asked?.form.get('metadata[top_up]'), id);
  t.match(asked?.headers, { authorization: `Bearer ${secretKey}`, 'idempotency-key': id });
  t.match(await shown(), { id: begun.json['walletId'], available: 0 }, 'nothing was paid yet');

  const event = stripe.event('payment_intent.succeeded', intent('pi_1'));
  const answers = await Promise.all([tell(api, event), tell(api, event), tell(api, event)]);
  for (const answer of answers) t.match(answer, { status: 200, json: { received: true } });
  await tell(api, stripe.event('payment_intent.succeeded', intent('pi_1')));
  await tell(api, stripe.event('payment_intent.canceled', intent('pi_1')));
  t.match(await shown(), { available: 25.5, balance: 25.5 });
  t.strictSame(await types(), ['TOP_UP']);
  const [kept] = await api.stores.sql`
    select status, amount_minor::integer as amount, provider_reference from wallet_top_ups`;
  t.match(kept, { status: 'PAID', amount: 2550, provider_reference: 'pi_1' });
  t.notMatch(api.log(), /sk_test|whsec|_secret_x/, 'no secret is logged');
});

void t.test('debits refunds up to their sum in any order of events', async (t) => {
  const { api, stripe, topUp, intent, shown, types, sql } = await scene(t);
  await topUp({ amount: 20 });
  await tell(api, stripe.event('payment_intent.succeeded', intent('pi_1')));
  const payment = stripe.intents.get('pi_1');
  if (payment === undefined) throw new Error('no payment');
  const refund = (type: string) => stripe.event(`refund.${type}`, { id: 're_1', payment_intent: 'pi_1' });
  payment.refunded = 500;
  const first = refund('created');
  await Promise.all([tell(api, first), tell(api, first), tell(api, refund('updated'))]);
  t.match(await shown(), { available: 15, owed: 0 });
  payment.refunded = 0;
  await tell(api, refund('failed'));
  t.match(await shown(), { available: 20, owed: 0 }, 'it failed after all');
  payment.refunded = 2000;
  const [wallet] = await sql<{ uuid: string }[]>`select uuid from wallets`;
  const operator = await mintKey(api);
  await api.call(operator, {
    method: 'POST',
    url: `/cpms/v1/wallets/${wallet?.uuid}/debit`,
    payload: { amount: 12, reason: 'Parking' },
  });
  await tell(api, refund('created'));
  t.match(await shown(), { available: 0, owed: 12, balance: -12 }, 'the rest is owed');
  t.strictSame(await types(), ['REFUND', 'DEBIT', 'REFUND', 'REFUND', 'TOP_UP']);
  t.match(await sql`select sum(amount_minor)::integer as sum from ledger_entries where account = 'cash'`, [
    { sum: 0 },
  ]);
});

void t.test('debits a disputed payment from the wallet until the dispute is won', async (t) => {
  const { api, stripe, topUp, intent, shown, types } = await scene(t);
  await topUp({ amount: 20 });
  await tell(api, stripe.event('payment_intent.succeeded', intent('pi_1')));
  const payment = stripe.intents.get('pi_1');
  if (payment === undefined) throw new Error('no payment');
  payment.refunded = 500;
  await tell(api, stripe.event('refund.created', { id: 're_1', payment_intent: 'pi_1' }));
  const dispute = async (type: string, ...disputes: [amount: number, status: string][]) => {
    payment.disputes = disputes.map(([amount, status]) => ({ amount, status }));
    return tell(api, stripe.event(`charge.dispute.${type}`, { id: 'dp_1', payment_intent: 'pi_1' }));
  };
  await dispute('created', [1500, 'warning_needs_response']);
  t.match(await shown(), { available: 15, owed: 0 }, 'who only asks takes nothing');
  await dispute('funds_withdrawn', [1500, 'needs_response']);
  t.match(await shown(), { available: 0, owed: 0 });
  await dispute('updated', [1500, 'under_review']);
  await dispute('closed', [1500, 'won']);
  await dispute('funds_reinstated', [1500, 'won']);
  t.match(await shown(), { available: 15, owed: 0 });
  await dispute('funds_withdrawn', [1500, 'won'], [1500, 'lost']);
  t.match(await shown(), { available: 0, owed: 0 }, 'it may be disputed again');
  t.strictSame(await types(), ['REFUND', 'REFUND', 'REFUND', 'REFUND', 'TOP_UP']);
});

void t.test('books the payment of a removed driver, which can be refunded', async (t) => {
  const { api, stripe, topUp, intent, key } = await scene(t);
  const operator = await mintKey(api);
  await topUp({ amount: 20 });
  const [wallet] = items((await api.call(operator, { url: '/cpms/v1/wallets' })).json['data']);
  const url = `/cpms/v1/users/${wallet?.['userId'] as unknown as string}`;
  t.equal((await api.call(operator, { method: 'DELETE', url })).status, 200);
  t.equal((await tell(api, stripe.event('payment_intent.succeeded', intent('pi_1')))).status, 200);
  t.equal((await api.call(key, { url: '/emsp/v1/wallet' })).status, 401, 'the driver has no key any more');
  const shown = async () => items((await api.call(operator, { url: '/cpms/v1/wallets' })).json['data'])[0];
  t.match(await shown(), { id: wallet?.['id'], available: 20, userName: /^(?!Driver)/ });
  const payment = stripe.intents.get('pi_1');
  if (payment !== undefined) payment.refunded = 2000;
  await tell(api, stripe.event('refund.created', { id: 're_1', payment_intent: 'pi_1' }));
  t.match(await shown(), { available: 0, owed: 0 });
});

void t.test('ignores a forged, unknown or foreign event', async (t) => {
  const { api, stripe, topUp, intent, shown } = await scene(t);
  await topUp({ amount: 20 });
  const paid = intent('pi_1');
  const invalid = { status: 400, json: { code: 'SIGNATURE_INVALID' } };
  const forged = stripe.event('payment_intent.succeeded', paid, { secret: 'whsec_another' });
  t.match(await tell(api, forged), invalid);
  const good = stripe.event('payment_intent.succeeded', paid);
  t.match(await tell(api, { ...good, payload: good.payload.replace('2000', '9000') }), invalid);
  t.match(await tell(api, { ...good, payload: '' }), invalid);
  t.match(await tell(api, { ...good, headers: { 'content-type': 'application/json' } }), invalid);
  t.match(await tell(api, { ...good, headers: { ...good.headers, 'stripe-signature': 'x'.repeat(3000) } }), {
    status: 400,
  });
  t.match(await tell(api, { ...good, headers: { ...good.headers, 'content-type': 'text/plain' } }), {
    status: 415,
  });
  for (const event of [
    stripe.event('customer.created', { id: 'cus_1' }),
    stripe.event('payment_intent.succeeded', { ...paid, id: 'pi_999', metadata: {} }),
    stripe.event('payment_intent.succeeded', { ...paid, id: 'pi_999', metadata: { top_up: randomUUID() } }),
    stripe.event('payment_intent.succeeded', { ...paid, id: 'pi_999', metadata: { top_up: 'nonsense' } }),
    stripe.event('refund.created', { id: 're_1', payment_intent: null }),
    stripe.event('refund.created', { id: 're_1', payment_intent: 'pi_999' }),
  ]) {
    t.equal((await tell(api, event)).status, 200, event.payload);
  }
  t.equal((await tell(api, good)).status, 200);
  t.match(await shown(), { available: 20 }, 'what was refused did not stand in the way');
});

void t.test('an event in another currency than the wallet', async (t) => {
  const { api, stripe, topUp, intent, shown, types, sql } = await scene(t);
  const key = await mintKey(api);
  await topUp({ amount: 20 });
  const paid = intent('pi_1');
  const inDollars = stripe.event('payment_intent.succeeded', { ...paid, currency: 'usd' });
  const refund = () => stripe.event('refund.created', { id: `re_${randomUUID()}`, payment_intent: 'pi_1' });

  await t.test('is acknowledged, also when it is repeated, and books nothing', async (t) => {
    for (let count = 0; count < 2; count += 1) {
      t.match(await tell(api, inDollars), { status: 200, json: { received: true } });
    }
    t.match(await shown(), { available: 0, owed: 0 });
    t.same(await types(), []);
    t.match(await sql`select status from wallet_top_ups`, [{ status: 'PENDING' }]);
  });

  await t.test('books no refund either', async (t) => {
    const kept = stripe.intents.get('pi_1');
    if (kept === undefined) throw new Error('the intent is missing');
    Object.assign(kept, { currency: 'usd', refunded: 500 });
    t.equal((await tell(api, refund())).status, 200);
    t.match(await shown(), { available: 0, owed: 0 });
    t.same(await types(), []);
    Object.assign(kept, { currency: 'eur', refunded: 0 });
  });

  await t.test('opens an alert and leaves audit entries', async (t) => {
    await watchForAlerts(api.deps);
    const alerts = items((await api.call(key, { url: '/cpms/v1/alerts' })).json['data']);
    t.equal(alerts.length, 1);
    t.match(alerts[0], {
      kind: 'payment-currency-mismatch',
      severity: 'critical',
      resourceType: 'wallet',
      resourceName: 'pi_1',
      message: /came in USD, and its wallet is in EUR/,
      details: { currency: 'EUR', reportedCurrency: 'USD', reportedMinor: 500 },
    });
    const entries = await sql`select user_name from audit_log where action = 'currency-mismatch'`;
    t.same([...entries], [{ user_name: 'payments' }, { user_name: 'payments' }]);
  });

  await t.test('leaves the payment in its own currency to be credited', async (t) => {
    t.equal((await tell(api, stripe.event('payment_intent.succeeded', paid))).status, 200);
    t.match(await shown(), { available: 20 });
    t.same(await types(), ['TOP_UP']);
  });
});

void t.test('finds a payment by our reference, and cancels one', async (t) => {
  const { api, stripe, topUp, intent, shown, sql } = await scene(t);
  await topUp({ amount: 20 });
  await sql`update wallet_top_ups set provider_reference = null`;
  await tell(api, stripe.event('payment_intent.succeeded', intent('pi_1')));
  t.match(await shown(), { available: 20 });
  t.match(await sql`select provider_reference from wallet_top_ups`, [{ provider_reference: 'pi_1' }]);
  await topUp({ amount: 30 });
  await tell(api, stripe.event('payment_intent.canceled', intent('pi_2')));
  t.match(await sql`select status from wallet_top_ups order by id`, [
    { status: 'PAID' },
    { status: 'CANCELLED' },
  ]);
});

void t.test('answers refusals and outages of Stripe with their own codes', async (t) => {
  const { api, stripe, topUp, shown } = await scene(t);
  stripe.fail(400, {
    type: 'invalid_request_error',
    code: 'amount_too_small',
    param: 'amount',
    message: 'Amount must be at least 50 cents',
  });
  t.match(await topUp({ amount: 0.1 }), {
    status: 400,
    json: {
      code: 'VALIDATION_FAILED',
      detail: /at least 50 cents/,
      details: { errors: [{ field: 'amount' }] },
    },
  });
  stripe.fail(401, { type: 'invalid_request_error', message: `Invalid API Key provided: ${secretKey}` });
  const refused = await topUp({ amount: 10 });
  t.match(refused, { status: 502, json: { code: 'PAYMENT_PROVIDER_FAILED' } });
  t.notMatch(refused.text, secretKey);
  t.match(await shown(), { available: 0 });
  for (const payload of [
    {},
    { amount: 0 },
    { amount: '5' },
    { amount: 1.001 },
    { amount: 2e6 },
    { amount: 5, to: 'x' },
  ]) {
    t.match(
      await topUp(payload),
      { status: 400, json: { code: 'VALIDATION_FAILED' } },
      JSON.stringify(payload),
    );
  }
  const gone = stripe.event('refund.created', { id: 're_1', payment_intent: 'pi_1' });
  stripe.intents.clear();
  t.equal((await topUp({ amount: 10 })).status, 201);
  stripe.intents.clear();
  t.match(await tell(api, gone), { status: 502 }, 'Stripe tells it again');
});

void t.test('amounts are counted as Stripe counts them', async (t) => {
  const { api, stripe, topUp, intent, shown } = await scene(t, 'HUF');
  t.equal((await topUp({ amount: 5000 })).status, 201);
  t.equal(stripe.requests[0]?.form.get('amount'), '500000', 'forints have fillér at Stripe');
  await tell(api, stripe.event('payment_intent.succeeded', intent('pi_1')));
  t.match(await shown(), { currency: 'HUF', available: 5000 });
  const yen = stripePayments({ secretKey, webhookSecret, apiUrl: stripe.url });
  await yen.beginPayment({ topUpUuid: randomUUID(), amountMinor: 500n, currency: 'JPY' });
  await yen.beginPayment({ topUpUuid: randomUUID(), amountMinor: 1500n, currency: 'KWD' });
  t.strictSame(
    stripe.requests.slice(1).map(({ form }) => form.get('amount')),
    ['500', '1500'],
  );
});
