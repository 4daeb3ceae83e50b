import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { sendWaitingLogs } from '#api/jobs/waiting-logs.job.ts';
import { storeLogRows } from '#api/services/kernel/waiting-logs.service.ts';
import { openTestDeps } from '#api/test/support/deps.ts';
import { openBus } from '#shared/bus/open.ts';
import { type ClickHouse, openClickHouse } from '#shared/clickhouse/client.ts';
import {
  deliveryTable,
  readDeliveries,
  type WebhookDelivery,
} from '#shared/clickhouse/webhook-deliveries.queries.ts';
import { keepLogRows } from '#shared/postgres/kernel/waiting-log-rows.ts';
import { type TestStores, testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';

const { signal } = new AbortController();
const silent = pino({ level: 'silent' });

const delivery = (tryNumber: number): WebhookDelivery => ({
  networkId: 1,
  endpointId: 7,
  time: Date.now(),
  id: randomUUID(),
  eventId: 12n,
  type: 'driver.updated',
  tryNumber,
  outcome: 'delivered',
  httpStatus: 200,
  durationMs: 3,
  answer: 'thanks ☂',
  error: '',
});

function unavailableClickHouse(t: Test): ClickHouse {
  const clickhouse = openClickHouse('http://127.0.0.1:9/', { name: 'test', connections: 1 });
  t.teardown(() => clickhouse.close());
  return clickhouse;
}

/** Line of a row with endpoint, time and number of the try. */
const line = (tryNumber: unknown) => `${JSON.stringify([7, Date.now(), tryNumber])}\n`;

/** Returns the deliveries that the log shows. */
const logged = ({ clickhouse }: TestStores) => readDeliveries(clickhouse, 7, {}, 10);

const countWaiting = async ({ sql }: TestStores): Promise<number> =>
  (await sql`select from waiting_log_rows`).length;

void t.test('keeps deliveries of an outage of ClickHouse although the process stops meanwhile', async (t) => {
  const stores = await testStores(t);
  const { sql, clickhouse } = stores;
  const bus = await openBus({ localName: randomUUID(), hub: true });
  t.teardown(() => bus.close());
  const { deps, close } = await openTestDeps({ sql, clickhouse: unavailableClickHouse(t) }, bus);
  deps.deliveries.add(delivery(1));
  await until('the first rows in PostgreSQL', async () => (await countWaiting(stores)) === 1);
  deps.deliveries.add(delivery(2));
  await close();
  t.strictSame(await logged(stores), []);

  await sendWaitingLogs({ sql, clickhouse, log: silent }, signal);
  const rows = await logged(stores);
  t.match(
    rows.toSorted((a, b) => a.tryNumber - b.tryNumber),
    [
      { tryNumber: 1, eventId: '12', answer: 'thanks ☂' },
      { tryNumber: 2, eventId: '12' },
    ],
  );
  t.equal(await countWaiting(stores), 0);
});

void t.test('keeps waiting rows while ClickHouse is still unavailable', async (t) => {
  const stores = await testStores(t);
  const { sql } = stores;
  const away = { sql, clickhouse: unavailableClickHouse(t) };
  const columns = ['endpoint_id'];
  await storeLogRows(away, { name: deliveryTable.name, columns }, [Buffer.from('[7]\n')]);
  await t.rejects(sendWaitingLogs({ ...away, log: silent }, signal), { code: 'ECONNREFUSED' });
  t.equal(await countWaiting(stores), 1);
});

void t.test('logs rows that ClickHouse refuses, and stores the rows after them', async (t) => {
  const stores = await testStores(t);
  const { sql, clickhouse } = stores;
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  const table = deliveryTable.name;
  const columns = ['endpoint_id', 'time', 'try_number'];
  await keepLogRows(sql, { table, columns, lines: line('many') }, 1000);
  await keepLogRows(sql, { table, columns, lines: line(3) }, 1000);
  await sendWaitingLogs({ sql, clickhouse, log }, signal);
  t.match(await logged(stores), [{ tryNumber: 3 }]);
  t.match(lines, [/rows of a log that waited in PostgreSQL were refused/]);
  t.equal(await countWaiting(stores), 0);
});

void t.test('keeps no rows beyond the limit', async (t) => {
  const { sql } = await testStores(t);
  const rows = { table: deliveryTable.name, columns: ['endpoint_id'], lines: '[7]\n' };
  t.equal(await keepLogRows(sql, rows, 8), true);
  t.equal(await keepLogRows(sql, rows, 8), true);
  t.equal(await keepLogRows(sql, rows, 8), false);
});
