import type { InjectOptions } from 'fastify';
import t from 'tap';
import { Outbound } from '#api/services/access/outbound.ts';
import { ExchangeLog } from '#api/services/roaming/exchange-log.service.ts';
import { startTestApi } from '#api/test/support/fixtures.ts';
import type { OcpiExchange } from '#shared/clickhouse/ocpi-exchanges.queries.ts';
import { enveloped, startEmsp } from './support/emsp.ts';
import { credentialsOf, makePartner, ocpi, registerEmsp } from './support/partner.ts';
import { inNetwork } from './support/pushing.ts';

/** Fails unexpectedly at one address. */
class Buggy extends Outbound {
  override send(request: Parameters<Outbound['send']>[0]): ReturnType<Outbound['send']> {
    if (request.url.endsWith('/bug')) return Promise.reject(new TypeError('a secret of ours'));
    return super.send(request);
  }
}
const shared = await startTestApi(t, { outbound: new Buggy(['127.0.0.0/8']) });

void t.test('answers every error with an envelope and the ids of its request', async (t) => {
  const api = await inNetwork(shared);
  const emsp = await startEmsp(t);
  const { token } = await registerEmsp(api, emsp);
  const ids = { 'x-request-id': 'req-7', 'x-correlation-id': 'cor-7' };
  const json = { 'content-type': 'application/json' };
  const oneToken = '/ocpi/cpo/2.2.1/tokens/DE/EMS/T1';
  let nested = '';
  for (let depth = 0; depth < 100_000; depth += 1) nested += '{"a":';
  const rows: [number, number, InjectOptions][] = [
    [404, 2000, { url: '/ocpi/nothing/here' }],
    [404, 2000, { url: '/ocpi/cpo/2.2.1/hubclientinfo' }],
    [404, 2000, { url: '/ocpi/2.1' }],
    [405, 2000, { method: 'POST', url: oneToken, payload: {} }],
    [400, 2001, { url: '/ocpi/cpo/2.2.1/locations/%zz' }],
    [200, 2001, { url: '/ocpi/cpo/2.2.1/locations?limit=many' }],
    [400, 2001, { method: 'PUT', url: oneToken, payload: '{"a":', headers: json }],
    [200, 2001, { method: 'PUT', url: oneToken, payload: '[]', headers: json }],
    [200, 2001, { method: 'PUT', url: oneToken, payload: `${nested}1${'}'.repeat(100_000)}`, headers: json }],
    [413, 2000, { method: 'PUT', url: oneToken, payload: { uid: 'x'.repeat(1_100_000) } }],
    [
      415,
      2000,
      { method: 'PUT', url: oneToken, payload: '<token/>', headers: { 'content-type': 'text/xml' } },
    ],
  ];
  for (const [status, statusCode, request] of rows) {
    const answer = await ocpi(api, token, { ...request, headers: { ...request.headers, ...ids } });
    const expected = { status, headers: ids, json: { status_code: statusCode, timestamp: String } };
    t.match(answer, expected, `${request.method ?? 'GET'} ${JSON.stringify(request.url)}`);
  }
  const late = await ocpi(api, token, { url: '/ocpi/cpo/2.2.1/cdrs?date_from=yesterday' });
  t.match(late.json['status_message'], /date_from must be a time \(RFC 3339\)/, 'in words to act on');

  const party = { countryCode: 'FR', partyId: 'BUG' };
  const { registrationToken } = await makePartner(api, { parties: [party] });
  const failed = await ocpi(api, registrationToken, {
    method: 'POST',
    url: '/ocpi/2.2.1/credentials',
    payload: { ...credentialsOf(emsp, party), url: `${emsp.url}/bug` },
    headers: ids,
  });
  t.match(failed, { status: 500, headers: ids, json: { status_code: 3000, timestamp: String } });
  t.notMatch(failed.text, 'a secret of ours');
});

void t.test('lists are found with the slash that the standard ends them with', async (t) => {
  const api = await inNetwork(shared);
  const { token } = await registerEmsp(api, await startEmsp(t));
  // OCPI 2.2.1 §4.1.4, pagination examples.
  for (const url of [
    '/ocpi/cpo/2.2.1/cdrs/?limit=2000',
    '/ocpi/cpo/2.2/locations/',
    '/ocpi/versions/',
    '/ocpi/2.2.1/',
  ]) {
    t.match(await ocpi(api, token, { url }), { status: 200, json: { status_code: 1000 } }, url);
  }
});

