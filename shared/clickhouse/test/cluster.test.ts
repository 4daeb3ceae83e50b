import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { sumOfflineStates, sumReportedStates } from '#shared/clickhouse/charger-states.ts';
import { sumCharging } from '#shared/clickhouse/charging-analytics.ts';
import type { ClickHouse } from '#shared/clickhouse/client.ts';
import { shardingColumns } from '#shared/clickhouse/cluster-tables.ts';
import {
  countExportedReadings,
  listReadingChargers,
  streamReadings,
} from '#shared/clickhouse/exported-readings.ts';
import { sumChargedSlots, sumFactBuckets, sumFacts } from '#shared/clickhouse/fact-analytics.ts';
import { createClickHouseDatabase, migrateClickHouse } from '#shared/clickhouse/migrate.queries.ts';
import { migrationStatements } from '#shared/clickhouse/migrate.queries.ts';
import { readMeterPoints } from '#shared/clickhouse/meter-points.ts';
import { readMeterSeries } from '#shared/clickhouse/meter-series.queries.ts';
import {
  findExchange,
  readCallHealth,
  readExchangeLog,
} from '#shared/clickhouse/ocpi-exchange-log.queries.ts';
import {
  exchangeRow,
  exchangeTable,
  type OcpiExchange,
  readExchanges,
} from '#shared/clickhouse/ocpi-exchanges.queries.ts';
import { countMessages, readMessages } from '#shared/clickhouse/ocpp-messages.ts';
import { rollUpReadings, unrolledDays } from '#shared/clickhouse/reading-rollup.queries.ts';
import { dropPastReadings, dropPastRollup, keepLog } from '#shared/clickhouse/retention.queries.ts';
import { sumSessions } from '#shared/clickhouse/session-analytics.ts';
import {
  insertSessionFacts,
  renewRollups,
  type SessionFact,
} from '#shared/clickhouse/session-facts.queries.ts';
import { readFirstEnergy, readSessionMessages } from '#shared/clickhouse/session-messages.ts';
import { listReportSums } from '#shared/clickhouse/session-reports.queries.ts';
import { readSessionSamples } from '#shared/clickhouse/session-samples.ts';
import { readStatusChanges } from '#shared/clickhouse/status-changes.ts';
import {
  readStatusEvents,
  socketRow,
  statusEventTable,
  statusRow,
} from '#shared/clickhouse/status-events.ts';
import {
  deliveryRow,
  deliveryTable,
  readDeliveries,
  type WebhookDelivery,
} from '#shared/clickhouse/webhook-deliveries.queries.ts';
import { type FrameRow, frameTable } from '#shared/testing/message-rows.ts';
import { insertMeterRows, meterRow } from '#shared/testing/meter-rows.ts';
import { insertRows } from '#shared/testing/rows.ts';
import { startTwoShards } from './support/two-shards.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const today = Math.floor(Date.now() / dayMs) * dayMs;
const start = today - 3 * dayMs;
const window = { from: start, to: today };
const days = [0, 1, 2].map((day) => ({ from: start + day * dayMs, to: start + (day + 1) * dayMs }));

const chargers = Array.from({ length: 12 }, (_, index) => {
  const id = index + 1;
  return { id, networkId: 1 + (id % 3), session: randomUUID(), connection: randomUUID() };
});
const networkIds = [1, 2, 3];

const readings = chargers.flatMap(({ id, networkId, session }) =>
  Array.from({ length: 40 }, (_, index) =>
    meterRow(
      { networkId, chargerId: id, sessionId: session },
      new Date(start + id * hourMs + index * 10 * 60_000),
      {
        energyWh: 1000 * id + index * 50,
        powerW: 3000 + index * id,
        extra: { 'Voltage.L1-N V': String(230 + (index % 4)) },
      },
    ),
  ),
);

