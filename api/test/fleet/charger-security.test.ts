import t from 'tap';
import { mintKey, type Registered, register, startTestApi } from '#api/test/support/fixtures.ts';
import { callMeanwhile } from '#api/test/support/meanwhile.ts';

const url = '/cpms/v1/chargers';
const unknown = '00000000-0000-4000-8000-000000000000';
const invalid = { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } };

void t.test('a charger is registered with a security profile, which may be changed', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const created = await api.call(key, {
    method: 'POST',
    url,
    payload: { serial: 'CP-1', securityProfile: 3, certificateCommonName: 'Série 12' },
  });
  t.match(created, { status: 201, json: { data: { securityProfile: 3, ocppPassword: String } } });
  const id = (created.json['data'] as unknown as Registered).id;
  const detail = async () => (await api.call(key, { url: `${url}/${id}` })).json['data'];
  const change = (payload: object) => api.call(key, { method: 'PATCH', url: `${url}/${id}`, payload });
  t.match(await detail(), { securityProfile: 3, certificateCommonName: 'Série 12' });

  t.match(await change({ securityProfile: 2 }), { status: 200, json: { data: { id, updated: true } } });
  t.match(
    await detail(),
    { securityProfile: 2, certificateCommonName: 'Série 12' },
    'what is not named stays',
  );
  t.match(await change({ certificateCommonName: null }), { status: 200 });
  t.match(await detail(), { securityProfile: 2, certificateCommonName: null });

  for (const payload of [
    {},
    { securityProfile: 4 },
    { securityProfile: -1 },
    { securityProfile: '2' },
    { securityProfile: null },
    { certificateCommonName: '' },
    { certificateCommonName: 'a\u0000' },
    { certificateCommonName: 'x'.repeat(65) },
    { colour: 'red' },
  ]) {
    t.match(await change(payload), invalid, JSON.stringify(payload));
    const isNew = Object.keys(payload).length > 0;
    if (isNew)
      t.match(await api.call(key, { method: 'POST', url, payload: { serial: 'CP-2', ...payload } }), invalid);
  }
  const { id: plain } = await register(api, key, { serial: 'CP-3' });
  t.match((await api.call(key, { url: `${url}/${plain}` })).json['data'], {
    securityProfile: 1,
    certificateCommonName: null,
  });
});

void t.test('profile 0 is for networks that allow it', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const post = (serial: string) =>
    api.call(key, { method: 'POST', url, payload: { serial, securityProfile: 0 } });
  const { id } = await register(api, key, { serial: 'CP-1' });
  const patch = () =>
    api.call(key, { method: 'PATCH', url: `${url}/${id}`, payload: { securityProfile: 0 } });
  const refused = {
    status: 400,
    json: { error: { code: 'VALIDATION_FAILED', details: { errors: [{ field: 'securityProfile' }] } } },
  };
  t.match(await post('CP-2'), refused);
  t.match(await patch(), refused);
  await api.stores
    .sql`update networks set allow_unauthenticated_chargers = true where id = ${api.network.id}`;
  t.match(await post('CP-2'), { status: 201, json: { data: { securityProfile: 0 } } });
  t.match(await patch(), { status: 200 });
});

void t.test('a name stands for one charger over all networks, as a serial and in certificates', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const other = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  await register(api, key, { serial: 'CP-1', certificateCommonName: 'S-1' });
  const { id } = await register(api, other, { serial: 'CP-2', certificateCommonName: 'CP-2b' });
  const taken = { status: 409, json: { error: { code: 'CHARGER_EXISTS' } } };
  for (const payload of [
    { serial: 'CP-1' },
    { serial: 'S-1' },
    { serial: 'CP-3', certificateCommonName: 'S-1' },
    { serial: 'CP-3', certificateCommonName: 'CP-1' },
  ]) {
    t.match(await api.call(other, { method: 'POST', url, payload }), taken, JSON.stringify(payload));
  }
  const rename = (certificateCommonName: string) =>
    api.call(other, { method: 'PATCH', url: `${url}/${id}`, payload: { certificateCommonName } });
  t.match(await rename('S-1'), taken);
  t.match(await rename('CP-1'), taken);
  t.match(await rename('CP-2'), { status: 200 }, 'its own');
  const atOnce = await Promise.all(
    ['A', 'B', 'C', 'D'].map((serial) =>
      api.call(key, { method: 'POST', url, payload: { serial, certificateCommonName: 'S-2' } }),
    ),
  );
  t.equal(atOnce.filter(({ status }) => status === 201).length, 1);
  t.equal(atOnce.filter(({ status }) => status === 409).length, 3);
});

