import t from 'tap';
import { addLocation, endSession, startSession } from '#api/test/support/records.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { startConsole } from './support/console.ts';

// The browser is in Amsterdam, the network in Lisbon, the location in Tokyo.
void t.test('a page shows its times in the zone of its location, and in another by one switch', async (t) => {
  const console = await startConsole(t);
  const { sql } = console.stores;
  await sql`update networks set time_zone = 'Europe/Lisbon' where id = ${console.network.id}`;
  const location = await addLocation(sql, console.network.id, { name: 'Quay' });
  await sql`update locations set time_zone = 'Asia/Tokyo' where id = ${location.id}`;
  const charger = await seedCharger(sql, console.network.id, { connectors: 1 });
  await sql`update chargers set location_id = ${location.id} where id = ${charger.id}`;
  const startedAt = new Date('2026-03-02T20:30:00Z');
  const session = await startSession(sql, { chargerUuid: charger.uuid, startedAt });
  await endSession(sql, session, 5000);

  const { page, faults, visit } = await console.open(`/charging/sessions/${session.uuid}`);
  const clocks = async () => {
    await page.getByRole('heading', { name: /Session at/ }).waitFor();
    const texts = await page.locator(`time[datetime="${startedAt.toISOString()}"]`).allTextContents();
    return [...new Set(texts.map((text) => /\d\d:\d\d:\d\d/.exec(text)?.[0]))];
  };
  const switchTo = async (name: string) => {
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  const zone = (name: string) => page.getByText(name);

  await zone('Asia/Tokyo').waitFor();
  t.equal(await zone('Asia/Tokyo').count(), 1);
  await page.getByRole('region', { name: 'Timeline' }).getByText('05:30:00').waitFor();
  t.strictSame(await clocks(), ['05:30:00']);

  await switchTo('UTC');
  await zone('Times in UTC').waitFor();
  await page.getByRole('region', { name: 'Timeline' }).getByText('20:30:00').waitFor();
  t.strictSame(await clocks(), ['20:30:00']);

  await switchTo('My time zone');
  await zone('Times in Europe/Amsterdam').waitFor();
  await page.getByRole('region', { name: 'Timeline' }).getByText('21:30:00').waitFor();
  t.strictSame(await clocks(), ['21:30:00']);

  await switchTo('Time zone of the location or network');
  await zone('Times in Asia/Tokyo').waitFor();
  await visit('/charging/sessions');
  await zone('Times in Europe/Lisbon').waitFor();
  await page.getByText('02 Mar, 20:30').waitFor();
  await visit(`/fleet/chargers/${charger.uuid}?tab=sessions`);
  await zone('Times in Asia/Tokyo').waitFor();
  await page.getByText('03 Mar, 05:30').waitFor();
  t.strictSame(faults, []);
});

void t.test('a typed time is in the zone of the page', async (t) => {
  const console = await startConsole(t);
  const { sql } = console.stores;
  await sql`update networks set time_zone = 'Asia/Tokyo' where id = ${console.network.id}`;
  const { page, faults } = await console.open('/settings/audit-log');
  await page.getByText('Times in Asia/Tokyo').waitFor();
  const request = page.waitForRequest((each) => new URL(each.url()).searchParams.has('from'));
  await page.getByLabel('From').fill('2026-03-02T05:00');
  t.equal(new URL((await request).url()).searchParams.get('from'), '2026-03-01T20:00:00.000Z');
  t.strictSame(faults, []);
});

void t.test('a switch of the time zone keeps what was typed, at the same instants', async (t) => {
  const console = await startConsole(t);
  const { sql } = console.stores;
  await sql`update networks set time_zone = 'Asia/Tokyo' where id = ${console.network.id}`;
  const { page, faults } = await console.open('/money/tariffs/new');
  await page.getByText('Times in Asia/Tokyo').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Summer');
  const from = page.locator('input[type="datetime-local"]').first();
  await from.fill('2030-06-01T09:00');
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'UTC' }).click();
  await page.getByText('Times in UTC').waitFor();
  t.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Summer');
  t.match(await from.inputValue(), '2030-06-01T00:00');
  t.strictSame(faults, []);
});

void t.test('the top bar leaves the account within reach on a phone', async (t) => {
  const console = await startConsole(t);
  const { sql } = console.stores;
  await sql`update networks set time_zone = 'America/Argentina/Buenos_Aires' where id = ${console.network.id}`;
  const { page } = await console.open('/');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByText('Times in America/Argentina/Buenos_Aires').waitFor();
  const account = await page.getByRole('button', { name: /^Account/ }).boundingBox();
  t.ok(account !== null && account.x + account.width <= 390);
});

void t.test(
  'a new network takes its currency and time zone from its country, a new location from its position',
  async (t) => {
    const console = await startConsole(t);
    const { sql } = console.stores;
    const { page, faults, visit } = await console.open('/settings/network', {
      signIn: { apiKey: console.unrestrictedKey },
    });
    await page.getByRole('button', { name: 'Create network' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create network' });
    const name = `Zürich ${console.network.id}`;
    await dialog.getByLabel('Name', { exact: true }).fill('A');
    t.equal(await dialog.getByLabel('Short name').inputValue(), 'a');
    await dialog.getByLabel('Short name').fill('mine');
    await dialog.getByLabel('Name', { exact: true }).fill('B');
    t.equal(await dialog.getByLabel('Short name').inputValue(), 'mine', 'what was typed stays');
    await dialog.getByLabel('Short name').fill('b');
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    t.equal(await dialog.getByRole('combobox', { name: 'Time zone' }).inputValue(), 'Europe/Amsterdam');
    await dialog.getByRole('combobox', { name: 'Country' }).fill('Switz');
    await page.getByRole('option', { name: 'Switzerland' }).click();
    await dialog.getByRole('button', { name: 'Create network' }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    const [made] = await sql`
    select slug, currency, country_code, time_zone from networks where name = ${name}`;
    t.strictSame(made, {
      slug: `zurich-${console.network.id}`,
      currency: 'CHF',
      country_code: 'CH',
      time_zone: 'Europe/Zurich',
    });

    await visit('/fleet/locations');
    await page.getByRole('button', { name: 'New location' }).click();
    await page.getByLabel('Latitude').fill('35.66');
    await page.getByLabel('Longitude').fill('139.7');
    const zone = page.getByRole('dialog').getByRole('combobox', { name: 'Time zone' });
    await until('the zone of the position', async () => (await zone.inputValue()) === 'Asia/Tokyo');
    t.strictSame(faults, []);
  },
);