const frames = chargers.flatMap(({ id, networkId, connection }) =>
  Array.from({ length: 30 }, (_, index): FrameRow => {
    const payload = JSON.stringify({ transactionId: id, idTag: 'token' });
    const action = index === 0 ? 'StartTransaction' : 'MeterValues';
    const time = start + id * hourMs + index * 60_000;
    return [
      networkId,
      id,
      time,
      index,
      'in',
      'call',
      action,
      `m${index}`,
      '',
      null,
      '1.6',
      connection,
      payload,
      false,
    ];
  }),
);

const statuses = chargers.flatMap((charger) => {
  const { connection, id } = charger;
  const status = (name: string, at: number) =>
    statusRow(
      charger,
      {
        position: { evse: 1, connector: 1 },
        status: name,
        errorCode: name === 'Faulted' ? 'GroundFailure' : null,
        vendorErrorCode: null,
        info: null,
        at: new Date(at),
      },
      at,
    );
  return [
    status('Available', start - hourMs),
    socketRow(charger, 'connected', start - hourMs, { connectionId: connection }),
    status('Charging', start + id * hourMs),
    socketRow(charger, 'disconnected', start + dayMs, { connectionId: connection }),
    status('Faulted', start + dayMs + id * hourMs),
  ];
});

/** Sessions of a network end in the same quarter of an hour at chargers of both shards. */
const endOf = (id: number) => start + dayMs + (id % 2) * 5 * hourMs;

const facts = chargers.flatMap(({ id, networkId, session }): SessionFact[] =>
  [1n, 2n].map((version) => ({
    networkId,
    endedAt: endOf(id),
    sessionId: BigInt(id),
    version,
    isCounted: true,
    sessionUuid: session,
    chargerId: id,
    connectorId: id,
    locationId: 1 + (id % 2),
    userId: id % 4,
    tariffId: id % 3,
    startedAt: endOf(id) - 2 * hourMs,
    durationMs: 2 * hourMs,
    idleMs: 10 * 60_000,
    charging: [{ from: endOf(id) - 2 * hourMs, to: endOf(id) - 10 * 60_000 }],
    energyMilliWh: 1_000_000 * Number(version) + id,
    currency: 'EUR',
    costExclVatMinor: 100n * version,
    costInclVatMinor: 119n * version,
  })),
);

const exchanges = Array.from({ length: 40 }, (_, index): OcpiExchange => ({
  networkId: 1 + (index % 3),
  partnerId: 1 + (index % 4),
  time: Date.now() - index * hourMs,
  id: randomUUID(),
  direction: index % 2 === 0 ? 'in' : 'out',
  module: 'sessions',
  method: 'PUT',
  url: '/ocpi/2.2.1/sessions',
  httpStatus: index % 5 === 0 ? 500 : 200,
  ocpiStatus: 1000,
  latencyMs: index,
  requestId: String(index),
  correlationId: '',
  request: '{}',
  response: '{}',
  error: '',
  object: 'session',
  objectId: String(index),
}));

const deliveries = Array.from({ length: 20 }, (_, index): WebhookDelivery => ({
  networkId: 1,
  endpointId: 1 + (index % 4),
  time: Date.now() - index * 1000,
  id: randomUUID(),
  eventId: BigInt(index),
  type: 'session.started',
  tryNumber: 1,
  outcome: 'delivered',
  httpStatus: 200,
  durationMs: 5,
  answer: '',
  error: '',
}));

/** Stores everything twice, in inserts of their own, as after an answer that was lost. */
async function fill(client: ClickHouse): Promise<void> {
  for (const _ of [1, 2]) {
    await insertMeterRows(client, readings);
    await insertRows(client, frameTable, frames);
    await insertRows(client, statusEventTable, statuses);
    await insertSessionFacts(client, facts);
    await insertRows(client, exchangeTable, exchanges.map(exchangeRow));
    await insertRows(client, deliveryTable, deliveries.map(deliveryRow));
  }
  const changes = facts.map(({ networkId, startedAt, endedAt }) => ({
    networkId,
    from: startedAt,
    to: endedAt,
  }));
  await renewRollups(client, changes, 1n);
  await renewRollups(client, changes, 2n);
}

