import { BroadcastChannel } from 'node:worker_threads';
import t from 'tap';
import { threadsOf } from '#gateway/supervisor/supervisor.ts';
import { seedCharger, seedToken } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import type { Failure } from './support/failing-shard.ts';
import { Neighbour } from './support/fuzz/neighbour.ts';
import { connectRaw } from './support/raw-charger.ts';
import { startRig } from './support/rig.ts';

void t.test('restarts a shard after an uncaught error', async (t) => {
  const failing = threadsOf(new URL('./support/failing-shard.ts', import.meta.url));
  const rig = await startRig(t, { SHARDS: '2', LOG_LEVEL: 'silent' }, failing);
  const idTag = await seedToken(rig.stores.sql, rig.network.id);
  const channel = new BroadcastChannel('fail-shard');
  t.teardown(() => channel.close());

  for (const how of ['thrown', 'rejected'] satisfies Failure[]) {
    await t.test(how, async (t) => {
      const charger = await seedCharger(rig.stores.sql, rig.network.id, { connectors: 1 });
      const socket = await connectRaw(rig, charger, 'ocpp1.6');
      const { node } = await until('presence', () => rig.bus.presence.lookup(charger.uid));
      const timestamp = new Date().toISOString();
      const start = { connectorId: 1, idTag, meterStart: 0, timestamp };
      const [, , started] = await socket.call('start', 'StartTransaction', start);
      const [other] = (await Neighbour.onEveryShard(rig, 2)).filter((neighbour) => neighbour.node !== node);
      other?.start();

      // It is gone for a second only, and its presence may stay for longer.
      const gone = until('the shard is gone', async () => !rig.isReady());
      channel.postMessage({ to: node, how });
      await Promise.all([gone, socket.closed]);
      await until('offline', async () => (await rig.bus.presence.lookup(charger.uid)) === null);
      const back = await connectRaw(rig, charger, 'ocpp1.6');
      const [, , again] = await back.call('start', 'StartTransaction', start);
      t.same(again, started, 'its chargers go on with another');

      await until('the shard is back', async () => rig.isReady());
      const neighbours = await Neighbour.onEveryShard(rig, 2);
      t.ok(
        neighbours.some((neighbour) => neighbour.node === node),
        'and takes chargers again',
      );
      await other?.stop();
      t.ok(other?.isConnected);
      t.same(other?.faults, []);
      t.ok((other?.served ?? 0) > 10, 'chargers of the other shard were served meanwhile');
    });
  }
});
