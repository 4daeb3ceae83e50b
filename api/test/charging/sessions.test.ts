import t from 'tap';
import { Check } from 'typebox/value';
import { Sample } from '#api/routes/emsp/charging/meter-values.routes.ts';
import { insertMeterRows, meterRow } from '#shared/testing/meter-rows.ts';
import { openClickHouse } from '#shared/clickhouse/client.ts';
import { items, mintKey, register, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import {
  addLocation,
  addTariff,
  addUser,
  endSession,
  type SessionPlace,
  startSession,
} from '#api/test/support/records.ts';
import { until } from '#shared/testing/until.ts';

const url = '/emsp/v1/charging/sessions';
const unknown = '00000000-0000-4000-8000-000000000000';

async function scene(api: TestApi) {
  const { sql } = api.stores;
  const admin = await mintKey(api, { unrestricted: true, networkIds: [] });
  const location = await addLocation(sql, api.network.id);
  const mine = { networkUuid: api.network.uuid, locationUuid: location.uuid };
  const chargerUuid = (await register(api, admin, { serial: 'CP-1', ...mine })).id;
  const foreign = { serial: 'CP-2', networkUuid: api.otherNetwork.uuid };
  const foreignUuid = (await register(api, admin, foreign)).id;
  const driver = await addUser(sql, api.network.id, 'driver@example.com');
  return {
    location,
    driver,
    chargerUuid,
    foreignUuid,
    operatorKey: await mintKey(api, { apiFamily: 'emsp' }),
    driverKey: await mintKey(api, { apiFamily: 'emsp', userId: driver.id }),
    start: (place: Partial<SessionPlace> = {}) => startSession(sql, { chargerUuid, ...place }),
  };
}

void t.test('shows drivers their own sessions and operators those of their networks', async (t) => {
  const api = await startTestApi(t);
  const { start, driver, driverKey, operatorKey, foreignUuid } = await scene(api);
  const own = await start({ userId: driver.id, connector: 1 });
  const others = await start({ connector: 2 });
  const foreign = await start({ chargerUuid: foreignUuid });
  const ids = async (key: string) =>
    new Set(items((await api.call(key, { url })).json['data']).map((session) => session['id']));
  t.same(await ids(driverKey), new Set([own.uuid]));
  t.same(await ids(operatorKey), new Set([own.uuid, others.uuid]));

  const status = async (key: string, path: string) => (await api.call(key, { url: `${url}/${path}` })).status;
  for (const part of ['', '/meter-values']) {
    t.equal(await status(driverKey, own.uuid + part), 200);
    t.equal(await status(driverKey, others.uuid + part), 404);
    t.equal(await status(operatorKey, others.uuid + part), 200);
    t.equal(await status(operatorKey, foreign.uuid + part), 404);
    t.equal(await status(operatorKey, unknown + part), 404);
  }
  t.match(await api.call(driverKey, { url: `${url}/${others.uuid}` }), {
    json: { code: 'SESSION_NOT_FOUND' },
  });
});

void t.test('sessions requested at the same moment are visible to their own callers only', async (t) => {
  const api = await startTestApi(t);
  const { start, driver, driverKey, operatorKey, foreignUuid } = await scene(api);
  const second = await addUser(api.stores.sql, api.network.id, 'second@example.com');
  const keys = {
    driver: driverKey,
    second: await mintKey(api, { apiFamily: 'emsp', userId: second.id }),
    operator: operatorKey,
    other: await mintKey(api, { apiFamily: 'emsp', networkIds: [api.otherNetwork.id] }),
    all: await mintKey(api, { apiFamily: 'emsp', unrestricted: true, networkIds: [] }),
    unknown: 'cw_emsp_unknown',
  };
  const sessions = {
    driver: await start({ userId: driver.id, connector: 1 }),
    second: await start({ userId: second.id, connector: 2 }),
    foreign: await start({ chargerUuid: foreignUuid }),
  };
  const seen = {
    driver: ['driver'],
    second: ['second'],
    operator: ['driver', 'second'],
    other: ['foreign'],
    all: ['driver', 'second', 'foreign'],
    unknown: [],
  };
  const reads = Array.from({ length: 5 }).flatMap(() =>
    Object.entries(keys).flatMap(([caller, key]) =>
      Object.entries(sessions).map(async ([name, { uuid }]) => {
        const { status, json } = await api.call(key, { url: `${url}/${uuid}` });
        return { caller, name, status, id: json['id'] ?? null };
      }),
    ),
  );
  for (const { caller, name, status, id } of await Promise.all(reads)) {
    const sees: readonly string[] = seen[caller as keyof typeof seen];
    const wanted = caller === 'unknown' ? 401 : sees.includes(name) ? 200 : 404;
    t.equal(status, wanted, `${caller} of ${name}`);
    t.equal(id, wanted === 200 ? sessions[name as keyof typeof sessions].uuid : null);
  }
});

void t.test('an ended session shows its stored price, line by line, to the cent', async (t) => {
  const api = await startTestApi(t);
  await addTariff(api.stores.sql, api.network.id);
  const { start, driver, driverKey, chargerUuid, location } = await scene(api);
  const session = await start({ userId: driver.id, startedAt: new Date('2026-11-20T10:00:00Z') });
  await endSession(api.stores.sql, session, 12_345);
  const { json } = await api.call(driverKey, { url: `${url}/${session.uuid}` });
  t.match(json, {
    id: session.uuid,
    status: 'COMPLETED',
    networkId: api.network.uuid,
    chargerId: chargerUuid,
    chargerUid: 'CP-1',
    connectorNumber: 1,
    locationId: location.uuid,
    locationName: 'Harbour',
    userId: driver.uuid,
    idTag: 'TAG-1',
    startedAt: '2026-11-20T10:00:00.000Z',
    endedAt: '2026-11-20T11:00:00.000Z',
    durationSeconds: 3600,
    energyKwh: 12.345,
    meterStartKwh: 1,
    meterStopKwh: 13.345,
    stopReason: 'Local',
    costUnavailable: null,
  });
  // 12.345 kWh × 0.40 = 4.938 and 1.50: 6.438 → 6.44; with 21 % VAT 7.78998 → 7.79. Of its 1.35 the energy takes 1.04.
  t.strictSame(json['cost'], {
    currency: 'EUR',
    isFinal: true,
    totalExclVat: 6.44,
    totalVat: 1.35,
    totalInclVat: 7.79,
    idleFee: 0,
    lines: [
      {
        type: 'ENERGY',
        quantity: 12.345,
        unit: 'kWh',
        unitPrice: 0.4,
        vatPercent: 21,
        exclVat: 4.94,
        vat: 1.04,
      },
      { type: 'FLAT', quantity: 1, unit: 'session', unitPrice: 1.5, vatPercent: 21, exclVat: 1.5, vat: 0.31 },
    ],
    vatRates: [{ vatPercent: 21, exclVat: 6.44, vat: 1.35 }],
    notes: [],
  });
  const [item] = items((await api.call(driverKey, { url })).json['data']);
  t.strictSame(item?.['cost'], {
    currency: 'EUR',
    isFinal: true,
    totalExclVat: 6.44,
    totalVat: 1.35,
    totalInclVat: 7.79,
    idleFee: 0,
  });
});

void t.test('a running session is priced so far', async (t) => {
  const api = await startTestApi(t);
  await addTariff(api.stores.sql, api.network.id);
  const { start, operatorKey } = await scene(api);
  const session = await start();
  await api.stores.sql`update sessions set energy_wh = 5000, power_w = 7400, soc_percent = 55`;
  const { json } = await api.call(operatorKey, { url: `${url}/${session.uuid}` });
  t.match(json, {
    status: 'ACTIVE',
    endedAt: null,
    energyKwh: 5,
    powerKw: 7.4,
    socPercent: 55,
    cost: { isFinal: false, totalExclVat: 3.5, totalInclVat: 4.24 },
  });
  const seconds = Number(json['durationSeconds']);
  t.ok(seconds >= 3600 && seconds < 3660, `an hour so far, not ${seconds}`);
});

void t.test('without a tariff there is no price, and it is never zero', async (t) => {
  const api = await startTestApi(t);
  const { start, operatorKey } = await scene(api);
  const running = await start({ connector: 1 });
  const ended = await start({ connector: 2 });
  await endSession(api.stores.sql, ended, 5000);
  for (const { uuid } of [running, ended]) {
    t.match((await api.call(operatorKey, { url: `${url}/${uuid}` })).json, {
      cost: null,
      costUnavailable: 'NO_TARIFF',
    });
  }
});

void t.test('lists newest first, in pages, with filters', async (t) => {
  const api = await startTestApi(t);
  const { start, operatorKey, chargerUuid, location } = await scene(api);
  const days = ['2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z', '2026-11-03T00:00:00Z'];
  const [first, second, third] = await Promise.all(days.map((day) => start({ startedAt: new Date(day) })));
  if (first === undefined || second === undefined || third === undefined) throw new Error('no sessions');
  await endSession(api.stores.sql, first, 1);
  const list = async (query: string) => {
    const { json } = await api.call(operatorKey, { url: `${url}?${query}` });
    return items(json['data']).map((session) => session['id']);
  };
  t.same(await list(''), [third.uuid, second.uuid, first.uuid]);
  t.same(await list('status=COMPLETED'), [first.uuid]);
  t.same(await list('status=ACTIVE&pageSize=1&page=2'), [second.uuid]);
  t.same(
    await list('from=2026-11-02T00:00:00Z&to=2026-11-02T00:00:00Z'),
    [second.uuid],
    'both ends included',
  );
  t.same(await list('to=2026-11-01T01:00:00%2B01:00'), [first.uuid], 'a time with a zone');
  t.equal((await list(`chargerId=${chargerUuid}&locationId=${location.uuid}`)).length, 3);
  t.equal((await list(`chargerId=${unknown}`)).length, 0);
  const reversed = 'from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z';
  for (const query of [
    'status=DONE',
    'from=yesterday',
    'to=2026-13-01T00:00:00Z',
    'pageSize=101',
    reversed,
  ]) {
    t.match(await api.call(operatorKey, { url: `${url}?${query}` }), {
      status: 400,
      json: { code: 'VALIDATION_FAILED' },
    });
  }
});

void t.test('returns meter values in order of time, up to the limit, with a flag for more', async (t) => {
  const api = await startTestApi(t);
  const { start, operatorKey, driverKey } = await scene(api);
  const session = await start();
  const begin = Date.now() - 1001 * 60_000;
  const rows = Array.from({ length: 1001 }, (_, minute) =>
    meterRow(
      { networkId: api.network.id, chargerId: session.chargerId, sessionId: session.uuid },
      new Date(begin + minute * 60_000),
      {
        receivedAt: new Date(begin + minute * 60_000 + 1000),
        energyWh: 1000 + minute,
        powerW: 7400.5,
        currentA: 32,
        socPercent: 50,
        extra: { Frequency: '50' },
      },
    ),
  );
  await insertMeterRows(api.stores.clickhouse, rows.toReversed());
  await insertMeterRows(api.stores.clickhouse, rows.slice(0, 5));
  const read = async (query: string) =>
    (await api.call(operatorKey, { url: `${url}/${session.uuid}/meter-values${query}` })).json;

  const byDefault = await read('');
  t.match(byDefault, { sessionId: session.uuid, limit: 1000, truncated: true });
  t.equal(items(byDefault['samples']).length, 1000);
  t.strictSame(items(byDefault['samples'])[0], {
    timestamp: new Date(begin).toISOString(),
    energyKwh: 1,
    powerKw: 7.4005,
    currentA: 32,
    socPercent: 50,
    extra: { Frequency: '50' },
  });
  const registers = items(byDefault['samples']).map((sample) => Number(sample['energyKwh']));
  t.strictSame(
    registers,
    registers.toSorted((a, b) => a - b),
  );

  const all = await read('?limit=1001');
  t.match(all, { truncated: false });
  t.equal(items(all['samples']).length, 1001, 'repeats count once');
  t.equal(items((await read('?limit=1'))['samples']).length, 1);
  t.match(await read('?limit=0'), { limit: 0, truncated: true, samples: { length: 0 } });
  for (const limit of ['-1', '5001', 'x']) t.match(await read(`?limit=${limit}`), { status: 400 });
  const foreign = await api.call(driverKey, { url: `${url}/${session.uuid}/meter-values` });
  t.equal(foreign.status, 404, 'not their session');
});

void t.test('returns every documented field of a complete reading, in order', async (t) => {
  const api = await startTestApi(t);
  const { start, operatorKey } = await scene(api);
  const session = await start();
  const time = new Date();
  await insertMeterRows(api.stores.clickhouse, [
    meterRow({ networkId: api.network.id, chargerId: session.chargerId, sessionId: session.uuid }, time, {
      receivedAt: new Date(time.getTime() + 3_600_000),
      context: 'Trigger',
      energyWh: 1,
      powerW: 1,
      currentA: 1,
      voltageV: 1,
      socPercent: 1,
      temperatureC: 1,
      extra: { Frequency: '50' },
      flags: ['clock'],
    }),
  ]);
  const { json } = await api.call(operatorKey, { url: `${url}/${session.uuid}/meter-values` });
  const [sample = {}] = items(json['samples']);
  t.strictSame(Object.keys(sample), Object.keys(Sample.properties));
  t.ok(Check(Sample, sample));
});

void t.test('answers everything but meter values without ClickHouse', async (t) => {
  const clickhouse = openClickHouse('http://127.0.0.1:1/none', { name: 'test', connections: 1 });
  t.teardown(() => clickhouse.close());
  const api = await startTestApi(t, { clickhouse });
  const { start, operatorKey } = await scene(api);
  const session = await start();
  t.match(await api.call(operatorKey, { url: `${url}/${session.uuid}/meter-values` }), {
    status: 503,
    json: { code: 'STORE_UNAVAILABLE' },
  });
  t.equal((await api.call(operatorKey, { url: `${url}/${session.uuid}` })).status, 200);
  // A part that answers late counts as down.
  const ready = await until('the other parts answer in time', async () => {
    const answer = await api.call(null, { url: '/health/ready' });
    return answer.status === 200 && answer;
  });
  t.match(ready, {
    json: { status: 'degraded', parts: { postgresql: 'up', clickhouse: 'down', bus: 'up' } },
  });
});
