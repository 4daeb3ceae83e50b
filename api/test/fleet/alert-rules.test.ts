import t from 'tap';
import { alertKinds } from '#shared/domain/fleet/alert.ts';
import { quietUntil } from '#shared/domain/fleet/quiet-hours.ts';
import { items, type Json, mintKey } from '#api/test/support/fixtures.ts';
import { addOperator, alertScene, connectedSite } from '#api/test/support/alert-scene.ts';

const url = '/cpms/v1/alert-rules';
const mutes = '/cpms/v1/alert-mutes';
const soon = () => new Date(Date.now() + 3_600_000).toISOString();
const at = (time: string) => new Date(`2026-11-24T${time}Z`);
const failure = (status: number, code: string) => ({ status, json: { error: { code } } });

void t.test('lists the rules of all kinds with their defaults', async (t) => {
  const { api, key } = await alertScene(t);
  const rules = items((await api.call(key, { url })).json['data']);
  t.same(
    rules.map(({ kind }) => kind),
    alertKinds.filter((kind) => kind !== 'gateway-spooling'),
  );
  t.same(rules[0], {
    kind: 'charger-offline',
    networkId: api.network.id,
    isDefault: true,
    enabled: true,
    severity: 'warning',
    thresholds: { offlineMinutes: 15 },
    notify: true,
    recipients: null,
    groupWindowSeconds: 120,
    quietHours: null,
    escalateAfterMinutes: null,
    escalateTo: [],
    updatedAt: null,
  });
  t.match(rules[1], {
    kind: 'location-offline',
    severity: 'critical',
    thresholds: { offlineMinutes: 5, offlineSharePercent: 50, offlineChargers: 3, windowMinutes: 5 },
  });
});

void t.test('stores a rule, replaces it and resets it to the defaults', async (t) => {
  const scene = await alertScene(t);
  const { api, key } = scene;
  const operatorId = await addOperator(scene, 'ada@north.example');
  const put = (payload: object) => api.call(key, { method: 'PUT', url: `${url}/location-offline`, payload });
  const full = {
    enabled: false,
    severity: 'warning',
    thresholds: { offlineSharePercent: 80 },
    notify: false,
    recipients: [{ operatorId }, { email: 'oncall@north.example', language: 'de' }],
    groupWindowSeconds: 0,
    quietHours: { from: '22:00', to: '06:30' },
    escalateAfterMinutes: 15,
    escalateTo: [{ email: 'boss@north.example' }],
  };
  const stored = await put(full);
  t.match(stored, {
    status: 200,
    json: {
      data: {
        ...full,
        isDefault: false,
        thresholds: { offlineMinutes: 5, offlineSharePercent: 80, offlineChargers: 3, windowMinutes: 5 },
        recipients: [
          { operatorId, email: null, language: null },
          { operatorId: null, email: 'oncall@north.example', language: 'de' },
        ],
        updatedAt: String,
      },
    },
  });
  const listed = items((await api.call(key, { url })).json['data']);
  t.same(listed[1], stored.json['data']);
  t.match((await put({ notify: false })).json['data'], { enabled: true, notify: false, recipients: null });
  const reset = await api.call(key, { method: 'DELETE', url: `${url}/location-offline` });
  t.match(reset, { status: 200, json: { data: { isDefault: true, notify: true, updatedAt: null } } });
  t.match(
    await api.stores.sql`
      select action, resource_name, network_id from audit_log where category = 'alert-rule' order by id`,
    [
      { action: 'set', resource_name: 'location-offline', network_id: api.network.id },
      { action: 'set' },
      { action: 'reset' },
    ],
  );
});

void t.test('refuses settings that do not fit the kind or the network', async (t) => {
  const scene = await alertScene(t);
  const { api, key } = scene;
  const foreign = await addOperator(scene, 'bob@south.example', { networkIds: [api.otherNetwork.id] });
  const put = (payload: object, kind = 'charger-offline') =>
    api.call(key, { method: 'PUT', url: `${url}/${kind}`, payload });
  const wrong: [object, string, string?][] = [
    [{ thresholds: { refusedStarts: 2 } }, 'thresholds.refusedStarts'],
    [{ thresholds: { offlineMinutes: 0 } }, 'thresholds.offlineMinutes'],
    [{ recipients: [{}] }, 'recipients.0'],
    [{ recipients: [{ operatorId: foreign, email: 'a@b.example' }] }, 'recipients.0'],
    [{ recipients: [{ operatorId: foreign }] }, 'recipients'],
    [{ escalateTo: [{ operatorId: foreign }] }, 'escalateTo'],
    [{ recipients: [{ email: 'no address' }] }, 'recipients.0.email'],
    [{ quietHours: { from: '22:00', to: '22:00' } }, 'quietHours.to'],
    [{ escalateAfterMinutes: 5 }, 'escalateTo'],
    [{ enabled: true }, 'kind', 'gateway-spooling'],
  ];
  for (const [payload, field, kind] of wrong) {
    const answer = await put(payload, kind);
    t.match(answer, failure(400, 'VALIDATION_FAILED'), JSON.stringify(payload));
    const [error] = items(answer.json['error']?.['details']?.['errors'] ?? answer.json['error']?.['errors']);
    t.equal(error?.['field'], field);
  }
  t.match(await put({}, 'fire'), failure(400, 'VALIDATION_FAILED'));
});

