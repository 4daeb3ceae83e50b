import t from 'tap';
import { items, startTestApi } from '#api/test/support/fixtures.ts';
import { endSession, startSession } from '#api/test/support/records.ts';
import { startEmsp } from './support/emsp.ts';
import { registerEmsp } from './support/partner.ts';
import { locations, pushed, seedPlace, setStatus, settled, startPusher } from './support/pushing.ts';

void t.test('an EVSE of which the standard would know too little is taken back', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const emsp = await startEmsp(t);
  await registerEmsp(api, emsp);
  startPusher(t, api);
  const { location, charger, evses } = await seedPlace(api);
  await settled(api);
  const [first, second] = evses.map(({ uid }) => uid);
  const place = `${locations}/${location.uuid}`;
  const told = () => pushed(emsp, 'locations').map(({ method, path }) => `${method} ${path}`);

  emsp.received.length = 0;
  await sql`update connectors set max_voltage = null where charger_id = ${charger.id} and number = 1`;
  const whole = await emsp.next('PUT', place);
  await settled(api);
  t.strictSame(told(), [`PUT ${place}`], 'its location is told without it, as partners read it');
  t.match(items(whole.body['evses']), [{ uid: second }]);
  t.equal(items(whole.body['evses']).length, 1);

  emsp.received.length = 0;
  await setStatus(api, charger.id, 'Charging');
  await settled(api);
  t.strictSame(told(), [], 'its states are nobody’s business then');

  await sql`update connectors set max_voltage = 230 where charger_id = ${charger.id} and number = 1`;
  t.match(await emsp.next('PUT', `${place}/${first}`), { body: { status: 'CHARGING' } }, 'and it comes back');
});

void t.test(
  'an EVSE is told to be in use while a session runs there, once when that changes it',
  async (t) => {
    const api = await startTestApi(t);
    const { sql } = api.stores;
    const emsp = await startEmsp(t);
    await registerEmsp(api, emsp);
    startPusher(t, api);
    const { charger, evses } = await seedPlace(api);
    await setStatus(api, charger.id, 'Available');
    await settled(api);
    const [evse] = evses;
    const updatedAt = async () => {
      const [row] = await sql<
        { at: Date }[]
      >`select last_updated as at from evses where id = ${evse?.id ?? 0}`;
      return row?.at.toISOString();
    };
    let before = await updatedAt();
    /** What partners are told of a change: of which EVSE and what. */
    const told = async (change: Promise<unknown>) => {
      emsp.received.length = 0;
      await change;
      await settled(api);
      const after = await updatedAt();
      const own = pushed(emsp, 'locations').filter(({ path }) => path.endsWith(`/${evse?.uid}`));
      t.strictSame(
        own.map(({ body }) => body['last_updated']),
        after === before ? [] : [after],
        'it was updated as often as it was told',
      );
      before = after;
      return pushed(emsp, 'locations').map(({ method, path, body }) => {
        return `${method} ${path.endsWith(`/${evse?.uid}`) ? 'it' : 'other'} ${JSON.stringify(body['status'])}`;
      });
    };
    const begin = () => startSession(sql, { chargerUuid: charger.uuid });
    const end = (session: Awaited<ReturnType<typeof begin>>) => endSession(sql, session, 5000);

    const first = begin();
    t.strictSame(await told(first), ['PATCH it "CHARGING"'], 'its connector is Available');
    t.strictSame(
      await told(sql`update sessions set energy_wh = 10, live_at = now(), status = 'STOPPING'`),
      [],
    );
    const second = begin();
    t.strictSame(await told(second), [], 'another one, before the end of the first is told');
    t.strictSame(await told(end(await first)), []);
    t.strictSame(await told(end(await second)), ['PATCH it "AVAILABLE"']);

    await told(setStatus(api, charger.id, 'Preparing'));
    const prepared = begin();
    t.strictSame(await told(prepared), [], 'it was in use before');
    t.strictSame(await told(setStatus(api, charger.id, 'Available')), ['PATCH it "CHARGING"']);
    const [row] = await sql<{ id: number }[]>`
    select id from connectors where charger_id = ${charger.id} and number = 2`;
    const moved = sql`update sessions set connector_id = ${row?.id ?? 0} where uuid = ${(await prepared).uuid}`;
    t.strictSame((await told(moved)).toSorted(), ['PATCH it "AVAILABLE"', 'PATCH other "CHARGING"']);
    t.strictSame(await told(end(await prepared)), ['PATCH other "UNKNOWN"']);

    await told(setStatus(api, charger.id, 'Faulted'));
    const faulted = begin();
    t.strictSame(await told(faulted), [], 'it is out of order all the same');
    await told(setStatus(api, charger.id, 'Available'));
    await sql`update chargers set disconnected_at = now() where id = ${charger.id}`;
    await settled(api);
    before = await updatedAt();
    t.strictSame(await told(end(await faulted)), [], 'nobody knows, while it is offline');
    await sql`update chargers set disconnected_at = null where id = ${charger.id}`;
    await settled(api);
    before = await updatedAt();

    const locked = sql.begin(async (transaction) => {
      await transaction`select 1 from evses where id = ${evse?.id ?? 0} for update`;
      await begin();
      t.pass('a session waits for nobody who tells the states of connectors');
    });
    t.strictSame(await told(locked), ['PATCH it "CHARGING"']);
  },
);
