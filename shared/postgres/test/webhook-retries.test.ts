import { randomUUID } from 'node:crypto';
import t from 'tap';
import { insertEndpoint } from '#shared/postgres/events/webhook-endpoints.statements.ts';
import type { Lease } from '#shared/postgres/events/webhook-lanes.ts';
import {
  listDueRetries,
  parkEvents,
  type ParkedEvent,
  postponeRetry,
  settleRetry,
} from '#shared/postgres/events/webhook-retries.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';

async function seedLane(sql: Sql): Promise<Lease> {
  const network = await seedNetwork(sql);
  const details = {
    url: 'https://x.example',
    description: null,
    types: [],
    chargerUuid: null,
    locationUuid: null,
    order: 'object',
    isEnabled: true,
  } as const;
  const { id } = await sql.begin((transaction) =>
    insertEndpoint(transaction, network.id, details, { keyId: null, operatorId: null }),
  );
  const lease = randomUUID();
  await sql`update webhook_lanes set leased_by = ${lease}, leased_until = now() + interval '1 min' where endpoint_id = ${id}`;
  return { endpointId: id, lease };
}

const waiting = (position: bigint, dueInMs: number | null): ParkedEvent => ({
  laneKey: 'driver/1',
  position,
  eventId: position,
  type: 'driver.updated',
  body: '{}',
  tries: 1,
  dueInMs,
  error: null,
});
const due = { limit: 10, isProbe: false };

void t.test('makes an event due at once when those that it waits for were delivered meanwhile', async (t) => {
  const { sql } = await testStores(t);
  const lane = await seedLane(sql);
  t.ok(await parkEvents(sql, lane, [waiting(2n, null)]));
  t.match(await listDueRetries(sql, lane.endpointId, due), [{ position: 2n }]);
});

void t.test('leaves the events behind one that another process has settled due', async (t) => {
  const { sql } = await testStores(t);
  const lane = await seedLane(sql);
  await parkEvents(sql, lane, [waiting(1n, 0), waiting(2n, null)]);
  const [first] = await listDueRetries(sql, lane.endpointId, due);
  if (first === undefined) throw new Error('nothing is due');
  t.match(await settleRetry(sql, lane.endpointId, first), { position: 2n });
  await postponeRetry(sql, lane.endpointId, first, { tries: 2, dueInMs: 60_000, error: 'late' });
  t.match(await listDueRetries(sql, lane.endpointId, due), [{ position: 2n }]);
});

void t.test('stores nothing for a process that lost its lease', async (t) => {
  const { sql } = await testStores(t);
  const lane = await seedLane(sql);
  t.notOk(await parkEvents(sql, { ...lane, lease: randomUUID() }, [waiting(1n, 0)]));
  t.equal((await sql`select from webhook_retries`).length, 0);
});
