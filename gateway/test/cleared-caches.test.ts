import t from 'tap';
import { untilBlocked } from '#api/test/support/meanwhile.ts';
import { seedCharger, seedToken } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { dialects } from './field-notes/support/dialect.ts';
import { connectRaw } from './support/raw-charger.ts';
import { startRig } from './support/rig.ts';

void t.test('clears the cache of a charger after its pending authorization was delivered', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  for (const dialect of dialects) {
    await t.test(dialect.version, async (t) => {
      const charger = await seedCharger(sql, rig.network.id);
      const token = await seedToken(sql, rig.network.id);
      const socket = await connectRaw(rig, charger, dialect.version);
      const bystander = await seedCharger(sql, rig.network.id);
      const other = await connectRaw(rig, bystander, dialect.version);
      for (const { uid } of [charger, bystander]) {
        await until('presence', () => rig.bus.presence.lookup(uid));
      }
      let cleared: ReturnType<typeof rig.command> | undefined;
      await sql.begin(async (transaction) => {
        // That the charger heard of the token is noted, which waits.
        await transaction`select from id_tokens where uid = ${token} for update`;
        socket.send(JSON.stringify([2, 'shown', ...dialect.authorize(token)]));
        await untilBlocked(sql, 1);
        cleared = rig.command(charger.uid, { type: 'clear-cache' });
        // A later command reaches another charger of the shard, so this one would have reached its charger.
        const later = rig.command(bystander.uid, { type: 'clear-cache' });
        const [, id] = await other.next();
        other.send(JSON.stringify([3, id, { status: 'Accepted' }]));
        await later;
      });
      t.match(await socket.next(), [3, 'shown', Object]);
      const [type, id, action] = await socket.next();
      t.same([type, action], [2, 'ClearCache']);
      socket.send(JSON.stringify([3, id, { status: 'Accepted' }]));
      t.match(await cleared, { ok: true, result: { accepted: true } });
    });
  }
});
