import t from 'tap';
import { openEffect } from '#gateway/commands/effects/effects.ts';
import { StoreClock } from '#gateway/shard/store-clock.ts';
import { connectionTimeoutMs } from '#shared/domain/charging/remote-start.ts';
import { createLogger } from '#shared/log/log.ts';
import { seedCharger, seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { VirtualClock } from '#shared/testing/virtual-clock.ts';

void t.test(
  'expires a remote start by the time of PostgreSQL when the clock of the machine is wrong',
  async (t) => {
    const { sql } = await testStores(t);
    const charger = await seedCharger(sql, (await seedNetwork(sql)).id, { connectors: 1 });
    const machine = new VirtualClock();
    const clock = new StoreClock(machine, createLogger('test', 'silent'));
    const storeTime = machine.now() - 3_600_000;
    clock.compare(storeTime, machine.steady());
    const start = { type: 'remote-start', idToken: 'TAG', evse: 1, remoteStartId: null } as const;
    await openEffect({ sql, clock }, charger.id, start, 30_000);
    t.match(await sql`select expires_at from remote_starts where charger_id = ${charger.id}`, [
      { expires_at: new Date(storeTime + 30_000 + connectionTimeoutMs) },
    ]);
  },
);
