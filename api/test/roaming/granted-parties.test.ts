import t from 'tap';
import { watchForAlerts } from '#api/jobs/alerts.job.ts';
import { items, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { type Emsp, startEmsp } from './support/emsp.ts';
import { credentialsOf, makePartner, ocpi, registerEmsp } from './support/partner.ts';

const partners = '/cpms/v1/ocpi-partners';
const german = { countryCode: 'DE', partyId: 'EMS' };
const french = { countryCode: 'FR', partyId: 'OTH' };
const ours = { countryCode: 'NL', partyId: 'CWY' };

/** Sends the credentials of an eMSP with these roles. */
function sendRoles(
  api: TestApi,
  token: string,
  method: 'POST' | 'PUT',
  emsp: Emsp,
  roles: { role: string; countryCode: string; partyId: string }[],
) {
  const payload = {
    ...credentialsOf(emsp),
    roles: roles.map(({ role, countryCode, partyId }) => ({
      role,
      country_code: countryCode,
      party_id: partyId,
      business_details: { name: partyId },
    })),
  };
  return ocpi(api, token, { method, url: '/ocpi/2.2.1/credentials', payload });
}

const refused = { status: 409, json: { status_code: 2001, status_message: /OCPI_PARTY_NOT_GRANTED/ } };

void t.test('credentials', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const emsp = await startEmsp(t);
  const other = await startEmsp(t, french);
  const { id, token } = await registerEmsp(api, emsp);
  await registerEmsp(api, other, { party: french });
  const read = async () => (await api.call(key, { url: `${partners}/${id}` })).json['data'];

  for (const [title, stranger] of [
    ["another partner's party", french],
    ['the party of the network', ours],
    ['a party that was granted to no partner', { countryCode: 'BE', partyId: 'NEW' }],
  ] as const) {
    await t.test(`PUT refuses ${title} in each of its roles`, async (t) => {
      const before = await read();
      for (const roles of [
        [{ role: 'EMSP', ...stranger }],
        [{ role: 'CPO', ...stranger }],
        [
          { role: 'EMSP', ...german },
          { role: 'CPO', ...stranger },
        ],
        [
          { role: 'EMSP', ...german },
          { role: 'EMSP', countryCode: stranger.countryCode.toLowerCase(), partyId: stranger.partyId },
        ],
      ]) {
        t.match(await sendRoles(api, token, 'PUT', emsp, roles), refused, JSON.stringify(roles));
      }
      t.same(await read(), before, 'and changes nothing');
      t.equal((await ocpi(api, token, { url: '/ocpi/versions' })).status, 200, 'the token is still good');
    });
  }

  await t.test('POST refuses a party that was not granted, and makes no call', async (t) => {
    const fresh = await startEmsp(t);
    const { registrationToken } = await makePartner(api, {
      parties: [{ countryCode: 'AT', partyId: 'ONE' }],
    });
    t.match(await sendRoles(api, registrationToken, 'POST', fresh, [{ role: 'EMSP', ...french }]), refused);
    t.same(fresh.received, []);
    const own = [{ role: 'emsp', countryCode: 'at', partyId: 'one' }];
    t.match(await sendRoles(api, registrationToken, 'POST', fresh, own), { json: { status_code: 1000 } });
  });

  await t.test('name two parties where both were granted', async (t) => {
    const second = { countryCode: 'de', partyId: 'two' };
    const payload = { parties: [german, second] };
    const granted = await api.call(key, { method: 'PATCH', url: `${partners}/${id}`, payload });
    t.same(granted.json['data']?.['parties'], [german, { countryCode: 'DE', partyId: 'TWO' }]);
    const roles = [
      { role: 'EMSP', ...german },
      { role: 'CPO', ...second },
    ];
    const answer = await sendRoles(api, token, 'PUT', emsp, roles);
    t.match(answer.json, { status_code: 1000 }, answer.text);
  });

  await t.test('can name more than 20 roles', async (t) => {
    const parties = Array.from({ length: 25 }, (_, index) => ({
      countryCode: 'AT',
      partyId: `P${String(index).padStart(2, '0')}`,
    }));
    const made = await makePartner(api, { parties });
    const roles = parties.map((party) => ({ role: 'EMSP', ...party }));
    const answer = await sendRoles(api, made.registrationToken, 'POST', await startEmsp(t), roles);
    t.match(answer.json, { status_code: 1000 }, answer.text);
    const { json } = await api.call(key, { url: `${partners}/${made.id}` });
    t.equal(items(json['data']?.['roles']).length, 25);
  });

  await t.test('name nothing before the operator granted a party', async (t) => {
    const fresh = await startEmsp(t);
    const party = { countryCode: 'IT', partyId: 'LAT' };
    const made = await makePartner(api, { parties: undefined });
    const roles = [{ role: 'EMSP', ...party }];
    t.match(await sendRoles(api, made.registrationToken, 'POST', fresh, roles), refused);
    const payload = { parties: [party] };
    await api.call(key, { method: 'PATCH', url: `${partners}/${made.id}`, payload });
    t.match(await sendRoles(api, made.registrationToken, 'POST', fresh, roles), {
      json: { status_code: 1000 },
    });
  });
});

