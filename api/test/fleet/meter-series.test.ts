import { randomUUID } from 'node:crypto';
import t from 'tap';
import { rollUpChangedDays } from '#api/jobs/reading-rollup.job.ts';
import { rollUpReadings, settleMs } from '#shared/clickhouse/reading-rollup.queries.ts';
import { insertMeterRows, meterRow } from '#shared/testing/meter-rows.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { fillYearOfReadings } from '#shared/testing/year-of-readings.ts';
import { items, type Json, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const day = '2026-03-10';
const begin = Date.parse(`${day}T08:00:00Z`);
const sum = (values: number[]) => values.reduce((total, kwh) => total + kwh, 0).toFixed(3);
const iso = (time: number) => new Date(time).toISOString();

async function addCharger(api: TestApi, connectors = 2) {
  const charger = await seedCharger(api.stores.sql, api.network.id, { connectors });
  return { ...charger, networkId: api.network.id };
}

type Charger = Awaited<ReturnType<typeof addCharger>>;

/** Returns a reading of the first connector. */
function reading(
  charger: Charger,
  time: number,
  powerW: number | null,
  more: Parameters<typeof meterRow>[2] = {},
) {
  const origin = { networkId: charger.networkId, chargerId: charger.id, sessionId: null };
  return meterRow(origin, new Date(time), { powerW, ...more });
}

async function read(
  api: TestApi,
  key: string | null,
  charger: { uuid: string },
  query: Record<string, string>,
) {
  return api.call(key, { url: `/cpms/v1/chargers/${charger.uuid}/meter-series`, query });
}

const only = (json: Json) => items(json['data']?.['connectors'])[0];

/** Rolls up the days of all readings, as if those were inserted some minutes ago; returns their number. */
async function rollUp(api: TestApi): Promise<number> {
  let sum = 0;
  let days = 0;
  do {
    days = await rollUpReadings(api.stores.clickhouse, 200, Date.now() + 2 * settleMs);
    sum += days;
  } while (days > 0);
  return sum;
}

void t.test(
  'returns lowest, mean and highest value of each bucket, and no bucket without readings',
  async (t) => {
    const api = await startTestApi(t);
    const key = await mintKey(api);
    const charger = await addCharger(api);
    await insertMeterRows(api.stores.clickhouse, [
      reading(charger, begin, 1000, { energyWh: 5000, socPercent: 20 }),
      reading(charger, begin + 20_000, 2000, { energyWh: 5010 }),
      reading(charger, begin + 40_000, 6000, { energyWh: 5100 }),
      reading(charger, begin + 30 * minuteMs, 4000, { energyWh: 7100, temperatureC: 31.26 }),
    ]);
    const range = { from: iso(begin), to: iso(begin + hourMs), points: '61' };
    const answer = await read(api, key, charger, range);
    t.equal(answer.status, 200);
    t.match(answer.json['data'], {
      chargerId: charger.uuid,
      from: range.from,
      to: range.to,
      bucketSeconds: 60,
    });
    t.same(only(answer.json), {
      connectorNumber: 1,
      evse: 1,
      time: [begin / 1000, begin / 1000 + 1800],
      powerKw: { min: [1, 4], mean: [3, 4], max: [6, 4] },
      currentA: null,
      currentL1A: null,
      currentL2A: null,
      currentL3A: null,
      voltageV: null,
      voltageL1V: null,
      voltageL2V: null,
      voltageL3V: null,
      socPercent: { min: [20, null], mean: [20, null], max: [20, null] },
      temperatureC: { min: [null, 31.3], mean: [null, 31.3], max: [null, 31.3] },
      energyRegisterKwh: [5.1, 7.1],
      energyKwh: [0.1, 2],
      sessionEnergyKwh: null,
    });
  },
);

/** Returns the columns of a measurand with one value in one bucket. */
const one = (value: number) => ({ min: [value], mean: [value], max: [value] });

void t.test('returns current and voltage per phase', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const charger = await addCharger(api);
  await insertMeterRows(api.stores.clickhouse, [
    reading(charger, begin, null, {
      currentA: 16.1,
      phaseCurrentsA: [16.1, 15, null],
      phaseVoltagesV: [231, null, 229.5],
    }),
  ]);
  const answer = await read(api, key, charger, { from: iso(begin), to: iso(begin + hourMs) });
  t.match(only(answer.json), {
    powerKw: null,
    currentA: one(16.1),
    currentL1A: one(16.1),
    currentL2A: one(15),
    currentL3A: null,
    voltageL1V: one(231),
    voltageL2V: null,
    voltageL3V: one(229.5),
    energyKwh: null,
    energyRegisterKwh: null,
  });
});

