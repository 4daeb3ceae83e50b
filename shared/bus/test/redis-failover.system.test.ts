import t from 'tap';
import type { Test } from 'tap';
import type { Bus } from '#shared/bus/contract.ts';
import { createRedisBus } from '#shared/bus/redis.ts';
import { documentedUser } from './support/documented-user.ts';
import { type ClusterNode, moveSlots, startRedisCluster } from './support/redis-cluster.ts';
import { startRedisSentinels } from './support/redis-sentinel.ts';
import { until, untilSettled } from '#shared/testing/until.ts';
import { eventually, noDeadlineMs } from './support/rigs.ts';

/** Enough for every master of a cluster to own some of their keys and channels. */
const names = Array.from({ length: 30 }, (_, index) => `name-${index}`);

void t.test('recovers over a replica when a master of a cluster is killed', async (t) => {
  const cluster = await startRedisCluster();
  const { a, b } = await twoMembers(t, cluster.url, () => cluster.stop());
  await answerOnAll(b);
  await claimAll(b);
  await t.resolves(askAll(a));
  const heard = await countMessages(b);

  await cluster.masters[0].kill();
  await settleOnAll(a);
  await recovers(t, a, b);
  await hearsOnce(t, a, heard);
});

void t.test('receives replies over a replica when the master that they go through is killed', async (t) => {
  const cluster = await startRedisCluster();
  const [master] = cluster.masters;
  const asker = await memberHearingAt(t, cluster.url, master);
  const responder = await createRedisBus({ url: cluster.url, node: 'responder' });
  t.teardown(async () => {
    await responder.close();
    await cluster.stop();
  });
  await answerOnAll(responder);
  await master.kill();
  await settleOnAll(asker);
  t.pass('every request settled before its deadline');
});

void t.test('hears each message once while masters and slots move in a cluster', async (t) => {
  const cluster = await startRedisCluster();
  const { a, b } = await twoMembers(t, cluster.url, () => cluster.stop());
  await answerOnAll(b);
  await claimAll(b);
  const heard = await countMessages(b);

  await t.test('when a replica takes over from a master that lives on', async (t) => {
    await cluster.replica.client.cluster('FAILOVER');
    await eventually(async () => ((await isMaster(cluster.replica)) ? true : undefined));
    await recovers(t, a, b);
    await hearsOnce(t, a, heard);
  });

  await t.test('when slots move to another master', async (t) => {
    const [, from, to] = cluster.masters;
    // Of the names' channels and keys, some have slots in this range.
    await moveSlots(from, to, 5461, 8000);
    await recovers(t, a, b);
    await hearsOnce(t, a, heard);
  });

  await t.test('when a master hangs and its replica takes over', async (t) => {
    process.kill(cluster.replica.pid, 'SIGSTOP');
    await eventually(async () => ((await isMaster(cluster.masters[0])) ? true : undefined));
    await recovers(t, a, b);
    await hearsOnce(t, a, heard);
  });
});

void t.test('recovers over a replica when the master of Sentinels is killed', async (t) => {
  const sentinels = await startRedisSentinels([await documentedUser('sentinel')]);
  const url = `${sentinels.url}?sentinel_username=sentinel&sentinel_password=PASSWORD`;
  const { a, b } = await twoMembers(t, url, () => sentinels.stop());
  await answerOnAll(b);
  await claimAll(b);
  const heard = await countMessages(b);
  await sentinels.master.stop();
  await t.rejects(a.ping());
  await recovers(t, a, b);
  await hearsOnce(t, a, heard);
});

/** Returns a member whose replies go through a master: the slot of their channel is a matter of chance. */
async function memberHearingAt(t: Test, url: string, { client }: ClusterNode): Promise<Bus> {
  const heard = async () => {
    const channels = (await client.call('PUBSUB', 'SHARDCHANNELS')) as string[];
    return channels.filter((channel) => channel.includes('reply:')).length;
  };
  for (;;) {
    const before = await heard();
    const member = await createRedisBus({ url });
    t.teardown(() => member.close());
    if ((await heard()) > before) return member;
  }
}

async function twoMembers(t: Test, url: string, stop: () => Promise<void>) {
  const [a, b] = await Promise.all([createRedisBus({ url, node: 'a' }), createRedisBus({ url, node: 'b' })]);
  t.teardown(async () => {
    await Promise.all([a.close(), b.close()]);
    await stop();
  });
  return { a, b };
}

async function answerOnAll(bus: Bus): Promise<void> {
  await Promise.all(names.map((name) => bus.respond(name, async () => name)));
}

async function claimAll(bus: Bus): Promise<void> {
  await bus.presence.claimAll(names.map((key) => ({ key, connectionId: 'one', claimedAt: 1 })));
}

async function askAll(bus: Bus): Promise<void> {
  await Promise.all(names.map((name) => bus.request(name, null, { timeoutMs: 5000 })));
}

/** Sends a request on every channel, and resolves when all of them have succeeded or failed, long before their deadline. */
async function settleOnAll(bus: Bus): Promise<void> {
  const requests = names.map((name) => bus.request(name, null, { timeoutMs: noDeadlineMs }));
  await untilSettled('every request to settle', Promise.allSettled(requests));
}

/** Counts messages by channel and number. */
async function countMessages(bus: Bus): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const listen = (name: string) =>
    bus.subscribe(name, (message) => {
      const key = `${name} ${String(message)}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    });
  await Promise.all(names.map(listen));
  return counts;
}

/** Every channel is answered, every claim of `b` is found, and a claim and a release count. */
async function recovers(t: Test, a: Bus, b: Bus): Promise<void> {
  await eventually(async () => {
    await Promise.all([a.ping(), b.ping(), askAll(a)]);
    const found = await Promise.all(names.map((name) => a.presence.lookup(name)));
    return found.every((entry) => entry?.node === 'b') ? true : undefined;
  });
  t.equal((await a.presence.list()).length, names.length);
  await a.presence.claim('new', 'one');
  t.equal(await a.presence.release('new', 'one'), true);
}

/** A message to every channel is heard once. */
async function hearsOnce(t: Test, sender: Bus, heard: Map<string, number>): Promise<void> {
  heard.clear();
  // A second copy comes over another connection, so a little later: while the next messages are sent and heard.
  const rounds = 10;
  for (let round = 1; round <= rounds; round += 1) {
    await Promise.all(names.map((name) => sender.publish(name, round)));
    await until('a message of each channel', () => heard.size >= round * names.length);
  }
  t.ok([...heard.values()].every((count) => count === 1));
}

async function isMaster({ client }: ClusterNode): Promise<boolean> {
  return (await client.info('replication')).includes('role:master');
}
