import { randomUUID } from 'node:crypto';
// oxlint-disable-next-line time/no-sleep -- the pace of the writers, on which no assertion depends
import { setTimeout as wait } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { type Receiver, startReceiver } from '#api/test/events/support/receiver.ts';
import { createRandom } from '#shared/simulator/random.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { recordEvents } from '#shared/postgres/kernel/outbox.statements.ts';
import { testEnvironment } from '#shared/testing/config.ts';
import { freePort } from '#shared/testing/free-port.ts';
import { seedApiKey, seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import { type RunningProcess, startProcess, untilHealthy } from './support/system.ts';

const orders = ['object', 'object', 'endpoint'] as const;
const subjectCount = 12;
const kills = 4;

/** Webhook and its receiver. */
interface Endpoint {
  order: (typeof orders)[number];
  receiver: Receiver;
}

/** Written event. */
interface Written {
  id: string;
  subject: string;
}

void t.test('webhooks lose no event while API processes and receivers are killed', async (t) => {
  const stores = await testStores(t);
  const { sql } = stores;
  const network = await seedNetwork(sql);
  const scopes = ['cpms:read:events', 'cpms:read:webhooks', 'cpms:write:webhooks'];
  const key = await seedApiKey(sql, 'cpms', { networkIds: [network.id], scopes });
  const environment = {
    ...(await testEnvironment(t, stores)),
    OUTBOUND_ALLOW: '127.0.0.0/8',
    SEALING_KEY: key,
  };
  const ports = [await freePort(), await freePort()];
  const apis: RunningProcess[] = [];
  const start = async (at: number): Promise<void> => {
    const process = startProcess(t, 'api/main.ts', { ...environment, PORT: String(ports[at]) });
    apis[at] = process;
    await untilHealthy(process, `http://127.0.0.1:${ports[at]}/health/ready`);
  };
  await start(0);
  await start(1);
  const endpoints: Endpoint[] = [];
  for (const order of orders) {
    endpoints.push({ order, receiver: await addEndpoint(t, `http://127.0.0.1:${ports[0]}`, key, order) });
  }

  const countReceived = () => endpoints.reduce((sum, { receiver }) => sum + receiver.received.length, 0);
  const writing = writeUntilStopped(sql, network.id);
  for (let round = 0; round < kills; round += 1) {
    const arrived = endpoints.map(({ receiver }) => receiver.received.length);
    await until(
      'events arrive everywhere',
      async () =>
        endpoints.every(({ receiver }, index) => receiver.received.length > (arrived[index] ?? 0) + 50),
      countReceived,
    );
    const broken = endpoints[round % endpoints.length]?.receiver;
    await Promise.all([apis[round % apis.length]?.kill('SIGKILL'), broken?.close()]);
    await start(round % apis.length);
    await broken?.restart();
  }
  const written = await writing.stop();
  t.ok(written > 500, `${written} events`);

  for (const { order, receiver } of endpoints) {
    const isComplete = async () => new Set(receiver.accepted.map(({ event }) => event.id)).size >= written;
    await until(`all events with order ${order}`, isComplete, countReceived);
  }
  // By now all events have positions.
  const outbox = await sql<Written[]>`
    select id::text, subject_uuid as subject from outbox where type = 'driver.updated' order by position`;
  t.equal(outbox.length, written);
  for (const endpoint of endpoints) audit(t, outbox, endpoint);
  t.equal((await sql`select from webhook_dead_letters`).length, 0);
});

/** Registers a webhook with a receiver that refuses some requests. */
async function addEndpoint(
  t: Test,
  apiUrl: string,
  key: string,
  order: Endpoint['order'],
): Promise<Receiver> {
  const receiver = await startReceiver(t);
  const random = createRandom(11);
  // An endpoint with one order for all waits for seconds after each failure.
  if (order === 'object') receiver.react = () => (random() < 0.01 ? { status: 500 } : {});
  const response = await fetch(`${apiUrl}/cpms/v1/webhooks`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ url: receiver.url, order }),
  });
  t.equal(response.status, 201);
  return receiver;
}

/** Compares what a receiver accepted with what was written. */
function audit(t: Test, outbox: readonly Written[], { order, receiver }: Endpoint): void {
  // In the order of the first arrivals.
  const arrived = [...new Set(receiver.accepted.map(({ event }) => event.id))];
  const ids = outbox.map(({ id }) => id);
  t.strictSame(arrived.toSorted(), ids.toSorted(), `none is missing with order ${order}`);
  const subjects = new Map(outbox.map(({ id, subject }) => [id, subject]));
  const ofSubject = (list: readonly string[]) => Map.groupBy(list, (id) => subjects.get(id) ?? '');
  if (order === 'endpoint') t.strictSame(arrived, ids, 'all are in order');
  else {
    const expected = ofSubject(ids);
    for (const [subject, list] of ofSubject(arrived))
      t.strictSame(list, expected.get(subject), 'a subject is in order');
  }
  const named = new Set(
    receiver.received.map(({ event, headers }) => `${event.id} ${String(headers['webhook-id'])}`),
  );
  t.equal(named.size, ids.length, 'a repeated event has the same webhook-id');
  t.comment(`order ${order}: ${ids.length} events, ${receiver.received.length - ids.length} requests more`);
}

/** Writes events of a few subjects in transactions side by side, whose commits overlap. */
function writeUntilStopped(sql: Sql, networkId: number): { stop(): Promise<number> } {
  const subjects = Array.from({ length: subjectCount }, () => randomUUID());
  const ending = new AbortController();
  let written = 0;
  const write = async (own: readonly string[]): Promise<void> => {
    while (!ending.signal.aborted) {
      const events = own.map((subjectUuid) => ({
        type: 'driver.updated' as const,
        networkId,
        subjectId: 1,
        subjectUuid,
      }));
      await sql.begin((transaction) => recordEvents(transaction, events));
      written += events.length;
      await wait(250);
    }
  };
  // Writers of a subject lock it in the product: here each subject has one writer.
  const writers = [0, 1, 2].map((number) =>
    write(subjects.filter((_subject, index) => index % 3 === number)),
  );
  return {
    async stop() {
      ending.abort();
      await Promise.all(writers);
      return written;
    },
  };
}
