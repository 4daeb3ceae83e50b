import { randomUUID } from 'node:crypto';
import t from 'tap';
import { moveMoney } from '#shared/postgres/money/wallets.statements.ts';
import { addDriver } from '#api/test/support/drivers.ts';
import { items, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { addUser } from '#api/test/support/records.ts';
import { seedNetwork } from '#shared/testing/seed.ts';

const url = '/cpms/v1/wallets';

function post(api: TestApi, key: string | null, path: string, payload: object) {
  return api.call(key, { method: 'POST', url: `${url}${path}`, payload });
}

void t.test('opens, credits and debits a wallet, and reads its ledger', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const user = await addUser(api.stores.sql, api.network.id, 'Ada@example.org');
  const opened = await post(api, key, '', { userId: user.uuid });
  t.match(opened, {
    status: 201,
    json: {
      data: {
        userId: user.uuid,
        userEmail: 'Ada@example.org',
        networkUuid: api.network.uuid,
        networkId: api.network.id,
        currency: 'EUR',
        balance: 0,
        available: 0,
        held: 0,
        owed: 0,
      },
    },
  });
  const id = opened.json['data']?.['id'] as unknown as string;
  t.match(await post(api, key, '', { userId: user.uuid }), {
    status: 409,
    json: { error: { code: 'WALLET_EXISTS', details: { walletId: id } } },
  });
  const credited = await post(api, key, `/${id}/credit`, { amount: 20.5, reason: 'Broken charger' });
  t.match(credited, { status: 200, json: { data: { available: 20.5, balance: 20.5 } } });
  const debited = await post(api, key, `/${id}/debit`, { amount: 0.01, reason: 'Correction' });
  t.match(debited, { status: 200, json: { data: { available: 20.49 } } });
  t.match(await post(api, key, `/${id}/debit`, { amount: 20.5, reason: 'Too much' }), {
    status: 409,
    json: { error: { code: 'INSUFFICIENT_BALANCE' } },
  });
  const read = await api.call(key, { url: `${url}/${id}` });
  t.strictSame(read.json['data'], debited.json['data']);

  const ledger = await api.call(key, { url: `${url}/${id}/ledger?pageSize=1` });
  t.match(items(ledger.json['data']), [
    {
      walletId: id,
      type: 'DEBIT',
      reason: 'Correction',
      currency: 'EUR',
      sessionId: null,
      change: { balance: -0.01, available: -0.01, held: 0, owed: 0 },
      after: { balance: 20.49, available: 20.49, held: 0, owed: 0 },
    },
  ]);
  const cursor = ledger.json['nextCursor'] as unknown as string;
  const rest = await api.call(key, { url: `${url}/${id}/ledger?cursor=${cursor}` });
  t.match(items(rest.json['data']), [{ type: 'CREDIT', change: { balance: 20.5 } }]);
  t.equal(rest.json['nextCursor'], null);
  const onlyCredits = await api.call(key, { url: `${url}/${id}/ledger?type=CREDIT` });
  t.equal(items(onlyCredits.json['data']).length, 1);
  const later = new Date(Date.now() + 60_000).toISOString();
  const none = await api.call(key, { url: `${url}/${id}/ledger?from=${later}` });
  t.strictSame(items(none.json['data']), []);
  t.equal(items((await api.call(key, { url: `${url}/${id}/ledger?to=${later}` })).json['data']).length, 2);

  t.match(
    await api.stores.sql`
      select action, resource_id, network_id, details from audit_log where category = 'wallet' order by id`,
    [
      { action: 'open', resource_id: id, network_id: api.network.id },
      {
        action: 'credit',
        details: { reason: 'Broken charger', before: { available: 0 }, after: { available: 20.5 } },
      },
      { action: 'debit', details: { reason: 'Correction', after: { available: 20.49 } } },
    ],
    'what was refused left no entry',
  );
});

