import { randomUUID } from 'node:crypto';
import t from 'tap';
import { readStatusEvents, socketRow, statusEventTable } from '#shared/clickhouse/status-events.ts';
import { readMessages } from '#shared/clickhouse/ocpp-messages.ts';
import { rollUpReadings, unrolledDays } from '#shared/clickhouse/reading-rollup.queries.ts';
import { dropPastReadings, dropPastRollup, keepLog } from '#shared/clickhouse/retention.queries.ts';
import type { ClickHouse } from '#shared/clickhouse/client.ts';
import { frameTable, type FrameRow } from '#shared/testing/message-rows.ts';
import { insertMeterRows, meterRow } from '#shared/testing/meter-rows.ts';
import { insertRows } from '#shared/testing/rows.ts';
import { testStores } from '#shared/testing/stores.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** A frame of some days ago. */
function frame(daysAgo: number): FrameRow {
  const time = Date.now() - daysAgo * dayMs;
  const connection = randomUUID();
  return [1, 1, time, daysAgo, 'in', 'call', 'Heartbeat', 'm', '', null, '1.6', connection, '', false];
}

void t.test('keeps messages for the configured days, 90 by default', async (t) => {
  const { clickhouse } = await testStores(t, { fresh: true });
  await insertRows(
    clickhouse,
    frameTable,
    [1, 10, 80, 100].map((days) => frame(days)),
  );
  const kept = async () => {
    await clickhouse.command({ query: 'optimize table ocpp_messages final' });
    const rows = await readMessages(clickhouse, { id: 1, networkId: 1 }, {}, 10);
    return rows.map(({ seq }) => Number(seq));
  };
  t.same(await kept(), [1, 10, 80]);
  await keepLog(clickhouse, 'ocpp_messages', 30);
  await keepLog(clickhouse, 'ocpp_messages', 30);
  t.same(await kept(), [1, 10], 'existing rows follow the new retention');
  await keepLog(clickhouse, 'ocpp_messages', 7);
  t.same(await kept(), [1]);
});

void t.test('keeps the status history for the configured days', async (t) => {
  const { clickhouse } = await testStores(t, { fresh: true });
  await clickhouse.command({ query: 'alter table status_events remove ttl' });
  const charger = { id: 1, networkId: 1 };
  const connection = { connectionId: randomUUID() };
  await insertRows(
    clickhouse,
    statusEventTable,
    [1, 10, 800].map((days) => socketRow(charger, 'connected', Date.now() - days * dayMs, connection)),
  );
  const kept = async () => {
    await clickhouse.command({ query: 'optimize table status_events final' });
    return (await readStatusEvents(clickhouse, charger, {}, 10)).length;
  };
  t.equal(await kept(), 3, 'for good, until it is set');
  await keepLog(clickhouse, 'status_events', 730);
  t.equal(await kept(), 2);
  await keepLog(clickhouse, 'status_events', 7);
  await keepLog(clickhouse, 'status_events', 7);
  t.equal(await kept(), 1);
});

void t.test('drops a month of the status history as a whole', async (t) => {
  const { clickhouse } = await testStores(t);
  t.match(await definitionOf(clickhouse, 'status_events'), 'ttl_only_drop_parts = 1');
});

void t.test('sets the retention of logs, or removes it', async (t) => {
  const { clickhouse } = await testStores(t, { fresh: true });
  for (const table of ['ocpi_exchanges', 'webhook_deliveries', 'status_events'] as const) {
    for (const days of [7, 7, null, null, 400]) {
      await keepLog(clickhouse, table, days);
      const definition = await definitionOf(clickhouse, table);
      const ttl = days === null ? undefined : String(days);
      t.equal(/TTL.*toIntervalDay\((\d+)\)/.exec(definition)?.[1], ttl, `${table}: ${days} days`);
    }
  }
});

const now = Date.parse('2026-03-20T12:00:00Z');
const origin = { networkId: 1, chargerId: 1, sessionId: null };
const readingTimes = [
  '2024-12-31T23:59:59Z',
  '2025-01-01T00:00:00Z',
  '2026-01-31T23:59:59Z',
  '2026-02-01T00:00:00Z',
];

async function fill(clickhouse: ClickHouse): Promise<void> {
  await insertMeterRows(
    clickhouse,
    readingTimes.map((time) => meterRow(origin, new Date(time), { powerW: 1000 })),
  );
}

void t.test('drops the months of readings that are past the retention', async (t) => {
  const { clickhouse } = await testStores(t);
  await fill(clickhouse);
  const left = () => numbers(clickhouse, 'select count() from meter_samples');
  t.same(await dropPastReadings(clickhouse, 48, now), [], 'charts need them: they are not rolled up yet');
  await rollUpReadings(clickhouse, 100, Date.now() + 3_600_000);
  t.same(await dropPastReadings(clickhouse, 10_000, now), []);
  t.same(await left(), [4]);
  // 48 days before March 20 is January 31: January has a day that is kept.
  t.same(await dropPastReadings(clickhouse, 48, now), ['202412', '202501']);
  t.same(await left(), [2]);
  t.same(await dropPastReadings(clickhouse, 47, now), ['202601']);
  t.same(await dropPastReadings(clickhouse, 47, now), [], 'a second run finds nothing');
  t.same(await left(), [1]);
});

void t.test('drops the years of quarter-hour readings, and keeps them after their readings', async (t) => {
  const { clickhouse } = await testStores(t);
  await fill(clickhouse);
  await rollUpReadings(clickhouse, 100, Date.now() + 3_600_000);
  const years = () =>
    numbers(clickhouse, 'select distinct toYear(slot) as year from reading_rollup order by year');
  const listedYears = () =>
    numbers(clickhouse, 'select distinct toYear(day) as year from reading_days order by year');
  await dropPastReadings(clickhouse, 40, now);
  t.same(await years(), [2024, 2025, 2026]);
  const whole = { from: Date.parse(readingTimes[0] ?? ''), to: now };
  t.same(await unrolledDays(clickhouse, 1, whole), [], 'no day waits for readings that are gone');

  t.same(await dropPastRollup(clickhouse, 365, now), ['2024']);
  t.same(await years(), [2025, 2026]);
  t.same(await listedYears(), [2025, 2026]);
  t.same(await dropPastRollup(clickhouse, 90, now), [], 'a year with a day that is kept stays');
  t.same(await dropPastRollup(clickhouse, 60, now), ['2025']);
});

async function definitionOf(clickhouse: ClickHouse, table: string): Promise<string> {
  const result = await clickhouse.query({
    query: `show create table ${table}`,
    format: 'JSONCompactEachRow',
  });
  const [row] = await result.json<[string]>();
  return row?.[0] ?? '';
}

async function numbers(clickhouse: ClickHouse, query: string): Promise<number[]> {
  const result = await clickhouse.query({ query, format: 'JSONCompactEachRow' });
  return (await result.json<[number]>()).map(([value]) => value);
}
