import t from 'tap';
import { items, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { addConnectors, addRunning, endSession } from '#api/test/support/session-rows.ts';
import { insertMeterRows, meterRow } from '#shared/testing/meter-rows.ts';
import { sendSessionFacts } from '#api/services/reporting/session-facts.service.ts';
import { comparedDay } from '#shared/domain/kernel/calendar.ts';

const url = '/cpms/v1/analytics/today';
const timeZone = 'Asia/Kathmandu';

async function scene(api: TestApi) {
  const { sql, clickhouse } = api.stores;
  await sql`update networks set time_zone = ${timeZone} where id = ${api.network.id}`;
  const connectors = await addConnectors(sql, { id: api.network.id, currency: 'EUR' }, 3);
  const place = (index: number) => {
    const connector = connectors[index];
    if (connector === undefined) throw new Error('no connector');
    return connector;
  };
  const charge = async (endedAt: number, energyWh: number, costMinor: number | null) => {
    const id = await addRunning(sql, place(0), new Date(endedAt - 1));
    await endSession(sql, id, { endedAt: new Date(endedAt), energyWh, costMinor });
  };
  const send = async () => {
    while ((await sendSessionFacts(sql, clickhouse, 1000)) > 0);
  };
  return { key: await mintKey(api), place, charge, send };
}

const revenue = (totalInclVat: number, totalExclVat: number) => [
  { currency: 'EUR', totalInclVat, totalExclVat },
];

void t.test('compares today with the same time of yesterday and of a week ago', async (t) => {
  const api = await startTestApi(t);
  const { key, charge, send } = await scene(api);
  const now = Date.now();
  const day = (daysBefore: number) => comparedDay(now, daysBefore, timeZone);
  // Just before and after midnight, and later than now on the other days.
  await charge(day(0).from + 1, 10_000, 1000);
  await charge(day(1).from + 1, 20_000, 500);
  await charge(day(1).to - 2, 5000, 100);
  await charge(day(7).from + 1, 30_000, null);
  await charge(day(8).to - 2, 99_000, 9900);
  await send();
  const { status, json } = await api.call(key, { url });
  t.equal(status, 200);
  t.match(json['data'], {
    timeZone,
    running: { sessions: 0, powerKw: 0, measuredSessions: 0, oldestAt: null, newestAt: null },
    today: {
      date: day(0).date,
      soFar: {
        from: new Date(day(0).from).toISOString(),
        startedSessions: 1,
        endedSessions: 1,
        energyKwh: 10,
        revenue: revenue(10, 8),
      },
    },
    yesterday: { date: day(1).date, soFar: { endedSessions: 1, energyKwh: 20, revenue: revenue(5, 4) } },
    lastWeek: { date: day(7).date, soFar: { endedSessions: 1, energyKwh: 30, revenue: [] } },
  });
  const yesterday = items(json['data']?.['yesterday']?.['hours']);
  t.equal(yesterday.length, 24);
  t.match(yesterday[0], { endedSessions: 1, energyKwh: 20 });
  t.match(yesterday[23], { startedSessions: 1, endedSessions: 1, energyKwh: 5 });
  const today = items(json['data']?.['today']?.['hours']);
  t.match(today[0], { startedSessions: 1, energyKwh: 10 });
  t.equal(today.at(-1)?.['to'], json['data']?.['now']);
});

void t.test('sums the recent power of running sessions', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { key, place } = await scene(api);
  const started = new Date(Date.now() - 3_600_000);
  const [recent, old] = [await addRunning(sql, place(0), started), await addRunning(sql, place(1), started)];
  await addRunning(sql, place(2), started);
  const at = new Date(Date.now() - 60_000);
  await sql`update sessions set power_w = 11000, live_at = ${at} where id = ${recent}`;
  await sql`update sessions set power_w = 50000, live_at = now() - interval '20 minutes' where id = ${old}`;
  t.match((await api.call(key, { url: `${url}?timeZone=Europe/Amsterdam` })).json['data'], {
    timeZone: 'Europe/Amsterdam',
    running: {
      sessions: 3,
      powerKw: 11,
      measuredSessions: 1,
      oldestAt: at.toISOString(),
      newestAt: at.toISOString(),
    },
  });
});

void t.test('counts own networks only, in UTC where they have several time zones', async (t) => {
  const api = await startTestApi(t);
  const { key, charge, send } = await scene(api);
  await charge(comparedDay(Date.now(), 0, timeZone).from + 1, 10_000, 1000);
  await send();
  const figures = async (by: string) => (await api.call(by, { url })).json['data'];
  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  t.match(await figures(foreign), { today: { soFar: { startedSessions: 0, endedSessions: 0 } } });
  const both = await mintKey(api, { networkIds: [api.network.id, api.otherNetwork.id] });
  t.match(await figures(both), { timeZone: 'UTC' });
  t.match(await api.call(key, { url: `${url}?networkId=${api.otherNetwork.uuid}` }), {
    status: 404,
    json: { error: { code: 'NETWORK_NOT_FOUND' } },
  });
  t.match(await api.call(key, { url: `${url}?timeZone=Nowhere` }), {
    status: 400,
    json: { error: { code: 'VALIDATION_FAILED' } },
  });
  const scopeless = await mintKey(api, { scopes: ['cpms:read:chargers'] });
  t.match(await api.call(scopeless, { url }), { status: 403, json: { error: { code: 'SCOPE_MISSING' } } });
  t.equal((await api.call(null, { url })).status, 401);
});

