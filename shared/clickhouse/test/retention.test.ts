import { randomUUID } from 'node:crypto';
import t from 'tap';
import { readStatusEvents, socketRow, statusEventTable } from '#shared/clickhouse/status-events.ts';
import { readMessages } from '#shared/clickhouse/ocpp-messages.ts';
import { keepMessagesFor, keepStatusEventsFor } from '#shared/clickhouse/retention.ts';
import { frameTable, type FrameRow } from '#shared/testing/message-rows.ts';
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
  const { clickhouse } = await testStores(t);
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
  await keepMessagesFor(clickhouse, 30);
  await keepMessagesFor(clickhouse, 30);
  t.same(await kept(), [1, 10], 'existing rows follow the new retention');
  await keepMessagesFor(clickhouse, 7);
  t.same(await kept(), [1]);
});

void t.test('keeps the status history for the configured days', async (t) => {
  const { clickhouse } = await testStores(t);
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
  await keepStatusEventsFor(clickhouse, 730);
  t.equal(await kept(), 2);
  await keepStatusEventsFor(clickhouse, 7);
  await keepStatusEventsFor(clickhouse, 7);
  t.equal(await kept(), 1);
});
