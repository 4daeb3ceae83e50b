import t from 'tap';
import { items, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { addLocation } from '#api/test/support/records.ts';
import { addConnectors, addRunning, endSession } from '#api/test/support/session-rows.ts';
import { sendSessionFacts } from '#api/services/reporting/session-facts.service.ts';
import { ensureNetwork } from '#shared/postgres/fleet/networks.statements.ts';
import { seedTariff } from '#shared/testing/seed.ts';

const hourMs = 3_600_000;
const at = (text: string) => new Date(text);

/** Kathmandu is 5:45 ahead of UTC: Monday 2 March 2026 begins at 18:15 of Sunday. */
const timeZone = 'Asia/Kathmandu';
const week = 'from=2026-03-01T18:15:00Z&to=2026-03-08T18:14:59.999Z';

/** Two chargers of one connector at locations of their own, the second one of a model. */
async function scene(api: TestApi) {
  const { sql, clickhouse } = api.stores;
  const network = { id: api.network.id, currency: 'EUR' };
  await sql`update networks set time_zone = ${timeZone} where id = ${network.id}`;
  const tariff = await seedTariff(sql, network.id);
  const [model] = await sql<{ id: number; uuid: string }[]>`
    with made as (insert into manufacturers (name) values ('Harbour Electric') returning id)
    insert into charger_models (manufacturer_id, model_name, ocpp_version) select id, 'Quay 11', '1.6' from made
    returning id, uuid`;
  if (model === undefined) throw new Error('no model');
  const places = [];
  for (const name of ['Harbour', 'Market']) {
    const location = await addLocation(sql, network.id, { name });
    const [connector] = await addConnectors(sql, network, 1);
    if (connector === undefined) throw new Error('no connector');
    await sql`update chargers set location_id = ${location.id}, created_at = '2026-01-01' where id = ${connector.chargerId}`;
    await sql`update connectors set created_at = '2026-01-01' where id = ${connector.connectorId}`;
    places.push({ connector, location });
  }
  const [harbour, market] = places;
  if (harbour === undefined || market === undefined) throw new Error('no places');
  await sql`update chargers set model_id = ${model.id} where id = ${market.connector.chargerId}`;
  /** Adds a session of an hour. */
  const charge = async (
    { connector }: typeof harbour,
    endedAt: Date,
    energyWh: number,
    costMinor: number | null,
    currency = 'EUR',
  ) => {
    const id = await addRunning(sql, { ...connector, currency }, new Date(endedAt.getTime() - hourMs));
    if (costMinor !== null)
      await sql`update sessions set tariff_id = (select id from tariffs where uuid = ${tariff.uuid}) where id = ${id}`;
    await endSession(sql, id, { endedAt, energyWh, costMinor });
    return id;
  };
  const send = async () => {
    while ((await sendSessionFacts(sql, clickhouse, 1000)) > 0);
  };
  // Monday 08:00, Monday 23:45 (Sunday hours count), Tuesday 00:15 and Sunday 23:59 of the zone; one after the window.
  await charge(harbour, at('2026-03-02T02:15:00Z'), 10_000, 500);
  await charge(harbour, at('2026-03-02T18:00:00Z'), 20_000, 1000);
  await charge(market, at('2026-03-02T18:30:00Z'), 5000, null);
  await charge(market, at('2026-03-08T18:14:59.999Z'), 40_000, 3000, 'NOK');
  await charge(market, at('2026-03-08T18:15:00Z'), 99_000, 9900);
  await send();
  const key = await mintKey(api);
  const read = async (path: string) => {
    const { status, json } = await api.call(key, { url: `/cpms/v1/analytics/${path}` });
    t.equal(status, 200, path);
    return json['data'];
  };
  const count = async (filters: string) => {
    const { status, json } = await api.call(key, {
      url: `/cpms/v1/sessions/summary?counted=true&${filters}`,
    });
    t.equal(status, 200, filters);
    return json['data']?.['count'];
  };
  const ended = 'endedFrom=2026-03-01T18:15:00Z&endedTo=2026-03-08T18:14:59.999Z';
  return { key, harbour, market, model, tariff, charge, send, read, count, ended };
}

const eur = (totalInclVat: number, totalExclVat: number) => ({ currency: 'EUR', totalInclVat, totalExclVat });
const nok = { currency: 'NOK', totalInclVat: 30, totalExclVat: 24 };

void t.test('sums sessions over time in a time zone', async (t) => {
  const api = await startTestApi(t);
  const { read, harbour, market, model, tariff, count, ended } = await scene(api);
  const days = await read(`series?${week}`);
  t.match(days, {
    timeZone,
    period: 'day',
    totals: {
      sessions: 4,
      energyKwh: 75,
      revenue: [eur(15, 12), nok],
      meanEnergyKwh: 18.75,
      meanMinutes: 60,
      unpricedSessions: 1,
      chargingHours: 4,
      // 4 of 7 * 24 * 2 hours.
      utilizationPercent: 1.19,
    },
  });
  t.strictSame(
    items(days?.['values']).map(({ from, sessions, energyKwh }) => [from, sessions, energyKwh]),
    [
      ['2026-03-01T18:15:00.000Z', 2, 30],
      ['2026-03-02T18:15:00.000Z', 1, 5],
      ...[3, 4, 5, 6].map((day) => [`2026-03-0${day}T18:15:00.000Z`, 0, 0]),
      ['2026-03-07T18:15:00.000Z', 1, 40],
    ],
  );
  t.equal(await count(ended), 4);
  for (const [filter, sessions, chargingHours] of [
    [`locationId=${harbour.location.uuid}`, 2, 2],
    [`modelId=${model.uuid}`, 2, 2],
    [`tariffId=${tariff.uuid}`, 3, null],
    [`locationId=${market.location.uuid}&tariffId=${tariff.uuid}`, 1, null],
    [`locationId=${tariff.uuid}`, 0, 0],
    [`tariffId=${model.uuid}`, 0, null],
  ] as const) {
    const { totals } = (await read(`series?${week}&period=hour&${filter}`)) ?? {};
    t.match(totals, { sessions, chargingHours }, filter);
    t.equal(await count(`${ended}&${filter}`), sessions, filter);
  }
  const weeks = await read(`series?${week}&period=week&timeZone=UTC`);
  t.strictSame(
    items(weeks?.['values']).map(({ from, sessions }) => [from, sessions]),
    [
      ['2026-03-01T18:15:00.000Z', 0],
      ['2026-03-02T00:00:00.000Z', 4],
    ],
  );
});

void t.test('counts sessions by the hour and weekday of their end', async (t) => {
  const api = await startTestApi(t);
  const { read, count, ended } = await scene(api);
  const cells = items((await read(`heat-map?${week}`))?.['cells']);
  t.equal(cells.length, 168);
  const busy = cells.filter(({ sessions }) => Number(sessions) > 0);
  t.strictSame(
    busy.map(({ weekday, hour, sessions, energyKwh }) => [weekday, hour, sessions, energyKwh]),
    [
      [1, 8, 1, 10],
      [1, 23, 1, 20],
      [2, 0, 1, 5],
      [7, 23, 1, 40],
    ],
  );
  // From 07:00 to 08:00 on Monday one of two connectors charged.
  t.match(cells[7], { weekday: 1, hour: 7, sessions: 0, utilizationPercent: 50, chargingHours: 1 });
  t.equal(await count(`${ended}&timeZone=${timeZone}&endedWeekday=1&endedHour=23`), 1);
  t.equal(await count(`${ended}&timeZone=${timeZone}&endedWeekday=1`), 2);
  t.equal(await count(`${ended}&endedHour=18`), 3, 'in UTC by default');
});

void t.test('breaks sessions down by location, model, tariff, charger and network', async (t) => {
  const api = await startTestApi(t);
  const { read, harbour, market, model, tariff } = await scene(api);
  const groups = async (query: string) =>
    items((await read(`breakdown?${week}&${query}`))?.['groups']).map(({ id, name, sessions }) => [
      id,
      name,
      sessions,
    ]);
  const [first, second] = [
    [harbour.location.uuid, 'Harbour', 2],
    [market.location.uuid, 'Market', 2],
  ];
  t.strictSame(await groups('by=location'), [first, second]);
  t.strictSame(await groups('by=location&order=asc'), [second, first]);
  t.strictSame(await groups('by=location&currency=nok'), [second, first]);
  t.strictSame(await groups('by=location&sort=energy&limit=1'), [second]);
  t.strictSame(await groups('by=model&sort=energy'), [
    [model.uuid, 'Quay 11', 2],
    [null, null, 2],
  ]);
  t.strictSame(await groups('by=tariff'), [
    [tariff.uuid, 'Test tariff', 3],
    [null, null, 1],
  ]);
  t.equal((await groups('by=charger')).length, 2);
  t.strictSame(await groups('by=network'), [[api.network.uuid, 'North', 4]]);
  t.match(await read(`breakdown?${week}&by=location&limit=0`), { groups: { length: 0 }, groupCount: 2 });
  t.match(await read(`breakdown?${week}&by=location&limit=1`), {
    by: 'location',
    currency: 'EUR',
    groupCount: 2,
    totals: { sessions: 4, energyKwh: 75, revenue: [eur(15, 12), nok], chargingHours: 4 },
    groups: [
      { detail: 'Rotterdam', revenue: [eur(15, 12)], energyKwh: 30, chargingHours: 2, meanMinutes: 60 },
    ],
  });
});

void t.test('limits the sums of a series and heat map over all networks', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { harbour, model, tariff } = await scene(api);
  for (const slug of ['one', 'two', 'three', 'four']) await ensureNetwork(sql, { slug, name: slug });
  const everywhere = await mintKey(api, { unrestricted: true, networkIds: [] });
  // 8760 hours of six networks.
  const year = 'from=2025-03-09T00:00:00Z&to=2026-03-08T23:59:59.999Z';
  for (const path of [`series?period=hour&${year}`, `heat-map?${year}`]) {
    const url = `/cpms/v1/analytics/${path}`;
    t.match(
      await api.call(everywhere, { url }),
      {
        status: 400,
        json: {
          error: {
            code: 'VALIDATION_FAILED',
            details: { errors: [{ field: 'from', message: /^makes more than 50000 sums/ }] },
          },
        },
      },
      path,
    );
    for (const filter of [
      `networkId=${api.network.uuid}`,
      `locationId=${harbour.location.uuid}`,
      `modelId=${model.uuid}`,
      `tariffId=${tariff.uuid}`,
    ])
      t.equal((await api.call(everywhere, { url: `${url}&${filter}` })).status, 200, filter);
  }
});

