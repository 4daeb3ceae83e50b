import { Redis } from 'ioredis';
import t from 'tap';
import type { Test } from 'tap';
import { BusTimeoutError } from '#shared/bus/contract.ts';
import type { Bus } from '#shared/bus/contract.ts';
import { createRedisBus } from '#shared/bus/redis.ts';
import { BusUnavailableError } from '#shared/bus/contract.ts';
import { startOwnRedis } from '#shared/testing/redis.ts';
import { until, untilSettled } from '#shared/testing/until.ts';
import { eventually, noDeadlineMs, presenceTtlMs } from './support/rigs.ts';

void t.test('recovers from a Redis that is killed and comes back empty', async (t) => {
  const { server, a, b } = await twoMembers(t);
  const news: unknown[] = [];
  await a.subscribe('news', (message) => news.push(message));
  await b.respond('echo', async (message) => message);
  const arrived = Promise.withResolvers<void>();
  await b.respond('silent', () => {
    arrived.resolve();
    return new Promise(() => undefined);
  });
  await b.presence.claim('held', 'one');
  await b.presence.claim('released-meanwhile', 'one');
  const waiting = a.request('silent', {}, { timeoutMs: 1500 });
  waiting.catch(() => undefined);
  await arrived.promise;
  await a.ping();
  await server.stop();

  const duringOutage: [string, () => Promise<unknown>][] = [
    ['request', () => a.request('echo', 1, { timeoutMs: noDeadlineMs })],
    ['publish', () => a.publish('news', 'lost')],
    ['subscribe', () => a.subscribe('other', () => undefined)],
    ['claim', () => b.presence.claim('claimed-meanwhile', 'one')],
    ['release', () => b.presence.release('released-meanwhile', 'one')],
    ['lookup', () => a.presence.lookup('held')],
    ['count', () => a.count('counted', 1000)],
    ['ping', () => a.ping()],
  ];
  for (const [name, operation] of duringOutage) {
    await t.rejects(untilSettled(name, operation()), BusUnavailableError, `${name} is refused`);
  }
  await t.rejects(waiting, BusTimeoutError, 'what waited for a reply ends at its deadline');

  const again = await startOwnRedis({ port: Number(new URL(server.url).port) });
  t.teardown(() => again.stop());
  const echo = () => a.request('echo', 'back', { timeoutMs: 1000 });
  t.equal(await eventually(echo), 'back', 'the responder is heard again');
  const heard = async () => {
    await b.publish('news', 'fresh');
    return news.includes('fresh') ? true : undefined;
  };
  await eventually(heard);
  t.notOk(news.includes('lost'), 'what was refused is not delivered later');
  for (const key of ['held', 'claimed-meanwhile']) {
    const entry = await eventually(async () => (await a.presence.lookup(key)) ?? undefined);
    t.strictSame(entry, { key, node: 'b', connectionId: 'one' });
  }
  t.equal(await a.presence.lookup('released-meanwhile'), null);
});

void t.test('fails in bounded time while Redis hangs and recovers without a restart', async (t) => {
  const { server, a, b } = await twoMembers(t);
  await b.respond('echo', async (message) => message);
  await b.presence.claim('held', 'one');
  process.kill(server.pid, 'SIGSTOP');
  t.teardown(() => process.kill(server.pid, 'SIGCONT'));
  await t.rejects(untilSettled('the ping', a.ping()), BusUnavailableError);
  const request = a.request('echo', 1, { timeoutMs: noDeadlineMs });
  await t.rejects(untilSettled('the request', request), BusUnavailableError);
  await t.rejects(b.presence.release('held', 'one'), BusUnavailableError);
  process.kill(server.pid, 'SIGCONT');
  const echo = () => a.request('echo', 'back', { timeoutMs: 1000 });
  t.equal(await eventually(echo), 'back');
  const released = async () => ((await a.presence.lookup('held')) === null ? true : undefined);
  t.ok(await eventually(released), 'the release that failed is made good');
});

void t.test('restores claims after Redis lost its data, the newest first', async (t) => {
  const { server, a, b } = await twoMembers(t);
  await a.presence.claim('moved', 'old');
  await a.presence.claim('of-a', 'one');
  // The order of claims that are announced again is that of their milliseconds.
  const claimedAt = Date.now();
  await until('the next millisecond', () => Date.now() > claimedAt);
  await b.presence.claim('moved', 'new');
  await b.presence.claim('of-b', 'one');
  const redis = new Redis(server.url);
  await redis.flushall();
  t.teardown(() => redis.disconnect());
  for (const key of ['of-a', 'of-b']) {
    await eventually(async () => (await a.presence.lookup(key)) ?? undefined);
  }
  const moved = await eventually(async () => (await a.presence.lookup('moved')) ?? undefined);
  t.strictSame(moved, { key: 'moved', node: 'b', connectionId: 'new' });
  t.ok((await redis.pttl('chargeway:presence:moved')) > 0, 'no entry stays indefinitely');
});

void t.test('ignores foreign bytes on its channels', async (t) => {
  const { server, a, b } = await twoMembers(t);
  await b.respond('echo', async (message) => message);
  const redis = new Redis(server.url);
  t.equal(await redis.spublish('chargeway:req:echo', Buffer.from([0xc1, 0xff])), 1);
  t.equal(await redis.spublish('chargeway:req:echo', Buffer.from([0xc0])), 1);
  t.equal(await a.request('echo', 'alive', { timeoutMs: 5000 }), 'alive');
  redis.disconnect();
});

void t.test('fails at once when Redis is unavailable at the start', async (t) => {
  const server = await startOwnRedis();
  await server.stop();
  await t.rejects(createRedisBus({ url: server.url }), BusUnavailableError);
});

async function twoMembers(t: Test) {
  const server = await startOwnRedis();
  const open = (node: string): Promise<Bus> => createRedisBus({ url: server.url, node, presenceTtlMs });
  const [a, b] = await Promise.all([open('a'), open('b')]);
  t.teardown(async () => {
    await Promise.all([a.close(), b.close()]);
    await server.stop();
  });
  return { server, a, b };
}
