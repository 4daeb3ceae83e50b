import t from 'tap';
import { dialects, type Dialect } from './support/dialect.ts';
import { after, charging, openScene, type Scene, start } from './support/scene.ts';

/** 200 readings, five to a message: a message is answered when it is stored, and the next waits for that. */
const messages = 40;
const readingsEach = 5;
const readings = messages * readingsEach;

/** Tells a whole session, as fast as the gateway takes it. */
async function tell(
  scene: Scene,
  dialect: Dialect,
  charger: Awaited<ReturnType<Scene['charger']>>,
  said = charging(scene),
) {
  const socket = await scene.socket(charger, dialect);
  const transaction = await start(socket, dialect, said);
  const reading = (n: number) => ({ at: after(said, n * 30), registerWh: 1000 + n * 100 });
  const ids: string[] = [];
  const send = (id: string, call: unknown[]): void => {
    ids.push(id);
    socket.send(JSON.stringify([2, id, ...call]));
  };
  for (let m = 0; m < messages; m += 1) {
    const said5 = Array.from({ length: readingsEach }, (_, n) => reading(m * readingsEach + n + 1));
    send(`m${m}`, dialect.meter(said, transaction, said5, m + 1));
  }
  send('stop', dialect.stop(said, transaction, reading(readings), messages + 1));
  const answers: unknown[] = [];
  for (const _ of ids) answers.push((await socket.next()).slice(0, 2));
  return { answers, expected: ids.map((id) => [3, id]) };
}

/** The network has become ten times as dear since. */
async function raisePrices({ rig }: Scene, since: Date): Promise<void> {
  const { sql } = rig.stores;
  const elements = [{ price_components: [{ type: 'ENERGY', price: '4.00', step_size: 1 }] }];
  await sql`update tariff_assignments set valid_until = ${since} where network_id = ${rig.network.id}`;
  await sql`
    with dearer as (
      insert into tariffs (network_id, name, currency, elements)
      values (${rig.network.id}, 'Dearer', 'EUR', ${sql.json(elements)}) returning id
    )
    insert into tariff_assignments (tariff_id, network_id, valid_from)
    select id, ${rig.network.id}, ${since} from dearer`;
}

void t.test('field note 8: sessions that are replayed after an offline period', async (t) => {
  const scene = await openScene(t);
  await raisePrices(scene, new Date(Date.now() - 6 * 3_600_000));

  const reported = dialects.map(async (dialect) => {
    const charger = await scene.charger();
    const said = charging(scene, { startedAt: new Date(Date.now() - 7 * 3_600_000) });
    const tellings = [await tell(scene, dialect, charger, said), await tell(scene, dialect, charger, said)];
    return { dialect, charger, said, tellings };
  });
  for (const { dialect, charger, said, tellings } of await Promise.all(reported)) {
    await t.test(`${dialect.version}: stores a replayed session once, with its own times`, async (t) => {
      for (const { answers, expected } of tellings) t.same(answers, expected);
      const sessions = await scene.sessions(charger);
      t.equal(sessions.length, 1);
      const [session] = sessions;
      // By the tariff of that time: 20 kWh at 0.40 and 1.00 per session, 21 % VAT.
      t.match(session, { status: 'COMPLETED', energyWh: 20_000, cost: { totalInclVatMinor: '1089' } });
      t.same([session?.startedAt, session?.endedAt], [said.startedAt, after(said, readings * 30)]);
      const key = { chargerId: charger.id, sessionId: session?.uuid ?? '' };
      const samples = await scene.rig.storedSamples(key);
      const periodic = samples.filter(({ context }) => context === 'Sample.Periodic');
      t.same(
        periodic.map(({ time, energyWh, flags }) => [new Date(time), energyWh, flags]),
        Array.from({ length: readings }, (_, n) => [after(said, (n + 1) * 30), 1100 + n * 100, []]),
      );
    });
  }
});
