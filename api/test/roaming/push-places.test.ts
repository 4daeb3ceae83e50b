import t from 'tap';
import { items, startTestApi } from '#api/test/support/fixtures.ts';
import { endSession, startSession } from '#api/test/support/records.ts';
import { type Recorded, startEmsp } from './support/emsp.ts';
import { registerEmsp } from './support/partner.ts';
import { locations, pushed, seedPlace, setStatus, settled, startPusher } from './support/pushing.ts';

void t.test('withdraws an EVSE that lacks required fields of the standard', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const emsp = await startEmsp(t);
  await registerEmsp(api, emsp);
  startPusher(t, api);
  const { location, charger, evses } = await seedPlace(api);
  await settled(api);
  const [first, second] = evses.map(({ uid }) => uid);
  const place = `${locations}/${location.uuid}`;
  const pushes = () => pushed(emsp, 'locations').map(({ method, path }) => `${method} ${path}`);

  emsp.received.length = 0;
  await sql`update connectors set max_voltage = null where charger_id = ${charger.id} and number = 1`;
  const whole = await emsp.next('PUT', place);
  await settled(api);
  t.strictSame(pushes(), [`PUT ${place}`], 'its location is sent without it, as partners read it');
  t.match(items(whole.body['evses']), [{ uid: second }]);
  t.equal(items(whole.body['evses']).length, 1);

  emsp.received.length = 0;
  await setStatus(api, charger.id, 'Charging');
  await settled(api);
  t.strictSame(pushes(), [], 'its states are not sent then');

  await sql`update connectors set max_voltage = 230 where charger_id = ${charger.id} and number = 1`;
  t.match(await emsp.next('PUT', `${place}/${first}`), { body: { status: 'CHARGING' } }, 'and it comes back');
});

void t.test('sends the location without the EVSEs of a charger that became private', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const emsp = await startEmsp(t);
  await registerEmsp(api, emsp);
  startPusher(t, api);
  const { location, charger } = await seedPlace(api);
  await settled(api);
  emsp.received.length = 0;
  await sql`update chargers set is_public = false where id = ${charger.id}`;
  await settled(api);
  const pushes = pushed(emsp, 'locations').map(({ method, path, body }) => ({
    method,
    path,
    evses: body['evses'],
  }));
  t.strictSame(pushes, [{ method: 'PUT', path: `${locations}/${location.uuid}`, evses: undefined as never }]);

  emsp.received.length = 0;
  await sql`update locations set is_published = false where id = ${location.id}`;
  const hidden = await emsp.next('PATCH', `${locations}/${location.uuid}`);
  t.match(hidden.body, { publish: false });
});

const withdrawals = {
  private: { table: 'chargers', row: { is_public: false } },
  'at an unpublished location': { table: 'locations', row: { is_published: false } },
};

for (const [state, { table, row }] of Object.entries(withdrawals)) {
  void t.test(`sends nothing when a charger that is ${state} is removed`, async (t) => {
    const api = await startTestApi(t);
    const { sql } = api.stores;
    const emsp = await startEmsp(t);
    await registerEmsp(api, emsp);
    startPusher(t, api);
    const { charger } = await seedPlace(api);
    await settled(api);
    await sql`update ${sql(table)} set ${sql(row)}`;
    await settled(api);
    emsp.received.length = 0;
    await sql`update chargers set deleted_at = now() where id = ${charger.id}`;
    await settled(api);
    const sent = pushed(emsp, 'locations').map(({ method, path }) => `${method} ${path}`);
    t.strictSame(sent, []);
  });
}