void t.test('wallets are found by driver, e-mail, network and debt', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api, { unrestricted: true, networkIds: [] });
  const ada = await addDriver(api, 1000n);
  const bram = await addDriver(api, 0n, 'bram@example.org');
  const south = await addDriver(api, 0n, 'ada@example.org', api.otherNetwork);
  await api.stores.sql.begin(async (transaction) => {
    const [row] = await transaction<{ id: number }[]>`select id from wallets where uuid = ${bram.wallet}`;
    const posting = { cause: 'REFUND', causeId: randomUUID(), counter: 'cash' } as const;
    await moveMoney(transaction, row?.id ?? 0, { ...posting, amountMinor: -150n, mayOwe: true });
  });
  const found = async (query: string) => {
    const answer = await api.call(key, { url: `${url}?${query}` });
    return items(answer.json['data']).map(({ id }) => id as unknown);
  };
  t.strictSame(await found(''), [ada.wallet, bram.wallet, south.wallet]);
  t.strictSame(await found('email=ADA@example.org'), [ada.wallet, south.wallet]);
  t.strictSame(await found(`networkId=${api.otherNetwork.uuid}`), [south.wallet]);
  t.strictSame(await found(`networkUuid=${api.network.uuid}&email=ada@example.org`), [ada.wallet]);
  t.strictSame(await found(`userId=${bram.user.uuid}`), [bram.wallet]);
  t.strictSame(await found('owing=true'), [bram.wallet]);
  t.strictSame(await found('owing=false'), [ada.wallet, south.wallet]);
  t.strictSame(await found('search=ADA@'), [ada.wallet, south.wallet], 'a part of the address');
  t.strictSame(await found('search=%25'), [], 'signs of patterns stand for themselves');
  const sums = async (query: string) =>
    (await api.call(key, { url: `${url}/summary?${query}` })).json['data']?.['currencies'];
  t.strictSame(await sums(`networkId=${api.network.uuid}`), [
    { count: 2, owingCount: 1, currency: 'EUR', balance: 8.5, available: 10, held: 0, owed: 1.5 },
  ]);
  t.match(await sums('email=ada@example.org'), [{ count: 2, owingCount: 0, balance: 10 }]);
  t.strictSame(await sums('search=nobody'), []);
  const page = await api.call(key, { url: `${url}?pageSize=2` });
  t.strictSame(await found(`cursor=${page.json['nextCursor'] as unknown as string}`), [south.wallet]);
  t.match(await bram.shown(), { balance: -1.5, available: 0, owed: 1.5 });

  await api.stores.sql`update users set name = 'bram' where uuid = ${bram.user.uuid}`;
  await api.stores.sql`update users set name = 'Ada' where uuid <> ${bram.user.uuid}`;
  /** Returns all pages of a list, one wallet a page. */
  const walk = async (sort: string, by = key) => {
    const walked: unknown[] = [];
    let cursor = '';
    do {
      const { json } = await api.call(by, { url: `${url}?pageSize=1&sort=${sort}${cursor}` });
      walked.push(...items(json['data']).map(({ id }) => id as unknown));
      const next = json['nextCursor'] as unknown as string | null;
      cursor = next === null ? '' : `&cursor=${next}`;
    } while (cursor !== '');
    return walked;
  };
  const byName = [ada.wallet, south.wallet, bram.wallet];
  const byBalance = [bram.wallet, south.wallet, ada.wallet];
  for (const [sort, wallets] of [
    ['createdAt', [ada.wallet, bram.wallet, south.wallet]],
    ['-createdAt', [south.wallet, bram.wallet, ada.wallet]],
    ['name', byName],
    ['-name', byName.toReversed()],
    ['balance', byBalance],
    ['-balance', byBalance.toReversed()],
  ] as const) {
    t.strictSame(await walk(sort), wallets, sort);
  }
  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  t.strictSame(await walk('-balance', foreign), [south.wallet]);
  t.equal((await api.call(key, { url: `${url}?sort=owed` })).status, 400);
});

void t.test(
  'searches phone numbers and external identifiers only for callers who read drivers',
  async (t) => {
    const api = await startTestApi(t);
    const key = await mintKey(api);
    const walletsOnly = await mintKey(api, { scopes: ['cpms:read:wallets'] });
    const { wallet } = await addDriver(api, 1000n, 'ada@example.org');
    await api.stores.sql`update users set name = 'Ada', phone = '+31612345678', external_id = 'crm-77'`;
    const found = async (by: string, search: string) => {
      const query = `search=${encodeURIComponent(search)}`;
      const list = items((await api.call(by, { url: `${url}?${query}` })).json['data']);
      const sums = (await api.call(by, { url: `${url}/summary?${query}` })).json['data'];
      const ids = list.map(({ id }) => id as unknown);
      t.equal(items(sums?.['currencies']).length, ids.length, `${search} in the sums`);
      return ids;
    };
    for (const search of ['ADA@', 'org ada']) {
      t.strictSame(await found(key, search), [wallet], search);
      t.strictSame(await found(walletsOnly, search), [wallet], search);
    }
    for (const search of ['+316123', 'CRM-7', 'ada +3']) {
      t.strictSame(await found(key, search), [wallet], search);
      t.strictSame(await found(walletsOnly, search), [], search);
    }
  },
);