void t.test('treats null as left out, and as removed in a patch', async (t) => {
  // OCPI 2.2.1 §2.8: what is optional, and a list, may be null.
  const api = await inNetwork(shared);
  const emsp = await startEmsp(t);
  const { registrationToken } = await makePartner(api);
  const good = credentialsOf(emsp);
  const [role] = good.roles;
  const roles = [{ ...role, business_details: { name: 'Example eMSP', website: null, logo: null } }];
  const answer = await ocpi(api, registrationToken, {
    method: 'POST',
    url: '/ocpi/2.2.1/credentials',
    payload: { ...good, roles },
  });
  t.match(answer, { status: 200, json: { status_code: 1000 } });
  const token = answer.json['data']?.['token'] as unknown as string;
  const driver = {
    uid: 'T1',
    type: 'RFID',
    contract_id: 'C1',
    issuer: 'Us',
    valid: true,
    whitelist: 'NEVER',
  };
  const named = { ...driver, country_code: 'DE', party_id: 'EMS', last_updated: '2026-01-01T00:00:00Z' };
  const url = '/ocpi/cpo/2.2.1/tokens/DE/EMS/T1';
  const put = {
    method: 'PUT',
    url,
    payload: { ...named, group_id: 'G1', visual_number: null, energy_contract: null },
  } as const;
  t.equal((await ocpi(api, token, put)).status, 201);
  const patch = { group_id: null, language: 'de', last_updated: '2026-01-02T00:00:00Z' };
  t.equal((await ocpi(api, token, { method: 'PATCH', url, payload: patch })).status, 200);
  t.match((await ocpi(api, token, { url })).json['data'], { group_id: undefined, language: 'de' });
  t.match(
    await ocpi(api, token, {
      method: 'POST',
      url: '/ocpi/cpo/2.2.1/commands/START_SESSION',
      payload: {
        response_url: `${emsp.url}/r`,
        token: named,
        location_id: 'L1',
        evse_uid: null,
        connector_id: null,
      },
    }),
    { status: 200, json: { status_code: 2003 } },
  );
});

void t.test('keeps tokens out of the exchange log, also when truncated', async (t) => {
  const kept: OcpiExchange[] = [];
  const log = new ExchangeLog({ add: (exchange) => kept.push(exchange) });
  for (const request of [
    JSON.stringify({ token: 'SECRET' }),
    JSON.stringify({ token: String.raw`a"SECRET\SECRET` }),
    `{"data": {"token" :\n "SECRET"}}`,
    `${' '.repeat(16_370)}{"token":"SECRET"}`,
    `{"token":"SECRET${String.fromCharCode(92)}`,
  ]) {
    log.add({ request, response: request, url: '/ocpi' } as OcpiExchange);
  }
  t.equal(kept.length, 5);
  t.notMatch(JSON.stringify(kept), /SECRET|SEC/);
  log.add({ request: '{"token":{"uid":"CARD"}}', response: '', url: '/ocpi' } as OcpiExchange);
  t.match(kept.at(-1), { request: /CARD/ }, 'a driver’s request does not count');
});

void t.test('logs an exchange with the time of its beginning, in both directions', async (t) => {
  const kept: OcpiExchange[] = [];
  const exchanges = new ExchangeLog({ add: (exchange) => kept.push(exchange) });
  const api = await startTestApi(t, { exchanges });
  const emsp = await startEmsp(t);
  const { registrationToken } = await makePartner(api);
  const slowMs = 300;
  let askedAt = 0;
  emsp.react('/ocpi/versions', () => {
    askedAt = Date.now();
    const versions = [{ version: '2.2.1', url: `${emsp.url}/ocpi/2.2.1` }];
    return { body: enveloped(versions), delayMs: slowMs };
  });
  const beganAt = Date.now();
  const answer = await ocpi(api, registrationToken, {
    method: 'POST',
    url: '/ocpi/2.2.1/credentials',
    payload: credentialsOf(emsp),
  });
  t.match(answer.json, { status_code: 1000 });
  const outgoing = kept.find(({ direction, url }) => direction === 'out' && url === emsp.versionsUrl);
  const incoming = kept.find(({ direction }) => direction === 'in');
  t.match([outgoing, incoming], [{ module: 'versions' }, { module: 'credentials' }]);
  for (const { time, latencyMs } of [outgoing, incoming].filter((exchange) => exchange !== undefined)) {
    t.ok(time >= beganAt - 1 && time <= askedAt + 1, `${time - beganAt} ms after the beginning`);
    t.ok(latencyMs >= slowMs - 1, `${latencyMs} ms`);
  }
});
