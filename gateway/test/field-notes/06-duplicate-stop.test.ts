import t from 'tap';
import { dialects } from './support/dialect.ts';
import { after, charging, openScene, start } from './support/scene.ts';

void t.test('field note 6: ignores a second stop', async (t) => {
  const scene = await openScene(t);

  for (const dialect of dialects) {
    await t.test(
      `${dialect.version}: identical, concurrent, on a new socket, or with other values`,
      async (t) => {
        const charger = await scene.charger();
        const socket = await scene.socket(charger, dialect);
        const said = charging(scene);
        const transaction = await start(socket, dialect, said);
        const stop = dialect.stop(said, transaction, { at: after(said, 1800), registerWh: 6000 }, 1);
        const other = dialect.stop(said, transaction, { at: after(said, 3000), registerWh: 9000 }, 2);
        for (const id of ['a', 'b', 'c']) socket.send(JSON.stringify([2, id, ...stop]));
        for (const id of ['a', 'b', 'c']) t.match(await socket.next(), [3, id, Object]);
        const [billed] = await scene.sessions(charger);
        // 5 kWh at 0.40 and 1.00 per session, 21 % VAT.
        t.match(billed, { status: 'COMPLETED', energyWh: 5000, cost: { totalInclVatMinor: '363' } });
        t.same(billed?.endedAt, after(said, 1800));

        t.match(await socket.call('d', ...other), [3, 'd', Object]);
        const again = await scene.socket(charger, dialect);
        t.match(await again.call('e', ...stop), [3, 'e', Object]);
        t.match(await again.call('f', ...other), [3, 'f', Object]);
        t.match(
          await again.call('g', ...dialect.start(said)),
          [3, 'g', Object],
          'nor does its start open it again',
        );
        const sessions = await scene.sessions(charger);
        t.equal(sessions.length, 1);
        t.match(sessions[0], {
          status: 'COMPLETED',
          energyWh: 5000,
          meterStopWh: 6000,
          cost: billed?.cost,
          flags: { length: 0 },
        });
        t.same(sessions[0]?.endedAt, after(said, 1800));
      },
    );
  }
});
