import t from 'tap';
import { items, startTestApi } from '#api/test/fixtures.ts';
import { startEmsp } from './emsp.ts';
import { registerEmsp } from './partner.ts';
import { locations, pushed, seedPlace, setStatus, settled, startPusher } from './pushing.ts';

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
