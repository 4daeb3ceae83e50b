import t from 'tap';
import { faultsInBothThemes, accessibilityFaults } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

const file = (text: string) => ({
  name: 'sites.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
});
const sites =
  'Site;address;city;country;Lat;longitude\nQuay;Quay 1;Rotterdam;NLD;51,9;4,4\nMoon;Sea 1;Luna;NLD;95;1\n';

void t.test('an operator imports locations with a mapping, a check and the errors of rows', async (t) => {
  const console = await startConsole(t);
  const { page, faults } = await console.open('/fleet/locations');
  await page.getByRole('link', { name: 'Import' }).click();
  await page.getByRole('heading', { name: 'Import locations', level: 1 }).waitFor();
  t.strictSame(await faultsInBothThemes(page), []);

  await page.locator('input[type=file]').setInputFiles(file(sites));
  await page.getByRole('button', { name: 'Upload' }).click();
  await page.getByRole('group', { name: 'Assign the columns' }).waitFor();
  await page.getByText('Assign the columns that identify the record.').waitFor();
  t.equal(await page.getByRole('button', { name: 'Check the file' }).isDisabled(), true);
  const choose = async (column: string, place: string) => {
    await page.getByRole('button', { name: new RegExp(`Column of the file for ${column}$`) }).click();
    await page.getByRole('option', { name: place, exact: true }).click();
  };
  await choose('name', 'Site');
  await choose('latitude', 'Lat');
  await page.getByText('51,9 · 95').waitFor();
  t.strictSame(await accessibilityFaults(page), []);

  await page.getByRole('button', { name: 'Check the file' }).click();
  const table = page.getByRole('table', { name: 'Rows' });
  await table.getByText('Lat (95): must be <= 90').waitFor();
  await page.getByRole('status').filter({ hasText: 'Checked · 2 of 2 rows' }).waitFor();
  t.strictSame(await faultsInBothThemes(page), []);
  t.equal(
    (await console.stores.sql`select from locations where network_id = ${console.network.id}`).length,
    0,
  );

  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Records to create or change: 1.').waitFor();
  await dialog.getByRole('button', { name: 'Import' }).click();
  await page.getByRole('status').filter({ hasText: 'Imported · 2 of 2 rows' }).waitFor();
  const failed = page.getByRole('link', { name: 'Download the failed rows' });
  const download = await page.request.get(`${console.origin}${await failed.getAttribute('href')}`);
  t.match(await download.text(), /Moon;.*Lat must be <= 90/);
  t.equal(
    (await console.stores.sql`select from locations where network_id = ${console.network.id}`).length,
    1,
  );
  await page.getByRole('button', { name: 'Import another file' }).click();
  await page.getByRole('table', { name: 'Earlier imports' }).getByText('sites.csv').waitFor();
  t.strictSame(faults, []);
});

void t.test('a role without the right to write is offered no import', async (t) => {
  const console = await startConsole(t);
  const signIn = await console.addOperator('Viewer');
  const { page, visit, faults } = await console.open('/fleet/locations', { signIn });
  await page.getByRole('heading', { name: 'Locations', level: 1 }).waitFor();
  t.equal(await page.getByRole('link', { name: 'Import' }).count(), 0);
  await visit('/imports');
  await page.getByText('Your role does not import records.').waitFor();
  t.strictSame(faults, []);
});