void t.test('counts a repeated reading once, in readings and in the rollup', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const charger = await addCharger(api);
  const rows = [reading(charger, begin, 1000), reading(charger, begin + minuteMs, 4000)];
  await insertMeterRows(api.stores.clickhouse, rows);
  for (let n = 0; n < 3; n += 1) await insertMeterRows(api.stores.clickhouse, rows.slice(1));
  const range = { from: iso(begin - 30 * 24 * hourMs), to: iso(begin + hourMs), points: '100' };
  const direct = await read(api, key, charger, range);
  t.match(only(direct.json)?.['powerKw'], { min: [1], mean: [2.5], max: [4] });
  t.equal(await rollUp(api), 1);
  const rolled = await read(api, key, charger, range);
  t.same(rolled.json['data'], direct.json['data']);
});

void t.test('shows readings that arrive after their day was rolled up', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const charger = await addCharger(api);
  const range = { from: iso(begin - 30 * 24 * hourMs), to: iso(begin + hourMs), points: '100' };
  await insertMeterRows(api.stores.clickhouse, [reading(charger, begin, 1000)]);
  await rollUp(api);
  await insertMeterRows(api.stores.clickhouse, [reading(charger, begin + minuteMs, 4000)]);
  const both = { min: [1], mean: [2.5], max: [4] };
  t.match(only((await read(api, key, charger, range)).json)?.['powerKw'], both);
  await rollUp(api);
  t.match(only((await read(api, key, charger, range)).json)?.['powerKw'], both);
});

void t.test('rolls up a day once it is over and its last insert is a minute old', async (t) => {
  const api = await startTestApi(t);
  const charger = await addCharger(api);
  await insertMeterRows(api.stores.clickhouse, [
    reading(charger, begin, 1000),
    reading(charger, Date.now(), 1000),
  ]);
  await rollUpChangedDays(api.deps);
  t.equal(await rollUp(api), 1, 'an insert of a moment ago waited, and today is not over');
  t.equal(await rollUp(api), 0);
});

void t.test('returns the same for a year from the rollup as from the readings', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const charger = await addCharger(api);
  const until = new Date('2026-03-01T00:00:00Z');
  await fillYearOfReadings(api.stores, charger, { until, days: 110, messageDays: 0 });
  const range = { from: '2025-11-11T00:00:00Z', to: until.toISOString(), points: '800' };
  const direct = await read(api, key, charger, range);
  t.equal(direct.status, 200);
  t.equal(await rollUp(api), 107);
  const rolled = await read(api, key, charger, range);
  const [numbers, expected] = [numbersOf(rolled.json), numbersOf(direct.json)];
  t.equal(numbers.length, expected.length);
  t.ok(numbers.length > 10_000);
  // Sums of another order differ in their last digits.
  const differences = numbers.filter(
    (value, index) => Math.abs(value - (expected[index] ?? Infinity)) > 0.0101,
  );
  t.same(differences, []);
});

/** Returns all numbers of an answer, in order; null is -1. */
function numbersOf(json: unknown): number[] {
  if (json === null) return [-1];
  if (typeof json === 'number') return [json];
  return typeof json === 'object' ? Object.values(json).flatMap(numbersOf) : [];
}

void t.test('refuses wrong ranges and points', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const charger = await addCharger(api);
  const wrong: Record<string, string>[] = [
    { from: iso(begin), to: iso(begin - 1) },
    { from: '2010-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' },
    { points: '9' },
    { points: '2001' },
    { from: 'yesterday' },
  ];
  for (const query of wrong) {
    t.match(await read(api, key, charger, query), {
      status: 400,
      json: { error: { code: 'VALIDATION_FAILED' } },
    });
  }
  t.match(await read(api, key, charger, { connectorNumber: '3' }), {
    status: 404,
    json: { error: { code: 'CONNECTOR_NOT_FOUND' } },
  });
});

void t.test('returns an empty list for an empty range', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const charger = await addCharger(api);
  await insertMeterRows(api.stores.clickhouse, [reading(charger, begin, 1000)]);
  const answer = await read(api, key, charger, { from: iso(begin), to: iso(begin) });
  t.match(answer, { status: 200 });
  t.same(answer.json['data']?.['connectors'], []);
  t.same((await read(api, key, charger, {})).json['data']?.['connectors'], []);
});

