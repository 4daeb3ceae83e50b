import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { publicScopeNeeds } from '#shared/domain/access/public-scopes.ts';
import { hashSecret } from '#shared/domain/kernel/secrets.ts';
import { ensureWallet, moveMoney } from '#shared/postgres/money/wallets.statements.ts';
import { type BillingScene, billingScene } from '#api/test/support/billing.ts';
import { items, type Json, mintKey } from '#api/test/support/fixtures.ts';

const url = '/cpms/v1/invoices';
const text = (json: Json | undefined) => json as unknown as string;
const year = new Date().getUTCFullYear();
const number = (count: number) => `${year}-${String(count).padStart(6, '0')}`;

async function operator(scene: BillingScene) {
  const { api, call, keys } = scene;
  const key = await mintKey(api);
  const page = async (query = '') => (await api.call(key, { url: `${url}?${query}` })).json;
  return {
    key,
    page,
    numbers: async (query = '') =>
      items((await page(query))['data']).map(({ invoiceNumber }) => text(invoiceNumber)),
    issue: async (uuids: string[], by = keys.operator) => {
      const answer = await call(by, '/invoices', { method: 'POST', payload: { transactionIds: uuids } });
      t.equal(answer.status, 201, answer.text);
      return text(answer.json['invoiceNumber']);
    },
    credit: (invoice: string) =>
      call(keys.operator, `/invoices/${invoice}/credit`, {
        method: 'POST',
        payload: { reason: 'Wrong price' },
      }),
  };
}

/** Opens the wallet of the driver, and returns a function that moves money in it. */
async function openWallet({ api, driver }: BillingScene) {
  const opened = await ensureWallet(api.stores.sql, allNetworks, { id: driver.id });
  const id = opened?.wallet.id ?? 0;
  const posting = { cause: 'CREDIT', counter: 'adjustments', mayOwe: false } as const;
  return (amountMinor: bigint) =>
    api.stores.sql.begin((transaction) =>
      moveMoney(transaction, id, { ...posting, causeId: randomUUID(), amountMinor }),
    );
}

void t.test('lists invoices newest first, in pages, with filters', async (t) => {
  const scene = await billingScene(t);
  const { api, charge, driver, otherDriver } = scene;
  const { key, page, numbers, issue, credit } = await operator(scene);
  await issue([await charge()]);
  await issue([await charge({ userId: otherDriver.id }), await charge({ userId: otherDriver.id })]);
  await credit(number(1));
  const all = items((await page())['data']);
  t.match(all, [
    {
      invoiceNumber: number(3),
      kind: 'CREDIT_NOTE',
      credits: number(1),
      creditsId: all[2]?.['id'],
      paymentState: 'CREDITED',
      due: 0,
      totalInclVat: -11.5,
      reason: 'Wrong price',
    },
    {
      invoiceNumber: number(2),
      kind: 'INVOICE',
      userId: otherDriver.uuid,
      networkId: api.network.uuid,
      buyerName: /./,
      transactionCount: 2,
      currency: 'EUR',
      totalExclVat: 19,
      totalVat: 4,
      totalInclVat: 23,
      paymentState: 'DUE',
      due: 23,
      creditedBy: null,
      creditedById: null,
    },
    {
      invoiceNumber: number(1),
      creditedBy: number(3),
      creditedById: all[0]?.['id'],
      paymentState: 'CREDITED',
    },
  ]);
  const first = await page('pageSize=2');
  t.equal(items(first['data']).length, 2);
  t.same(await numbers(`cursor=${text(first['nextCursor'])}`), [number(1)]);
  t.equal((await page(`cursor=${text(first['nextCursor'])}`))['nextCursor'], null);

  t.same(await numbers(`userId=${driver.uuid}`), [number(3), number(1)]);
  t.same(await numbers('kind=CREDIT_NOTE'), [number(3)]);
  t.same(await numbers('paymentState=CREDITED'), [number(3), number(1)]);
  t.same(await numbers('paymentState=DUE'), [number(2)]);
  t.same(await numbers('search=00002'), [number(2)]);
  t.same(await numbers('search=%25'), [], 'signs of patterns stand for themselves');
  t.same(await numbers(`networkId=${api.network.uuid}`), [number(3), number(2), number(1)]);
  const issuedAt = text(all[1]?.['issuedAt']);
  const next = new Date(Date.parse(issuedAt) + 1).toISOString();
  t.same(await numbers(`from=${next}`), [number(3)]);
  t.same(await numbers(`to=${issuedAt}`), [number(1)], 'times of issue have microseconds');
  for (const query of ['cursor=x', 'kind=BILL', 'paymentState=LATE', 'from=yesterday', 'pageSize=101']) {
    const answer = await api.call(key, { url: `${url}?${query}` });
    t.match(answer, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } }, query);
  }
});