void t.test('adds up the use of connectors of several networks', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { charge, send, market, model } = await scene(api);
  const [connector] = await addConnectors(sql, { id: api.otherNetwork.id, currency: 'EUR' }, 1);
  if (connector === undefined) throw new Error('no connector');
  await sql`update chargers set model_id = ${model.id}, created_at = '2026-01-01' where id = ${connector.chargerId}`;
  await sql`update connectors set created_at = '2026-01-01' where id = ${connector.connectorId}`;
  await charge({ ...market, connector }, at('2026-03-03T08:30:00Z'), 7000, null);
  await send();
  const everywhere = await mintKey(api, { unrestricted: true, networkIds: [] });
  const used = async (filter: string) => {
    const url = `/cpms/v1/analytics/series?period=day&timeZone=${timeZone}&${week}${filter}`;
    const { json } = await api.call(everywhere, { url });
    return items(json['data']?.['values']).map(({ chargingHours, utilizationPercent }) => [
      chargingHours,
      utilizationPercent,
    ]);
  };
  const none = [0, 0];
  // The session that ended on Tuesday at 00:15 charged 45 minutes on Monday.
  t.strictSame(await used(''), [[2.75, 3.82], [1.25, 1.74], none, none, none, none, [1, 1.39]]);
  t.strictSame(await used(`&modelId=${model.uuid}`), [
    [0.75, 1.56],
    [1.25, 2.6],
    none,
    none,
    none,
    none,
    [1, 2.08],
  ]);
});

