import type { Test } from 'tap';
import { BusClosedError, BusTimeoutError, NoResponderError, ResponderError } from '#shared/bus/contract.ts';
import type { Bus } from '#shared/bus/contract.ts';
import { untilSettled } from '#shared/testing/until.ts';
import { elapsed, noDeadlineMs, type Rig } from './rigs.ts';

/** Values that JSON would lose or change. */
const richValue = {
  text: 'Zürich ⚡',
  missing: undefined,
  nothing: null,
  at: new Date('2026-11-05T06:07:08.901Z'),
  energyWh: 12_345_678_901_234n,
  huge: 2n ** 90n,
  integer: 2 ** 40,
  fraction: 0.1,
  bytes: Buffer.from([0, 255, 13, 10]),
  byConnector: new Map<unknown, unknown>([
    [1, { powerW: 7400 }],
    ['two', [1n, undefined]],
  ]),
  kinds: new Set(['a', 'b']),
};

/** Tests publish, subscribe, request and respond on an implementation of the bus. */
export async function messagingContract(t: Test, rig: Rig): Promise<void> {
  const a = await rig.open('a');
  const b = await rig.open('b');
  const foreign = await rig.openForeign('foreign');
  t.teardown(async () => {
    await foreign.kill();
    await a.close();
    await b.close();
  });

  const ask = (channel: string, timeoutMs: number) => a.request(channel, 'hello', { timeoutMs });

  await t.test('delivers messages of a channel in the order of publishing', async (t) => {
    const numbers = Array.from({ length: 2000 }, (_, index) => index);
    const { seen, unsubscribe } = await collect(b, 'order', numbers.length);
    await Promise.all(numbers.map((number) => a.publish('order', number)));
    t.strictSame(await seen, numbers);
    await unsubscribe();
  });

  await t.test(
    'delivers a message to every subscriber of its channel, including the publisher',
    async (t) => {
      const other = await collect(a, 'other', 1);
      const subscriptions = [
        await collect(a, 'all', 1),
        await collect(b, 'all', 1),
        await collect(b, 'all', 1),
      ];
      await a.publish('all', 'once');
      for (const { seen } of subscriptions) t.strictSame(await seen, ['once']);
      await a.publish('other', 'its own');
      t.strictSame(await other.seen, ['its own']);
      for (const { unsubscribe } of [...subscriptions, other]) await unsubscribe();
    },
  );

  await t.test('delivers no message to an unsubscribed listener', async (t) => {
    const heard: unknown[] = [];
    const leave = await b.subscribe('leaving', (message) => heard.push(message));
    const staying = await collect(b, 'leaving', 2);
    await a.publish('leaving', 'first');
    await staying.first;
    await leave();
    await leave();
    await a.publish('leaving', 'second');
    t.strictSame(await staying.seen, ['first', 'second']);
    t.strictSame(heard, ['first']);
    await staying.unsubscribe();
  });

  await t.test('serves other listeners when one throws', async (t) => {
    const stop = await b.subscribe('throwing', () => {
      throw new Error('broken listener');
    });
    const { seen, unsubscribe } = await collect(b, 'throwing', 1);
    await a.publish('throwing', 'message');
    t.strictSame(await seen, ['message']);
    await stop();
    await unsubscribe();
  });

  await t.test('returns the same values in a reply from another thread or process', async (t) => {
    const stop = await b.respond('echo', async (message) => message);
    t.strictSame(await a.request('echo', richValue, { timeoutMs: 5000 }), richValue);
    t.strictSame(await a.request('foreign-echo', richValue, { timeoutMs: 5000 }), richValue);
    t.equal(await a.request('echo', undefined, { timeoutMs: 5000 }), undefined);
    await stop();
  });

  await t.test('matches concurrent replies to their requests in any order', async (t) => {
    const count = 500;
    const answers: (() => void)[] = [];
    const stop = await b.respond('crossed', async (message) => {
      await new Promise<void>((resolve) => {
        answers.push(resolve);
        if (answers.length === count) for (const answer of answers.toReversed()) answer();
      });
      return `reply to ${String(message)}`;
    });
    const numbers = Array.from({ length: count }, (_, index) => index);
    const replies = await Promise.all(
      numbers.map((number) => a.request('crossed', number, { timeoutMs: 10_000 })),
    );
    t.strictSame(
      replies,
      numbers.map((number) => `reply to ${number}`),
    );
    await stop();
  });

  await t.test('fails a request without a responder before its deadline', async (t) => {
    await t.rejects(untilSettled('the refusal', ask('nobody', noDeadlineMs)), NoResponderError);
    const stop = await b.respond('nobody', async () => 'here');
    t.equal(await ask('nobody', 30_000), 'here');
    await stop();
    await t.rejects(ask('nobody', 30_000), NoResponderError, 'after the responder stopped');
    const c = await rig.open('c');
    await c.respond('nobody', async () => 'here again');
    t.equal(await ask('nobody', 30_000), 'here again');
    await c.close();
    await t.rejects(ask('nobody', 30_000), NoResponderError, 'after the member of the responder closed');
  });

  await t.test('refuses a second responder of a member on a channel', async (t) => {
    const stop = await b.respond('twice', async () => 1);
    await t.rejects(
      b.respond('twice', async () => 2),
      { message: /already answers on twice/ },
    );
    await stop();
  });

  await t.test('fails a request without a reply at its deadline', async (t) => {
    const stop = await b.respond('silent', () => new Promise(() => undefined));
    let hasFailed = false;
    ask('silent', noDeadlineMs).catch(() => (hasFailed = true));
    const took = await elapsed(() => t.rejects(ask('silent', 150), BusTimeoutError));
    t.ok(took >= 145, `after ${took} ms`);
    t.notOk(hasFailed, 'a request with a later deadline waits');
    await stop();
  });

  await t.test('returns the error message of a responder to the caller', async (t) => {
    const stop = await b.respond('failing', async () => {
      throw new Error('connector 2 is unknown');
    });
    const failure = a.request('failing', {}, { timeoutMs: 5000 });
    await t.rejects(failure, new ResponderError('failing', 'connector 2 is unknown'));
    await stop();
  });

  await t.test('fails a request whose reply cannot be encoded', async (t) => {
    const stop = await b.respond('no-data', async () => Symbol('none'));
    await t.rejects(a.request('no-data', {}, { timeoutMs: 5000 }), ResponderError);
    await stop();
  });

  await t.test('fails pending and later requests after close', async (t) => {
    const c = await rig.open('c');
    const arrived = Promise.withResolvers<void>();
    const stop = await b.respond('hanging', () => {
      arrived.resolve();
      return new Promise(() => undefined);
    });
    const waiting = t.rejects(c.request('hanging', {}, { timeoutMs: 30_000 }), BusClosedError);
    await arrived.promise;
    await c.close();
    await waiting;
    await c.close();
    await t.rejects(c.publish('x', 1), BusClosedError);
    await t.rejects(
      c.subscribe('x', () => undefined),
      BusClosedError,
    );
    await t.rejects(c.request('x', 1, { timeoutMs: 1000 }), BusClosedError);
    await t.rejects(c.presence.claim('x', '1'), BusClosedError);
    await t.rejects(c.presence.lookup('x'), BusClosedError);
    await t.rejects(c.ping(), BusClosedError);
    await stop();
  });

  await t.test('answers ping on a working bus', async (t) => {
    await t.resolves(a.ping());
  });
}

/** Listens on `channel`: `first` resolves with one message, `seen` with `count` of them. */
async function collect(bus: Bus, channel: string, count: number) {
  const messages: unknown[] = [];
  const first = Promise.withResolvers<void>();
  const all = Promise.withResolvers<unknown[]>();
  const unsubscribe = await bus.subscribe(channel, (message) => {
    messages.push(message);
    first.resolve();
    if (messages.length === count) all.resolve(messages);
  });
  return { first: first.promise, seen: all.promise, unsubscribe };
}
