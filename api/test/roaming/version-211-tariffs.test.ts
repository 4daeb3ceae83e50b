import t, { type Test } from 'tap';
import { type Json, startTestApi } from '#api/test/support/fixtures.ts';
import { addDays, dayStart, localDate } from '#shared/domain/kernel/calendar.ts';
import type { TariffElement, TariffRestrictions } from '#shared/pricing/tariff.ts';
import { seedTariff } from '#shared/testing/seed.ts';
import { startEmsp } from './support/emsp.ts';
import { ocpi, registerEmsp } from './support/partner.ts';
import { inNetwork } from './support/pushing.ts';
import { misfits } from './support/standard/shape.ts';
import { Tariff } from './support/versions/shapes-211.ts';

const shared = await startTestApi(t);
const timeZone = 'Pacific/Auckland';
const today = localDate(Date.now(), timeZone);

const element = (restrictions?: TariffRestrictions): TariffElement => ({
  price_components: [{ type: 'ENERGY', price: '0.4', step_size: 1 }],
  ...(restrictions && { restrictions }),
});

/** A tariff in a network of another time zone, and the restrictions of its elements for a partner of 2.1.1 that polls. */
async function startTariff(t: Test, elements: TariffElement[]) {
  const api = await inNetwork(shared);
  const { sql } = api.stores;
  await sql`update networks set time_zone = ${timeZone} where id = ${api.network.id}`;
  const emsp = await startEmsp(t);
  emsp.versions = ['2.1.1'];
  const { token } = await registerEmsp(api, emsp, { version: '2.1.1' });
  const { uuid } = await seedTariff(sql, api.network.id, elements);
  const valid = (from: number | null, until: number | null) => sql`
    update tariffs set starts_at = ${from && new Date(from)}, ends_at = ${until && new Date(until)}
    where uuid = ${uuid}`;
  const restrictions = async () => {
    const { json } = await ocpi(api, token, { url: '/ocpi/cpo/2.1.1/tariffs' });
    const tariffs = json['data'] as unknown as (Json & { elements: { restrictions?: object }[] })[];
    for (const tariff of tariffs) t.strictSame(misfits(tariff, Tariff), []);
    return tariffs.map((tariff) => tariff.elements.map((part) => part.restrictions));
  };
  return { sql, valid, restrictions };
}

void t.test('shows the local days on which a tariff is valid as restrictions of its elements', async (t) => {
  const energy = { max_kwh: 20 };
  const { valid, restrictions } = await startTariff(t, [element(energy), element()]);
  t.strictSame(await restrictions(), [[energy, undefined]]);

  const [first, last] = [addDays(today, 3), addDays(today, 5)];
  const dates = { start_date: first, end_date: last };
  await valid(dayStart(first, timeZone), dayStart(last, timeZone));
  t.strictSame(await restrictions(), [[{ ...energy, ...dates }, dates]]);

  const noon = 12 * 3_600_000;
  await valid(dayStart(first, timeZone) + noon, dayStart(last, timeZone) + noon);
  const whole = { start_date: first, end_date: addDays(last, 1) };
  t.strictSame(await restrictions(), [[{ ...energy, ...whole }, whole]], 'whole days');
});

void t.test('shows the days on which both a tariff and its element are valid', async (t) => {
  const days = [0, 1, 2, 3, 4].map((days) => addDays(today, days)) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const { valid, restrictions } = await startTariff(t, [
    element({ start_date: days[0], end_date: days[3] }),
    element({ start_date: days[2] }),
    element({ end_date: days[1] }),
  ]);
  await valid(dayStart(days[1], timeZone), dayStart(days[4], timeZone));
  t.strictSame(await restrictions(), [
    [
      { start_date: days[1], end_date: days[3] },
      { start_date: days[2], end_date: days[4] },
    ],
  ]);
  await valid(dayStart(days[3], timeZone), null);
  t.strictSame(await restrictions(), [[{ start_date: days[3] }]], 'without elements that are never valid');
});

void t.test('shows that a tariff was removed to a partner that polls', async (t) => {
  const { sql, valid, restrictions } = await startTariff(t, [
    element(),
    element({ start_date: addDays(today, 9) }),
  ]);
  await sql`update tariff_assignments set is_active = false`;
  const ended = { end_date: localDate(Date.now(), timeZone) };
  t.strictSame(await restrictions(), [[ended, ended]]);

  await valid(Date.now() + 5 * 86_400_000, null);
  t.strictSame(await restrictions(), [[ended, ended]], 'before it began');
});