const charger = chargers[4]!;
const origin = { chargerId: charger.id, networkId: charger.networkId, sessionId: null, position: null };
const ofCharger = { id: charger.id, networkId: charger.networkId };
const filter = { networkIds, chargerIds: null, tariffId: null };
const filterOfSome = { networkIds, chargerIds: [1, 2, 3, 4, 5], tariffId: 1 };
const report = { networkIds, window, days: days.map(({ from }) => from), locationId: null, userId: null };
const later = Date.now() + hourMs;

const names = {
  networks: new Map(networkIds.map((id) => [id, `network-${id}`])),
  chargers: new Map(chargers.map(({ id }) => [id, `charger-${id}`])),
};

/** Every query of this folder. Rows without an order are sorted. */
const reads: Record<string, (client: ClickHouse) => Promise<unknown>> = {
  'readings of a session': async (client) => {
    const { json } = await readSessionSamples(
      client,
      { chargerId: charger.id, sessionId: charger.session },
      30,
    );
    return Buffer.from(json).toString();
  },
  'registers of sessions': async (client) => [
    ...(await readMeterPoints(
      client,
      chargers.map(({ id, session }) => ({ chargerId: id, uuid: session })),
      { everyMs: 30 * 60_000, current: true },
    )),
  ],
  'first energy of a session': (client) =>
    readFirstEnergy(client, { chargerId: charger.id, uuid: charger.session }),
  'days before the rollup': (client) => unrolledDays(client, charger.id, window),
  'series before the rollup': (client) => readMeterSeries(client, origin, { ...window, widthMs: hourMs }),
  'days rolled up': (client) => rollUpReadings(client, 1000, later),
  'days after the rollup': (client) => unrolledDays(client, charger.id, window),
  'series from the rollup': (client) => readMeterSeries(client, origin, { ...window, widthMs: hourMs }),
  'series of readings': (client) =>
    readMeterSeries(client, { ...origin, sessionId: charger.session }, { ...window, widthMs: 60_000 }),
  'exported readings by hour': (client) =>
    countExportedReadings(client, { networkIds, by: 'occurred', ...window }),
  'chargers of exported readings': async (client) =>
    (await listReadingChargers(client, { networkIds, by: 'updated', ...window })).toSorted((a, b) => a - b),
  'exported readings': async (client) => {
    const stream = await streamReadings(client, { networkIds, by: 'occurred', ...window }, names, 'csv');
    return (await text(stream)).split('\r\n').toSorted();
  },
  'messages of a charger': (client) => readMessages(client, ofCharger, {}, 20),
  'messages of a charger by bucket': (client) =>
    countMessages(client, ofCharger, { ...window, widthMs: hourMs }),
  'messages of a session': (client) =>
    readSessionMessages(client, {
      chargerId: charger.id,
      networkId: charger.networkId,
      transactionId: String(charger.id),
      idToken: 'token',
      from: new Date(start),
      begun: new Date(today),
      to: new Date(today),
    }),
  'status events of a charger': (client) => readStatusEvents(client, ofCharger, {}, 10),
  'status changes of a charger': (client) => readStatusChanges(client, ofCharger, window),
  'reported states': async (client) => sorted(await sumReportedStates(client, filter, window)),
  'offline states': async (client) => sorted(await sumOfflineStates(client, filter, window)),
  'facts by charger': async (client) => sorted(await sumFacts(client, 'charger', filter, window)),
  'facts by network': async (client) => sorted(await sumFacts(client, 'network', filterOfSome, window)),
  'facts by bucket': async (client) => sorted(await sumFactBuckets(client, filter, days)),
  'charged slots': async (client) => sorted(await sumChargedSlots(client, filter, days)),
  'sessions of networks': async (client) => sorted(await sumSessions(client, networkIds, days)),
  'sessions of uneven buckets': async (client) =>
    sorted(await sumSessions(client, networkIds, [{ from: start + 1234, to: today - 5678 }])),
  'charging of networks': async (client) => sorted(await sumCharging(client, networkIds, days)),
  'charging of uneven buckets': async (client) =>
    sorted(await sumCharging(client, networkIds, [{ from: start + 1234, to: today - 5678 }])),
  'report by date': (client) => listReportSums(client, 'date', report, null, 100),
  'report by location': (client) => listReportSums(client, 'location', report, null, 100),
  'exchanges with a partner': (client) => readExchanges(client, { id: 2, networkId: 2 }, {}, 10),
  'exchange log': (client) => readExchangeLog(client, { partnerIds: [1, 2, 3, 4] }, 15),
  'one exchange': (client) => {
    const { time, id } = exchanges[7]!;
    return findExchange(client, [1, 2, 3, 4], { time: new Date(time), id });
  },
  'health of calls': async (client) => sorted(await readCallHealth(client, 2, 7)),
  'deliveries to a webhook': (client) => readDeliveries(client, 3, {}, 10),
};

