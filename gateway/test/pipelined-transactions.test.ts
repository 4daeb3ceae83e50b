import t from 'tap';
import { dialects } from './field-notes/support/dialect.ts';
import { after, charging, openScene } from './field-notes/support/scene.ts';

const sessions = 20;

void t.test('starts and stops that a charger sends without waiting for answers', async (t) => {
  const scene = await openScene(t);
  for (const dialect of dialects) {
    await t.test(`${dialect.version}: are all stored`, async (t) => {
      const charger = await scene.charger();
      const socket = await scene.socket(charger, dialect);
      const begun = Array.from({ length: sessions }, (_, index) =>
        charging(scene, {
          name: `tx-${index}`,
          startedAt: new Date(Date.now() - (sessions - index) * 60_000),
          meterStartWh: index * 100,
        }),
      );
      const send = (id: string, [action, payload]: readonly [string, unknown]) =>
        socket.send(JSON.stringify([2, id, action, payload]));
      const answers = async () => {
        const frames: unknown[][] = [];
        while (frames.length < sessions) frames.push(await socket.next());
        return new Map(frames.map(([type, id, payload]) => [String(id), { type, payload }]));
      };
      for (const [index, said] of begun.entries()) send(`start ${index}`, dialect.start(said));
      const started = await answers();
      for (const [index, said] of begun.entries()) {
        const transaction = dialect.transactionOf(said, started.get(`start ${index}`)?.payload);
        const end = { at: after(said, 30), registerWh: index * 100 + 50 };
        send(`stop ${index}`, dialect.stop(said, transaction, end, 1));
      }
      const stopped = await answers();
      t.same(
        [...started, ...stopped].filter(([, { type }]) => type !== 3),
        [],
      );
      const stored = await scene.sessions(charger);
      t.equal(stored.length, sessions);
      t.ok(stored.every(({ status, energyWh }) => status === 'COMPLETED' && energyWh === 50));
    });
  }
});
