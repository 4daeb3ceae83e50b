import { randomUUID } from 'node:crypto';
import t from 'tap';
import { type Answer, items, mintKey } from '#api/test/support/fixtures.ts';
import { type BillingScene, billingScene } from '#api/test/support/billing.ts';
import { readPdf } from '#api/test/support/pdf-text.ts';

const text = (answer: Answer, name: string) => answer.json[name] as unknown as string;
const year = new Date().getUTCFullYear();
const number = (count: number) => `${year}-${String(count).padStart(6, '0')}`;

function invoicing({ call, keys }: BillingScene) {
  return {
    issue: (transactionIds: string[], key: string | null = keys.operator, more: object = {}) =>
      call(key, '/invoices', { method: 'POST', payload: { transactionIds, ...more } }),
    credit: (invoice: string, key = keys.operator, payload: object = { reason: 'Wrong price' }) =>
      call(key, `/invoices/${invoice}/credit`, { method: 'POST', payload }),
  };
}

const mixed = (what: string) => ({
  status: 400,
  json: {
    code: 'VALIDATION_FAILED',
    details: { errors: [{ message: `must be transactions of one ${what}` }] },
  },
});

void t.test('an invoice covers transactions, adds up, and stays as it was issued', async (t) => {
  const scene = await billingScene(t);
  const { api, call, charge, keys, driver } = scene;
  const { sql } = api.stores;
  const { issue } = invoicing(scene);
  await sql`
    update networks set legal_name = 'Noordlicht B.V.', vat_number = 'NL861234567B01', language = 'fr' where id = ${api.network.id}`;
  const [later, earlier] = [await charge({ hoursAgo: 3 }), await charge({ hoursAgo: 30, energyWh: 12_345 })];
  const buyer = {
    name: 'Ünal & Söhne',
    postalAddress: 'Hauptstraße 1\n10115 Berlin',
    vatNumber: 'DE123456789',
  };
  const issued = await issue([later.toUpperCase(), earlier], keys.driver, { buyer });
  t.equal(issued.status, 201);
  t.match(issued.json, {
    invoiceNumber: number(1),
    kind: 'INVOICE',
    credits: null,
    creditedBy: null,
    networkId: api.network.uuid,
    userId: driver.uuid,
    transactionCount: 2,
    currency: 'EUR',
    // 12.345 kWh at 0.40 are 4.94, 20 are 8.00, twice 1.50 for the session; 21 % of 6.44 and of 9.50, each rounded.
    totalExclVat: 15.94,
    totalVat: 3.35,
    totalInclVat: 19.29,
    seller: { legalName: 'Noordlicht B.V.', vatNumber: 'NL861234567B01' },
    buyer: { ...buyer, email: null },
    lineItems: [
      { transactionId: earlier, exclVat: 6.44, vat: 1.35, inclVat: 7.79, energyKwh: 12.345 },
      {
        transactionId: later,
        exclVat: 9.5,
        inclVat: 11.5,
        components: [{ type: 'ENERGY' }, { type: 'FLAT' }],
      },
    ],
    vatRates: [{ vatPercent: 21, exclVat: 15.94, vat: 3.35 }],
  });
  await sql`update networks set legal_name = 'Another seller' where id = ${api.network.id}`;
  await sql`update chargers set uid = 'CP-9'`;
  const read = await call(keys.operator, `/invoices/${number(1)}`);
  t.strictSame(read.json, issued.json);
  await t.rejects(
    sql`update invoices set total_vat_minor = 0, total_incl_vat_minor = total_excl_vat_minor`,
    /never changed/,
  );
  await t.rejects(sql`delete from invoices`, /never changed/);

  const pdf = await api.app.inject({
    url: `/emsp/v1/invoices/${number(1)}/pdf`,
    headers: { 'x-api-key': keys.driver },
  });
  t.match(pdf.headers, { 'content-type': 'application/pdf', 'content-disposition': /"\d{4}-000001.pdf"/ });
  const said = (await readPdf(pdf.rawPayload)).text.replaceAll(/\s+/g, ' ');
  for (const part of [
    `Facture`,
    `Numéro: ${number(1)}`,
    'Noordlicht B.V.',
    'Facturé à Ünal & Söhne Hauptstraße 1 10115 Berlin N° de TVA: DE123456789',
    `Session ${earlier}`,
    'Énergie 12,345 kWh 0,40 €/kWh 21 % 4,94 €',
    'Sous-total HT 15,94 €',
    'TVA 21 % sur 15,94 € 3,35 €',
    'Total TTC 19,29 €',
  ]) {
    t.ok(said.includes(part), part);
  }
  const [audit] =
    await sql`select category, action, resource_id, details from audit_log where category = 'invoice'`;
  t.match(audit, { category: 'invoice', action: 'create', resource_id: number(1) });
  t.match(audit?.['details'], { after: { sessions: [earlier, later] } });
});