void t.test('hides wallets of other networks and names invalid input', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { wallet, user } = await addDriver(api, 1000n);
  const foreign = await addDriver(api, 1000n, 'eve@example.org', api.otherNetwork);
  const requests = (id: string, userId: string) =>
    [
      { url: `${url}/${id}` },
      { url: `${url}/${id}/ledger` },
      { method: 'POST', url: `${url}/${id}/credit`, payload: { amount: 1, reason: 'x' } },
      { method: 'POST', url: `${url}/${id}/debit`, payload: { amount: 1, reason: 'x' } },
      { method: 'POST', url, payload: { userId } },
    ] as const;
  for (const request of requests(foreign.wallet, foreign.user.uuid)) {
    const code = request.url === url ? 'USER_NOT_FOUND' : 'WALLET_NOT_FOUND';
    t.match(await api.call(key, request), { status: 404, json: { error: { code } } }, request.url);
  }
  t.match(await api.call(key, { url: `${url}?networkId=${api.otherNetwork.uuid}` }), { status: 404 });
  t.match(await api.call(key, { url: `${url}/summary?networkId=${api.otherNetwork.uuid}` }), { status: 404 });
  t.match((await api.call(key, { url: `${url}/summary` })).json['data'], { currencies: [{ count: 1 }] });
  t.same(items((await api.call(key, { url: `${url}?userId=${foreign.user.uuid}` })).json['data']), []);
  const reader = await mintKey(api, { scopes: ['cpms:read'] });
  const mover = await mintKey(api, { scopes: ['cpms:command:billing'] });
  for (const request of [{ url }, { url: `${url}/summary` }, ...requests(wallet, user.uuid)]) {
    const without = 'method' in request ? reader : mover;
    t.match(await api.call(without, request), { status: 403, json: { error: { code: 'SCOPE_MISSING' } } });
    t.equal((await api.call(null, request)).status, 401);
  }
  for (const [payload, field] of [
    [{ amount: 1 }, 'reason'],
    [{ reason: 'x' }, 'amount'],
    [{ amount: 0, reason: 'x' }, 'amount'],
    [{ amount: -1, reason: 'x' }, 'amount'],
    [{ amount: 1.005, reason: 'x' }, 'amount'],
    [{ amount: 1e-9, reason: 'x' }, 'amount'],
    [{ amount: 1_000_001, reason: 'x' }, 'amount'],
    [{ amount: '1', reason: 'x' }, 'amount'],
    [{ amount: 1, reason: '' }, 'reason'],
    [{ amount: 1, reason: 'x'.repeat(501) }, 'reason'],
    [{ amount: 1, reason: 'x', currency: 'USD' }, 'currency'],
  ] as const) {
    const answer = await post(api, key, `/${wallet}/credit`, payload);
    const expected = { status: 400, json: { error: { details: { errors: [{ field }] } } } };
    t.match(answer, expected, JSON.stringify(payload));
  }
  for (const query of ['cursor=x', 'type=THEFT', 'from=yesterday', 'pageSize=101']) {
    t.equal((await api.call(key, { url: `${url}/${wallet}/ledger?${query}` })).status, 400, query);
  }
});

void t.test('shows a driver only their own wallet, and none to an operator key', async (t) => {
  const api = await startTestApi(t);
  const ada = await addDriver(api, 1234n);
  const bram = await addDriver(api, 0n, 'bram@example.org');
  t.strictSame(await ada.shown(), {
    id: ada.wallet,
    networkId: api.network.uuid,
    networkName: 'North',
    userId: ada.user.uuid,
    currency: 'EUR',
    balance: 12.34,
    available: 12.34,
    held: 0,
    owed: 0,
    minimumBalance: 5,
  });
  const ledger = '/emsp/v1/wallet/ledger';
  const movements = async (key: string, query = '') =>
    items((await api.call(key, { url: `${ledger}${query}` })).json['data']);
  t.match(await movements(ada.key), [{ walletId: ada.wallet, type: 'CREDIT', after: { available: 12.34 } }]);
  t.strictSame(await movements(bram.key), []);
  const operator = await mintKey(api);
  await post(api, operator, `/${ada.wallet}/credit`, { amount: 1, reason: 'Thanks' });
  t.match(await movements(ada.key, '?limit=1'), [{ type: 'CREDIT', reason: 'Thanks' }]);
  t.strictSame(await movements(ada.key, '?limit=0'), []);
  for (const limit of ['-1', '501', 'x']) {
    t.equal((await api.call(ada.key, { url: `${ledger}?limit=${limit}` })).status, 400);
  }
  const emsp = await mintKey(api, { apiFamily: 'emsp' });
  const topUp = { method: 'POST', url: '/emsp/v1/wallet/top-up', payload: { amount: 1 } } as const;
  for (const request of [{ url: '/emsp/v1/wallet' }, { url: ledger }, topUp]) {
    t.equal((await api.call(null, request)).status, 401);
  }
  t.match(await api.call(emsp, topUp), { status: 403, json: { code: 'DRIVER_KEY_REQUIRED' } });
  const shown = (await api.call(emsp, { url: '/emsp/v1/wallet' })).json['data'];
  t.match(
    items(shown).find(({ id }) => (id as unknown as string) === ada.wallet),
    { userId: ada.user.uuid },
  );
  t.match(await movements(emsp, '?limit=1'), [{ walletId: ada.wallet, reason: 'Thanks' }]);
  const south = await seedNetwork(api.stores.sql);
  const others = await mintKey(api, { apiFamily: 'emsp', networkIds: [south.id] });
  t.strictSame((await api.call(others, { url: '/emsp/v1/wallet' })).json['data'], [] as never);
  t.strictSame(await movements(others), []);
  t.match(await api.call(ada.key, topUp), { status: 404, json: { code: 'PAYMENTS_DISABLED' } });
  const webhook = { method: 'POST', url: '/payments/stripe/webhook', payload: {} } as const;
  t.match(await api.call(null, webhook), { status: 404, json: { code: 'PAYMENTS_DISABLED' } });
});
