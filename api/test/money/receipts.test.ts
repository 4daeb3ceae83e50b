import { randomUUID } from 'node:crypto';
import t from 'tap';
import { priceSession } from '#shared/pricing/price-session.ts';
import { storeCost } from '#shared/postgres/money/cost.statements.ts';
import { billingScene } from '#api/test/support/billing.ts';
import { readingOrder } from '#api/workers/reading-order.ts';
import { WorkerPool } from '#api/workers/pool.ts';
import { readPdf } from '#api/test/support/pdf-text.ts';

const url = (uuid: string) => `/charging/sessions/${uuid}/receipt`;

const refused = (reason: string) => ({
  status: 409,
  json: { code: 'SESSION_NOT_PRICED', details: { reason } },
});

void t.test('a receipt is a PDF with the session, its price and its seller', async (t) => {
  const { api, charge, keys } = await billingScene(t);
  const { sql } = api.stores;
  await sql`
    update networks set name = 'Noordlicht', legal_name = 'Noordlicht Λάδι Зарядка B.V.', vat_number = 'NL861234567B01',
      postal_address = ${'Keizersgracht 100\nAchterhuis'}, postal_code = '1015 CN', city = 'Łódź', language = 'nl', primary_color = '#0f766e'
    where id = ${api.network.id}`;
  const uuid = await charge();
  // Over the end of summer time, in the zone of the place: 00:15 to 02:48, and three and a half hours.
  await sql`
    update sessions set started_at = '2026-10-24T22:15:00Z', ended_at = '2026-10-25T01:48:00Z', id_token = 'DEADBEEF1234'
    where uuid = ${uuid}`;
  const answer = await api.app.inject({
    url: `/emsp/v1/charging/sessions/${uuid.toUpperCase()}/receipt`,
    headers: { 'x-api-key': keys.driver },
  });
  t.equal(answer.statusCode, 200);
  t.match(answer.headers, {
    'content-type': 'application/pdf',
    'content-disposition': `inline; filename="receipt-${uuid}.pdf"`,
    'cache-control': 'private, no-cache',
  });
  const { text, pages, info } = await readPdf(answer.rawPayload);
  t.equal(pages.length, 1);
  const number = `R-${new Date().getUTCFullYear()}-000001`;
  t.match(info, { Title: `Bon ${number}`, Author: 'Noordlicht Λάδι Зарядка B.V.', Language: 'nl-NL' });
  for (const part of [
    'Noordlicht Λάδι Зарядка B.V.',
    'Keizersgracht 100\nAchterhuis\n1015 CN Łódź\nNederland',
    'Btw-nummer: NL861234567B01',
    `Nummer: ${number}`,
    `Sessie: ${uuid}`,
    'Harbour\nQuay 1\n3011 AA Rotterdam\nNederland',
    'CP-1',
    '25 okt 2026, 00:15 CEST',
    '25 okt 2026, 02:48 CET',
    '3 h 33 min',
    '20 kWh',
    'Energie 20 kWh € 0,40/kWh 21 % € 8,00',
    'Starttarief 1 € 1,50 21 % € 1,50',
    'Subtotaal excl. btw € 9,50',
    'Btw 21 % over € 9,50 € 2,00',
    'Totaal incl. btw € 11,50',
    '…1234',
  ]) {
    t.ok(flat(text).includes(flat(part)), part);
  }
  t.notMatch(text, /DEADBEEF/, 'a token is no more than hinted at');
  const again = await api.app.inject({
    url: `/emsp/v1/charging/sessions/${uuid}/receipt`,
    headers: { 'x-api-key': keys.operator },
  });
  t.ok(again.rawPayload.equals(answer.rawPayload), 'the same session has the same receipt');
});

void t.test(
  "a receipt speaks the driver's language, its currency, and stays whole however long texts are",
  async (t) => {
    const { api, charge, keys, driver } = await billingScene(t);
    const { sql } = api.stores;
    const long = `${'Straße '.repeat(20)}${'Ω'.repeat(60)}`;
    await sql`update networks set legal_name = ${long}, language = 'nl', primary_color = '#ffff00' where id = ${api.network.id}`;
    await sql`update users set language = 'de-AT' where id = ${driver.id}`;
    await sql`update locations set name = ${long}`;
    const uuid = await charge();
    const elements = [
      { price_components: [{ type: 'ENERGY' as const, price: '30', vat: '10', step_size: 1 }] },
      { price_components: [{ type: 'TIME' as const, price: '120.5', vat: '8', step_size: 1 }] },
    ];
    const cost = priceSession(
      { uuid: randomUUID(), name: 'Yen', currency: 'JPY', elements },
      {
        startedAt: new Date(0),
        endedAt: new Date(3_600_000),
        energyWh: 12_345,
        idlePeriods: [],
        readings: [],
      },
    );
    await sql`
    update sessions set currency = 'JPY', cost = ${sql.json(storeCost(cost))}, cost_minor = ${cost.totalInclVatMinor}
    where uuid = ${uuid}`;
    const answer = await api.app.inject({
      url: `/emsp/v1/charging/sessions/${uuid}/receipt`,
      headers: { 'x-api-key': keys.driver },
    });
    const { text } = await readPdf(answer.rawPayload);
    const said = flat(text);
    t.match(said, 'Beleg');
    t.match(said, /Energie 12,345 kWh ¥ 30\/kWh 10 % ¥ 370 Ladezeit 60 min ¥ 120,5\/h 8 % ¥ 121/);
    t.match(said, /USt\. 10 % auf ¥ 370 ¥ 37/);
    t.match(said, /Gesamtbetrag brutto ¥ 538/);
    t.ok(text.replaceAll(/\s/g, '').includes(long.replaceAll(/\s/g, '')), 'nothing of a long name is cut');
  },
);

