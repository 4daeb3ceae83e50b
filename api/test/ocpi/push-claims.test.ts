import t from 'tap';
import { mintKey, startTestApi } from '#api/test/fixtures.ts';
import { queueChanges } from '#shared/postgres/ocpi-changes.ts';
import { claimPushes, listDuePartners } from '#shared/postgres/ocpi-pushes.ts';
import { startEmsp } from './emsp.ts';
import { registerEmsp } from './partner.ts';
import { hurried, seedPlace, setStatus } from './pushing.ts';

void t.test('nothing is taken in hand for a partner that was suspended meanwhile', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const { charger } = await seedPlace(api);
  const { id } = await registerEmsp(api, await startEmsp(t));
  await setStatus(api, charger.id, 'Charging');
  await sql`update ocpi_change_marks set ready_at = now()`;
  await queueChanges(sql, 1000);
  const [partnerId = 0] = await listDuePartners(sql);
  t.ok(partnerId, 'a process saw that something is due');

  const suspend = (isSuspended: boolean) =>
    api.call(key, { method: 'PATCH', url: `/cpms/v1/ocpi-partners/${id}`, payload: { isSuspended } });
  await suspend(true);
  t.strictSame(await claimPushes(sql, partnerId, hurried), []);
  const tried = await sql`
    select from ocpi_pushes where partner_id = ${partnerId} and (attempts > 0 or claimed_until is not null)`;
  t.equal(tried.length, 0, 'and no try is counted');
  await suspend(false);
  t.not((await claimPushes(sql, partnerId, hurried)).length, 0, 'it comes once the partner is back');
});