const textOf = (value: unknown) =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part));

const sorted = (rows: readonly unknown[]) => rows.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));

/** Returns true for null, an empty list or text, and an object without a value that is not. */
function isEmpty(value: unknown): boolean {
  if (value === null || value === '' || value === '[]') return true;
  if (Array.isArray(value)) return value.every(isEmpty);
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}

const { single, sharded, shardedUrl } = await startTwoShards(t);

void t.test('answers every query on two shards as on one server', async (t) => {
  await Promise.all([fill(single), fill(sharded)]);

  const shards = await sharded.query({
    query: 'select _shard_num as shard, count() as rows from meter_samples group by shard order by shard',
    format: 'JSONEachRow',
  });
  const rowsOfShards = await shards.json<{ rows: number }>();
  t.equal(rowsOfShards.length, 2, 'both shards have readings');

  for (const [name, read] of Object.entries(reads)) {
    const [one, two] = [await read(single), await read(sharded)];
    t.same(two, one, name);
    if (name === 'days after the rollup') t.strictSame(one, [], name);
    else t.notOk(isEmpty(one), `${name}: has rows`);
  }

  // This engine refuses definitions of a cluster; the present retention needs none.
  await t.rejects(keepLog(sharded, 'ocpp_messages', 7), { message: /Replicated DDL queries are disabled/ });
  await t.resolves(keepLog(sharded, 'ocpp_messages', 90));
  t.same(await dropPastReadings(sharded, 90), [], 'finds no month of any shard');
  await t.rejects(dropPastReadings(sharded, 1, Date.now() + 90 * dayMs), {
    message: /Replicated DDL queries are disabled/,
  });
  t.same(await dropPastRollup(sharded, 90), []);
});

void t.test('opens a migrated database without a statement for all servers', async (t) => {
  await t.resolves(createClickHouseDatabase(shardedUrl));
  await t.resolves(migrateClickHouse(sharded));
});

void t.test('writes statements for a cluster that the engine can parse', async (t) => {
  const folder = join(import.meta.dirname, '../migrations');
  const place = { cluster: 'one-cluster', database: 'chargeway' };
  const statements = readdirSync(folder)
    .toSorted()
    .flatMap((file) => migrationStatements(readFileSync(join(folder, file), 'utf8'), place));
  for (const statement of statements) {
    await single.command({ query: `explain ast ${statement}` });
  }
  t.match(
    statements[0],
    "engine = ReplicatedReplacingMergeTree('/clickhouse/tables/one-cluster/{shard}/chargeway/meter_samples', '{replica}', received_at)",
  );
  t.ok(statements.every((statement) => /^insert|on cluster `one-cluster`/.test(statement)));

  const result = await single.query({
    query: `select name from system.tables where database = 'single' and engine like '%MergeTree' and name != 'schema_migrations'`,
    format: 'JSONEachRow',
  });
  const tables = (await result.json<{ name: string }>()).map(({ name }) => name);
  t.strictSame(Object.keys(shardingColumns).toSorted(), tables.toSorted(), 'every table has a sharding key');
});
