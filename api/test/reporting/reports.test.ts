import { randomUUID } from 'node:crypto';
import t from 'tap';
import { sendSessionFacts } from '#api/services/reporting/session-facts.service.ts';
import { type BillingScene, billingScene } from '#api/test/support/billing.ts';
import { items, mintKey } from '#api/test/support/fixtures.ts';
import { addRunning, endSession, addConnectors } from '#api/test/support/session-rows.ts';

const dayMs = 24 * 3_600_000;
const window = 'from=2026-01-01T00:00:00Z&to=2026-12-31T23:59:59Z';

/** Sessions of March 2026 at two places and of two drivers, in ClickHouse too. */
async function reportScene(scene: BillingScene) {
  const { api, driver, otherDriver, locationUuid } = scene;
  const { sql, clickhouse } = api.stores;
  const [place] = await addConnectors(sql, { id: api.network.id, currency: 'EUR' }, 1);
  const [away] = await addConnectors(sql, { id: api.network.id, currency: 'EUR' }, 1);
  await sql`
    update chargers set location_id = (select id from locations where uuid = ${locationUuid}) where id = ${place!.chargerId}`;
  const add = async (
    at: typeof place,
    userId: number | null,
    end: string,
    energyWh: number,
    costMinor: number | null,
  ) => {
    const endedAt = new Date(end);
    const id = await addRunning(sql, at!, new Date(endedAt.getTime() - 1_800_000), userId);
    await endSession(sql, id, { endedAt, energyWh, costMinor });
    return id;
  };
  // 23:30 UTC is the next day in Amsterdam.
  await add(place, driver.id, '2026-03-01T23:30:00Z', 10_000, 600);
  await add(place, driver.id, '2026-03-02T10:00:00Z', 5_500, 300);
  await add(away, otherDriver.id, '2026-03-02T12:00:00.123Z', 20_000, 1200);
  await add(away, null, '2026-03-03T12:00:00Z', 1_000, null);
  while ((await sendSessionFacts(sql, clickhouse)) > 0);
  const report = (query: string, key: string | null = scene.keys.operator) =>
    scene.call(key, `/reports/export?${query}`);
  return {
    report,
    rows: async (query: string, key?: string) => {
      const answer = await report(`${window}&${query}`, key);
      if (answer.status !== 200) throw new Error(answer.text);
      return items(answer.json['data']);
    },
  };
}

void t.test('reports sales by local day, location and driver, in JSON', async (t) => {
  const scene = await billingScene(t);
  const { api, driver, otherDriver, locationUuid, keys } = scene;
  const { report, rows } = await reportScene(scene);
  const days = await rows('type=daily-sales');
  const networkId = api.network.uuid;
  t.strictSame(days, [
    day('2026-03-01', 1, 10, [4.8, 1.2, 6]),
    day('2026-03-02', 2, 25.5, [12, 3, 15]),
    { ...day('2026-03-03', 1, 1, [0, 0, 0]), unpricedSessions: 1 },
  ]);
  function day(date: string, sessions: number, energyKwh: number, [exclVat, vat, inclVat]: number[]) {
    return {
      networkId,
      date,
      sessions,
      unpricedSessions: 0,
      energyKwh,
      durationSeconds: sessions * 1800,
      idleSeconds: 0,
      currency: 'EUR',
      exclVat,
      vat,
      inclVat,
    };
  }
  t.strictSame(
    (await rows('type=daily-sales&timezone=Europe/Amsterdam')).map(({ date, sessions }) => [date, sessions]),
    [
      ['2026-03-02', 3],
      ['2026-03-03', 1],
    ],
  );
  await api.stores.sql`update networks set time_zone = 'Europe/Amsterdam' where id = ${api.network.id}`;
  t.equal((await rows('type=daily-sales')).length, 2, "without one it is the network's own");
  await api.stores.sql`update networks set time_zone = 'UTC' where id = ${api.network.id}`;

  t.match(await rows('type=by-location'), [
    { locationId: null, locationName: null, sessions: 2, inclVat: 12 },
    { locationId: locationUuid, locationName: 'Harbour', sessions: 2, energyKwh: 15.5, inclVat: 9 },
  ]);
  t.match(await rows('type=by-user'), [
    { userId: null, userEmail: null, sessions: 1, unpricedSessions: 1 },
    { userId: driver.uuid, userEmail: 'driver@example.org', userName: 'Driver', sessions: 2, inclVat: 9 },
    { userId: otherDriver.uuid, sessions: 1, inclVat: 12 },
  ]);
  t.match(await rows(`type=by-user&locationId=${locationUuid}`), [{ userId: driver.uuid }]);
  t.match(await rows(`type=daily-sales&userId=${otherDriver.uuid}`), [{ date: '2026-03-02', sessions: 1 }]);

  const sessions = await rows('type=sessions-summary');
  t.match(sessions, [
    {
      date: '2026-03-01',
      userId: driver.uuid,
      energyKwh: 10,
      exclVat: 4.8,
      vat: 1.2,
      inclVat: 6,
      status: 'OPEN',
    },
    {
      date: '2026-03-02',
      locationName: 'Harbour',
      startedAt: '2026-03-02T09:30:00.000Z',
      durationSeconds: 1800,
    },
    { userId: otherDriver.uuid, endedAt: '2026-03-02T12:00:00.123Z' },
    { status: 'UNPRICED', userId: null, inclVat: null, invoiceNumber: null },
  ]);
  t.equal((await rows(`type=sessions-summary&locationId=${locationUuid}`)).length, 2);
  t.equal((await rows(`type=sessions-summary&userId=${driver.uuid}`)).length, 2);
  const inclusive = 'from=2026-03-02T10:00:00Z&to=2026-03-02T12:00:00.123Z';
  for (const type of ['sessions-summary', 'daily-sales']) {
    const { json } = await report(`type=${type}&${inclusive}`);
    const found = items(json['data']);
    t.equal(type === 'daily-sales' ? found[0]?.['sessions'] : found.length, 2 as never, type);
  }
  const lately = (await report('type=daily-sales')).json;
  t.strictSame([lately['type'], lately['data']], ['daily-sales', []] as never, 'the last 30 days');

  // A driver has reports over what is the driver's own.
  t.match(await rows('type=daily-sales', keys.driver), [{ inclVat: 6 }, { inclVat: 3 }]);
  t.equal((await rows('type=sessions-summary', keys.driver)).length, 2);
  t.match(await rows('type=by-location', keys.otherDriver), [{ locationId: null, inclVat: 12 }]);
  for (const query of ['type=by-user', `type=daily-sales&userId=${driver.uuid}`]) {
    t.match(await report(query, keys.driver), { status: 403, json: { code: 'OPERATOR_KEY_REQUIRED' } });
  }
});