void t.test('an invoice over hundreds of transactions has a page for all of them', async (t) => {
  const scene = await billingScene(t);
  const { api, charge, keys } = scene;
  const { issue } = invoicing(scene);
  const { sql } = api.stores;
  const uuid = await charge();
  const copied = await sql<{ uuid: string }[]>`
    insert into sessions (network_id, charger_id, connector_id, user_id, ocpp_transaction_id, start_key, status,
      authorization_status, started_at, start_received_at, ended_at, energy_wh, currency, tariff, cost, cost_minor)
    select network_id, charger_id, connector_id, user_id, 'copy-' || n, 'copy-' || n, status, authorization_status,
      started_at, start_received_at, ended_at, energy_wh, currency, tariff, cost, cost_minor
    from sessions, generate_series(1, 120) n where uuid = ${uuid}
    returning uuid`;
  const uuids = copied.map((row) => row.uuid);
  const issued = await issue(uuids);
  t.match(issued.json, { totalInclVat: 1380, totalExclVat: 1140, totalVat: 240, transactionCount: 120 });
  const pdf = await api.app.inject({
    url: `/emsp/v1/invoices/${text(issued, 'invoiceNumber')}/pdf`,
    headers: { 'x-api-key': keys.operator },
  });
  const { pages } = await readPdf(pdf.rawPayload);
  t.ok(pages.length > 5, `${pages.length} pages`);
  for (const [index, page] of pages.entries()) {
    t.match(page, `${index + 1} / ${pages.length}`);
    if (index < pages.length - 1) t.match(page, 'Unit price', 'each has the head of the table');
  }
  for (const each of uuids)
    t.ok(
      pages.some((page) => page.includes(each)),
      each,
    );
});

void t.test('numbers concurrent invoices of a network without gaps', async (t) => {
  const scene = await billingScene(t);
  const { api, call, charge, keys } = scene;
  const { issue, credit } = invoicing(scene);
  await api.stores
    .sql`insert into invoice_counters values (${api.network.id}, ${year - 1}, 41), (${api.otherNetwork.id}, ${year}, 7)`;
  const uuids = await Promise.all(Array.from({ length: 8 }, () => charge()));
  const [contested = '', ...others] = uuids;
  const answers = await Promise.all([
    ...[1, 2, 3, 4].map(() => issue([contested])),
    ...others.map((uuid) => issue([uuid])),
    issue([contested, randomUUID()]),
  ]);
  const made = answers.filter(({ status }) => status === 201);
  t.equal(made.length, 8, 'each transaction is invoiced once');
  t.strictSame(
    answers
      .filter(({ status }) => status !== 201)
      .map(({ status }) => String(status))
      .toSorted(),
    ['404', '409', '409', '409'],
  );
  t.strictSame(
    made.map((answer) => text(answer, 'invoiceNumber')).toSorted(),
    [1, 2, 3, 4, 5, 6, 7, 8].map(number),
  );
  const notes = await Promise.all([1, 2, 3].map(() => credit(number(1))));
  t.strictSame(
    notes.map(({ status }) => String(status)).toSorted(),
    ['201', '409', '409'],
    'one is credited once',
  );
  t.equal(
    text(
      notes.find(({ status }) => status === 201)!,
      'invoiceNumber',
    ),
    number(9),
  );
  const list = await call(keys.operator, '/invoices?pageSize=3&page=1');
  t.strictSame(
    items(list.json['data']).map(({ invoiceNumber }) => invoiceNumber),
    [9, 8, 7].map(number),
    'newest first',
  );
  t.strictSame(list.json['pagination'], { page: 1, pageSize: 3, total: 9, totalPages: 3 });
});