void t.test('shows rules of the whole system to unrestricted callers only', async (t) => {
  const { api, key } = await alertScene(t);
  const owner = await mintKey(api, { unrestricted: true, networkIds: [] });
  const system = `${url}?system=true`;
  t.match(await api.call(key, { url: system }), failure(403, 'NETWORK_NOT_ALLOWED'));
  const kinds = items((await api.call(owner, { url: system })).json['data']).map(({ kind }) => kind);
  t.same(kinds, ['gateway-spooling', 'api-key-expiring']);
  const put = await api.call(owner, {
    method: 'PUT',
    url: `${url}/gateway-spooling?system=true`,
    payload: { thresholds: { spoolingMinutes: 9 } },
  });
  t.match(put, { status: 200, json: { data: { networkId: null, thresholds: { spoolingMinutes: 9 } } } });
  t.match(
    await api.call(owner, { method: 'PUT', url: `${url}/charger-offline?system=true`, payload: {} }),
    failure(400, 'VALIDATION_FAILED'),
  );
  t.match(await api.call(owner, { url }), failure(400, 'VALIDATION_FAILED'), 'it has several networks');
  const both = `${system}&networkId=${api.network.uuid}`;
  t.match(await api.call(owner, { url: both }), failure(400, 'VALIDATION_FAILED'));
  t.match(await api.call(owner, { url: `${url}?networkId=${api.network.uuid}` }), { status: 200 });
});

void t.test('mutes a charger, a location or a kind until a time', async (t) => {
  const scene = await alertScene(t);
  const { api, key } = scene;
  const site = await connectedSite(scene, 'Quay', 1);
  const [charger] = await api.stores.sql<{ uuid: string }[]>`select uuid from chargers`;
  const mute = (payload: object) => api.call(key, { method: 'POST', url: mutes, payload });
  const made = await mute({
    chargerId: charger!.uuid,
    kind: 'charger-offline',
    until: soon(),
    reason: 'Works',
  });
  t.match(made, {
    status: 201,
    json: {
      data: {
        networkId: api.network.id,
        chargerId: charger!.uuid,
        locationId: null,
        kind: 'charger-offline',
        reason: 'Works',
        createdBy: 'test',
      },
    },
  });
  t.match(await mute({ locationId: site.uuid, until: soon() }), { status: 201 });
  t.match(await mute({ kind: 'charger-offline', until: soon() }), { status: 201 });
  const list = async () => items((await api.call(key, { url: mutes })).json['data']);
  t.equal((await list()).length, 3);
  const page = await api.call(key, { url: `${mutes}?pageSize=2` });
  t.equal(items(page.json['data']).length, 2);
  const next = page.json['nextCursor'] as unknown as string;
  t.match(await api.call(key, { url: `${mutes}?cursor=${next}` }), { json: { data: [made.json['data']] } });
  const id = made.json['data']?.['id'] as unknown as string;
  const remove = () => api.call(key, { method: 'DELETE', url: `${mutes}/${id}` });
  t.match(await remove(), { status: 200, json: { data: { id, deleted: true } } });
  t.match(await remove(), failure(404, 'ALERT_MUTE_NOT_FOUND'));
  await api.stores.sql`update alert_mutes set until = now() - interval '1 minute'`;
  t.same(await list(), [], 'those that are over are not listed');

  const unknown = '123e4567-e89b-42d3-a456-426614174000';
  const year = new Date(Date.now() + 365 * 86_400_000).toISOString();
  t.match(await mute({ until: soon() }), failure(400, 'VALIDATION_FAILED'));
  t.match(await mute({ kind: 'charger-offline', until: year }), failure(400, 'VALIDATION_FAILED'));
  t.match(
    await mute({ kind: 'charger-offline', until: '2020-01-01T00:00:00Z' }),
    failure(400, 'VALIDATION_FAILED'),
  );
  t.match(await mute({ chargerId: unknown, until: soon() }), failure(404, 'CHARGER_NOT_FOUND'));
  t.match(await mute({ locationId: unknown, until: soon() }), failure(404, 'LOCATION_NOT_FOUND'));
  const owner = await mintKey(api, { unrestricted: true, networkIds: [] });
  const asOwner = (payload: object) => api.call(owner, { method: 'POST', url: mutes, payload });
  t.match(
    await asOwner({ networkId: api.otherNetwork.uuid, chargerId: charger!.uuid, until: soon() }),
    failure(400, 'VALIDATION_FAILED'),
    'the charger is of another network',
  );
  t.match(
    await asOwner({ networkId: unknown, kind: 'charger-offline', until: soon() }),
    failure(404, 'NETWORK_NOT_FOUND'),
  );
});