void t.test('writes CSV with a header and without spreadsheet formulas', async (t) => {
  const scene = await billingScene(t);
  const { api, driver } = scene;
  const { sql } = api.stores;
  const { report } = await reportScene(scene);
  await sql`update locations set name = ${'=HYPERLINK("http://x"), "Łódź"'}`;
  await sql`update users set name = '@SUM(1+1)', email = '-2+3@example.org' where id = ${driver.id}`;
  const places = await report(`type=by-location&format=csv&${window}`);
  t.match(places, {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="by-location_2026-01-01_2026-12-31.csv"',
    },
  });
  const [head, nowhere, harbour, ...rest] = places.text.split('\r\n');
  t.equal(
    head,
    '\ufeffnetworkId,locationId,locationName,sessions,unpricedSessions,energyKwh,durationSeconds,idleSeconds,currency,exclVat,vat,inclVat',
  );
  t.equal(nowhere, `${api.network.uuid},,,2,1,21,3600,0,EUR,9.6,2.4,12`);
  t.match(harbour, `,"'=HYPERLINK(""http://x""), ""Łódź""",2,0,15.5,3600,0,EUR,7.2,1.8,9`);
  t.strictSame(rest, ['']);
  const users = (await report(`type=by-user&format=csv&${window}`)).text;
  t.match(users, `,'@SUM(1+1),'-2+3@example.org,`);
  t.match((await report(`type=daily-sales&format=csv&${window}`)).text, /^\ufeffdate,networkId,sessions,/);
  const sessions = (await report(`type=sessions-summary&format=csv&${window}`)).text.split('\r\n');
  t.equal(sessions.length, 6);
  t.match(sessions[0], /^\ufeffdate,transactionId,status,networkId,locationId,/);
  t.equal(
    (await report('type=by-user&format=csv')).text.split('\r\n').length,
    2,
    'without rows it is the names',
  );
});

void t.test(
  'sessions that ended at the same time are listed once each, over any number of reads',
  async (t) => {
    const scene = await billingScene(t);
    const { api, charge } = scene;
    const { sql } = api.stores;
    const uuid = await charge();
    await sql`
    insert into sessions (network_id, charger_id, connector_id, ocpp_transaction_id, start_key, status,
      authorization_status, started_at, start_received_at, ended_at, energy_wh, currency)
    select network_id, charger_id, connector_id, 'copy-' || n, 'copy-' || n, 'COMPLETED', authorization_status,
      '2026-05-01', '2026-05-01', timestamptz '2026-05-01 10:00' + n / 1500 * interval '7 microseconds', 1, currency
    from sessions, generate_series(1, 5000) n where uuid = ${uuid}`;
    const answer = await scene.call(
      scene.keys.operator,
      `/reports/export?type=sessions-summary&format=csv&from=2026-05-01T00:00:00Z&to=2026-05-02T00:00:00Z`,
    );
    const ids = answer.text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[1]);
    t.equal(ids.length, 5000);
    t.equal(new Set(ids).size, 5000);
  },
);

