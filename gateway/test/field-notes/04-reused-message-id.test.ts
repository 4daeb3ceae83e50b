import t from 'tap';
import { dialects } from './support/dialect.ts';
import { charging, openScene } from './support/scene.ts';

void t.test('field note 4: never answers a reused message id with an earlier answer', async (t) => {
  const scene = await openScene(t);

  for (const dialect of dialects) {
    await t.test(
      `${dialect.version}: for another action, and on another socket after a reboot`,
      async (t) => {
        const charger = await scene.charger();
        const first = charging(scene);
        const second = charging(scene, { connector: 2, name: 'tx-2', meterStartWh: 7 });
        const transactions: unknown[] = [];
        for (const said of [first, second]) {
          // A charger that booted counts its messages from 1 again.
          const socket = await scene.socket(charger, dialect);
          t.match(await socket.call('1', ...dialect.boot), [3, '1', { status: 'Accepted' }]);
          t.match(await socket.call('1', 'Heartbeat', {}), [
            3,
            '1',
            { currentTime: String, status: undefined },
          ]);
          const [type, id, answer] = await socket.call('1', ...dialect.start(said));
          t.same([type, id], [3, '1']);
          transactions.push(dialect.transactionOf(said, answer));
        }
        t.equal(new Set(transactions).size, 2);
        const sessions = await scene.sessions(charger);
        t.same(
          sessions.map(({ connectorNumber }) => connectorNumber).toSorted((a, b) => a - b),
          [1, 2],
        );
      },
    );
  }
});
