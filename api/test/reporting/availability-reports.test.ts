import t from 'tap';
import { items, type TestApi, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { addLocation } from '#api/test/support/records.ts';
import { openClickHouse } from '#shared/clickhouse/client.ts';
import { statusEventTable } from '#shared/clickhouse/status-events.ts';
import { seedCharger, type SeededCharger } from '#shared/testing/seed.ts';

const noSocket = '00000000-0000-0000-0000-000000000000';
/** Scene of a network: a rapid charger with two EVSEs at a location that opens from 8 to 20, and a slow one. */
async function scene() {
  const api = await startTestApi(t);
  const { sql, clickhouse } = api.stores;
  const location = await addLocation(sql, api.network.id);
  const weekdays = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
    weekday,
    periodBegin: '08:00',
    periodEnd: '20:00',
  }));
  await sql`
    update locations set opening_times = ${sql.json({ twentyFourSeven: false, regularHours: weekdays })} where id = ${location.id}`;
  const rapid = await seedCharger(sql, api.network.id, { uid: 'RAPID', connectors: 2 });
  const slow = await seedCharger(sql, api.network.id, { uid: 'SLOW', connectors: 1 });
  await sql`update chargers set location_id = ${location.id} where id = ${rapid.id}`;
  await sql`update connectors set max_power_w = 150000 where charger_id = ${rapid.id}`;
  await sql`update connectors set max_power_w = 22000 where charger_id = ${slow.id}`;
  await sql`update connectors set created_at = '2024-01-01' where charger_id in (${rapid.id}, ${slow.id})`;
  const rows: unknown[][] = [];
  const add = (charger: SeededCharger, time: string, kind: string, rest: unknown[]) =>
    rows.push([api.network.id, charger.id, Date.parse(`${time}Z`), 0, kind, ...rest]);
  const status = (charger: SeededCharger, time: string, evse: number, text: string) =>
    add(charger, time, 'status', [evse, 1, text, '', '', '', noSocket]);
  const socket = (charger: SeededCharger, time: string, kind: string, number: number) =>
    add(charger, time, kind, [0, 0, '', '', '', '', `00000000-0000-4000-8000-00000000000${number}`]);
  // EVSEs that the UK leaves out: not public, of unknown power. The second one had a connector of 150 kW, and never reported.
  const fleet = await seedCharger(sql, api.network.id, { uid: 'FLEET', connectors: 1 });
  const unknown = await seedCharger(sql, api.network.id, { uid: 'UNKNOWN', connectors: 2 });
  await sql`update chargers set is_public = false where id = ${fleet.id}`;
  await sql`update connectors set max_power_w = 150000, created_at = '2024-01-01' where charger_id = ${fleet.id}`;
  await sql`
    update connectors set evse_number = 1, evse_connector = 2, max_power_w = 150000, created_at = '2024-01-01', deleted_at = '2024-06-01'
    where charger_id = ${unknown.id} and number = 2`;
  await sql`update evses set removed_at = '2024-06-01' where charger_id = ${unknown.id} and number = 2`;
  await sql`
    update connectors set created_at = '2024-01-01', status_at = now() where charger_id = ${unknown.id} and number = 1`;
  await sql`update evses set stated_status = 'BLOCKED' where charger_id = ${rapid.id} and number = 2`;
  // Installed in July: the time before does not count.
  status(fleet, '2025-07-02T00:00', 1, 'Available');
  for (const [charger, evse] of [
    [rapid, 1],
    [rapid, 2],
    [slow, 1],
  ] as const)
    status(charger, '2024-12-01T00:00', evse, 'Available');
  // The slow charger: without a socket for the first hour. The late close of an earlier socket does not hide the close of the newest.
  socket(slow, '2024-12-10T00:00', 'connected', 5);
  socket(slow, '2024-12-20T00:00', 'disconnected', 5);
  socket(slow, '2024-12-25T00:00', 'disconnected', 4);
  socket(slow, '2025-01-01T01:00', 'connected', 6);
  // EVSE 1 of the rapid charger: out of order for 2 days, 24 of them opening hours.
  status(rapid, '2025-03-04T00:00', 1, 'Faulted');
  status(rapid, '2025-03-06T00:00', 1, 'Charging');
  // The rapid charger: without a socket for 10 hours, 4 of them opening hours. The close of an earlier socket changes nothing.
  socket(rapid, '2025-01-01T00:00', 'connected', 2);
  socket(rapid, '2025-02-01T00:00', 'disconnected', 1);
  socket(rapid, '2025-05-01T02:00', 'disconnected', 2);
  socket(rapid, '2025-05-01T12:00', 'connected', 3);
  await clickhouse.insert({
    table: 'status_events',
    columns: [...statusEventTable.columns],
    values: rows,
    format: 'JSONCompactEachRow',
  });
  const key = await mintKey(api);
  const exclude = (payload: object) =>
    api.call(key, {
      method: 'POST',
      url: '/cpms/v1/availability-exclusions',
      payload: { reason: 'Ticket 1', chargerId: rapid.uuid, ...payload },
    });
  await exclude({ cause: 'grid', beginsAt: '2025-05-01T02:00:00Z', endsAt: '2025-05-01T06:00:00Z' });
  await exclude({
    cause: 'vandalism',
    evseNumber: 1,
    beginsAt: '2025-03-04T00:00:00Z',
    endsAt: '2025-03-05T00:00:00Z',
  });
  return { api, key, rapid, unknown };
}

