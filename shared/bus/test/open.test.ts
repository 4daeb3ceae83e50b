import { randomUUID } from 'node:crypto';
import t from 'tap';
import { NoResponderError } from '#shared/bus/contract.ts';
import { createLocalBus } from '#shared/bus/local.ts';
import { openBus } from '#shared/bus/open.ts';
import { createRedisBus } from '#shared/bus/redis.ts';
import { startTestRedis } from '#shared/testing/redis.ts';

void t.test('opens the bus of the process without a Redis URL or with an empty one', async (t) => {
  const localName = randomUUID();
  const hub = await openBus({ localName, hub: true });
  const member = await openBus({ redisUrl: '', localName, node: 'member' });
  const local = await createLocalBus({ name: localName });
  await member.presence.claim('CP-1', 'one');
  t.equal((await local.presence.lookup('CP-1'))?.node, 'member');
  for (const bus of [local, member, hub]) await bus.close();
});

void t.test('connects members through Redis with a Redis URL', async (t) => {
  const server = await startTestRedis();
  const key = randomUUID();
  const member = await openBus({ redisUrl: server.url, localName: randomUUID(), node: 'member' });
  const redis = await createRedisBus({ url: server.url });
  await member.presence.claim(key, 'one');
  t.equal((await redis.presence.lookup(key))?.node, 'member');
  for (const bus of [redis, member]) await bus.close();
  await server.stop();
});

void t.test('separates installations that share a Redis', async (t) => {
  const server = await startTestRedis();
  const address = new URL(server.url);
  const installation = (prefix: string) => {
    address.searchParams.set('prefix', prefix);
    return createRedisBus({ url: address.href });
  };
  const [one, other] = [await installation(randomUUID()), await installation(randomUUID())];
  await one.presence.claim('CP-1', 'one');
  t.equal(await other.presence.lookup('CP-1'), null);
  await one.respond('gateway', async () => 'one');
  await t.rejects(other.request('gateway', null, { timeoutMs: 10_000 }), NoResponderError);
  t.strictSame(
    [await one.count('key', 60_000), await other.count('key', 60_000)].map(({ count }) => count),
    [1, 1],
  );
  for (const bus of [one, other]) await bus.close();
  await server.stop();
});
