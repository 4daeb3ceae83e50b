import t from 'tap';
import { startSession } from '#api/test/support/records.ts';
import { loadSite } from '#api/test/support/load-site.ts';
import { type Json, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { seedCharger, seedConnection, seedNetwork } from '#shared/testing/seed.ts';

const sites = '/cpms/v1/load-sites';
const shared = await startTestApi(t);

/** A network of its own with a charger of three connectors, and its site. */
async function withSite(connectors = 3) {
  const { sql } = shared.stores;
  const network = await seedNetwork(sql);
  const api: TestApi = { ...shared, network };
  const charger = await seedCharger(sql, network.id, { connectors });
  const rows = await sql<{ uuid: string }[]>`
    select uuid from connectors where charger_id = ${charger.id} order by number`;
  const ids = rows.map(({ uuid }) => uuid);
  const key = await mintKey(api);
  const made = await api.call(key, { method: 'POST', url: sites, payload: loadSite(...ids) });
  const url = `${sites}/${made.json['data']?.['id'] as unknown as string}`;
  return { api, key, ids, charger, made, url };
}

void t.test('stores a site, and replaces its tree as a whole', async (t) => {
  const { api, key, ids, made, url } = await withSite();
  t.match(made, {
    status: 201,
    json: {
      data: {
        isEnabled: false,
        timeZone: 'UTC',
        settings: { strategy: 'equal', minOnSeconds: 300, turnSeconds: 900 },
        circuits: [
          { id: 'grid', parentId: null, otherLoad: { kind: 'metered', amps: [20, 20, 20] } },
          { id: 'board-a', parentId: 'grid' },
          { id: 'board-b', amps: [16, 16, 16] },
        ],
        connectors: ids.map((connectorId, index) => ({
          connectorId,
          connectorNumber: index + 1,
          rotation: 'RST',
          fallbackAmps: 6,
          voltage: 230,
          setAsideAt: null,
        })),
      },
    },
  });
  t.match((await api.call(key, { url })).json['data'], made.json['data'] ?? {});
  t.match((await api.call(key, { url: sites })).json['data'], [
    { name: 'Quay', circuits: 3, connectors: 3, gridAmps: [63, 63, 63], setAside: 0 },
  ]);
  const patch = (payload: object) => api.call(key, { method: 'PATCH', url, payload });
  const { circuits, connectors } = loadSite(ids[1] ?? '', ids[0] ?? '');
  const changed = await patch({
    isEnabled: true,
    settings: { strategy: 'priority' },
    circuits: circuits.slice(0, 2),
    connectors: connectors.map((connector) => ({
      ...connector,
      rotation: null,
      priority: 2,
      quirks: ['tx-default-only'],
    })),
  });
  t.match(changed, {
    status: 200,
    json: {
      data: {
        name: 'Quay',
        isEnabled: true,
        settings: { strategy: 'priority', minOnSeconds: 300 },
        circuits: [{ id: 'grid' }, { id: 'board-a' }],
        connectors: [
          { connectorId: ids[1], rotation: null, priority: 2, quirks: ['tx-default-only'] },
          { connectorId: ids[0], quirks: ['tx-default-only'] },
        ],
      },
    },
  });
  t.equal((await api.call(key, { method: 'DELETE', url })).status, 200);
  t.match(await api.call(key, { url }), { status: 404, json: { error: { code: 'LOAD_SITE_NOT_FOUND' } } });
});

/** Answer to a tree with one problem. */
const refused = (kind: string, circuitId: string) => ({
  status: 422,
  code: 'LOAD_SITE_UNSAFE',
  problems: [{ kind, circuitId, message: new RegExp(circuitId) }],
});

void t.test('refuses an unsafe tree, and names the circuit', async (t) => {
  const { api, key, ids, url } = await withSite();
  const tree = loadSite(...ids);
  const problemsOf = async (payload: object) => {
    const { status, json } = await api.call(key, { method: 'PATCH', url, payload });
    const { code, details } = (json['error'] ?? {}) as { code?: string; details?: { problems?: Json[] } };
    return { status, code, problems: details?.problems };
  };
  const at = (index: number, change: object) =>
    tree.circuits.map((circuit, own) => (own === index ? { ...circuit, ...change } : circuit));
  t.match(
    await problemsOf({ circuits: at(1, { amps: [17, 17, 17] }) }),
    refused('fallbacks-exceed-limit', 'board-a'),
  );
  t.match(
    await problemsOf({ circuits: at(1, { parentId: 'cellar' }) }),
    refused('unknown-parent', 'board-a'),
  );
  t.match(await problemsOf({ circuits: at(2, { parentId: 'board-b' }) }), refused('cycle', 'board-b'));
  t.match(
    await problemsOf({ circuits: at(1, { schedule: [{ fromMinute: 0, toMinute: 60, amps: [5, 5, 5] }] }) }),
    refused('fallbacks-exceed-limit', 'board-a'),
    'a limit of a part of the day counts',
  );
  const wired = (change: object) => ({
    connectors: tree.connectors.map((connector) => ({ ...connector, ...change })),
  });
  t.match(await problemsOf(wired({ rotation: 'RXT' })), { status: 400, code: 'VALIDATION_FAILED' });
  t.match(
    await problemsOf({ connectors: [...tree.connectors, tree.connectors[0]] }),
    { status: 400 },
    'listed twice',
  );
  const other = await seedCharger(shared.stores.sql, (await seedNetwork(shared.stores.sql)).id, {
    connectors: 1,
  });
  const [foreign] = await shared.stores.sql<
    { uuid: string }[]
  >`select uuid from connectors where charger_id = ${other.id}`;
  t.match(await problemsOf({ connectors: [{ ...tree.connectors[0], connectorId: foreign?.uuid }] }), {
    status: 400,
  });
  const second = { ...loadSite(ids[0] ?? ''), name: 'Second' };
  t.match(await api.call(key, { method: 'POST', url: sites, payload: second }), {
    status: 422,
    json: {
      error: { details: { problems: [{ kind: 'other-site', circuitId: 'board-a', connectorId: ids[0] }] } },
    },
  });
  t.match((await api.call(key, { url })).json['data'], { version: 1 }, 'nothing was stored');
});

void t.test('keeps the target of an external bound until the bound is deleted', async (t) => {
  const { api, key, ids, url } = await withSite();
  const put = (id: string, payload: object) =>
    api.call(key, { method: 'PUT', url: `${url}/bounds/${id}`, payload });
  const dim = { source: 'grid-operator', circuitId: 'board-b', amps: [6, 6, 6] };
  t.match(await put('dim', dim), {
    status: 200,
    json: { data: { bounds: [{ id: 'dim', circuitId: 'board-b', connectorId: null, validUntil: null }] } },
  });
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const ofConnector = { source: 'price', connectorId: ids[0], amps: [8, 8, 8], validUntil: until };
  t.match((await put('price', ofConnector)).json['data']?.['bounds'], [
    { id: 'dim' },
    { id: 'price', connectorId: ids[0], validUntil: until },
  ]);
  const wrong: [object, string][] = [
    [{ ...dim, circuitId: 'cellar' }, 'circuitId'],
    [{ ...dim, connectorId: ids[0] }, 'circuitId'],
    [{ ...dim, validUntil: '2020-01-01T00:00:00Z' }, 'validUntil'],
  ];
  for (const [payload, field] of wrong) {
    t.match(await put('wrong', payload), {
      status: 400,
      json: { error: { details: { errors: [{ field }] } } },
    });
  }
  const circuits = loadSite().circuits.slice(0, 2);
  t.match(await api.call(key, { method: 'PATCH', url, payload: { circuits } }), {
    status: 400,
    json: { error: { message: /board-b.*dim/ } },
  });
  const { sql } = shared.stores;
  await sql`update load_bounds set valid_until = now() where id = 'dim' and circuit_id = 'board-b'`;
  t.equal((await api.call(key, { method: 'PATCH', url, payload: { circuits } })).status, 200, 'it has ended');
  t.match(await api.call(key, { method: 'DELETE', url: `${url}/bounds/dim` }), {
    status: 404,
    json: { error: { code: 'LOAD_BOUND_NOT_FOUND' } },
  });
});

void t.test(
  'keeps charging connectors and their profiles under control while the site is enabled',
  async (t) => {
    const { api, key, ids, charger, url } = await withSite();
    const patch = (payload: object) => api.call(key, { method: 'PATCH', url, payload });
    const profiles = `/cpms/v1/chargers/${charger.uuid}/charging-profiles`;
    const clear = async () => (await api.call(key, { method: 'DELETE', url: profiles })).json['error'];
    t.match(await clear(), { code: 'CHARGER_OFFLINE' });
    t.equal((await patch({ isEnabled: true })).status, 200);
    t.match(await clear(), { code: 'CHARGER_LOAD_MANAGED' });
    const payload = {
      connectorNumber: 1,
      stackLevel: 1,
      purpose: 'TxDefault',
      kind: 'Relative',
      rateUnit: 'A',
      periods: [{ startSeconds: 0, limit: 32 }],
    };
    t.match(await api.call(key, { method: 'POST', url: profiles, payload }), {
      status: 409,
      json: { error: { code: 'CHARGER_LOAD_MANAGED' } },
    });
    const raw = (action: string, body: object) =>
      api.call(key, {
        method: 'POST',
        url: `/cpms/v1/chargers/${charger.uuid}/ocpp/${action}`,
        payload: body,
      });
    const managed = { status: 409, json: { error: { code: 'CHARGER_LOAD_MANAGED', message: /Quay/ } } };
    for (const action of [
      'SetChargingProfile',
      'ClearChargingProfile',
      'UpdateDynamicSchedule',
      'UsePriorityCharging',
    ])
      t.match(await raw(action, {}), managed, action);
    t.match(await raw('RemoteStartTransaction', { idTag: 'A', chargingProfile: {} }), managed);
    t.match((await raw('RemoteStartTransaction', { idTag: 'A' })).json['error'], { code: 'CHARGER_OFFLINE' });
    await startSession(shared.stores.sql, { chargerUuid: charger.uuid });
    const inUse = { status: 409, json: { error: { code: 'LOAD_SITE_IN_USE', message: /connector 1 / } } };
    const { connectors } = loadSite(...ids);
    t.match(await patch({ connectors: connectors.slice(1) }), inUse);
    const tenths = connectors.slice(0, 2).map((connector) => ({ ...connector, maxAmps: 16.3 }));
    t.equal((await patch({ connectors: tenths })).status, 200, 'one without a session');
    const wrong = tenths.map((connector) => ({ ...connector, maxAmps: 16.35 }));
    t.match(await patch({ connectors: wrong }), { status: 400 });
    await shared.stores.sql`update connectors set power_type = 'DC' where charger_id = ${charger.id}`;
    t.match(await patch({ connectors: tenths.slice(0, 1) }), {
      status: 422,
      json: { error: { details: { problems: [{ kind: 'direct-current', connectorId: ids[0] }] } } },
    });
    await seedConnection(shared.stores.sql, charger.uuid);
    t.match(await patch({ connectors: tenths.slice(0, 1) }), {
      status: 409,
      json: { error: { code: 'LOAD_SITE_IN_USE', message: /is connected/ } },
    });
  },
);

void t.test('hides sites from another network, a driver and keys without the scope', async (t) => {
  const { api, key, ids, url } = await withSite();
  const connector = `${url}/connectors/${ids[0]}/release`;
  const reading = { readings: [{ amps: [1, 1, 1] }] };
  const period = 'from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z';
  const requests = [
    { url },
    { url: `${url}/plan` },
    { url: `${url}/circuits/grid/history?${period}` },
    { method: 'PATCH', url, payload: { name: 'Mine' } },
    { method: 'DELETE', url },
    {
      method: 'PUT',
      url: `${url}/bounds/dim`,
      payload: { source: 'price', circuitId: 'grid', amps: [0, 0, 0] },
    },
    { method: 'DELETE', url: `${url}/bounds/dim` },
    { method: 'POST', url: connector },
    { method: 'POST', url: `${url}/simulate`, payload: { connectors: [] } },
    { method: 'PUT', url: `${url}/circuits/grid/meter`, payload: reading },
  ] as const;
  const foreign = await mintKey(api, { networkIds: [(await seedNetwork(shared.stores.sql)).id] });
  const driver = await mintKey(api, { apiFamily: 'emsp' });
  const meter = await mintKey(api, { scopes: ['cpms:write:load-meters'] });
  for (const request of requests) {
    const name = `${'method' in request ? request.method : 'GET'} ${request.url}`;
    t.equal((await api.call(foreign, request)).status, 404, name);
    t.equal((await api.call(null, request)).status, 401, name);
    t.match((await api.call(driver, request)).status, 403, name);
    const isMeter = request.url.endsWith('/meter');
    t.equal((await api.call(meter, request)).status, isMeter ? 200 : 403, name);
  }
  t.same((await api.call(foreign, { url: sites })).json['data'], []);
  t.match((await api.call(key, { url })).json['data'], { name: 'Quay', bounds: [] });
});