const csvOf = async (api: TestApi, key: string, url: string) => {
  const answer = await api.app.inject({ url, headers: { 'x-api-key': key } });
  return { status: answer.statusCode, type: answer.headers['content-type'], text: answer.body };
};

void t.test('measures a year with planted outages by the rules of three regulators', async (t) => {
  const { api, key, rapid, unknown } = await scene();
  const read = async (path: string) => {
    const { status, json } = await api.call(key, { url: `/cpms/v1/availability-reports/${path}` });
    t.equal(status, 200, path);
    return json['data'];
  };
  // UK: 365 days of 12 hours are 262,800 minutes for each of two EVSEs. Offline for 240 minutes is not measured: 262,560 minutes.
  // EVSE 1 is not reliable for 2 * 720 = 1,440 minutes: (262,560 - 1,440) / 262,560 = 99.4516 %.
  // Both: (525,120 - 1,440) / 525,120 = 99.7258 %.
  t.match(await read('uk?period=2025'), {
    from: '2025-01-01',
    to: '2026-01-01',
    evseCount: 2,
    belowTarget: 0,
    outageMinutes: 1440,
    notMeasuredMinutes: 480,
    closedMinutes: 525_600,
    isComplete: true,
    neverReportedCount: 0,
    unknownPowerCount: 1,
    // 525,120 of 525,600 minutes.
    measuredPercent: 99.9087,
    percent: 99.7258,
    meetsTarget: true,
    ports: [
      { chargerUid: 'RAPID', evseNumber: 1, percent: 99.4516, measuredPercent: 99.9087, statedStatus: null },
      { evseNumber: 2, percent: 100, statedStatus: 'BLOCKED' },
    ],
  });
  // US: EVSE 1 has outages of 2,880 + 600 minutes, of which 1,440 + 240 are excluded: (525,600 - 1,800) / 525,600 = 99.6575 %.
  // EVSE 2: (525,600 - (600 - 240)) / 525,600 = 99.9315 %.
  const us = {
    evseCount: 4,
    neverReportedCount: 1,
    unknownPowerCount: 0,
    ports: [
      { percent: 99.6575, outageMinutes: 1800, excludedMinutes: { vandalism: 1440, grid: 240 } },
      { percent: 99.9315, outageMinutes: 360, excludedMinutes: { vandalism: 0, grid: 240 } },
      { chargerUid: 'SLOW', percent: 99.9886, outageMinutes: 60 },
      { chargerUid: 'FLEET', percent: 100, outageMinutes: 0, upMinutes: 263_520 },
    ],
  };
  // SLOW: (525,600 - 60) / 525,600 = 99.9886 %. Mean: (99.6575 + 99.9315 + 99.9886 + 100) / 4 = 99.8944 %.
  t.match(await read('us?period=2025-12'), { ...us, percent: 99.8944 });
  t.match(await read('california?period=2025'), us, 'the limits are not reached');
  const month = new Date().toISOString().slice(0, 7);
  t.match(await read(`us?period=${month}`), { isComplete: false }, 'the month is not over');
  const window = 'from=2025-03-01T00:00:00Z&to=2025-04-01T00:00:00Z';
  t.match((await api.call(key, { url: `/cpms/v1/evse-outages?${window}` })).json['data'], [
    { evseNumber: 1, status: 'OUTOFORDER', isConnected: true, cause: 'vandalism', minutes: 1440 },
    { from: '2025-03-05T00:00:00.000Z', to: '2025-03-06T00:00:00.000Z', cause: null, chargerId: rapid.uuid },
  ]);
  const report = await csvOf(api, key, '/cpms/v1/availability-reports/us/export?period=2025-12');
  t.match(report, { status: 200, type: 'text/csv; charset=utf-8' });
  const lines = report.text.trim().split('\r\n');
  t.ok(report.text.startsWith('\ufeffnetwork_id,location_id,'));
  // Up: 525,600 - 2,880 - 600 = 522,120 minutes.
  t.match(lines[1], /,RAPID,1,[^,]*,522120,1800,0,1440,240,0,0,0,0,99\.6575,100,$/);
  t.equal(lines.length, 5);
  const outages = await csvOf(api, key, `/cpms/v1/evse-outages/export?${window}`);
  t.match(
    outages.text.trim().split('\r\n')[2],
    /2025-03-05T00:00:00.000Z,2025-03-06T00:00:00.000Z,1440,OUTOFORDER,true,$/,
  );
  const long = 'from=2025-03-01T00:00:00Z&to=2025-05-02T00:00:00Z';
  t.match(
    await api.call(key, { url: `/cpms/v1/evse-outages?${long}` }),
    {
      status: 400,
      json: { error: { code: 'VALIDATION_FAILED', message: /31 days.*chargerId or locationId/ } },
    },
    'a list of a network is short',
  );
  t.equal(
    items(
      (await api.call(key, { url: `/cpms/v1/evse-outages?${long}&chargerId=${rapid.uuid}` })).json['data'],
    ).length,
    6,
  );
  const day = `from=2025-05-01T00:00:00Z&to=2025-05-02T00:00:00Z&chargerId=${rapid.uuid}`;
  const slots = await csvOf(api, key, `/cpms/v1/evse-intervals/export?${day}`);
  t.equal(slots.text.trim().split('\r\n').length, 1 + 2 * 96, 'two EVSEs, 96 quarters of an hour');
  const hours = (await csvOf(api, key, `/cpms/v1/evse-intervals/export?${day}&minutes=60`)).text
    .trim()
    .split('\r\n');
  t.equal(hours.length, 1 + 2 * 24);
  t.match(hours[3], /2025-05-01T02:00:00.000Z,2025-05-01T03:00:00.000Z,0,0,0,0,60,0,0,0,0$/, 'excluded');
  t.match(hours[8], /2025-05-01T07:00:00.000Z,2025-05-01T08:00:00.000Z,0,60,/, 'an outage');
  // A report from before the read statuses: silent for the whole year.
  await api.stores
    .sql`update connectors set status_at = '2023-06-01' where charger_id = ${unknown.id} and number = 1`;
  t.match(await read('california?period=2025'), {
    evseCount: 5,
    neverReportedCount: 0,
    ports: { 4: { chargerUid: 'UNKNOWN', percent: 0, outageMinutes: 525_600 } },
  });
});