void t.test('follows the payments of an invoice, and pages through those in a state', async (t) => {
  const scene = await billingScene(t);
  const { api, charge, otherDriver } = scene;
  const { numbers, page, issue } = await operator(scene);
  const move = await openWallet(scene);
  await move(1500n);
  const uuids = [await charge(), await charge()];
  for (const uuid of uuids) await issue([uuid]);
  await issue([await charge({ userId: otherDriver.id })]);
  const dues = async () =>
    Object.fromEntries(items((await page())['data']).map((row) => [text(row['invoiceNumber']), row['due']]));
  t.same(await dues(), { [number(1)]: 0, [number(2)]: 8, [number(3)]: 11.5 });
  t.same(await numbers('paymentState=PAID'), [number(1)]);
  t.same(await numbers('paymentState=FREE'), []);
  const first = await page('paymentState=DUE&pageSize=1');
  t.match(items(first['data']), [{ invoiceNumber: number(3) }]);
  t.same(await numbers(`paymentState=DUE&pageSize=1&cursor=${text(first['nextCursor'])}`), [number(2)]);
  await move(800n);
  t.same(await numbers('paymentState=PAID'), [number(2), number(1)]);
  t.same(await numbers('paymentState=DUE'), [number(3)]);

  await api.stores.sql`
    insert into invoices (network_id, number, kind, user_id, currency, issued_at, total_excl_vat_minor, total_vat_minor,
      total_incl_vat_minor, session_count, document)
    select network_id, 'copy-' || n, kind, user_id, currency, issued_at, total_excl_vat_minor, total_vat_minor,
      total_incl_vat_minor, session_count, document
    from invoices, generate_series(1, 1100) n where number = ${number(1)}`;
  const empty = await page('paymentState=DUE');
  t.same(items(empty['data']), [], 'one request reads a limited number of invoices');
  t.same(await numbers(`paymentState=DUE&cursor=${text(empty['nextCursor'])}`), [number(3)]);
});

void t.test('shows the invoice and the PDF of the driver', async (t) => {
  const scene = await billingScene(t);
  const { api, charge, call, keys } = scene;
  const { key, page, issue } = await operator(scene);
  await (
    await openWallet(scene)
  )(500n);
  const session = await charge();
  await issue([session], keys.driver);
  const [row] = items((await page())['data']);
  const id = text(row?.['id']);
  const read = (await api.call(key, { url: `${url}/${id}` })).json['data'];
  const ofDriver = (await call(keys.driver, `/invoices/${number(1)}`)).json;
  t.same(read, { ...ofDriver, id, creditsId: null, creditedById: null });
  t.match(read, {
    lineItems: [{ transactionId: session, inclVat: 11.5 }],
    vatRates: [{ vatPercent: 21, exclVat: 9.5, vat: 2 }],
    seller: { legalName: 'North Charging B.V.' },
    payment: { state: 'DUE', due: 6.5, payments: [{ transactionId: session, method: 'WALLET', amount: 5 }] },
  });

  const pdf = (path: string, by: string) => api.app.inject({ url: path, headers: { 'x-api-key': by } });
  const shown = await pdf(`${url}/${id}/pdf`, key);
  t.equal(shown.statusCode, 200);
  t.match(shown.headers, {
    'content-type': 'application/pdf',
    'content-disposition': `inline; filename="${number(1)}.pdf"`,
    'content-security-policy': "default-src 'none';frame-ancestors 'self'",
  });
  const printed = await pdf(`/emsp/v1/invoices/${number(1)}/pdf`, keys.driver);
  t.ok(shown.rawPayload.equals(printed.rawPayload));
});

void t.test('hides invoices of other networks, and from callers without the scope', async (t) => {
  const scene = await billingScene(t);
  const { api, charge } = scene;
  const { key, page, issue } = await operator(scene);
  await issue([await charge()]);
  const [row] = items((await page())['data']);
  const paths = [`${url}/${text(row?.['id'])}`, `${url}/${text(row?.['id'])}/pdf`];
  const elsewhere = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  t.same(items((await api.call(elsewhere, { url })).json['data']), []);
  t.match(await api.call(elsewhere, { url: `${url}?networkId=${api.network.uuid}` }), {
    status: 404,
    json: { error: { code: 'NETWORK_NOT_FOUND' } },
  });
  for (const path of paths) {
    const hidden = { status: 404, json: { error: { code: 'INVOICE_NOT_FOUND' } } };
    t.match(await api.call(elsewhere, { url: path }), hidden);
    t.match(await api.call(key, { url: path.replace(text(row?.['id']), randomUUID()) }), hidden);
    t.equal((await api.call(key, { url: path.replace(text(row?.['id']), number(1)) })).status, 400);
  }
  const others = await mintKey(api, {
    scopes: ['cpms:read:wallets', 'cpms:read:sessions', 'cpms:command:billing'],
  });
  const reader = await mintKey(api, { scopes: ['cpms:read:invoices'] });
  for (const path of [url, ...paths]) {
    t.match(await api.call(others, { url: path }), {
      status: 403,
      json: { error: { code: 'SCOPE_MISSING', details: { scope: 'cpms:read:invoices' } } },
    });
    t.equal((await api.call(null, { url: path })).status, 401);
    t.equal((await api.call(reader, { url: path })).status, 200, path);
  }
});

void t.test(
  'keeps the right to read invoices of keys that could grant it, and gives it to no other',
  async (t) => {
    const { api } = await billingScene(t);
    const { sql } = api.stores;
    const older = publicScopeNeeds['emsp:read'].filter((scope) => scope !== 'cpms:read:invoices');
    const granting = [...older, 'cpms:write:api-keys'];
    const grantor = await mintKey(api, { scopes: granting });
    const reporter = await mintKey(api, { scopes: older });
    const cashier = await mintKey(api, { scopes: ['cpms:read:wallets'] });
    const migration = await readFile(
      new URL('../../../shared/postgres/migrations/0610_invoice_ids.sql', import.meta.url),
    );
    const statements = migration.toString().split(';');
    await sql.unsafe(statements.find((statement) => statement.includes('update api_keys')) ?? '');
    const scopesOf = async (secret: string) => {
      const [stored] = await sql<{ scopes: string[] }[]>`
      select scopes from api_keys where secret_hash = ${hashSecret(secret)}`;
      return stored?.scopes;
    };
    t.same(await scopesOf(grantor), [...granting, 'cpms:read:invoices']);
    t.same(await scopesOf(reporter), older, 'it could create no key');
    t.same(await scopesOf(cashier), ['cpms:read:wallets']);
  },
);
