import t, { type Test } from 'tap';
import { holdCharger, type Json, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { answered } from '#api/test/support/held-charger.ts';
import { startEmsp } from './support/emsp.ts';
import { ocpi, registerEmsp } from './support/partner.ts';
import { addPlace, uidOf } from './support/places.ts';
import { inNetwork } from './support/pushing.ts';

const shared = await startTestApi(t);

/** A charger with two EVSEs, and their capabilities as a partner reads them. */
async function startPlace(t: Test) {
  const api = await inNetwork(shared);
  const { token } = await registerEmsp(api, await startEmsp(t));
  const { location, charger } = await addPlace(api, { evses: 2 });
  const evse = async (number: number): Promise<Json> => {
    const uid = await uidOf(api.stores.sql, charger.id, number);
    const { json } = await ocpi(api, token, { url: `/ocpi/cpo/2.2.1/locations/${location.uuid}/${uid}` });
    return json['data'] ?? {};
  };
  const capabilities = async (number = 1) => (await evse(number))['capabilities'] as unknown;
  return { api, sql: api.stores.sql, charger, evse, capabilities };
}

const usual = ['REMOTE_START_STOP_CAPABLE', 'UNLOCK_CAPABLE'];

void t.test('shows the capabilities of the feature profiles of a charger of 1.6', async (t) => {
  const { api, sql, charger, evse, capabilities } = await startPlace(t);
  t.strictSame(await capabilities(), usual);
  const next = { value: 'Core, Reservation,SmartCharging' };
  await holdCharger(api, charger.uid, () =>
    answered({
      status: null,
      settings: [{ key: 'SupportedFeatureProfiles', value: next.value, readonly: true, status: 'Accepted' }],
    }),
  );
  const key = await mintKey(api);
  const read = async () => {
    const url = `/cpms/v1/chargers/${charger.uuid}/configuration`;
    t.match(await api.call(key, { url }), { status: 200 });
  };
  const before = (await evse(1))['last_updated'];
  await read();
  t.strictSame(await capabilities(), [
    'CHARGING_PROFILE_CAPABLE',
    'REMOTE_START_STOP_CAPABLE',
    'RESERVABLE',
    'UNLOCK_CAPABLE',
  ]);
  const changed = (await evse(1))['last_updated'];
  t.not(changed, before, 'partners that poll see the change');
  await read();
  t.equal((await evse(1))['last_updated'], changed, 'the same answer changes nothing');
  next.value = 'Core';
  await read();
  t.strictSame(await capabilities(), usual);
  await sql`update evses set capabilities = '{RESERVABLE}' where charger_id = ${charger.id}`;
  t.strictSame(await capabilities(), ['RESERVABLE'], 'what an operator set has precedence');
});

void t.test('shows the capabilities of the device model of a charger of 2.0.1', async (t) => {
  const { sql, charger, capabilities } = await startPlace(t);
  await sql`
    insert into device_variables (charger_id, component, component_instance, evse, connector, variable,
      variable_instance, attribute, value, mutability, persistent, constant, reported_at)
    select ${charger.id}, component, '', evse, 0, variable, '', 'Actual', value, 'ReadWrite', true, false, now()
    from (values ('ReservationCtrlr', 0, 'Available', 'true'), ('ReservationCtrlr', 0, 'Enabled', 'true'),
      ('SmartChargingCtrlr', 0, 'Available', 'true'), ('SmartChargingCtrlr', 0, 'Enabled', 'false'),
      ('TokenReader', 2, 'Enabled', 'true')) v (component, evse, variable, value)`;
  t.strictSame(await capabilities(), usual, 'not of a charger that speaks 1.6');
  await sql`update chargers set ocpp_version = '2.0.1' where id = ${charger.id}`;
  t.strictSame(await capabilities(), ['REMOTE_START_STOP_CAPABLE', 'RESERVABLE', 'UNLOCK_CAPABLE']);
  t.strictSame(await capabilities(2), [
    'REMOTE_START_STOP_CAPABLE',
    'RESERVABLE',
    'RFID_READER',
    'UNLOCK_CAPABLE',
  ]);
});