void t.test('credits a wrong invoice, whose sessions are corrected and invoiced again', async (t) => {
  const scene = await billingScene(t);
  const { api, call, charge, keys } = scene;
  const { issue, credit } = invoicing(scene);
  const uuid = await charge();
  const cpms = await mintKey(api);
  const amend = () =>
    api.call(cpms, {
      method: 'POST',
      url: `/cpms/v1/sessions/${uuid}/amend`,
      payload: { reason: 'Meter was wrong', energyKwh: 10 },
    });
  await issue([uuid]);
  t.match(await amend(), {
    status: 409,
    json: { error: { code: 'SESSION_INVOICED', details: { invoiceNumber: number(1) } } },
  });
  t.match(await issue([uuid]), {
    status: 409,
    json: { code: 'SESSION_INVOICED', details: { sessionId: uuid, invoiceNumber: number(1) } },
  });
  const note = await credit(number(1), keys.operator, { reason: 'The meter was wrong' });
  t.match(note, {
    status: 201,
    json: {
      invoiceNumber: number(2),
      kind: 'CREDIT_NOTE',
      credits: number(1),
      reason: 'The meter was wrong',
      totalExclVat: -9.5,
      totalVat: -2,
      totalInclVat: -11.5,
      lineItems: [{ inclVat: -11.5, components: [{ quantity: -20, unitPrice: 0.4, exclVat: -8 }, {}] }],
      vatRates: [{ vatPercent: 21, exclVat: -9.5, vat: -2 }],
    },
  });
  t.match((await call(keys.driver, `/invoices/${number(1)}`)).json, {
    creditedBy: number(2),
    totalInclVat: 11.5,
  });
  const pdf = await api.app.inject({
    url: `/emsp/v1/invoices/${number(2)}/pdf`,
    headers: { 'x-api-key': keys.driver },
  });
  const said = (await readPdf(pdf.rawPayload)).text.replaceAll(/\s+/g, ' ');
  t.match(said, `Credits invoice: ${number(1)} Reason: The meter was wrong`);
  t.match(said, 'Total incl. VAT -€11.50');
  t.match(await call(keys.driver, `/transactions/${uuid}`), {
    json: { status: 'OPEN', invoiceNumber: null },
  });

  const refused = { status: 409, json: { code: 'INVOICE_NOT_CREDITABLE' } };
  t.match(await credit(number(1)), { ...refused, json: { details: { creditedBy: number(2) } } });
  t.match(await credit(number(2)), refused, 'a credit note is not credited');
  t.equal((await amend()).status, 200);
  t.match(await issue([uuid]), { status: 201, json: { invoiceNumber: number(3), totalExclVat: 5.5 } });
});

