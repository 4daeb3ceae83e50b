import type { Page } from 'playwright-core';
import t from 'tap';
import { addLocation, addTariff } from '#api/test/support/records.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

/** Fills a field of a group of the page. */
const fill = (page: Page, group: string, label: string, value: string) =>
  page.getByRole('group', { name: group, exact: true }).getByLabel(label, { exact: true }).fill(value);

void t.test('templates fill in a new tariff until a price is typed', async (t) => {
  const console = await startConsole(t);
  const { page, faults } = await console.open('/money/tariffs/new');
  const templates = page.getByRole('region', { name: 'Start with a template' });
  await templates.getByRole('button', { name: 'Day and night' }).click();
  const night = page.getByRole('region', { name: 'Element 1' });
  t.equal(await night.getByLabel('From').inputValue(), '22:00');
  t.equal(await night.getByLabel('EUR / kWh').inputValue(), '0.29');
  await templates.getByRole('button', { name: 'Free minutes' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Parking');
  t.strictSame(await accessibilityFaults(page), []);
  await page.getByRole('region', { name: 'Element 2' }).getByLabel('EUR / h').fill('2');
  await templates.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Create the tariff' }).click();
  await page.getByRole('heading', { name: 'Parking' }).waitFor();
  const [stored] = await console.stores.sql`
    select elements from tariffs where network_id = ${console.network.id}`;
  t.match(stored?.['elements'], [
    { price_components: [{ type: 'TIME', price: 0 }], restrictions: { max_duration: 1800 } },
    { price_components: [{ type: 'TIME', price: 2 }] },
  ]);
  t.strictSame(faults, []);
});

void t.test('a tariff is written, simulated, assigned and changed', async (t) => {
  const console = await startConsole(t);
  const { sql } = console.stores;
  const name = 'Harbour';
  await addLocation(sql, console.network.id, { name });
  const { page, faults } = await console.open('/money/tariffs');
  await page.getByText('No tariffs yet').waitFor();
  await page.getByRole('button', { name: 'New tariff' }).click();
  const create = page.getByRole('button', { name: 'Create the tariff' });
  await page.getByLabel('Name', { exact: true }).fill('Night and day');

  // The first element applies to all drivers at any time; one for the night is moved before it.
  const first = page.getByRole('region', { name: 'Element 1' });
  await first.getByLabel('EUR / kWh').fill('0,40');
  await first.getByLabel('VAT in %').fill('210');
  await page.getByRole('button', { name: 'Add an element' }).click();
  const second = page.getByRole('region', { name: 'Element 2' });
  await second.getByLabel('EUR / kWh').fill('0.20');
  await second.getByLabel('VAT in %').fill('21');
  await second.getByRole('button', { name: 'Add a condition' }).click();
  await page.getByRole('menuitem', { name: 'Time of day' }).click();
  await second.getByLabel('From').fill('22:00');
  await second.getByLabel('Until').fill('06:00');
  await second.getByRole('button', { name: 'Move element 2 up' }).click();
  await first.getByLabel('From').waitFor();
  await page.getByRole('button', { name: 'Idle fee' }).click();
  await fill(page, 'Idle fee', 'EUR / min', '0.1');
  const mix = page.getByRole('region', { name: 'For drivers and partners' });
  await mix.getByRole('button', { name: /Energy mix/ }).click();
  await page.getByRole('option', { name: 'Only from renewable sources', exact: true }).click();
  await mix.getByRole('button', { name: 'Add a source' }).click();
  await mix.getByLabel('Energy supplier').fill('Green Grid');

  await create.click();
  await page.getByText('Not saved.').waitFor();
  const vat = second.getByLabel('VAT in %');
  await second.getByText('must be <= 100').waitFor();
  t.equal(await vat.getAttribute('aria-invalid'), 'true');
  t.equal(await page.locator('input:focus').inputValue(), '210', 'the wrong field has the focus');
  t.strictSame(await accessibilityFaults(page), []);
  await vat.fill('21');
  const share = mix.getByLabel('Share (%)');
  await create.click();
  await mix.getByText('0 to 100').waitFor();
  t.equal(await share.getAttribute('aria-invalid'), 'true');
  await share.fill('100');
  // 22 kWh at 0.40 and 50 minutes of idling at 0.10, with 21 % VAT, in the evening.
  await page.getByLabel('Totals').getByText('€16.70').waitFor();
  await page.getByText('€0.484 with VAT (21% VAT)').waitFor();
  await create.click();
  await page.getByRole('heading', { name: 'Night and day' }).waitFor();
  await page.getByText('Solar 100%').waitFor();
  const [stored] = await sql`
    select energy_mix as mix from tariffs where network_id = ${console.network.id}`;
  t.strictSame(stored?.['mix'], {
    is_green_energy: true,
    energy_sources: [{ source: 'SOLAR', percentage: 100 }],
    supplier_name: 'Green Grid',
  });

  await page.getByRole('button', { name: 'Assign…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Location' }).fill(name.slice(0, 4));
  await page.getByRole('option', { name }).click();
  t.strictSame(await accessibilityFaults(page), []);
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
  const row = page.getByRole('table', { name: 'Assignments' }).getByRole('row').filter({ hasText: name });
  await row.getByText('In effect').waitFor();
  t.strictSame(await accessibilityFaults(page), []);

  await page.getByRole('button', { name: 'Edit' }).click();
  await second.getByLabel('EUR / kWh').fill('0.45');
  await mix.getByLabel('Energy supplier').fill('Harbour Power');
  await page.getByRole('button', { name: 'Save as version 2' }).click();
  const versions = page.getByRole('region', { name: 'Versions' });
  await versions.getByRole('row').filter({ hasText: '€0.40 per kWh' }).getByText('€0.45 per kWh').waitFor();
  await versions.getByText('Solar 100%, Harbour Power').waitFor();

  await row.getByRole('button', { name: `End the assignment to ${name}` }).click();
  await dialog.getByRole('button', { name: 'End the assignment' }).click();
  await page.getByText('The tariff prices no sessions').waitFor();
  await page.getByText('Show ended').click();
  await page.waitForURL(/assignments=all/);
  await row.getByText('Ended').waitFor();
  t.strictSame(faults, []);
});

void t.test('a simulation is plotted, shown as a table, and kept in the address', async (t) => {
  const console = await startConsole(t);
  await addTariff(console.stores.sql, console.network.id);
  const [{ uuid } = { uuid: '' }] = await console.stores.sql<{ uuid: string }[]>`
    select uuid from tariffs where network_id = ${console.network.id}`;
  const { page, faults } = await console.open(`/money/tariffs/${uuid}`, { theme: 'dark' });
  await page.getByRole('figure', { name: 'Cost with VAT (EUR)' }).waitFor();
  await page.getByLabel('Energy in kWh').fill('10');
  // 0.40 per kWh and 1.50 per session, with 21 % VAT.
  await page.getByLabel('Totals').getByText('€6.66').waitFor();
  await page.waitForURL(/session=11kW_10kWh/);
  await page.getByRole('button', { name: 'Show as table' }).click();
  const table = page.getByRole('table', { name: 'Cost over time' });
  await table.getByRole('columnheader', { name: 'Energy, net' }).waitFor();
  await page.reload();
  await table.waitFor();
  t.equal(await page.getByLabel('Energy in kWh').inputValue(), '10');
  t.strictSame(await accessibilityFaults(page), []);
  t.strictSame(faults, []);
});

void t.test('a change that conflicts with one by another user is shown before it replaces it', async (t) => {
  const console = await startConsole(t);
  const { sql } = console.stores;
  await addTariff(sql, console.network.id);
  const [{ uuid } = { uuid: '' }] = await sql<{ uuid: string }[]>`
    select uuid from tariffs where network_id = ${console.network.id}`;
  const { page, faults } = await console.open(`/money/tariffs/${uuid}/edit`, { theme: 'dark' });
  await page.getByLabel('Name', { exact: true }).fill('Mine');
  const theirs = await fetch(`${console.origin}/cpms/v1/tariffs/${uuid}`, {
    method: 'PATCH',
    headers: { 'x-api-key': console.key, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Theirs' }),
  });
  t.equal(theirs.status, 200);
  await page.getByRole('button', { name: 'Save as version' }).click();
  const conflict = page.getByRole('alert', { name: 'Another user changed this tariff' });
  await conflict.getByRole('row').filter({ hasText: 'Name' }).getByText('Theirs').waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  await conflict.getByRole('button', { name: /with mine$/ }).click();
  await page.getByRole('heading', { name: 'Mine' }).waitFor();
  t.strictSame(faults, []);
});

void t.test('a change that is not saved is kept or given up when the page is left', async (t) => {
  const console = await startConsole(t);
  const { sql } = console.stores;
  await addTariff(sql, console.network.id);
  const [{ uuid, name } = { uuid: '', name: '' }] = await sql<{ uuid: string; name: string }[]>`
    select uuid, name from tariffs where network_id = ${console.network.id}`;
  const { page, faults } = await console.open(`/money/tariffs/${uuid}/edit`);
  const field = page.getByLabel('Name', { exact: true });
  await field.fill('Not saved');
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  const cancel = page.getByRole('button', { name: 'Cancel' });
  await cancel.click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  t.equal(await field.inputValue(), 'Not saved');
  await cancel.click();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { name, exact: true }).waitFor();
  t.match(page.url(), new RegExp(`/money/tariffs/${uuid}$`));
  t.strictSame(faults, []);
});
