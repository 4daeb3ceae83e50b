import t from 'tap';
import { seedCharger, seedConnection } from '#shared/testing/seed.ts';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';

const day = 24 * 60 * 60_000;

void t.test('counts the current state of chargers as uptime', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  for (const [status, online] of [
    ['Available', true],
    ['Available', true],
    ['CHARGING', true],
    ['Faulted', true],
    ['Available', false],
    ['CHARGING', false],
  ] as const) {
    const charger = await seedCharger(sql, api.network.id);
    await sql`update chargers set status = ${status} where id = ${charger.id}`;
    if (online) await seedConnection(sql, charger.uuid);
  }
  const gone = await seedCharger(sql, api.network.id);
  await sql`update chargers set deleted_at = now() where id = ${gone.id}`;
  await seedCharger(sql, api.otherNetwork.id);
  const counts = { totalChargers: 6, available: 2, charging: 1, offline: 2 };
  t.match(await api.call(key, { url: '/cpms/v1/analytics/uptime' }), {
    status: 200,
    json: {
      data: {
        metric: 'uptime',
        ...counts,
        uptimePercent: 50,
        offlinePercent: 33.3,
        networkCount: 1,
        networks: [
          {
            networkId: api.network.uuid,
            ...counts,
            availablePercent: 33.3,
            inUsePercent: 16.7,
            offlinePercent: 33.3,
          },
        ],
      },
    },
  });
  await sql`update chargers set last_heartbeat_at = now() - interval '6 minutes'`;
  t.match((await api.call(key, { url: '/cpms/v1/analytics/uptime' })).json['data'], {
    offline: 6,
    uptimePercent: 0,
  });
});

void t.test('returns zero without sessions', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const read = async (metric: string) =>
    (await api.call(key, { url: `/cpms/v1/analytics/${metric}` })).json['data'];
  const begin = Math.floor(Date.now() / 1000) * 1000;
  const revenue = await read('revenue');
  t.match(revenue, { period: 'day', totalRevenue: 0, currency: 'EUR', networkCount: 1, unpricedSessions: 0 });
  const { from, to } = revenue as unknown as { from: string; to: string };
  t.equal(Date.parse(to) - Date.parse(from), 30 * day, 'thirty days');
  t.ok(Date.parse(to) >= begin && Date.parse(to) <= Date.now(), 'until now');
  t.match(await read('energy'), { totalEnergyKwh: 0 });
  t.match(await read('sessions'), { totalSessions: 0 });
  t.match(await read('utilization'), { averageUtilization: 0 });
  t.match(await read('uptime'), { totalChargers: 0, uptimePercent: 0, offlinePercent: 0 });
  t.match(await read('kpis'), { totalSessions: 0, totalRevenue: 0, avgDurationMinutes: 0 });
  const nowhere = await mintKey(api, { networkIds: [] });
  t.match((await api.call(nowhere, { url: '/cpms/v1/analytics/revenue' })).json['data'], {
    totalRevenue: 0,
    currency: null,
    networkCount: 0,
    networks: [],
  });
});

void t.test("limits analytics to the caller's networks and rejects invalid queries", async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const reader = await mintKey(api, { scopes: ['cpms:read:chargers'] });
  const emsp = await mintKey(api, { apiFamily: 'emsp' });
  const metrics = ['revenue', 'energy', 'sessions', 'utilization', 'uptime', 'kpis'];
  for (const metric of metrics) {
    const url = `/cpms/v1/analytics/${metric}`;
    const other = await api.call(key, { url: `${url}?networkId=${api.otherNetwork.uuid}` });
    t.match(other, { status: 404, json: { error: { code: 'NETWORK_NOT_FOUND' } } }, metric);
    t.match(await api.call(reader, { url }), { status: 403, json: { error: { code: 'SCOPE_MISSING' } } });
    t.match(await api.call(emsp, { url }), { status: 403, json: { error: { code: 'API_FAMILY_MISMATCH' } } });
    t.equal((await api.call(null, { url })).status, 401);
  }
  for (const metric of ['revenue', 'energy', 'sessions']) {
    const url = `/emsp/v1/analytics/${metric}`;
    t.match(await api.call(key, { url }), { status: 403, json: { code: 'API_FAMILY_MISMATCH' } });
    t.equal((await api.call(null, { url })).status, 401);
  }
  for (const query of [
    'period=year',
    'from=yesterday',
    'from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z',
    'from=1999-01-01T00:00:00Z',
    'to=2100-01-01T00:00:00Z',
    'networkId=north',
  ]) {
    const bad = { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } };
    t.match(await api.call(key, { url: `/cpms/v1/analytics/energy?${query}` }), bad, query);
    if (query.startsWith('networkId')) continue;
    t.match(
      await api.call(emsp, { url: `/emsp/v1/analytics/energy?${query}` }),
      { status: 400, json: { code: 'VALIDATION_FAILED' } },
      query,
    );
  }
  const century = 'from=2000-01-01T00:00:00Z&to=2099-12-31T23:59:59Z&period=day';
  for (const metric of ['sessions', 'utilization']) {
    t.equal((await api.call(key, { url: `/cpms/v1/analytics/${metric}?${century}` })).status, 200, metric);
  }
  const { sql } = api.stores;
  await sql`insert into networks (slug, name) select 'n' || i, 'n' from generate_series(1, 200) i`;
  const all = await mintKey(api, { unrestricted: true, networkIds: [] });
  const long = '/cpms/v1/analytics/sessions?from=2025-01-01T00:00:00Z&to=2025-12-31T00:00:00Z';
  t.match(await api.call(all, { url: long }), {
    status: 400,
    json: { error: { details: { errors: [{ field: 'period' }] } } },
  });
  t.match(await api.call(all, { url: `${long}&period=month` }), {
    status: 200,
    json: { data: { networkCount: 202 } },
  });
});