void t.test('counts a sale on the local day of its location in all reports', async (t) => {
  const { api, call, charge, keys } = await billingScene(t);
  const { sql, clickhouse } = api.stores;
  // British Columbia kept summer time and Morocco left it in 2026: a store may not know, and counts by calendar.ts all the same.
  for (const [timeZone, endedAt, date] of [
    ['America/Vancouver', '2026-11-20T07:30:00Z', '2026-11-20'],
    ['Africa/Casablanca', '2026-11-12T23:30:00Z', '2026-11-12'],
    ['Asia/Kolkata', '2026-11-05T18:45:00Z', '2026-11-06'],
  ] as const) {
    await sql`update networks set time_zone = ${timeZone} where id = ${api.network.id}`;
    const ended = new Date(endedAt).getTime();
    const uuid = await charge();
    await sql`
      update sessions set started_at = ${new Date(ended - 3_600_000)}, ended_at = ${new Date(ended)}
      where uuid = ${uuid}`;
    while ((await sendSessionFacts(sql, clickhouse)) > 0);
    const around = `from=${new Date(ended - 2 * dayMs).toISOString()}&to=${new Date(ended + 2 * dayMs).toISOString()}`;
    const [euros] = items((await call(keys.operator, `/analytics/revenue?${around}`)).json['currencies']);
    const sold = items(euros?.['series']).filter((day) => Number(day['sessions']) > 0);
    for (const rows of [
      sold,
      ...(await Promise.all(
        ['sessions-summary', 'daily-sales'].map(async (type) =>
          items((await call(keys.operator, `/reports/export?type=${type}&${around}`)).json['data']),
        ),
      )),
    ]) {
      t.strictSame(
        rows.map((row) => row['date']),
        [date] as never,
        timeZone,
      );
    }
  }
});

void t.test("limits reports to the caller's networks and names invalid parameters", async (t) => {
  const scene = await billingScene(t);
  const { api, keys, locationUuid, driver } = scene;
  const { report, rows } = await reportScene(scene);
  for (const type of ['daily-sales', 'by-location', 'by-user', 'sessions-summary']) {
    t.strictSame(await rows(`type=${type}`, keys.elsewhere), [], type);
  }
  const daily = 'type=daily-sales';
  for (const [query, status, code] of [
    [`${daily}&networkId=${api.network.uuid}`, 404, 'NETWORK_NOT_FOUND'],
    [`${daily}&locationId=${locationUuid}`, 404, 'LOCATION_NOT_FOUND'],
    [`${daily}&userId=${driver.uuid}`, 404, 'USER_NOT_FOUND'],
  ] as const) {
    t.match(await report(query, keys.elsewhere), { status, json: { code } }, query);
  }
  for (const query of [
    '',
    'type=all',
    `${daily}&format=xml`,
    `${daily}&from=1`,
    `${daily}&from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z`,
    `${daily}&timezone=Mars/Base`,
    `${daily}&userId=1`,
  ]) {
    t.match(await report(query), { status: 400, json: { code: 'VALIDATION_FAILED' } }, query);
  }
  for (const zone of ['Asia/Kolkata', 'Europe/Kyiv', 'America/Argentina/Buenos_Aires', 'Etc/UTC', 'UTC']) {
    t.equal((await report(`${daily}&timezone=${zone}`)).status, 200, zone);
  }
  for (const zone of ['europe/amsterdam', 'asia/kolkata', '%2B01:00', 'CEST', 'IST', 'SystemV/PST8', '']) {
    t.equal((await report(`${daily}&timezone=${zone}`)).status, 400, zone);
  }
  const head = {
    method: 'HEAD',
    url: `/emsp/v1/reports/export?${daily}`,
    headers: { 'x-api-key': keys.operator },
  } as const;
  t.equal((await api.app.inject(head)).statusCode, 405, 'a HEAD would read the whole report for nothing');
  t.match(await report(daily, null), { status: 401 });
  t.match(await report(`${daily}&locationId=${randomUUID()}`), { status: 404 });
  const both = await mintKey(api, {
    apiFamily: 'emsp',
    networkIds: [api.network.id, api.otherNetwork.id],
  });
  t.equal((await rows(`${daily}&networkId=${api.otherNetwork.uuid}`, both)).length, 0);
  t.equal((await rows(daily, both)).length, 3);
});