void t.test('a command refuses a token of a party that was not granted', async (t) => {
  const api = await startTestApi(t);
  const emsp = await startEmsp(t);
  const { token } = await registerEmsp(api, emsp);
  const card = { uid: 'CARD1', type: 'RFID', contract_id: 'C1', country_code: 'FR', party_id: 'OTH' };
  const payload = { response_url: `${emsp.url}/results/1`, token: card, location_id: 'LOC1' };
  const url = '/ocpi/cpo/2.2.1/commands/START_SESSION';
  t.match(await ocpi(api, token, { method: 'POST', url, payload }), {
    status: 200,
    json: { status_code: 2001, status_message: /party_id must be yours: you are not FR-OTH/ },
  });
});

void t.test('refused credentials open an alert and leave an audit entry', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const emsp = await startEmsp(t);
  const { id, token } = await registerEmsp(api, emsp);
  await sendRoles(api, token, 'PUT', emsp, [
    { role: 'EMSP', ...german },
    { role: 'CPO', ...ours },
    { role: 'EMSP', ...french },
  ]);
  await watchForAlerts(api.deps);
  const alerts = items((await api.call(key, { url: '/cpms/v1/alerts' })).json['data']);
  t.match(alerts, [
    {
      kind: 'ocpi-party-refused',
      status: 'open',
      networkId: api.network.id,
      resourceType: 'ocpi-partner',
      resourceId: id,
      resourceName: 'eMSP',
      message: /NL-CWY, FR-OTH/,
      details: { parties: ['NL-CWY', 'FR-OTH'] },
    },
  ]);
  t.equal(alerts.length, 1);
  const log_ = await api.call(key, { url: '/cpms/v1/audit-log?category=ocpi-partner' });
  t.match(
    items(log_.json['data']).find(({ action }) => (action as unknown) === 'refuse-parties'),
    {
      resourceId: id,
      userName: 'OCPI partner eMSP',
      details: '{"parties":["NL-CWY","FR-OTH"]}',
    },
  );
});

void t.test('an operator', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const emsp = await startEmsp(t);
  const two = { countryCode: 'DE', partyId: 'TWO' };
  const { id, token } = await registerEmsp(api, emsp, { partner: { parties: [german, two] } });
  const grant = (payload: object) => api.call(key, { method: 'PATCH', url: `${partners}/${id}`, payload });

  await t.test('cannot grant a party of another partner, or the own one', async (t) => {
    await registerEmsp(api, await startEmsp(t, french), { party: french });
    const taken = { status: 409, json: { error: { code: 'OCPI_PARTY_EXISTS' } } };
    t.match(await grant({ parties: [german, { countryCode: 'fr', partyId: 'oth' }] }), taken);
    t.match(await grant({ parties: [german, ours] }), taken);
    for (const parties of [[french], [ours]]) {
      const payload = { name: 'Another', networkUuid: api.network.uuid, parties };
      t.match(await api.call(key, { method: 'POST', url: partners, payload }), taken);
    }
    t.same((await api.call(key, { url: `${partners}/${id}` })).json['data']?.['parties'], [german, two]);
  });

  await t.test('takes a role from a registered partner with its party', async (t) => {
    await sendRoles(api, token, 'PUT', emsp, [
      { role: 'EMSP', ...german },
      { role: 'EMSP', ...two },
    ]);
    const { json } = await grant({ parties: [two] });
    t.match(json['data'], { ...two, status: 'REGISTERED' });
    t.same(json['data']?.['parties'], [two]);
    t.same(
      items(json['data']?.['roles']).map(({ partyId }) => partyId),
      ['TWO'],
    );
  });

  await t.test('of another network grants nothing', async (t) => {
    const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
    const request = { method: 'PATCH', url: `${partners}/${id}`, payload: { parties: [german] } } as const;
    t.equal((await api.call(foreign, request)).status, 404);
    t.equal((await api.call(null, request)).status, 401);
  });
});

void t.test('grants a party to one of two partners concurrently', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const made = await Promise.all(Array.from({ length: 5 }, () => makePartner(api, { parties: undefined })));
  const answers = await Promise.all(
    made.map(({ id }) =>
      api.call(key, { method: 'PATCH', url: `${partners}/${id}`, payload: { parties: [french] } }),
    ),
  );
  t.same(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409, 409, 409, 409],
  );
});

void t.test('the party of a removed partner is free for another', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { id } = await registerEmsp(api, await startEmsp(t));
  t.equal((await api.call(key, { method: 'DELETE', url: `${partners}/${id}` })).status, 200);
  t.ok((await registerEmsp(api, await startEmsp(t))).token);
});