void t.test('refuses wrong periods, and hides reports from other networks and drivers', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const reports = '/cpms/v1/availability-reports';
  const year = 'from=2025-01-01T00:00:00Z&to=2025-12-31T00:00:00Z';
  for (const wrong of [
    `${reports}/uk?period=2025-12`,
    `${reports}/us?period=2025`,
    `${reports}/uk?period=2099`,
    `${reports}/uk?period=25`,
    `${reports}/fr?period=2025`,
    '/cpms/v1/evse-outages?from=2024-01-01T00:00:00Z&to=2025-12-31T00:00:00Z',
    '/cpms/v1/evse-outages?from=2025-02-01T00:00:00Z&to=2025-01-01T00:00:00Z',
    `/cpms/v1/evse-intervals/export?${year}`,
    '/cpms/v1/evse-outages/export?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z',
  ]) {
    const answer = await api.call(key, { url: wrong });
    t.match(answer, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } }, wrong);
  }
  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const reader = await mintKey(api, { scopes: ['cpms:read:chargers'] });
  const driver = await mintKey(api, { apiFamily: 'emsp' });
  await seedCharger(api.stores.sql, api.network.id, { connectors: 1 });
  for (const url of [
    `${reports}/us?period=2026-01`,
    `${reports}/us/export?period=2026-01`,
    '/cpms/v1/evse-outages?from=2025-01-01T00:00:00Z&to=2025-01-02T00:00:00Z',
    `/cpms/v1/evse-outages/export?${year}`,
    `/cpms/v1/evse-intervals/export?from=2025-01-01T00:00:00Z&to=2025-01-02T00:00:00Z`,
  ]) {
    t.equal((await api.call(foreign, { url: `${url}&networkId=${api.network.uuid}` })).status, 404, url);
    t.equal((await api.call(reader, { url })).status, 403, url);
    t.equal((await api.call(driver, { url })).status, 403, url);
    t.equal((await api.call(null, { url })).status, 401, url);
  }
  const own = await api.call(foreign, { url: `${reports}/us?period=2026-01` });
  t.same(items((own.json['data'] as { ports: never })?.ports), []);
});

void t.test('answers 503 before an export begins while ClickHouse is down', async (t) => {
  const clickhouse = openClickHouse('http://127.0.0.1:1/none', { name: 'test', connections: 1 });
  t.teardown(() => clickhouse.close());
  const api = await startTestApi(t, { clickhouse });
  const key = await mintKey(api);
  const { id } = await seedCharger(api.stores.sql, api.network.id, { connectors: 1 });
  await api.stores.sql`update connectors set created_at = '2024-01-01' where charger_id = ${id}`;
  for (const part of ['evse-outages', 'evse-intervals']) {
    const url = `/cpms/v1/${part}/export?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z`;
    const answer = await api.call(key, { url });
    t.match(answer, { status: 503, json: { error: { code: 'STORE_UNAVAILABLE' } } }, part);
  }
});