void t.test(
  'the audit log keeps who changed it, with the address that a trusted proxy forwards',
  async (t) => {
    const api = await startTestApi(t, { trustedProxies: ['10.0.0.0/8'] });
    const key = await mintKey(api, { name: 'Ops' });
    const { id } = await register(api, key, { serial: 'CP-1' });
    const headers = { 'x-forwarded-for': '192.0.2.66, 198.51.100.7' };
    for (const remoteAddress of ['10.1.2.3', '203.0.113.9']) {
      const payload = { securityProfile: 2 };
      t.match(
        await api.call(key, { method: 'PATCH', url: `${url}/${id}`, payload, headers, remoteAddress }),
        { status: 200 },
      );
    }
    const entries = await api.stores.sql`
    select resource_id, resource_name, user_name, host(ip_address) as ip, details
    from audit_log where action = 'update' order by id`;
    const entry = { resource_id: id, resource_name: 'CP-1', user_name: 'Ops' };
    t.match(entries, [
      {
        ...entry,
        ip: '198.51.100.7',
        details: { before: { securityProfile: 1 }, after: { securityProfile: 2 } },
      },
      { ...entry, ip: '203.0.113.9' },
    ]);
  },
);

void t.test('requires rights to change a charger', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  const change = async (caller: string | null, uuid = id, query = '') =>
    api.call(caller, { method: 'PATCH', url: `${url}/${uuid}${query}`, payload: { securityProfile: 2 } });
  const notFound = { status: 404, json: { error: { code: 'CHARGER_NOT_FOUND' } } };
  t.match(await change(await mintKey(api, { networkIds: [api.otherNetwork.id] })), notFound);
  t.match(await change(key, unknown), notFound);
  t.match(await change(key, id, `?networkId=${unknown}`), {
    status: 404,
    json: { error: { code: 'NETWORK_NOT_FOUND' } },
  });
  t.match(await change(await mintKey(api, { scopes: ['cpms:read'] })), {
    status: 403,
    json: { error: { code: 'SCOPE_MISSING' } },
  });
  t.equal((await change(null)).status, 401);
  t.match((await api.call(key, { url: `${url}/${id}` })).json['data'], { securityProfile: 1 }, 'unchanged');
});

void t.test('gives a name to one of two chargers that request it concurrently', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  const taken = { status: 409, json: { error: { code: 'CHARGER_EXISTS' } } };
  // As a serial and as a certificate's name: no index keeps these two apart.
  const both = await Promise.all([
    api.call(key, { method: 'POST', url, payload: { serial: 'SAME' } }),
    api.call(key, { method: 'PATCH', url: `${url}/${id}`, payload: { certificateCommonName: 'SAME' } }),
  ]);
  const refused = both.filter(({ status }) => status === 409);
  t.match(refused, [taken], both.map(({ text }) => text).join());
});

void t.test('refuses a charger in a network that is being removed', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const answer = await callMeanwhile(
    api,
    (transaction) => transaction`update networks set deleted_at = now() where id = ${api.network.id}`,
    key,
    { method: 'POST', url, payload: { serial: 'CP-1' } },
  );
  t.match(answer, { status: 404, json: { error: { code: 'NETWORK_NOT_FOUND' } } });
});
