import t from 'tap';
import { hashSecret } from '#shared/domain/kernel/secrets.ts';
import { createStation16 } from '#shared/simulator/station16.ts';
import { UpgradeRefused } from '#shared/simulator/handshake.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { connectRaw } from './support/raw-charger.ts';
import { startRig } from './support/rig.ts';

void t.test('applies a change of a charger to a gateway that has it cached', async (t) => {
  const rig = await startRig(t, { SHARDS: '2' });
  const { sql } = rig.stores;
  const charger = await seedCharger(sql, rig.network.id);
  /** The status that an attempt to connect gets; 101 when it is let in. */
  const attempt = async (password: string): Promise<number> => {
    const { uid } = charger;
    const station = createStation16({
      ocppUrl: rig.ocppUrl,
      uid,
      password,
      connectors: 1,
      vendor: 'v',
      model: 'm',
    });
    try {
      await station.connect();
      return 101;
    } catch (error) {
      if (error instanceof UpgradeRefused) return error.status;
      throw error;
    } finally {
      await station.close();
    }
  };
  t.equal(await attempt(charger.password), 101);

  await sql`update chargers set password_hash = ${hashSecret('another')} where id = ${charger.id}`;
  await until('the old password to be refused', async () => (await attempt(charger.password)) === 401);
  // The shard that heard of it need not be the one that is asked next.
  await until('the new password to be taken', async () => (await attempt('another')) === 101);

  await sql`update chargers set security_profile = 2 where id = ${charger.id}`;
  await until('its security profile to hold', async () => (await attempt('another')) === 403);

  await sql`update chargers set deleted_at = now() where id = ${charger.id}`;
  await until('it to be unknown', async () => (await attempt('another')) === 404);
});

void t.test('closes only the socket of a charger that was removed', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const [removed, kept] = [await seedCharger(sql, rig.network.id), await seedCharger(sql, rig.network.id)];
  const socket = await connectRaw(rig, removed, 'ocpp1.6');
  const other = await connectRaw(rig, kept, 'ocpp1.6');
  await sql`update chargers set deleted_at = now() where id = ${removed.id}`;
  t.match(await socket.closed, { code: 1008, reason: 'this charger was removed' });
  t.match(await other.call('1', 'Heartbeat', {}), [3, '1', { currentTime: String }]);
});

void t.test('closes the socket of a charger that was removed during a bus outage', async (t) => {
  const rig = await startRig(t);
  const { sql } = rig.stores;
  const charger = await seedCharger(sql, rig.network.id);
  const socket = await connectRaw(rig, charger, 'ocpp1.6');
  await sql.begin(async (transaction) => {
    await transaction`alter table chargers disable trigger charger_changed`;
    await transaction`update chargers set deleted_at = now() where id = ${charger.id}`;
    await transaction`alter table chargers enable trigger charger_changed`;
  });
  await sql`select pg_notify('charger_changed', '*')`;
  t.match(await socket.closed, { code: 1008 });
});