void t.test(
  'names of any script are read as they are written, and no number is ever turned round',
  async (t) => {
    const { api, charge, keys } = await billingScene(t);
    const { sql } = api.stores;
    await sql`
    update networks set name = 'شركة الشحن', legal_name = 'شركة الشحن', postal_address = ${'شارع الشيخ زايد 12\nدبي'},
      postal_code = null, city = null, country = 'AE', language = 'ar-AE' where id = ${api.network.id}`;
    await sql`update locations set name = 'חניון דיזנגוף (מפלס 34)', time_zone = 'Asia/Dubai'`;
    const uuid = await charge({ energyWh: 45_678 });
    const answer = await api.app.inject({
      url: `/emsp/v1/charging/sessions/${uuid}/receipt`,
      headers: { 'x-api-key': keys.driver },
    });
    const { text } = await readPdf(answer.rawPayload);
    const said = flat(text);
    // 45.678 kWh at 0.40 and 1.50; without words of ours in a language the whole paper is in English.
    t.match(said, 'Energy 45.678 kWh €0.40/kWh 21 % €18.27');
    t.match(said, 'Subtotal excl. VAT €19.77');
    t.match(said, 'Total incl. VAT €23.92');
    t.match(said, /Started \d+ [A-Z][a-z]+ \d{4}, \d\d:\d\d GST/);
    for (const part of ['شارع', 'الشيخ', 'زايد', '12', 'דיזנגוף', '34']) t.match(said, part);
    t.equal(
      said.split('شركة').length,
      4,
      'at the head, the account and the foot: a legal name that is the name is not repeated',
    );
  },
);

void t.test('issues receipts for ended, priced sessions to callers who see them', async (t) => {
  const { api, charge, run, call, keys } = await billingScene(t);
  const { sql } = api.stores;
  const uuid = await charge();
  for (const key of [keys.otherDriver, keys.elsewhere]) {
    t.match(await call(key, url(uuid)), { status: 404, json: { code: 'SESSION_NOT_FOUND' } });
  }
  t.match(await call(keys.driver, url(randomUUID())), { status: 404, json: { code: 'SESSION_NOT_FOUND' } });
  t.match(await call(null, url(uuid)), { status: 401, json: { code: 'KEY_MISSING' } });
  t.match(await call(keys.driver, url('x')), { status: 400, json: { code: 'VALIDATION_FAILED' } });
  const running = await run();
  t.match(await call(keys.driver, url(running)), { status: 409, json: { code: 'SESSION_NOT_COMPLETED' } });
  await sql`update sessions set cost = null, cost_minor = null, price_state = 'PENDING', flags = '{cost-pending}' where uuid = ${uuid}`;
  t.match(await call(keys.driver, url(uuid)), refused('COST_PENDING'));
  await sql`update sessions set tariff = null, price_state = 'UNPRICED', flags = '{no-tariff}' where uuid = ${uuid}`;
  t.match(await call(keys.driver, url(uuid)), refused('NO_TARIFF'));
});

void t.test('text stands on paper in the order of the Unicode Bidirectional Algorithm', (t) => {
  for (const [line, order] of [
    ['שלום 12:30 עולם', 'עולם|12:30|שלום'],
    ['P3 גן (א) 1,234.50 €', 'P3|1,234.50|)א(|גן|€'],
    ['גן (א) P3, ים', 'ים|,|P3|)א(|גן'],
    ['Café שלום עולם, (ab) 12', 'Café|עולם|שלום|,|(ab)|12'],
    ['שלום Café au lait עולם', 'עולם|Café|au|lait|שלום'],
    ['- 12 -', '-|12|-'],
    ['', ''],
  ] as const) {
    const parts = readingOrder(line).filter((part) => part !== ' ');
    t.equal(parts.join('|'), order, line);
  }
  t.end();
});

void t.test('fails only the bill of a thread that cannot start', async (t) => {
  const failures: unknown[] = [];
  const pool = new WorkerPool(
    (error) => failures.push(error),
    new URL('../support/broken-thread.ts', import.meta.url),
  );
  t.teardown(() => pool.close());
  for (const count of [1, 2]) {
    await t.rejects(pool.render({ logo: null } as never));
    t.equal(failures.length, count);
  }
  t.match(failures[0], { message: 'no thread begins' });
});

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
