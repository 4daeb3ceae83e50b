import { randomUUID } from 'node:crypto';
import t from 'tap';
import { billingScene } from '#api/test/support/billing.ts';
import { items, mintKey } from '#api/test/support/fixtures.ts';

const hours = (ago: number) => new Date(Date.now() - ago * 3_600_000).toISOString();

void t.test('lists completed sessions as transactions, last ended first, with filters', async (t) => {
  const { api, charge, run, call, keys, driver, otherDriver } = await billingScene(t);
  const { sql } = api.stores;
  const old = await charge({ hoursAgo: 9 });
  const others = await charge({ userId: otherDriver.id, hoursAgo: 5 });
  const recent = await charge({ hoursAgo: 3 });
  const pending = await charge({ hoursAgo: 7 });
  const unpriced = await charge({ hoursAgo: 8 });
  await sql`update sessions set cost = null, cost_minor = null where uuid = any(${[pending, unpriced]}::uuid[])`;
  await sql`update sessions set tariff = null where uuid = ${unpriced}`;
  await sql`update sessions set invoice_number = '2026-000001' where uuid = ${old}`;
  await run();
  const list = async (query: string, key = keys.operator) => {
    const { status, json } = await call(key, `/transactions${query}`);
    return status === 200 ? items(json['data']).map(({ id }) => id as unknown as string) : status;
  };
  const all = [recent, others, pending, unpriced, old];
  for (const [query, expected] of [
    ['', all],
    ['?status=COMPLETED', all],
    ['?status=OPEN', [recent, others]],
    ['?status=INVOICED', [old]],
    ['?status=PENDING', [pending]],
    ['?status=UNPRICED', [unpriced]],
    [`?userId=${otherDriver.uuid}`, [others]],
    [`?userId=${randomUUID()}`, []],
    // They last an hour.
    [`?from=${hours(6.5)}&to=${hours(3.5)}`, [others, pending]],
    ['?page=2&pageSize=2', [pending, unpriced]],
  ] as const) {
    t.strictSame(await list(query), expected, query);
  }
  t.strictSame(await list('', keys.driver), [recent, pending, unpriced, old]);
  t.strictSame(await list(`?userId=${otherDriver.uuid}`, keys.driver), [], 'no other driver is seen');
  t.strictSame(await list('', keys.elsewhere), [], 'nor another network');
  t.strictSame(await list('?status=OPEN', keys.driver), [recent]);
  const every = await mintKey(api, { apiFamily: 'emsp', unrestricted: true, networkIds: [] });
  t.strictSame(await list('', every), all, 'of every network');
  t.strictSame(await list('?status=OPEN&page=2&pageSize=1', every), [others]);
  for (const query of ['?status=GONE', '?userId=1', '?from=yesterday', `?from=${hours(1)}&to=${hours(2)}`]) {
    t.match(await call(keys.operator, `/transactions${query}`), {
      status: 400,
      json: { code: 'VALIDATION_FAILED' },
    });
  }
  t.match(await call(null, '/transactions'), { status: 401 });
  const { json } = await call(keys.driver, '/transactions?pageSize=1');
  t.strictSame(json['pagination'], { page: 1, pageSize: 1, total: 4, totalPages: 4 });
  t.match(items(json['data'])[0], {
    id: recent,
    status: 'OPEN',
    userId: driver.uuid,
    cost: { totalInclVat: 11.5, lines: undefined },
  });
});

void t.test('a transaction has its cost breakdown and the number of its invoice', async (t) => {
  const { api, charge, run, call, keys, chargerUuid, locationUuid, driver } = await billingScene(t);
  const uuid = await charge();
  const { status, json } = await call(keys.driver, `/transactions/${uuid}`);
  t.equal(status, 200);
  t.match(json, {
    id: uuid,
    status: 'OPEN',
    invoiceNumber: null,
    networkId: api.network.uuid,
    chargerId: chargerUuid,
    chargerUid: 'CP-1',
    connectorNumber: 1,
    locationId: locationUuid,
    userId: driver.uuid,
    tariffName: 'Standard',
    durationSeconds: 3600,
    idleSeconds: 0,
    energyKwh: 20,
    meterStartKwh: 1,
    meterStopKwh: 21,
    cost: {
      currency: 'EUR',
      totalExclVat: 9.5,
      totalVat: 2,
      totalInclVat: 11.5,
      lines: [
        { type: 'ENERGY', quantity: 20, exclVat: 8 },
        { type: 'FLAT', exclVat: 1.5 },
      ],
      vatRates: [{ vatPercent: 21, exclVat: 9.5, vat: 2 }],
    },
  });
  const payload = { transactionIds: [uuid] };
  const invoice = await call(keys.driver, '/invoices', { method: 'POST', payload });
  t.match((await call(keys.operator, `/transactions/${uuid}`)).json, {
    status: 'INVOICED',
    invoiceNumber: invoice.json['invoiceNumber'],
  });
  const notThere = { status: 404, json: { code: 'TRANSACTION_NOT_FOUND' } };
  t.match(await call(keys.otherDriver, `/transactions/${uuid}`), notThere);
  t.match(await call(keys.elsewhere, `/transactions/${uuid}`), notThere);
  t.match(await call(keys.driver, `/transactions/${await run()}`), notThere, 'it has not ended');
  t.match(await call(keys.driver, '/transactions/1'), { status: 400 });
  t.match(await call(null, `/transactions/${uuid}`), { status: 401 });
});
