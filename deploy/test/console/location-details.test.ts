import t from 'tap';
import { addLocation } from '#api/test/support/records.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

void t.test('the details of a location for drivers are edited', async (t) => {
  const console = await startConsole(t);
  const { sql } = console.stores;
  const { uuid } = await addLocation(sql, console.network.id, { name: 'Quay' });
  const { page, faults } = await console.open(`/fleet/locations/${uuid}`);
  await page.getByRole('button', { name: 'Edit the details of Quay' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit the details of Quay' });
  const save = dialog.getByRole('button', { name: 'Save' });
  t.ok(await save.isDisabled(), 'nothing is changed');
  await dialog.getByRole('button', { name: 'Add directions' }).click();
  await dialog.getByLabel('Language').fill('NL');
  await dialog.getByLabel('Text').fill('Neem de helling naast de kade');
  await dialog.getByRole('button', { name: /Parking type/ }).click();
  await page.getByRole('option', { name: 'Underground garage' }).click();
  await dialog.getByText('Wi-Fi').click();
  await dialog.getByText('Restaurant').click();
  await dialog.getByLabel('Operator', { exact: true }).fill('Harbour Charging');
  const website = dialog.getByLabel('Operator: website', { exact: true });
  await website.fill('ftp://harbour.example');
  await dialog
    .getByLabel('Operator: logo (URL)', { exact: true })
    .fill('https://harbour.example/logo.svg?v=2');
  await dialog.getByRole('button', { name: 'Add an image' }).click();
  await dialog.getByLabel('Address (URL)').fill('https://harbour.example/quay.PNG');
  t.equal(await dialog.getByLabel('File type').inputValue(), 'png');
  await dialog.getByRole('button', { name: /Category/ }).click();
  await page.getByRole('option', { name: 'Entrance' }).click();
  await dialog.getByLabel('Width (px)').fill('wide');
  await dialog.getByLabel('Height (px)').fill('800');
  await save.click();
  await dialog.getByRole('alert').first().waitFor();
  t.equal(await website.getAttribute('aria-invalid'), 'true');
  await website.fill('https://harbour.example');
  await save.click();
  await dialog.locator('[data-invalid] input[inputmode=numeric]').waitFor();
  t.equal(await dialog.getByLabel('Width (px)').getAttribute('aria-invalid'), 'true');
  t.strictSame(await accessibilityFaults(page), []);
  await dialog.getByLabel('Width (px)').fill('1200');
  await save.click();
  await page.getByText('Quay was saved.').waitFor();
  await page.getByRole('link', { name: 'Harbour Charging' }).waitFor();
  await page.getByText('Directions (Dutch)').waitFor();
  await page.getByText('Restaurant, Wi-Fi').waitFor();
  const [stored] = await sql`
    select directions, parking_type as parking, facilities, operator, owner, images from locations
    where uuid = ${uuid}`;
  t.strictSame(
    { ...stored },
    {
      directions: [{ language: 'nl', text: 'Neem de helling naast de kade' }],
      parking: 'UNDERGROUND_GARAGE',
      facilities: ['RESTAURANT', 'WIFI'],
      operator: {
        name: 'Harbour Charging',
        website: 'https://harbour.example',
        logo: { url: 'https://harbour.example/logo.svg?v=2', category: 'OPERATOR', type: 'svg' },
      },
      owner: null,
      images: [
        {
          url: 'https://harbour.example/quay.PNG',
          category: 'ENTRANCE',
          type: 'png',
          width: 1200,
          height: 800,
        },
      ],
    },
  );
  t.strictSame(faults, []);
});

void t.test('parking spaces of a location are added, changed and removed', async (t) => {
  const console = await startConsole(t);
  const { sql } = console.stores;
  const { uuid } = await addLocation(sql, console.network.id, { name: 'Quay' });
  const places = async () =>
    (await sql`select parking_places as places from locations where uuid = ${uuid}`)[0]?.['places'];
  const { page, faults } = await console.open(`/fleet/locations/${uuid}`, { theme: 'dark' });
  await page.getByText('No parking spaces yet.').waitFor();
  await page.getByRole('button', { name: 'Add a parking space' }).click();
  const dialog = page.getByRole('dialog', { name: 'New parking space' });
  await dialog.getByLabel('Identifier').fill('P1');
  await dialog.getByText('Van', { exact: true }).click();
  await dialog.getByText('For these vehicles only').click();
  await dialog.getByText('Roof').click();
  await dialog.getByLabel('Time limit (min)').fill('many');
  await dialog.getByLabel('Vehicle height up to (cm)').fill('210,5');
  await dialog.getByLabel('Standards').fill('PAS 1899, DIN 18040');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').first().waitFor();
  t.equal(await dialog.getByLabel('Time limit (min)').getAttribute('aria-invalid'), 'true');
  t.strictSame(await accessibilityFaults(page), []);
  await dialog.getByLabel('Time limit (min)').fill('120');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const table = page.getByRole('table', { name: 'Parking spaces' });
  await table.getByRole('row', { name: /P1.*Car, Van.*For these vehicles only, Roof.*120 min/ }).waitFor();
  const first = {
    id: 'P1',
    vehicleTypes: ['PERSONAL_VEHICLE', 'VAN'],
    maxVehicleHeight: 210.5,
    timeLimit: 120,
    restrictedToType: true,
    reservationRequired: false,
    roofed: true,
    standards: ['PAS 1899', 'DIN 18040'],
  };
  t.strictSame(await places(), [first]);

  // A feature that is not chosen any more is stated as absent; those that were never stated stay so.
  await table.getByRole('row', { name: /P1/ }).click();
  const opened = page.getByRole('dialog', { name: 'Parking space P1' });
  await opened.getByText('Roof').click();
  await opened.getByRole('button', { name: 'Save' }).click();
  await opened.waitFor({ state: 'hidden' });
  t.strictSame(await places(), [{ ...first, roofed: false }]);
  t.strictSame(await accessibilityFaults(page), []);

  await table.getByRole('row', { name: /P1/ }).click();
  await opened.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('No parking spaces yet.').waitFor();
  t.strictSame(await places(), []);
  t.strictSame(faults, []);
});
