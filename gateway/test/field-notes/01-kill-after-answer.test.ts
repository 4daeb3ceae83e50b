import t from 'tap';
import { gatewayEnvironment, startGatewayProcess } from '#deploy/test/support/system.ts';
import { seedCharger, seedNetwork, seedToken } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { connectRaw } from '#gateway/test/support/raw-charger.ts';
import { dialects } from './support/dialect.ts';

void t.test('field note 1: keeps an answered start and stop over kill -9', async (t) => {
  const stores = await testStores(t);
  const { sql } = stores;
  const network = await seedNetwork(sql);
  const token = await seedToken(sql, network.id);
  const env = await gatewayEnvironment(t, stores);
  const lives = await Promise.all(
    dialects.map(async (dialect) => ({
      dialect,
      charger: await seedCharger(sql, network.id, { connectors: 1 }),
      said: {
        connector: 1,
        token,
        startedAt: new Date(Date.now() - 60_000),
        meterStartWh: 0,
        name: 'killed',
      },
    })),
  );
  const stored = () => sql<{ status: string; energyWh: number }[]>`
    select status, energy_wh as "energyWh" from sessions`;

  const first = await startGatewayProcess(t, env);
  const transactions: (string | number)[] = [];
  for (const { dialect, charger, said } of lives) {
    const socket = await connectRaw(first, charger, dialect.version);
    const [type, , answer] = await socket.call('start', ...dialect.start(said));
    t.equal(type, 3);
    transactions.push(dialect.transactionOf(said, answer));
  }
  await first.kill('SIGKILL');
  t.match(
    await stored(),
    lives.map(() => ({ status: 'ACTIVE' })),
  );

  const second = await startGatewayProcess(t, env);
  for (const [index, { dialect, charger, said }] of lives.entries()) {
    const socket = await connectRaw(second, charger, dialect.version);
    const stop = dialect.stop(said, transactions[index] ?? 0, { at: new Date(), registerWh: 500 }, 1);
    t.match(await socket.call('stop', ...stop), [3, 'stop', Object]);
  }
  await second.kill('SIGKILL');
  const ended = { status: 'COMPLETED', energyWh: 500 };
  t.match(
    await stored(),
    lives.map(() => ended),
    'the start was known after the restart, and the stop is there',
  );
});
