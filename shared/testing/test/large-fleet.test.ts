import t from 'tap';
import { isOnline } from '#shared/postgres/fleet/connections.ts';
import { seedLargeFleet } from '#shared/testing/large-fleet.ts';
import { seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';

void t.test('fills a network with the same chargers each time', async (t) => {
  const { sql } = await testStores(t);
  const one = await seedNetwork(sql);
  const other = await seedNetwork(sql);
  await seedLargeFleet(sql, one.id, { chargers: 1000, prefix: 'ONE' });
  await seedLargeFleet(sql, other.id, { chargers: 1000, prefix: 'TWO' });
  const counts = async (networkId: number) => {
    const rows = await sql`
      select lower(c.status) as status, c.ocpp_version, ${isOnline(sql)} as is_online, count(*)::integer as chargers,
        count(distinct c.location_id)::integer as locations, count(distinct c.model_id)::integer as models,
        sum((select count(*) from connectors k where k.charger_id = c.id))::integer as connectors,
        sum((select count(*) from sessions s where s.charger_id = c.id))::integer as sessions
      from chargers c where c.network_id = ${networkId} group by 1, 2, 3 order by 1, 2, 3`;
    return [...rows];
  };
  const filled = await counts(one.id);
  t.same(await counts(other.id), filled);
  t.equal(
    filled.reduce((sum, row) => sum + Number(row['chargers']), 0),
    1000,
  );
  t.same(
    [...new Set(filled.map((row) => String(row['status'])))].toSorted((a, b) => a.localeCompare(b)),
    ['available', 'charging', 'faulted', 'occupied', 'reserved', 'unavailable', 'unknown'],
  );
});