void t.test('takes more mutes at once than the pool has connections', async (t) => {
  const { api, key } = await alertScene(t);
  const payload = { kind: 'clock-wrong', until: soon(), networkId: api.network.uuid };
  const mute = () => api.call(key, { method: 'POST', url: mutes, payload });
  const answers = await Promise.all(Array.from({ length: 12 }, mute));
  t.strictSame(
    answers.filter(({ status }) => status !== 201),
    [],
  );
});

void t.test('keeps rules and mutes from other networks, drivers and keys without the scope', async (t) => {
  const scene = await alertScene(t);
  const { api, key } = scene;
  await connectedSite(scene, 'Quay', 1);
  const [charger] = await api.stores.sql<{ uuid: string }[]>`select uuid from chargers`;
  const made = await api.call(key, {
    method: 'POST',
    url: mutes,
    payload: { kind: 'charger-offline', until: soon() },
  });
  const id = made.json['data']?.['id'] as unknown as string;
  const inNetwork = `?networkId=${api.network.uuid}`;
  const requests = [
    { url: `${url}${inNetwork}`, foreign: [404, 'NETWORK_NOT_FOUND'], isRead: true },
    {
      method: 'PUT',
      url: `${url}/charger-offline${inNetwork}`,
      payload: {},
      foreign: [404, 'NETWORK_NOT_FOUND'],
    },
    { method: 'DELETE', url: `${url}/charger-offline${inNetwork}`, foreign: [404, 'NETWORK_NOT_FOUND'] },
    { url: `${mutes}${inNetwork}`, foreign: [404, 'NETWORK_NOT_FOUND'], isRead: true },
    {
      method: 'POST',
      url: mutes,
      payload: { chargerId: charger!.uuid, until: soon() },
      foreign: [404, 'CHARGER_NOT_FOUND'],
    },
    { method: 'DELETE', url: `${mutes}/${id}`, foreign: [404, 'ALERT_MUTE_NOT_FOUND'] },
  ] as const;
  const other = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const reader = await mintKey(api, { scopes: ['cpms:read:alerts'] });
  const poor = await mintKey(api, { scopes: ['cpms:read:chargers'] });
  const driver = await mintKey(api, { apiFamily: 'emsp', scopes: [] });
  for (const { foreign, ...request } of requests) {
    const isRead = 'isRead' in request;
    const { isRead: _isRead, ...plain } = { isRead, ...request };
    const call = (as: string | null) => api.call(as, plain);
    t.match(await call(other), failure(foreign[0], foreign[1]), request.url);
    t.match(await call(null), failure(401, 'KEY_MISSING'));
    t.match(await call(poor), failure(403, 'SCOPE_MISSING'));
    t.match(await call(driver), failure(403, 'API_FAMILY_MISMATCH'));
    t.equal((await call(reader)).status, isRead ? 200 : 403);
  }
  const seen = (await api.call(other, { url: mutes })).json['data'] as unknown as Json[];
  t.same(seen, []);
});

void t.test('determines the end of quiet hours in the time zone of the network', async (t) => {
  const quiet = { from: '22:00', to: '06:00' };
  const end = (time: string, zone = 'UTC') => quietUntil(quiet, zone, at(time))?.toISOString() ?? null;
  t.equal(end('21:59:59'), null);
  t.equal(end('22:00:30'), '2026-11-25T06:00:00.000Z');
  t.equal(end('05:59:00'), '2026-11-24T06:00:00.000Z');
  t.equal(end('06:00:00'), null);
  t.equal(end('21:30:00', 'Europe/Amsterdam'), '2026-11-25T05:00:00.000Z');
  t.equal(
    quietUntil({ from: '12:00', to: '13:00' }, 'UTC', at('12:30:00'))?.toISOString(),
    at('13:00:00').toISOString(),
  );
  t.equal(quietUntil({ from: '12:00', to: '13:00' }, 'UTC', at('11:59:00')), null);
});
