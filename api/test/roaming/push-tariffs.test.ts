import { mock } from 'node:test';
import t from 'tap';
import { readOcpiLocation } from '#api/services/roaming/locations.service.ts';
import { mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { until } from '#shared/testing/until.ts';
import { type Emsp, startEmsp } from './support/emsp.ts';
import { registerEmsp } from './support/partner.ts';
import { inNetwork, locations, pushed, seedPlace, settled, startPusher } from './support/pushing.ts';

const shared = await startTestApi(t);

interface Tariff {
  id: number;
  uuid: string;
}

const after = (ms: number | undefined) => (ms === undefined ? null : new Date(Date.now() + ms));

/** A tariff that applies between these ms from now; without them always. */
async function makeTariff(api: TestApi, startsMs?: number, endsMs?: number): Promise<Tariff> {
  const [row] = await api.stores.sql<Tariff[]>`
    insert into tariffs (network_id, name, currency, elements, starts_at, ends_at)
    values (${api.network.id}, 'Tariff', 'EUR', '[]', ${after(startsMs)}, ${after(endsMs)}) returning id, uuid`;
  if (row === undefined) throw new Error('no tariff was made');
  return row;
}

/** Assigns a tariff to a place, which a column names. */
async function assign(
  api: TestApi,
  tariff: Tariff,
  place: Partial<Record<'network_id' | 'location_id' | 'charger_id', number>>,
  validFrom?: Date,
): Promise<void> {
  const { sql } = api.stores;
  const row = { tariff_id: tariff.id, ...place, ...(validFrom && { valid_from: validFrom }) };
  await sql`insert into tariff_assignments ${sql(row)}`;
}

/** Lets the remaining moments of an assigned tariff be now, as if time passed: no row changes by it. */
async function pass(api: TestApi, tariff: Tariff, column: 'valid_from' | 'ends_at'): Promise<void> {
  await api.stores.sql.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    if (column === 'ends_at') await sql`update tariffs set ends_at = now() where id = ${tariff.id}`;
    else await sql`update tariff_assignments set valid_from = now() where tariff_id = ${tariff.id}`;
    await sql`update ocpi_assignment_moments set at = now() where at > now() and assignment_id in (
      select id from tariff_assignments where tariff_id = ${tariff.id})`;
  });
}

/** Waits until the partner received this tariff as the one at the first connector of a location. */
const received = (emsp: Emsp, location: { uuid: string }, tariff: Tariff) =>
  until(`the partner received ${tariff.uuid}`, () => {
    const last = pushed(emsp, 'locations').findLast(({ path }) => path === `${locations}/${location.uuid}`);
    return Promise.resolve(JSON.stringify(last?.body ?? {}).includes(`"tariff_ids":["${tariff.uuid}"]`));
  });

void t.test('sends the begin and end of a tariff that was assigned earlier', async (t) => {
  const api = await inNetwork(shared);
  const emsp = await startEmsp(t);
  await registerEmsp(api, emsp);
  startPusher(t, api);
  const { location } = await seedPlace(api);
  const always = await makeTariff(api);
  await assign(api, always, { network_id: api.network.id });
  await received(emsp, location, always);
  const short = await makeTariff(api, 800, 3_600_000);
  await assign(api, short, { location_id: location.id });
  await received(emsp, location, short);
  await pass(api, short, 'ends_at');
  await received(emsp, location, always);
});

void t.test('sends a future tariff to a partner that registered after its assignment', async (t) => {
  const api = await inNetwork(shared);
  const { location } = await seedPlace(api);
  const later = await makeTariff(api);
  await assign(api, later, { location_id: location.id }, new Date(Date.now() + 3_600_000));
  const emsp = await startEmsp(t);
  await registerEmsp(api, emsp);
  startPusher(t, api);
  await settled(api);
  await pass(api, later, 'valid_from');
  await received(emsp, location, later);
});

void t.test('a resync since a time sends the tariffs that were assigned or taken away since', async (t) => {
  const api = await inNetwork(shared);
  const { sql } = api.stores;
  const { location, charger } = await seedPlace(api);
  const other = await seedPlace(api);
  const places = [
    { network_id: api.network.id },
    { location_id: location.id },
    { charger_id: charger.id },
    { location_id: other.location.id },
  ];
  const made = [];
  for (const place of places) {
    const tariff = await makeTariff(api);
    await assign(api, tariff, place);
    made.push(tariff);
  }
  const [, begun, ended, withdrawn] = made as [Tariff, Tariff, Tariff, Tariff];
  await sql`update tariffs set updated_at = now() - interval '2 days' where network_id = ${api.network.id}`;
  await sql`
    update tariff_assignments set created_at = now() - interval '2 days'
    where tariff_id in ${sql(made.map(({ id }) => id))} and tariff_id <> ${begun.id}`;
  await sql`
    update tariff_assignments set valid_until = now() - interval '1 minute' where tariff_id = ${ended.id}`;
  await sql`update tariff_assignments set is_active = false where tariff_id = ${withdrawn.id}`;

  const emsp = await startEmsp(t);
  const { id } = await registerEmsp(api, emsp);
  startPusher(t, api);
  await settled(api);
  emsp.received.length = 0;
  const answer = await api.call(await mintKey(api), {
    method: 'POST',
    url: `/cpms/v1/ocpi-partners/${id}/resync`,
    payload: { modules: ['tariffs'], since: new Date(Date.now() - 86_400_000).toISOString() },
  });
  t.match(answer, { status: 202, json: { data: { queued: 3 } } });
  await settled(api);
  t.strictSame(
    pushed(emsp, 'tariffs')
      .map(({ method, path }) => `${method} ${path.split('/').at(-1) ?? ''}`)
      .toSorted(),
    [`DELETE ${ended.uuid}`, `DELETE ${withdrawn.uuid}`, `PUT ${begun.uuid}`].toSorted(),
  );
});

void t.test('chooses the tariff in effect by the clock that ends assignments', async (t) => {
  const api = await inNetwork(shared);
  const { location } = await seedPlace(api);
  const tariff = await makeTariff(api);
  await assign(api, tariff, { location_id: location.id });
  await api.stores.sql`update tariff_assignments set valid_until = now() where tariff_id = ${tariff.id}`;
  mock.timers.enable({ apis: ['Date'], now: Date.now() - 60_000 });
  t.teardown(() => mock.timers.reset());
  const { evses } = await readOcpiLocation(
    api.deps,
    { networkId: api.network.id, firstRegisteredAt: null, isNationalAccessPoint: false },
    location.uuid,
  );
  t.strictSame(
    evses.flatMap(({ connectors }) => connectors.map(({ tariffIds }) => tariffIds)),
    [[], []],
  );
});