void t.test('invoices only final sessions of one driver, network and currency', async (t) => {
  const scene = await billingScene(t);
  const { api, charge, run, otherDriver } = scene;
  const { sql } = api.stores;
  const { issue } = invoicing(scene);
  const uuid = await charge();
  t.match(await issue([uuid, await charge({ userId: otherDriver.id })]), mixed('driver'));
  const dollars = await charge();
  await sql`update sessions set currency = 'USD' where uuid = ${dollars}`;
  t.match(await issue([uuid, dollars]), mixed('currency'));
  const south = await charge();
  await sql`update sessions set network_id = ${api.otherNetwork.id} where uuid = ${south}`;
  const both = await mintKey(api, {
    apiFamily: 'emsp',
    networkIds: [api.network.id, api.otherNetwork.id],
  });
  t.match(await issue([uuid, south], both), mixed('network'));

  // Cards without a known driver: sessions of one card go together.
  const [one, same, other] = await Promise.all([1, 2, 3].map(() => charge({ userId: null })));
  await sql`update sessions set id_token = 'TAG-2' where uuid = ${other!}`;
  t.match(await issue([one!, other!]), mixed('driver'));
  t.match(await issue([one!, same!]), {
    status: 201,
    json: { userId: null, buyer: null, transactionCount: 2 },
  });

  t.match(await issue([await run()]), { status: 409, json: { code: 'SESSION_NOT_COMPLETED' } });
  const flagged = async (flag: string, readings = 'COMPLETE') => {
    const session = await charge();
    await sql`update sessions set flags = ${[flag]}, price_readings = ${readings} where uuid = ${session}`;
    return issue([session]);
  };
  t.match(await flagged('estimated'), { status: 409, json: { code: 'SESSION_NOT_FINAL' } });
  t.match(await flagged('start-missing'), { status: 409, json: { code: 'SESSION_NOT_FINAL' } });
  const pending = await charge();
  await sql`update sessions set cost = null, cost_minor = null where uuid = ${pending}`;
  t.match(await issue([pending]), {
    status: 409,
    json: { code: 'SESSION_NOT_PRICED', details: { reason: 'COST_PENDING' } },
  });
  t.match(await flagged('readings-late', 'LATE'), { status: 409, json: { code: 'SESSION_NOT_FINAL' } });
  t.match(await issue([uuid, pending]), { status: 409 }, 'all or none');
  t.match(await issue([uuid]), { status: 201 });

  for (const payload of [
    { transactionIds: [] },
    { transactionIds: ['1'] },
    { transactionIds: [uuid, uuid] },
    { transactionIds: Array.from({ length: 501 }, () => randomUUID()) },
    { transactionIds: [uuid], buyer: { name: '' } },
    { transactionIds: [uuid], buyer: { name: 'x'.repeat(201) } },
    { transactionIds: [uuid], buyer: { name: 'x', email: 'x' } },
    { transactionIds: [uuid], extra: 1 },
    {},
  ]) {
    const answer = await scene.call(scene.keys.operator, '/invoices', { method: 'POST', payload });
    t.match(
      answer,
      { status: 400, json: { code: 'VALIDATION_FAILED' } },
      JSON.stringify(payload).slice(0, 80),
    );
  }
});

void t.test('shows invoices to their driver and the operators of their network', async (t) => {
  const scene = await billingScene(t);
  const { api, call, charge, keys } = scene;
  const { issue, credit } = invoicing(scene);
  const uuid = await charge();
  const notThere = {
    status: 404,
    json: { code: 'TRANSACTION_NOT_FOUND', details: { transactionIds: [uuid] } },
  };
  t.match(await issue([uuid], keys.otherDriver), notThere);
  t.match(await issue([uuid], keys.elsewhere), notThere);
  t.match(await issue([uuid], null), { status: 401 });
  await issue([uuid]);
  const url = `/invoices/${number(1)}`;
  for (const path of [url, `${url}/pdf`]) {
    for (const key of [keys.otherDriver, keys.elsewhere]) {
      t.match(await call(key, path), { status: 404, json: { code: 'INVOICE_NOT_FOUND' } });
    }
    t.match(await call(null, path), { status: 401 });
    t.equal((await call(keys.driver, path)).status, 200);
  }
  for (const key of [keys.otherDriver, keys.elsewhere]) {
    t.strictSame((await call(key, '/invoices')).json['data'], []);
  }
  t.equal(items((await call(keys.driver, '/invoices')).json['data']).length, 1);
  t.match(await credit(number(1), keys.driver), { status: 403, json: { code: 'OPERATOR_KEY_REQUIRED' } });
  t.match(await credit(number(1), keys.elsewhere), { status: 404, json: { code: 'INVOICE_NOT_FOUND' } });
  t.match(await credit(number(1), keys.operator, {}), { status: 400, json: { code: 'VALIDATION_FAILED' } });

  // Two networks count for themselves: who reaches both says which is meant.
  const south = await charge();
  await api.stores.sql`update sessions set network_id = ${api.otherNetwork.id} where uuid = ${south}`;
  const both = await mintKey(api, {
    apiFamily: 'emsp',
    networkIds: [api.network.id, api.otherNetwork.id],
  });
  t.match(await issue([south], both), { status: 201, json: { invoiceNumber: number(1) } });
  t.match(await call(both, url), {
    status: 409,
    json: { code: 'INVOICE_AMBIGUOUS', details: { networks: [api.network.uuid, api.otherNetwork.uuid] } },
  });
  const { uuid: networkId } = api.otherNetwork;
  t.match(await call(both, `${url}?networkId=${networkId}`), { status: 200, json: { networkId } });
  t.match(await call(keys.operator, `${url}?networkId=${networkId}`), {
    status: 404,
    json: { code: 'NETWORK_NOT_FOUND' },
  });
});
