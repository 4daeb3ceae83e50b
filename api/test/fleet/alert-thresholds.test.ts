import t from 'tap';
import { watchForAlerts } from '#api/jobs/alerts.job.ts';
import { alertScene, connectedCharger, connectedSite, cutOff } from '#api/test/support/alert-scene.ts';
import { items, type Json, mintKey, type TestApi } from '#api/test/support/fixtures.ts';
import { thresholdMetricNames } from '#shared/domain/fleet/alert-threshold.ts';

const base = '/cpms/v1/alert-thresholds';
const text = (json: Json | undefined) => json as unknown as string;

const offline = {
  name: 'Many offline',
  metric: 'chargers-offline',
  comparison: 'above',
  value: 20,
  forMinutes: 10,
  severity: 'critical',
};

async function addThreshold(api: TestApi, key: string, payload: object = offline): Promise<string> {
  const answer = await api.call(key, { method: 'POST', url: base, payload });
  if (answer.status !== 201) throw new Error(answer.text);
  return text(answer.json['data']?.['id']);
}

void t.test('opens an alert when a metric exceeds the value for long enough, and resolves it', async (t) => {
  const scene = await alertScene(t);
  const { api, key } = scene;
  const { sql } = api.stores;
  const id = await addThreshold(api, key);
  const site = await connectedSite(scene, 'Quay', 10);
  const read = async () => (await api.call(key, { url: `${base}/${id}` })).json['data'];
  await scene.watch();
  t.match(await read(), { measuredValue: 0, measuredAt: String, exceededSince: null });
  await cutOff(scene, site.id, { chargers: 2 });
  await scene.watch();
  t.match(await read(), { measuredValue: 20, exceededSince: null }, 'the value itself does not exceed it');
  await cutOff(scene, site.id, { chargers: 3 });
  await scene.watch();
  t.match(await read(), { measuredValue: 30, exceededSince: String });
  t.same(await scene.list('?kind=threshold'), [], 'not before its time');
  await sql`update alert_thresholds set exceeded_since = exceeded_since - interval '10 minutes'`;
  await scene.watch();
  t.match(await scene.list('?kind=threshold'), [
    {
      status: 'open',
      severity: 'critical',
      resourceType: 'threshold',
      resourceId: id,
      resourceName: 'Many offline',
      message: 'Many offline: 30 is above 20.',
      details: { metric: 'chargers-offline', unit: '%', comparison: 'above', value: 20, measured: 30 },
    },
  ]);
  await scene.watch();
  t.equal((await scene.list('?kind=threshold')).length, 1, 'one alert while it lasts');
  await sql`update chargers set disconnected_at = null`;
  await scene.watch();
  t.same(await scene.states('?kind=threshold'), ['threshold resolved']);
});

void t.test('begins its time again when the metric recovers in between', async (t) => {
  const scene = await alertScene(t);
  const { api, key } = scene;
  const { sql } = api.stores;
  await addThreshold(api, key, { ...offline, forMinutes: 1 });
  const site = await connectedSite(scene, 'Quay', 3);
  await cutOff(scene, site.id);
  await scene.watch();
  await sql`update alert_thresholds set exceeded_since = exceeded_since - interval '50 seconds'`;
  await sql`update chargers set disconnected_at = null`;
  await scene.watch();
  await cutOff(scene, site.id);
  await scene.watch();
  await sql`update alert_thresholds set exceeded_since = exceeded_since - interval '50 seconds'`;
  await scene.watch();
  t.same(await scene.list('?kind=threshold'), []);
});

void t.test('compares below a value, and names a network without data 0', async (t) => {
  const scene = await alertScene(t);
  await addThreshold(scene.api, scene.key, {
    name: 'Nothing charges',
    metric: 'power',
    comparison: 'below',
    value: 1.5,
    forMinutes: 0,
  });
  await scene.watch();
  t.match(await scene.list('?kind=threshold'), [{ message: 'Nothing charges: 0 is below 1.5.' }]);
});

void t.test('measures each metric', async (t) => {
  const scene = await alertScene(t);
  const { api, key } = scene;
  const { sql } = api.stores;
  for (const metric of thresholdMetricNames)
    await addThreshold(api, key, { ...offline, name: metric, metric, value: 1000 });
  const charger = await connectedCharger(scene, 'CP-1');
  await connectedCharger(scene, 'CP-2');
  const [row] = await sql<{ id: number }[]>`select id from chargers where uuid = ${charger}`;
  const { id } = row!;
  const networkId = api.network.id;
  await sql`update chargers set station_status = 'Faulted' where id = ${id}`;
  await sql`
    insert into rejected_connections (identity, reason, charger_id, remote_address, attempts, first_at, last_at)
    values ('CP-1', 'wrong-password', ${id}, '192.0.2.1', 7, now(), now() + interval '1 second')`;
  const [connector] = await sql<{ id: number }[]>`
    insert into connectors (charger_id, number, evse_number) values (${id}, 1, 1) returning id`;
  await sql`
    insert into sessions (network_id, charger_id, connector_id, ocpp_transaction_id, start_key, status, authorization_status,
      started_at, start_received_at, ended_at, meter_start_wh, power_w, price_state, flags, currency)
    select ${networkId}, ${id}, ${connector!.id}, key, key, status, authorized, now(), now(), ended_at, 0, power, price, flags, 'EUR'
    from (values
      ('one', 'ACTIVE', 'Blocked', null::timestamptz, 7000.0, 'PENDING', '{cost-pending}'::text[]),
      ('two', 'COMPLETED', 'Accepted', now() - interval '2 hours', null, 'REVIEW', '{implausible}')
    ) s(key, status, authorized, ended_at, power, price, flags)`;
  await watchForAlerts(api.deps);
  const listed = items((await api.call(key, { url: base })).json['data']);
  const values = Object.fromEntries(
    listed.map(({ metric, measuredValue }) => [text(metric), Math.round(Number(measuredValue))]),
  );
  t.same(values, {
    'chargers-offline': 0,
    'chargers-faulted': 50,
    'chargers-rejected': 1,
    'starts-failed': 1,
    'sessions-in-review': 1,
    'review-age': 2,
    'sessions-running': 1,
    power: 7,
  });
});

