import t from 'tap';
import { executeCommand } from '#api/services/roaming/commands/execute.ts';
import { inAnHour, keepsReservations, saidYes, startRig, token } from './support/command-rig.ts';

const states = { 'before its result was stored': true, 'before the charger answered': false };

for (const [moment, isStored] of Object.entries(states)) {
  void t.test(`a partner cancels a reservation whose process died ${moment}`, async (t) => {
    const rig = await startRig(t);
    const { place, api } = rig;
    const { sql } = api.stores;
    const keep = keepsReservations(sql, place.charger.id);
    rig.answer(keep);
    const at = { location_id: place.locationId, evse_uid: place.evseUids[0] };
    const body = { ...at, token, reservation_id: 'R-1', expiry_date: inAnHour() };
    t.match(await rig.send('RESERVE_NOW', 'r1', body), saidYes);
    t.match(await rig.result('r1'), { result: 'ACCEPTED' });
    const [command] = await sql<{ uuid: string }[]>`
      update ocpi_commands set result = null, reservation_id = null, begun_at = now() - interval '1 minute' returning uuid`;
    if (!isStored) await sql`update reservations set status = 'Expired'`;
    await executeCommand(api.deps, command!.uuid);
    t.match(await rig.read('r1'), { result: { result: 'TIMEOUT' } });
    if (!isStored) {
      await sql`update ocpi_commands set reservation_id = null`;
      await sql`update reservations set status = 'Active'`;
    }
    t.match(await rig.send('CANCEL_RESERVATION', 'x1', { reservation_id: 'r-1' }), saidYes);
    t.match(await rig.result('x1'), { result: 'ACCEPTED' });
    t.match(await sql`select status from reservations`, [{ status: 'Cancelled' }]);
  });
}
