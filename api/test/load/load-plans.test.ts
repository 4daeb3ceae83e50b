import t from 'tap';
import { watchForAlerts } from '#api/jobs/alerts.job.ts';
import { readPlan, serveSite } from '#api/services/load/site-bus.ts';
import { startSession } from '#api/test/support/records.ts';
import { loadSite } from '#api/test/support/load-site.ts';
import { items, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { insertLoadMinutes } from '#shared/clickhouse/load-minutes.queries.ts';
import { onlyNetworks } from '#shared/domain/access/tenancy.ts';
import { LoadMinutes } from '#shared/domain/load/load-minutes.ts';
import type { PublishedPlan } from '#shared/domain/load/published-plan.ts';
import type { SiteReading } from '#shared/domain/load/site-channels.ts';
import { findLoadSite } from '#shared/postgres/load/load-sites.statements.ts';
import { setAside, storeConditions } from '#shared/postgres/load/site-state.statements.ts';
import { seedCharger, seedNetwork } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';

const sites = '/cpms/v1/load-sites';
const shared = await startTestApi(t);

async function withSite(change: object = {}) {
  const { sql } = shared.stores;
  const network = await seedNetwork(sql);
  const api: TestApi = { ...shared, network };
  const charger = await seedCharger(sql, network.id, { connectors: 3 });
  const rows = await sql<{ uuid: string }[]>`
    select uuid from connectors where charger_id = ${charger.id} order by number`;
  const ids = rows.map(({ uuid }) => uuid);
  const key = await mintKey(api);
  const addSession = () => startSession(sql, { chargerUuid: charger.uuid });
  const payload = { ...loadSite(...ids), isEnabled: true, ...change };
  const made = await api.call(key, { method: 'POST', url: sites, payload });
  const uuid = made.json['data']?.['id'] as unknown as string;
  return { api, key, ids, uuid, url: `${sites}/${uuid}`, addSession };
}

const published = (siteId: string, connectorId: string, at: number): PublishedPlan => ({
  siteId,
  at,
  connectors: [
    {
      connectorId,
      amps: 10,
      targetAmps: 12,
      boundAmps: 16,
      drawnAmps: 9.5,
      reason: { kind: 'circuit', circuitId: 'board-a', phase: 1 },
      isOnline: true,
      isConfirmed: false,
      drawnPhases: 3,
      demand: {
        arrivedAt: at,
        priority: 1,
        departsAt: at + 3_600_000,
        neededWh: 12_000,
        mode: { kind: 'charging', since: at },
      },
    },
  ],
  lines: [{ circuitId: 'grid', phase: 0, limitAmps: 63, otherAmps: 8, loadAmps: 17.5, boundAmps: 24 }],
  meters: [{ circuitId: 'grid', amps: [17.5, 2, 3], at }],
  problems: [],
  lostMeters: [],
});

void t.test(
  'shows the plan of the process that controls the site, and passes readings and changes to it',
  async (t) => {
    const { api, key, ids, uuid, url } = await withSite();
    const get = async () => (await api.call(key, { url: `${url}/plan` })).json['data'];
    t.same(await get(), { isEnabled: true, plan: null }, 'no process controls it');
    const readings: SiteReading[] = [];
    let changes = 0;
    const at = Date.UTC(2026, 0, 31, 12);
    const stop = await serveSite(api.shard, uuid, {
      onReadings: (received) => readings.push(...received),
      onChange: () => (changes += 1),
      plan: () => published(uuid, ids[0] ?? '', at),
    });
    t.teardown(stop);
    t.match(await get(), {
      plan: {
        at: '2026-01-31T12:00:00.000Z',
        connectors: [
          {
            limitAmps: 10,
            reason: { kind: 'circuit', circuitId: 'board-a', phase: 'L2', source: null },
            hasCar: true,
            neededKwh: 12,
            departsAt: '2026-01-31T13:00:00.000Z',
          },
        ],
        lines: [{ circuitId: 'grid', phase: 'L1', loadAmps: 17.5 }],
        meters: [{ circuitId: 'grid', amps: [17.5, 2, 3] }],
      },
    });
    const put = (circuit: string, sent: object[]) =>
      api.call(key, { method: 'PUT', url: `${url}/circuits/${circuit}/meter`, payload: { readings: sent } });
    const [older, newer] = [new Date(at).toISOString(), new Date(at + 1000).toISOString()];
    const batch = [
      { amps: [2, 2, 2], at: newer },
      { amps: [1, 1, 1], at: older },
    ];
    t.match(await put('grid', batch), { status: 200, json: { data: { received: 2, isCredible: true } } });
    t.match(
      await put('grid', [{ amps: [14_000, 0, 0] }]),
      { status: 200, json: { data: { isCredible: false } } },
      'W as A',
    );
    await until('the readings arrive', () => readings.length === 3);
    t.same(
      readings.map(({ amps }) => amps[0]),
      [1, 2, 14_000],
      'in the order of time',
    );
    t.match(await put('board-a', [{ amps: [1, 1, 1] }]), {
      status: 409,
      json: { error: { code: 'LOAD_CIRCUIT_UNMETERED' } },
    });
    t.match(await put('cellar', [{ amps: [1, 1, 1] }]), {
      status: 404,
      json: { error: { code: 'LOAD_CIRCUIT_NOT_FOUND' } },
    });
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    t.match(await put('grid', [{ amps: [1, 1, 1], at: ahead }]), { status: 400 });
    await api.call(key, { method: 'PATCH', url, payload: { isEnabled: false } });
    await until('the change arrives', () => changes === 1);
    t.same(await get(), { isEnabled: false, plan: null });
    await stop();
    t.equal(await readPlan(api.bus, uuid), null);
  },
);

void t.test('shows a driver why the car charges slowly', async (t) => {
  const { api, ids, uuid, addSession } = await withSite();
  const { sql } = shared.stores;
  const session = await addSession();
  const driver = await mintKey(api, { apiFamily: 'emsp' });
  const read = async () => {
    const { json } = await api.call(driver, { url: `/emsp/v1/charging/sessions/${session.uuid}` });
    return json['chargingLimit'];
  };
  t.equal(await read(), null, 'no process controls the site');
  const plan = published(uuid, ids[0] ?? '', Date.UTC(2026, 0, 31, 12));
  const [connector] = plan.connectors;
  const stop = await serveSite(api.shard, uuid, {
    onReadings: () => undefined,
    onChange: () => undefined,
    plan: () => plan,
  });
  t.teardown(stop);
  t.same(await read(), { limitKw: 6.9, reason: 'shared', at: '2026-01-31T12:00:00.000Z' });
  if (connector !== undefined) connector.reason = { kind: 'full' };
  t.equal(await read(), null, 'the car has all that the connector can deliver');
  await sql`update load_sites set is_enabled = false where uuid = ${uuid}`;
  if (connector !== undefined) connector.reason = { kind: 'waiting' };
  t.equal(await read(), null, 'the site is not controlled');
});

void t.test('releases a connector that was set aside', async (t) => {
  const { api, key, ids, uuid, url } = await withSite();
  const { sql } = api.stores;
  const stored = await findLoadSite(sql, onlyNetworks([api.network.id]), uuid);
  const at = new Date('2026-01-31T12:00:00Z');
  await setAside(sql, stored?.id ?? 0, stored?.connectors[1]?.connectorId ?? 0, at);
  const states = async () =>
    items((await api.call(key, { url })).json['data']?.['connectors']).map(({ setAsideAt }) => setAsideAt);
  await api.call(key, { method: 'PATCH', url, payload: { connectors: loadSite(...ids).connectors } });
  t.same(await states(), [null, at.toISOString(), null], 'a change of the tree keeps it aside');
  const release = (id: string) => api.call(key, { method: 'POST', url: `${url}/connectors/${id}/release` });
  t.equal((await release(ids[1] ?? '')).status, 200);
  t.same(await states(), [null, null, null]);
  t.match(await release(uuid), { status: 404, json: { error: { code: 'CONNECTOR_NOT_FOUND' } } });
});

void t.test('calculates the limits of an assumed state', async (t) => {
  const { api, key, ids, url } = await withSite();
  const simulate = async (payload: object) =>
    (await api.call(key, { method: 'POST', url: `${url}/simulate`, payload })).json['data'];
  const cars = ids.map((connectorId) => ({ connectorId }));
  const limits = (plan: Awaited<ReturnType<typeof simulate>>) =>
    items(plan?.['connectors']).map(({ limitAmps }) => limitAmps);
  const shared = await simulate({ connectors: cars });
  t.same(limits(shared), [10.6, 10.6, 10.6], 'board A of 32 A is shared');
  t.match(items(shared?.['connectors'])[0]?.['reason'], { kind: 'circuit', circuitId: 'board-a' });
  t.same(limits(await simulate({ connectors: cars.slice(0, 1) })), [20, 6, 6], 'fallbacks stay reserved');
  const metered = { otherLoads: [{ circuitId: 'grid', amps: [40, 0, 0] }] };
  t.same(
    limits(await simulate({ connectors: cars, ...metered })),
    [7.6, 7.6, 7.6],
    'the grid connection is full',
  );
  const [first, ...others] = cars;
  const offline = await simulate({ connectors: [{ ...first, isOnline: false, lastAmps: 16 }, ...others] });
  t.same(limits(offline), [16, 8, 8], 'an offline station counts at its last limit');
  const aside = await simulate({ connectors: [{ ...first, isSetAside: true }, ...others] });
  t.match(items(aside?.['connectors'])[0], { boundAmps: 32, reason: { kind: 'set-aside' } });
  const ordered = cars.map((car, index) => ({ ...car, arrivedAt: `2026-01-31T1${index}:00:00Z` }));
  t.same(limits(await simulate({ strategy: 'first-come', connectors: ordered })), [20, 6, 6]);
  await api.call(key, {
    method: 'PUT',
    url: `${url}/bounds/dim`,
    payload: { source: 'grid-operator', connectorId: ids[0], amps: [8, 8, 8] },
  });
  const bounded = await simulate({ connectors: cars });
  t.same(limits(bounded), [8, 12, 12]);
  t.match(items(bounded?.['connectors'])[0]?.['reason'], { kind: 'bound', source: 'grid-operator' });
  const unknown = {
    method: 'POST',
    url: `${url}/simulate`,
    payload: { connectors: [{ connectorId: api.network.uuid }] },
  } as const;
  t.match(await api.call(key, unknown), { status: 400 });
  await api.stores.sql`update connectors set power_type = 'DC' where uuid = ${ids[1] ?? ''}`;
  const changed = await simulate({ connectors: cars });
  t.match(changed?.['problems'], [
    { kind: 'direct-current', connectorId: ids[1], circuitId: 'board-a' },
    { kind: 'fallbacks-exceed-limit', circuitId: 'grid', connectorId: null },
    { kind: 'fallbacks-exceed-limit', circuitId: 'board-a', connectorId: null },
  ]);
  t.match(items(changed?.['connectors'])[1], { boundAmps: 32, reason: { kind: 'uncontrolled' } });
});

void t.test('raises an alert for each condition of an enabled site until it ends', async (t) => {
  const { api, key, ids, uuid, url } = await withSite();
  const { sql } = api.stores;
  const site = await findLoadSite(sql, onlyNetworks([api.network.id]), uuid);
  if (site === null) throw new Error('the site is missing');
  const open = async () => {
    await watchForAlerts(api.deps);
    const kinds = ['load-fallback', 'load-limit-exceeded', 'load-meter-lost', 'load-overload'];
    const urls = kinds.map((kind) => `/cpms/v1/alerts?status=open&kind=${kind}`);
    return (await Promise.all(urls.map((each) => api.call(key, { url: each })))).flatMap(({ json }) =>
      items(json['data']),
    );
  };
  await storeConditions(sql, site.id, {
    overloaded: ['grid'],
    meterLost: ['grid'],
    unconfirmed: ids.slice(1, 2),
  });
  await setAside(sql, site.id, site.connectors[0]?.connectorId ?? 0, new Date());
  t.match(await open(), [
    { kind: 'load-fallback', resourceType: 'connector', resourceId: ids[1], severity: 'warning' },
    { kind: 'load-limit-exceeded', resourceId: ids[0], details: { siteId: uuid } },
    { kind: 'load-meter-lost', resourceType: 'load-site', resourceId: uuid, details: { circuitId: 'grid' } },
    {
      kind: 'load-overload',
      severity: 'critical',
      message: /circuit grid of the site Quay carries more/,
    },
  ]);
  await storeConditions(sql, site.id, { overloaded: [], meterLost: [], unconfirmed: [] });
  t.match(await open(), [{ kind: 'load-limit-exceeded' }]);
  await storeConditions(sql, site.id, { overloaded: ['grid'], meterLost: [], unconfirmed: [] });
  t.equal((await open()).length, 2);
  await api.call(key, { method: 'PATCH', url, payload: { isEnabled: false } });
  t.same(await open(), [], 'a disabled site limits nothing');
});

void t.test('reads the load of a circuit against its limit', async (t) => {
  const { api, key, ids, uuid, url } = await withSite();
  const { sql, clickhouse } = api.stores;
  const site = await findLoadSite(sql, onlyNetworks([api.network.id]), uuid);
  if (site === null) throw new Error('the site is missing');
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 3_600_000;
  const minutes = new LoadMinutes();
  for (const [second, loadAmps] of [
    [0, 10],
    [30, 20],
    [60, 30],
    [120, 40],
  ] as const) {
    const plan = published(uuid, ids[0] ?? '', hour + second * 1000);
    minutes.add({
      ...plan,
      lines: plan.lines.map((line) => ({ ...line, loadAmps, boundAmps: loadAmps + 5 })),
    });
  }
  const ended = minutes.takeEnded(hour + 120_000);
  t.equal(ended.length, 2, 'the third minute has not ended');
  await insertLoadMinutes(
    clickhouse,
    ended.map((minute) => ({ site, minute })),
  );
  const read = async (minutesOfPeriod: number) => {
    const [from, to] = [hour, hour + minutesOfPeriod * 60_000].map((ms) => new Date(ms).toISOString());
    return (await api.call(key, { url: `${url}/circuits/grid/history?from=${from}&to=${to}` })).json['data'];
  };
  t.match(await read(60), {
    circuitId: 'grid',
    everySeconds: 60,
    phases: [
      {
        phase: 'L1',
        points: [
          {
            at: new Date(hour).toISOString(),
            limitAmps: 63,
            otherAmps: 8,
            loadAmps: 15,
            maxLoadAmps: 20,
            maxBoundAmps: 25,
          },
          { loadAmps: 30, maxBoundAmps: 35 },
        ],
      },
      { phase: 'L2', points: [] },
      { phase: 'L3', points: [] },
    ],
  });
  t.match(await read(600), {
    everySeconds: 120,
    phases: [{ points: [{ loadAmps: 20, maxLoadAmps: 30 }] }, {}, {}],
  });
  t.match(
    await api.call(key, {
      url: `${url}/circuits/cellar/history?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z`,
    }),
    {
      status: 404,
      json: { error: { code: 'LOAD_CIRCUIT_NOT_FOUND' } },
    },
  );
});
