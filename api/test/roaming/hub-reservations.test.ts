import t, { type Test } from 'tap';
import { startQueuedJobs } from '#api/test/support/queued-jobs.ts';
import { holdCharger, startTestApi } from '#api/test/support/fixtures.ts';
import { removeUnusedAuthorizations } from '#shared/postgres/roaming/ocpi-authorizations.ts';
import { inAnHour, keepsReservations, saidYes } from './support/command-rig.ts';
import { french, from, italian, patchPartner, registerHub, reportClient } from './support/hub.ts';
import { makePartner, ocpi } from './support/partner.ts';
import { seedPlace } from './support/place.ts';

const card = { ...french, uid: 'CARD-1', type: 'RFID', contract_id: 'C1' };
const rejected = { json: { data: { result: 'REJECTED' } } };

/** Hub, and a charger that keeps reservations for the cards of a party behind it. */
async function startScene(t: Test) {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { id, token, hub } = await registerHub(t, api);
  const { charger, locationId, evseUids } = await seedPlace(sql, api.network.id);
  await holdCharger(api, charger.uid, keepsReservations(sql, charger.id));
  startQueuedJobs(t, api.deps);
  const send = (command: string, body: object, headers: Record<string, string>) =>
    ocpi(api, token, {
      method: 'POST',
      url: `/ocpi/cpo/2.2.1/commands/${command}`,
      payload: { response_url: `${hub.url}/results/${command}`, ...body },
      headers,
    });
  const cancel = (party: typeof french) => send('CANCEL_RESERVATION', { reservation_id: 'R1' }, from(party));
  const reserve = async (body: object = {}) => {
    const wanted = { location_id: locationId, evse_uid: evseUids[0], token: card, reservation_id: 'R1' };
    t.match(
      await send('RESERVE_NOW', { ...wanted, expiry_date: inAnHour(), ...body }, from(french)),
      saidYes,
    );
    t.match((await hub.next('POST', '/results/RESERVE_NOW')).body, { result: 'ACCEPTED' });
  };
  const statuses = async () => {
    const rows = await sql<{ status: string }[]>`select status from reservations order by id`;
    return rows.map(({ status }) => status);
  };
  return { api, sql, id, token, hub, cancel, reserve, statuses };
}

void t.test('the party behind a hub that reserved changes and cancels days later', async (t) => {
  const { sql, hub, cancel, reserve, statuses } = await startScene(t);
  await reserve();
  const later = async () => {
    await sql`update ocpi_authorizations set expires_at = expires_at - interval '3 days'`;
    await removeUnusedAuthorizations(sql);
  };
  await later();
  t.match(await cancel(italian), rejected);
  await reserve({ expiry_date: new Date(Date.now() + 7_200_000).toISOString() });
  t.same(await statuses(), ['Active'], 'the same reservation');
  await later();
  t.match(await cancel(french), saidYes);
  t.match((await hub.next('POST', '/results/CANCEL_RESERVATION')).body, { result: 'ACCEPTED' });
  t.same(await statuses(), ['Cancelled']);
  await removeUnusedAuthorizations(sql);
  t.same(await sql`select from ocpi_authorizations`, [], 'is kept no longer');
});

void t.test('the party that requested a reservation owns it when its authorization is gone', async (t) => {
  const { sql, cancel, reserve } = await startScene(t);
  await reserve();
  await sql`delete from ocpi_authorizations`;
  t.match(await cancel(italian), rejected);
  t.match(await cancel(french), saidYes);
});

void t.test('removes the reservations of a party that its hub cannot speak for any more', async (t) => {
  const { api, id, token, reserve, statuses } = await startScene(t);
  await reserve();
  await reportClient(api, token, french, 'SUSPENDED');
  t.same(await statuses(), ['Removed']);
  await reportClient(api, token, french, 'CONNECTED');
  await reserve({ reservation_id: 'R2' });
  await patchPartner(api, id, { hubParties: null });
  t.same(await statuses(), ['Removed', 'Removed']);
  await patchPartner(api, id, { hubParties: 'ANY' });
  await reserve({ reservation_id: 'R3' });
  await makePartner(api, { name: 'eMSP', parties: [{ countryCode: 'FR', partyId: 'EMP' }] });
  t.same(await statuses(), ['Removed', 'Removed', 'Removed'], 'granted to another partner');
});
