import { randomUUID } from 'node:crypto';
import t from 'tap';
import { billingScene } from '#api/test/support/billing.ts';
import { mintKey } from '#api/test/support/fixtures.ts';
import { readPdf } from '#api/test/support/pdf-text.ts';
import { endSession, startSession } from '#api/test/support/records.ts';

const url = (uuid: string, query = '') => `/cpms/v1/sessions/${uuid}/receipt${query}`;

void t.test('shows operators the receipt of the driver in the requested language', async (t) => {
  const { api, charge, keys } = await billingScene(t);
  await api.stores.sql`update networks set language = 'nl' where id = ${api.network.id}`;
  const key = await mintKey(api);
  const uuid = await charge();
  const get = async (path: string, by: string) => {
    const answer = await api.app.inject({ url: path, headers: { 'x-api-key': by } });
    t.equal(answer.statusCode, 200);
    return answer;
  };
  const answer = await get(url(uuid), key);
  t.match(answer.headers, {
    'content-type': 'application/pdf',
    'content-disposition': `inline; filename="receipt-${uuid}.pdf"`,
    'content-security-policy': "default-src 'none';frame-ancestors 'self'",
  });
  const ofDriver = await get(`/emsp/v1/charging/sessions/${uuid}/receipt`, keys.driver);
  t.ok(answer.rawPayload.equals(ofDriver.rawPayload));
  const number = `R-${new Date().getUTCFullYear()}-000001`;
  for (const [query, title] of [
    ['', `Bon ${number}`],
    ['?language=de', `Beleg ${number}`],
    ['?language=en', `Receipt ${number}`],
  ] as const) {
    const { info } = await readPdf((await get(url(uuid, query), key)).rawPayload);
    t.equal(info.Title, title);
  }
  t.match(await api.call(key, { url: url(uuid, '?language=xx') }), {
    status: 400,
    json: { error: { code: 'VALIDATION_FAILED' } },
  });
});

void t.test('previews a receipt without issuing its number', async (t) => {
  const { api, charge } = await billingScene(t);
  const key = await mintKey(api);
  const uuid = await charge();
  const pdfOf = async (query: string) => {
    const answer = await api.app.inject({ url: url(uuid, query), headers: { 'x-api-key': key } });
    t.equal(answer.statusCode, 200);
    return readPdf(answer.rawPayload);
  };
  const preview = await pdfOf('?preview=true&language=en');
  t.equal(preview.info.Title, 'Receipt Preview, not issued');
  t.notMatch(preview.text, /R-\d{4}-/);
  t.ok(preview.text.split('Preview, not issued').length > 3, 'the head, the foot and the page are marked');
  const counted = () => api.stores.sql`
    select 1 from receipts where network_id = ${api.network.id}
    union all select 1 from receipt_counters where network_id = ${api.network.id}`;
  t.equal((await counted()).length, 0);
  const number = `R-${new Date().getUTCFullYear()}-000001`;
  t.equal((await pdfOf('?language=en')).info.Title, `Receipt ${number}`);
  t.equal((await pdfOf('?preview=true&language=en')).info.Title, 'Receipt Preview, not issued');

  const refused = async (by: string | null, status: number) =>
    t.equal((await api.call(by, { url: url(uuid, '?preview=true') })).status, status);
  await refused(await mintKey(api, { networkIds: [api.otherNetwork.id] }), 404);
  await refused(await mintKey(api, { scopes: ['cpms:read:chargers'] }), 403);
  await refused(null, 401);
});

void t.test(
  'refuses receipts of sessions that have none, and to callers who must not see them',
  async (t) => {
    const { api, charge, run, chargerUuid } = await billingScene(t);
    const { sql } = api.stores;
    const key = await mintKey(api);
    const refused = async (uuid: string, status: number, code: string, by: string | null = key) =>
      t.match(await api.call(by, { url: url(uuid) }), { status, json: { error: { code } } }, code);
    await refused(await run(), 409, 'SESSION_NOT_COMPLETED');
    const doubtful = await startSession(sql, {
      chargerUuid,
      connector: 9,
      startedAt: new Date(Date.now() - 9e6),
    });
    await endSession(sql, doubtful, 900_000, ['energy-implausible']);
    await refused(doubtful.uuid, 409, 'PRICE_IN_REVIEW');
    const unpriced = await charge({ hoursAgo: 6 });
    await sql`update sessions set cost = null, cost_minor = null, tariff = null where uuid = ${unpriced}`;
    await refused(unpriced, 409, 'SESSION_NOT_PRICED');
    await refused(randomUUID(), 404, 'SESSION_NOT_FOUND');
    const uuid = await charge({ hoursAgo: 8 });
    await refused(uuid, 404, 'SESSION_NOT_FOUND', await mintKey(api, { networkIds: [api.otherNetwork.id] }));
    await refused(uuid, 403, 'SCOPE_MISSING', await mintKey(api, { scopes: ['cpms:read:chargers'] }));
    t.equal((await api.call(null, { url: url(uuid) })).status, 401);
  },
);
