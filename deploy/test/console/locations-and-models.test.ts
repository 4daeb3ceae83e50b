import { randomUUID } from 'node:crypto';
import t from 'tap';
import { accessibilityFaults } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

void t.test('a location is created, published and deleted', async (t) => {
  const console = await startConsole(t);
  await console.stores.sql`
    update networks set time_zone = 'Asia/Tokyo' where id = ${console.network.id}`;
  const { page, faults } = await console.open('/fleet/locations');
  await page.getByText('No locations yet.').waitFor();
  await page.getByRole('button', { name: 'New location' }).click();
  const dialog = page.getByRole('dialog', { name: 'New location' });
  await dialog.getByLabel('Name').fill('Quay');
  await dialog.getByLabel('Street and number').fill('Quay 1');
  await dialog.getByLabel('City').fill('Rotterdam');
  await dialog.getByLabel('Latitude').fill('91');
  await dialog.getByLabel('Longitude').fill('4.5');
  await dialog.getByText('Enter a latitude from -90 to 90').waitFor();
  t.ok(await dialog.getByRole('button', { name: 'Save' }).isDisabled());
  await dialog.getByLabel('Latitude').fill('51.9');
  await dialog.getByRole('button', { name: /Opening times/ }).click();
  await page.getByRole('option', { name: 'At these hours' }).click();
  const closings = dialog.getByRole('group', { name: 'Exceptional closings' });
  await closings.getByRole('button', { name: 'Add an exceptional closing' }).click();
  await closings.getByText('Times in Europe/Amsterdam.').waitFor();
  await closings.getByLabel('Begin', { exact: true }).fill('2030-12-25T00:00');
  await closings.getByLabel('End', { exact: true }).fill('2030-12-24T00:00');
  await dialog.getByText('Charging outside the opening times').click();
  await dialog.getByLabel('State or province').fill('South Holland');
  await dialog.getByRole('button', { name: /Energy mix/ }).click();
  await page.getByRole('option', { name: 'Not only from renewable sources' }).click();
  await dialog.getByRole('button', { name: 'Add a source' }).click();
  await dialog.getByLabel('Share (%)').fill('101');
  await dialog.getByText('0 to 100').waitFor();
  t.ok(await dialog.getByRole('button', { name: 'Save' }).isDisabled());
  await dialog.getByLabel('Share (%)').fill('62,5');
  await dialog.getByLabel('Carbon dioxide (g/kWh)').fill('140');
  await dialog.getByLabel('Energy supplier').fill('Green Grid');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await closings.getByText('must be later than periodBegin').waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  await closings.getByLabel('End', { exact: true }).fill('2030-12-27T00:00');
  await dialog.getByRole('button', { name: 'Save' }).click();

  await page.getByRole('heading', { name: 'Quay', level: 1 }).waitFor();
  await page.getByText('Solar 62.5%').waitFor();
  const [stored] = await console.stores.sql`
    select energy_mix as mix, opening_times->'exceptionalClosings' as closings, charging_when_closed as "whenClosed", state
    from locations where network_id = ${console.network.id}`;
  t.match(stored, {
    closings: [{ periodBegin: '2030-12-24T23:00:00.000Z', periodEnd: '2030-12-26T23:00:00.000Z' }],
    whenClosed: false,
    state: 'South Holland',
  });
  t.strictSame(stored?.['mix'], {
    isGreenEnergy: false,
    energySources: [{ source: 'SOLAR', percentage: 62.5 }],
    environmentalImpacts: [{ category: 'CARBON_DIOXIDE', amount: 140 }],
    supplierName: 'Green Grid',
  });
  await page.getByText('Monday 08:00–18:00').waitFor();
  await page.getByText('Closed 25 Dec, 00:00 – 27 Dec, 00:00').waitFor();
  await page.getByText('No chargers at this location yet.').waitFor();
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('button', { name: 'Hide' }).waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  await page.getByRole('button', { name: 'Delete…' }).click();
  const question = page.getByRole('dialog', { name: 'Delete Quay?' });
  await question.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No locations yet.').waitFor();
  t.strictSame(faults, []);
});

void t.test('a model of a new manufacturer gets a meter correction', async (t) => {
  const console = await startConsole(t);
  const name = `Harbour Electric ${randomUUID().slice(0, 8)}`;
  const { page, faults } = await console.open('/fleet/models', {
    theme: 'dark',
    signIn: { apiKey: console.unrestrictedKey },
  });
  await page.getByRole('button', { name: 'New manufacturer' }).click();
  const maker = page.getByRole('dialog', { name: 'New manufacturer' });
  await maker.getByLabel('Name').fill(name);
  await maker.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'New model' }).click();
  const model = page.getByRole('dialog', { name: 'New model' });
  await model.getByLabel('Name').fill('Quay 11');
  await model.getByRole('button', { name: /Manufacturer/ }).click();
  await page.getByRole('option', { name }).click();
  await model.getByLabel('Power (kW)').fill('11');
  t.strictSame(await accessibilityFaults(page), []);
  await model.getByRole('button', { name: 'Save' }).click();

  const panel = page.getByRole('dialog', { name: `${name} Quay 11` });
  await panel.getByText('No images have been uploaded for this model.').waitFor();
  await panel.getByRole('tab', { name: 'Meter corrections' }).click();
  await panel.getByRole('button', { name: 'Add a correction' }).click();
  await panel.getByLabel('Factor').fill('1000');
  t.strictSame(await accessibilityFaults(page), []);
  await panel.getByRole('button', { name: 'Save corrections' }).click();
  await page.getByText('The corrections were saved.').waitFor();
  t.match(page.url(), /model=.*tab=meter/);
  await page.reload();
  t.equal(await panel.getByLabel('Factor').inputValue(), '1000');
  t.strictSame(faults, []);
});

void t.test('a role that may only read changes no location and no model', async (t) => {
  const console = await startConsole(t);
  const { page, faults } = await console.open('/fleet/locations', {
    signIn: await console.addOperator('Viewer'),
    fresh: true,
  });
  await page.getByText('No locations yet.').waitFor();
  t.equal(await page.getByRole('button', { name: 'New location' }).count(), 0);
  // All networks share the models.
  await page.route('**/cpms/v1/charger-models?*', (route) => route.fulfill({ json: { data: [] } }));
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Models' }).click();
  await page.getByText('No model yet.').waitFor();
  t.equal(await page.getByRole('button', { name: /^New/ }).count(), 0);
  const addresses: string[] = [];
  page.on('framenavigated', (frame) => addresses.push(frame.url()));
  await page.clock.install();
  await page.getByRole('searchbox', { name: 'Search' }).pressSequentially('Quay');
  await page.clock.runFor(300);
  await page.waitForURL(/search=Quay/);
  t.equal(addresses.length, 1, 'the list is searched once');
  t.strictSame(faults, []);
});
