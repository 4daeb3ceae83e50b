import t from 'tap';
import { MessageTail } from '#gateway/ingest/message-tail.ts';
import {
  maxTailRows,
  type TailBatch,
  tailEveryMs,
  type TailRequest,
} from '#shared/domain/fleet/message-tail.ts';
import { VirtualClock } from '#shared/testing/virtual-clock.ts';

const origin = {
  networkId: 1,
  chargerId: 7,
  version: '1.6',
  connectionId: '11111111-1111-4111-8111-111111111111',
} as const;
const frame = {
  time: 1_767_225_600_000,
  seq: 1,
  direction: 'in',
  kind: 'call',
  errorCode: null,
  latencyMs: null,
  text: '[2,"1","Heartbeat",{}]',
} as const;

/** Returns a tail over a bus that keeps what is published. */
async function openTail() {
  const published: TailBatch[] = [];
  const listeners: ((request: TailRequest) => void)[] = [];
  const clock = new VirtualClock();
  const bus: ConstructorParameters<typeof MessageTail>[0] = {
    publish: async (_channel, message) => void published.push(message as TailBatch),
    subscribe: async (_channel, listener) => {
      listeners.push(listener);
      return async () => undefined;
    },
  };
  const tail = new MessageTail(bus, clock);
  await tail.listen();
  return {
    tail,
    published,
    clock,
    request: (leaseMs: number) => listeners[0]?.({ chargerId: origin.chargerId, leaseMs }),
  };
}

const add = (tail: MessageTail) => tail.add(origin, { id: '1', action: 'Heartbeat' }, [frame], false);

void t.test('publishes the rows of a followed charger in one batch', async (t) => {
  const { tail, published, clock, request } = await openTail();
  t.equal(tail.wants(origin.chargerId), false, 'not without a request');
  request(60_000);
  t.equal(tail.wants(origin.chargerId), true);
  t.equal(tail.wants(8), false);
  add(tail);
  add(tail);
  clock.advance(tailEveryMs - 1);
  t.same(published, [], 'a batch waits for more rows');
  clock.advance(1);
  t.equal(published.length, 1);
  t.match(published[0], { dropped: 0, rows: [{ action: 'Heartbeat' }, { messageId: '1' }] });
  await tail.close();
});

void t.test('counts the rows beyond the maximum of a batch', async (t) => {
  const { tail, published, clock, request } = await openTail();
  request(60_000);
  for (let n = 0; n < maxTailRows + 5; n += 1) add(tail);
  clock.advance(tailEveryMs);
  t.equal(published[0]?.rows.length, maxTailRows);
  t.equal(published[0]?.dropped, 5);
  await tail.close();
});

void t.test('ends a request that is not renewed', async (t) => {
  const { tail, published, clock, request } = await openTail();
  request(60_000);
  clock.advance(60_001);
  add(tail);
  t.equal(tail.wants(origin.chargerId), false);
  t.same(published, []);
  await tail.close();
});