void t.test('creates, changes and deletes a threshold with its version', async (t) => {
  const { api, key } = await alertScene(t);
  const id = await addThreshold(api, key, {
    name: 'Reviews wait',
    metric: 'review-age',
    comparison: 'above',
    value: 24,
  });
  const url = `${base}/${id}`;
  t.match(await api.call(key, { url }), {
    status: 200,
    headers: { etag: '"1"' },
    json: { data: { forMinutes: 10, severity: 'warning', isEnabled: true, networkUuid: api.network.uuid } },
  });
  const change = (payload: object, headers = {}) => api.call(key, { method: 'PATCH', url, payload, headers });
  t.match(await change({ value: 48, isEnabled: false }), {
    status: 200,
    headers: { etag: '"2"' },
    json: { data: { value: 48, isEnabled: false, name: 'Reviews wait' } },
  });
  t.match(await change({ value: 1 }, { 'if-match': '"1"' }), { status: 412 });
  for (const wrong of [{}, { metric: 'cpu' }, { comparison: 'equals' }, { value: -1 }, { forMinutes: 0.5 }])
    t.match(await change(wrong), { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
  t.match(await api.call(key, { method: 'DELETE', url }), { status: 200 });
  t.match(await api.call(key, { url }), {
    status: 404,
    json: { error: { code: 'ALERT_THRESHOLD_NOT_FOUND' } },
  });
});

void t.test('opens the alert of a threshold again that was off or waits longer', async (t) => {
  const scene = await alertScene(t);
  const { api, key } = scene;
  const nothing = { name: 'Idle', metric: 'sessions-running', comparison: 'below', value: 1, forMinutes: 0 };
  const url = `${base}/${await addThreshold(api, key, nothing)}`;
  const change = async (payload: object) => {
    await api.call(key, { method: 'PATCH', url, payload });
    await scene.watch();
  };
  await scene.watch();
  await change({ isEnabled: false });
  await change({ isEnabled: true });
  t.same((await scene.states('?kind=threshold')).toSorted(), ['threshold open', 'threshold resolved']);
  await change({ forMinutes: 5 });
  t.same(await scene.states('?kind=threshold'), ['threshold resolved', 'threshold resolved']);
  // The former alerts are older by that time too.
  await api.stores.sql`update alert_thresholds set exceeded_since = exceeded_since - interval '5 minutes'`;
  await api.stores.sql`
    update alerts set occurred_at = occurred_at - interval '1 hour', last_occurred_at = last_occurred_at - interval '1 hour'`;
  await scene.watch();
  t.match(new Set(await scene.states('?kind=threshold')), new Set(['threshold open', 'threshold resolved']));
});

void t.test('resolves the alert of a threshold that is changed or deleted', async (t) => {
  const scene = await alertScene(t);
  const { api, key } = scene;
  const nothing = { name: 'Idle', metric: 'sessions-running', comparison: 'below', value: 1, forMinutes: 0 };
  const id = await addThreshold(api, key, nothing);
  await scene.watch();
  t.same(await scene.states('?kind=threshold'), ['threshold open']);
  const url = `${base}/${id}`;
  await api.call(key, { method: 'PATCH', url, payload: { comparison: 'above' } });
  await scene.watch();
  t.same(await scene.states('?kind=threshold'), ['threshold resolved']);
  await api.call(key, { method: 'PATCH', url, payload: { comparison: 'below' } });
  await scene.watch();
  await api.call(key, { method: 'DELETE', url });
  await scene.watch();
  t.same(await scene.states('?kind=threshold'), ['threshold resolved', 'threshold resolved']);
});

void t.test('measures each network by itself, and serves no other tenant', async (t) => {
  const scene = await alertScene(t);
  const { api, key } = scene;
  const id = await addThreshold(api, key, { ...offline, forMinutes: 0 });
  const site = await connectedSite(scene, 'South', 3, api.otherNetwork.id);
  await cutOff(scene, site.id);
  await scene.watch();
  t.same(await scene.list('?kind=threshold'), [], 'chargers of another network do not count');
  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const reader = await mintKey(api, { scopes: ['cpms:read:alerts'] });
  for (const request of [
    { method: 'GET', url: `${base}/${id}` },
    { method: 'PATCH', url: `${base}/${id}`, payload: { value: 1 } },
    { method: 'DELETE', url: `${base}/${id}` },
  ] as const) {
    t.match(await api.call(foreign, request), { status: 404 });
    t.match(await api.call(null, request), { status: 401 });
    if (request.method !== 'GET') t.match(await api.call(reader, request), { status: 403 });
  }
  t.same(items((await api.call(foreign, { url: base })).json['data']), []);
});