void t.test('follows amendments, late prices and reviews', async (t) => {
  const api = await startTestApi(t);
  const { read, harbour, charge, send, count, ended } = await scene(api);
  const { sql } = api.stores;
  const filter = `locationId=${harbour.location.uuid}`;
  const totals = async () => {
    const [group] = items((await read(`breakdown?${week}&by=location&${filter}`))?.['groups']);
    t.match((await read(`series?${week}&${filter}`))?.['totals'], { sessions: group?.['sessions'] });
    t.equal(await count(`${ended}&${filter}`), group?.['sessions']);
    return [group?.['sessions'], group?.['energyKwh'], group?.['unpricedSessions']];
  };
  const endedAt = at('2026-03-04T12:00:00Z');
  const id = await charge(harbour, endedAt, 1000, null);
  await send();
  t.strictSame(await totals(), [3, 31, 1]);
  await endSession(sql, id, { endedAt, energyWh: 2000, costMinor: 100 });
  await send();
  t.strictSame(await totals(), [3, 32, 0]);
  await sql`update sessions set price_state = 'REVIEW' where id = ${id}`;
  await send();
  t.strictSame(await totals(), [2, 30, 0]);
  await sql`update sessions set price_state = 'SETTLED' where id = ${id}`;
  await endSession(sql, id, { endedAt: at('2026-02-20T12:00:00Z'), energyWh: 2000, costMinor: 100 });
  await send();
  t.strictSame(await totals(), [2, 30, 0]);
});

