import t from 'tap';
import { countingContract } from './support/counting-contract.ts';
import { lifetimeContract } from './support/lifetime-contract.ts';
import { messagingContract } from './support/messaging-contract.ts';
import { presenceContract } from './support/presence-contract.ts';
import { startRedisCluster } from './support/redis-cluster.ts';
import { clusterRig, localRig, presenceTtlMs, redisRig } from './support/rigs.ts';

const cluster = await startRedisCluster();

for (const openRig of [localRig, redisRig, (ttlMs?: number) => clusterRig(cluster, ttlMs)]) {
  const rig = await openRig();
  await t.test(`messages on the ${rig.name} bus`, (t) => messagingContract(t, rig));
  await t.test(`presence on the ${rig.name} bus`, (t) => presenceContract(t, rig));
  await t.test(`counting on the ${rig.name} bus`, (t) => countingContract(t, rig));
  await rig.close();
  const brief = await openRig(presenceTtlMs);
  await t.test(`lifetime of presence on the ${brief.name} bus`, (t) => lifetimeContract(t, brief));
  await brief.close();
}
await cluster.stop();