void t.test('sends an EVSE as in use while a session runs there, once per change', async (t) => {
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
    const [row] = await sql<{ at: Date }[]>`select last_updated as at from evses where id = ${evse?.id ?? 0}`;
    return row?.at.toISOString();
  };
  let before = await updatedAt();
  /** Makes a change and returns the pushes that it causes. */
  const pushesAfter = async (change: Promise<unknown>) => {
    emsp.received.length = 0;
    await change;
    await settled(api);
    return pushed(emsp, 'locations');
  };
  const isOwn = ({ path }: Recorded) => path.endsWith(`/${evse?.uid}`);
  const timesOf = (pushes: Recorded[]) => pushes.filter(isOwn).map(({ body }) => body['last_updated']);
  const describe = (push: Recorded) =>
    `${push.method} ${isOwn(push) ? 'it' : 'other'} ${JSON.stringify(push.body['status'])}`;
  /** Returns the pushes that a change causes: EVSE and new state. */
  const pushesOf = async (change: Promise<unknown>) => {
    const pushes = await pushesAfter(change);
    const after = await updatedAt();
    t.strictSame(
      timesOf(pushes),
      after === before ? [] : [after],
      'it was updated as often as it was pushed',
    );
    before = after;
    return pushes.map(describe);
  };
  /** As `pushesOf`, for changes that are read together or one after the other, and then sent again. */
  const statesOf = async (changes: Promise<unknown>) => {
    const pushes = await pushesAfter(changes);
    before = await updatedAt();
    t.equal(timesOf(pushes).at(-1), before, 'the newest update was pushed');
    return [...new Set(pushes.map(describe))];
  };
  const begin = () => startSession(sql, { chargerUuid: charger.uuid });
  const end = (session: Awaited<ReturnType<typeof begin>>) => endSession(sql, session, 5000);

  const first = begin();
  t.strictSame(await pushesOf(first), ['PATCH it "CHARGING"'], 'its connector is Available');
  t.strictSame(
    await pushesOf(sql`update sessions set energy_wh = 10, live_at = now(), status = 'STOPPING'`),
    [],
  );
  const second = begin();
  t.strictSame(await pushesOf(second), [], 'another one, before the end of the first is reported');
  t.strictSame(await pushesOf(end(await first)), []);
  t.strictSame(await pushesOf(end(await second)), ['PATCH it "AVAILABLE"']);

  const both = Promise.all([begin(), begin()]);
  t.same(await statesOf(both), ['PATCH it "CHARGING"'], 'two sessions begin at the same time');
  const [one, other] = await both;
  t.same(await statesOf(Promise.all([end(one), end(other)])), ['PATCH it "AVAILABLE"'], 'and end so');

  await pushesOf(setStatus(api, charger.id, 'Preparing'));
  const prepared = begin();
  t.strictSame(await pushesOf(prepared), [], 'it was in use before');
  t.strictSame(await pushesOf(setStatus(api, charger.id, 'Available')), ['PATCH it "CHARGING"']);
  const [row] = await sql<{ id: number }[]>`
    select id from connectors where charger_id = ${charger.id} and number = 2`;
  const moved = sql`update sessions set connector_id = ${row?.id ?? 0} where uuid = ${(await prepared).uuid}`;
  t.strictSame((await pushesOf(moved)).toSorted(), ['PATCH it "AVAILABLE"', 'PATCH other "CHARGING"']);
  t.strictSame(await pushesOf(end(await prepared)), ['PATCH other "UNKNOWN"']);

  await pushesOf(setStatus(api, charger.id, 'Faulted'));
  const faulted = begin();
  t.strictSame(await pushesOf(faulted), [], 'it is out of order all the same');
  await pushesOf(setStatus(api, charger.id, 'Available'));
  await sql`update chargers set disconnected_at = now() where id = ${charger.id}`;
  await settled(api);
  before = await updatedAt();
  t.strictSame(await pushesOf(end(await faulted)), [], 'unknown while it is offline');
  await sql`update chargers set disconnected_at = null where id = ${charger.id}`;
  await settled(api);
  before = await updatedAt();

  const locked = sql.begin(async (transaction) => {
    await transaction`select 1 from evses where id = ${evse?.id ?? 0} for update`;
    await begin();
    t.pass('a session does not wait for connector states');
  });
  t.strictSame(await pushesOf(locked), ['PATCH it "CHARGING"']);
});