void t.test('sums the energy of today by readings, as the list behind it does', async (t) => {
  const api = await startTestApi(t);
  const { sql, clickhouse } = api.stores;
  const { key, place, charge } = await scene(api);
  const { from } = comparedDay(Date.now(), 0, timeZone);
  const hour = 3_600_000;
  /** Sessions that started the evening before: 6 of 10 kWh by midnight at the readings, and 12 kWh without any. */
  const [read, unread] = [
    await addRunning(sql, place(0), new Date(from - 3 * hour)),
    await addRunning(sql, place(1), new Date(from - 1)),
  ];
  await sql`update sessions set meter_start_wh = 1000, energy_wh = 10000, live_at = ${new Date(from + 1)} where id = ${read}`;
  await endSession(sql, unread, { endedAt: new Date(from + 1), energyWh: 12_000, costMinor: 100 });
  const [{ uuid } = { uuid: '' }] = await sql<
    { uuid: string }[]
  >`select uuid from sessions where id = ${read}`;
  const sample = (time: number, energyWh: number) =>
    meterRow({ networkId: api.network.id, chargerId: place(0).chargerId, sessionId: uuid }, new Date(time), {
      energyWh,
    });
  await insertMeterRows(clickhouse, [sample(from - hour, 3000), sample(from, 7000)]);
  // Two sessions in review, one of which ended yesterday.
  await charge(from + 1, 99_000, 100);
  await sql`update sessions set price_state = 'REVIEW' where energy_wh = 99000`;
  await charge(from - 5 * hour, 50_000, 100);
  const { data } = (await api.call(key, { url })).json;
  const soFar = data?.['today'] as unknown as {
    soFar: { from: string; to: string };
    charged: { energyKwh: number; sessions: number };
  };
  t.match(soFar, {
    charged: { sessions: 2, energyKwh: 10, inReviewSessions: 1 },
    endedInReview: 1,
  });
  const window = `duringFrom=${soFar.soFar.from}&duringTo=${soFar.soFar.to}`;
  const summary = async (filter: string) =>
    (await api.call(key, { url: `/cpms/v1/sessions/summary?${window}&${filter}` })).json['data'];
  t.match(await summary('inReview=false'), { count: 2, energyKwh: 22, energyDuringKwh: 10, runningCount: 1 });
  t.match(await summary('inReview=true'), { count: 1, inReviewCount: 1, energyDuringKwh: 99 });
  t.match(await summary('running=true'), { count: 1, energyDuringKwh: 4 });
  t.match(await summary('running=false'), { count: 2 });
});

void t.test('cuts more sessions at midnight than fit into one query', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { key, place } = await scene(api);
  const { networkId, currency, chargerId, connectorId } = place(0);
  await sql`
    insert into sessions (network_id, charger_id, connector_id, ocpp_transaction_id, start_key, status, authorization_status,
      started_at, start_received_at, currency, ended_at, energy_wh)
    select ${networkId}, ${chargerId}, ${connectorId}, n, n, 'COMPLETED', 'Accepted', '2026-03-01T22:00:00Z', '2026-03-01T22:00:00Z',
      ${currency}, '2026-03-02T02:00:00Z', 4000
    from generate_series(1, 6500) n`;
  const window = 'duringFrom=2026-03-02T00:00:00Z&duringTo=2026-03-03T00:00:00Z';
  const { status, json } = await api.call(key, { url: `/cpms/v1/sessions/summary?${window}` });
  t.equal(status, 200);
  t.match(json['data'], { count: 6500, energyKwh: 26_000, energyDuringKwh: 13_000 });
});

void t.test('refuses half a window of sessions that charged', async (t) => {
  const api = await startTestApi(t);
  const { key } = await scene(api);
  const at = '2026-03-01T00:00:00Z';
  for (const query of [
    `duringFrom=${at}`,
    `duringTo=${at}`,
    `duringFrom=${at}&duringTo=2026-02-01T00:00:00Z`,
  ]) {
    const answer = await api.call(key, { url: `/cpms/v1/sessions/summary?${query}` });
    t.match(answer, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } }, query);
  }
  t.match((await api.call(key, { url: '/cpms/v1/sessions/summary' })).json['data'], {
    energyDuringKwh: null,
  });
});