void t.test("limits analytics of slices to the caller's networks and rejects invalid queries", async (t) => {
  const api = await startTestApi(t);
  const { key } = await scene(api);
  const reader = await mintKey(api, { scopes: ['cpms:read:chargers'] });
  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const emsp = await mintKey(api, { apiFamily: 'emsp' });
  for (const path of [`series?${week}`, `heat-map?${week}`, `breakdown?by=location&${week}`]) {
    const url = `/cpms/v1/analytics/${path}`;
    t.match(await api.call(key, { url: `${url}&networkId=${api.otherNetwork.uuid}` }), {
      status: 404,
      json: { error: { code: 'NETWORK_NOT_FOUND' } },
    });
    t.match(await api.call(reader, { url }), { status: 403, json: { error: { code: 'SCOPE_MISSING' } } });
    t.match(await api.call(emsp, { url }), { status: 403, json: { error: { code: 'API_FAMILY_MISMATCH' } } });
    t.equal((await api.call(null, { url })).status, 401);
    const empty = (await api.call(foreign, { url })).json['data'];
    const found = items(empty?.['cells'] ?? empty?.['values'] ?? empty?.['groups']);
    t.ok(
      found.every(({ sessions }) => Number(sessions) === 0),
      path,
    );
    for (const wrong of ['timeZone=Nowhere', 'from=2026-04-01T00:00:00Z', 'locationId=north']) {
      const answer = await api.call(key, { url: `${url.replace('from=2026-03-01T18:15:00Z', '')}&${wrong}` });
      t.match(answer, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } }, `${path} ${wrong}`);
    }
  }
  for (const wrong of [
    'analytics/series?period=hour&from=2024-01-01T00:00:00Z&to=2026-01-01T00:00:00Z',
    'analytics/heat-map?from=2024-01-01T00:00:00Z&to=2026-01-01T00:00:00Z',
    'analytics/breakdown?by=driver',
    'analytics/breakdown',
    'sessions?timeZone=Nowhere',
    'sessions?endedFrom=2026-01-02T00:00:00Z&endedTo=2026-01-01T00:00:00Z',
    'sessions?endedHour=24',
  ]) {
    const answer = await api.call(key, { url: `/cpms/v1/${wrong}` });
    t.match(answer, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } }, wrong);
  }
});