void t.test('hides the readings of a charger from others', async (t) => {
  const api = await startTestApi(t);
  const charger = await addCharger(api);
  await insertMeterRows(api.stores.clickhouse, [reading(charger, begin, 1000)]);
  const range = { from: iso(begin), to: iso(begin + hourMs) };
  const other = await mintKey(api, { unrestricted: false, networkIds: [api.otherNetwork.id] });
  t.match(await read(api, other, charger, range), {
    status: 404,
    json: { error: { code: 'CHARGER_NOT_FOUND' } },
  });
  const narrow = await mintKey(api, { scopes: ['cpms:read:chargers'] });
  t.match(await read(api, narrow, charger, range), { status: 403 });
  t.match(await read(api, null, charger, range), { status: 401 });
});

void t.test('returns the readings of a session only', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const charger = await addCharger(api);
  const until = new Date('2026-03-01T00:00:00Z');
  await fillYearOfReadings(api.stores, charger, { until, days: 1, messageDays: 0 });
  const [session] = await api.stores.sql<{ uuid: string }[]>`
    select uuid from sessions where charger_id = ${charger.id} order by started_at, id limit 1`;
  const url = `/cpms/v1/sessions/${session?.uuid}/meter-series`;
  const answer = await api.call(key, { url });
  t.equal(answer.status, 200);
  const connectors = items(answer.json['data']?.['connectors']);
  t.equal(connectors.length, 1);
  t.equal(items(connectors[0]?.['time']).length, 180, 'a reading a minute for three hours');
  t.equal(
    items(connectors[0]?.['energyKwh'])
      .reduce((sum, kwh) => sum + Number(kwh), 0)
      .toFixed(3),
    ((179 * 184) / 1000).toFixed(3),
  );
  const other = await mintKey(api, { unrestricted: false, networkIds: [api.otherNetwork.id] });
  t.match(await api.call(other, { url }), { status: 404, json: { error: { code: 'SESSION_NOT_FOUND' } } });
  t.match(await api.call(key, { url: `/cpms/v1/sessions/${randomUUID()}/meter-series` }), { status: 404 });
  t.match(await api.call(key, { url: `${url}?from=2026-03-01T00:00:00Z&to=2026-02-01T00:00:00Z` }), {
    status: 400,
  });
});

void t.test(
  'shows the energy of a session that its price counts, with readings of two registers',
  async (t) => {
    const api = await startTestApi(t);
    const key = await mintKey(api);
    const charger = await addCharger(api);
    const until = new Date('2026-03-01T00:00:00Z');
    await fillYearOfReadings(api.stores, charger, { until, days: 1, messageDays: 0 });
    const [session] = await api.stores.sql<{ uuid: string; startedAt: Date }[]>`
    select s.uuid, s.started_at as "startedAt" from sessions s join connectors k on k.id = s.connector_id
    where s.charger_id = ${charger.id} and k.evse_number = 1 order by s.started_at, s.id limit 1`;
    const url = `/cpms/v1/sessions/${session?.uuid}/meter-series`;
    const energy = async () => {
      const [connector] = items((await api.call(key, { url })).json['data']?.['connectors']);
      return items(connector?.['energyKwh']).map(Number);
    };
    const before = await energy();
    const origin = { networkId: charger.networkId, chargerId: charger.id, sessionId: session?.uuid ?? null };
    const start = session?.startedAt.getTime() ?? 0;
    await insertMeterRows(
      api.stores.clickhouse,
      [10, 30, 50].map((minutes) =>
        meterRow(origin, new Date(start + minutes * minuteMs + 30_000), {
          context: 'Sample.Clock',
          energyWh: 5_000_000 + minutes,
          energyLocation: 'Inlet',
        }),
      ),
    );
    const after = await energy();
    t.equal(sum(after), sum(before));
    t.ok(Number(sum(after)) > 10 && after.every((kwh) => kwh >= 0 && kwh < 1));
    const [part] = items(
      (await api.call(key, { url: `${url}?from=${iso(start + hourMs)}` })).json['data']?.['connectors'],
    );
    const [first] = items(part?.['sessionEnergyKwh']).map(Number);
    t.equal(
      first?.toFixed(3),
      sum(after.slice(0, after.length - items(part?.['time']).length + 1)),
      'a part goes on',
    );
  },
);
