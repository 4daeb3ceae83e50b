import t from 'tap';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { startEmsp } from './support/emsp.ts';
import { ocpi, registerEmsp } from './support/partner.ts';

const token = {
  country_code: 'DE',
  party_id: 'EMS',
  type: 'RFID',
  contract_id: 'DE8ACC12E46L89',
  issuer: 'Issuer',
  valid: true,
  whitelist: 'ALLOWED',
  last_updated: '2026-01-01T00:00:00Z',
};

/** HTTP statuses by the quirk of the partner, below a base path: of an invalid query, an invalid body and a created token. */
const statuses = [
  { quirks: {}, base: '/ocpi/cpo/2.2.1', query: 200, body: 200, created: 201 },
  { quirks: { httpStatus: 'ocpi' }, base: '/ocpi/cpo/2.2.1', query: 200, body: 200, created: 201 },
  { quirks: { httpStatus: 'rest' }, base: '/ocpi/cpo/2.2.1', query: 400, body: 400, created: 200 },
  { quirks: {}, base: '/ocpi/cpo/2.2', query: 400, body: 400, created: 200 },
] as const;

const api = await startTestApi(t);
const emsp = await startEmsp(t);

for (const [index, { quirks, base, query, body, created }] of statuses.entries()) {
  void t.test(`has the HTTP statuses of ${JSON.stringify(quirks)} below ${base}`, async (t) => {
    const party = { countryCode: 'DE', partyId: `EM${index}` };
    const { id, token: shown } = await registerEmsp(api, emsp, { party, partner: { quirks } });
    const put = (uid: string, changed: object = {}) =>
      ocpi(api, shown, {
        method: 'PUT',
        url: `${base}/tokens/DE/${party.partyId}/${uid}`,
        payload: { ...token, uid, party_id: party.partyId, ...changed },
      });
    const invalid = { status_code: 2001, status_message: /^VALIDATION_FAILED: / };
    t.match(await ocpi(api, shown, { url: `${base}/locations?limit=-1` }), { status: query, json: invalid });
    t.match(await put('T1', { valid: 'yes' }), { status: body, json: invalid });
    t.match(await put('T1'), { status: created, json: { status_code: 1000 } });
    t.match(await put('T1'), { status: 200, json: { status_code: 1000 } }, 'it exists already');
    t.match(await put('T1', { last_updated: '2020-01-01T00:00:00Z' }), { status: 200 }, 'older');
    t.match(
      await ocpi(api, shown, { url: `${base}/tokens/DE/${party.partyId}/T2` }),
      { status: 404, json: { status_code: 2004 } },
      'an unknown object is an HTTP error',
    );
    const key = await mintKey(api, { unrestricted: true, networkIds: [] });
    const { json } = await api.call(key, { url: `/cpms/v1/ocpi-partners/${id}` });
    t.match(json['data'], { quirks: { tokenEncoding: 'base64', httpStatus: 'ocpi', ...quirks } });
  });
}

void t.test('changes the HTTP statuses of a partner and keeps its other quirks', async (t) => {
  const party = { countryCode: 'DE', partyId: 'EM9' };
  const partner = { quirks: { tokenEncoding: 'raw' } };
  const { id, token: shown } = await registerEmsp(api, emsp, { party, partner });
  const key = await mintKey(api, { unrestricted: true, networkIds: [] });
  const change = (payload: object) =>
    api.call(key, { method: 'PATCH', url: `/cpms/v1/ocpi-partners/${id}`, payload });
  t.match(await change({ quirks: { httpStatus: 'rest' } }), {
    status: 200,
    json: { data: { quirks: { tokenEncoding: 'raw', httpStatus: 'rest' } } },
  });
  t.equal((await ocpi(api, shown, { url: '/ocpi/cpo/2.2.1/locations?limit=-1' })).status, 400);
  t.match(await change({ quirks: { httpStatus: 'teapot' } }), { status: 400 });
});
