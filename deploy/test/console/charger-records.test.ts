import t from 'tap';
import { addLocation } from '#api/test/support/records.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { type ConsoleRig, startConsole } from './support/console.ts';

/** Adds a charger at a location in Tokyo with two parking spaces. Returns it with the path of its page. */
async function addCharger({ stores: { sql }, network }: ConsoleRig): Promise<{ id: number; path: string }> {
  const { id } = await seedCharger(sql, network.id, { connectors: 1 });
  const location = await addLocation(sql, network.id, { name: 'Quay' });
  const place = { vehicleTypes: ['PERSONAL_VEHICLE'], restrictedToType: false, reservationRequired: false };
  const places = ['P1', 'P2'].map((placeId) => ({ id: placeId, ...place }));
  await sql`update locations set time_zone = 'Asia/Tokyo', parking_places = ${sql.json(places)}
    where id = ${location.id}`;
  const [row] = await sql<{ uuid: string }[]>`
    update chargers set location_id = ${location.id} where id = ${id} returning uuid`;
  return { id, path: `/fleet/chargers/${row?.uuid}` };
}

void t.test('the record of a connector is edited', async (t) => {
  const console = await startConsole(t);
  const { sql } = console.stores;
  const { id, path } = await addCharger(console);
  const { page, faults } = await console.open(path);
  await page.getByRole('button', { name: 'Edit connector 1 or its EVSE' }).click();
  await page.getByRole('menuitem', { name: 'Edit the connector…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connector 1' });
  const save = dialog.getByRole('button', { name: 'Save' });
  await dialog.getByRole('combobox', { name: 'Plug' }).fill('CCS2');
  await page.getByRole('option', { name: 'CCS2 (IEC_62196_T2_COMBO)' }).click();
  await dialog.getByRole('button', { name: /Socket or cable/ }).click();
  await page.getByRole('option', { name: 'Attached cable' }).click();
  await dialog.getByLabel('Power (kW)').fill('fast');
  await dialog.getByText('Enter a number, or leave empty if unknown').waitFor();
  t.ok(await save.isDisabled());
  await dialog.getByLabel('Power (kW)').fill('149,5');
  await dialog.getByText('ISO 15118-20').click();
  await dialog.getByLabel('Terms and conditions (URL)').fill('ftp://harbour.example');
  await save.click();
  await dialog.getByRole('alert').waitFor();
  t.equal(await dialog.getByLabel('Terms and conditions (URL)').getAttribute('aria-invalid'), 'true');
  t.strictSame(await accessibilityFaults(page), []);
  await dialog.getByLabel('Terms and conditions (URL)').fill('https://harbour.example/terms');
  await save.click();
  await page.getByText('Connector 1 was changed.').waitFor();
  await page.getByRole('region', { name: 'Connector 1' }).getByText('CCS2 · 150 kW').waitFor();
  const [stored] = await sql`
    select standard, format, max_power_w as power, capabilities, terms_and_conditions as terms from connectors
    where charger_id = ${id}`;
  t.strictSame(
    { ...stored },
    {
      standard: 'IEC_62196_T2_COMBO',
      format: 'CABLE',
      power: 149_500,
      capabilities: ['ISO_15118_20_PLUG_AND_CHARGE'],
      terms: 'https://harbour.example/terms',
    },
  );
  t.strictSame(faults, []);
});

void t.test('the record of an EVSE is edited', async (t) => {
  const console = await startConsole(t);
  const { sql } = console.stores;
  const { id, path } = await addCharger(console);
  const { page, faults } = await console.open(path, { theme: 'dark' });
  await page.getByRole('button', { name: 'Edit connector 1 or its EVSE' }).click();
  await page.getByRole('menuitem', { name: 'Edit the EVSE…' }).click();
  const dialog = page.getByRole('dialog', { name: 'EVSE 1' });
  const save = dialog.getByRole('button', { name: 'Save' });
  await dialog.getByRole('button', { name: /^(?=.*Status)(?=.*As reported by the charger)/ }).click();
  await page.getByRole('option', { name: 'Out of service' }).click();
  await dialog.getByLabel('Text printed on the EVSE').fill('A-12');
  await dialog.getByText('Electric vehicles only').click();
  await dialog.getByText('Taxis').click();
  await dialog.getByRole('button', { name: /^Capabilities|Capabilities$/ }).click();
  await page.getByRole('option', { name: 'Chosen here' }).click();
  await dialog.getByText('RFID reader').click();
  const parking = dialog.getByRole('group', { name: 'Parking spaces while charging' });
  await parking.getByRole('button', { name: 'Add a parking space' }).click();
  await parking.getByRole('button', { name: /Side of the vehicle/ }).click();
  await page.getByRole('option', { name: 'Left' }).click();
  await dialog.getByRole('button', { name: 'Add a planned status' }).click();
  const planned = dialog.getByRole('group', { name: 'Planned statuses' });
  await page.getByText('Times in Asia/Tokyo').waitFor();
  await dialog.getByRole('button', { name: 'Add directions' }).click();
  await dialog.getByLabel('Text', { exact: true }).fill('Left of the gate');
  await save.click();
  await dialog.getByRole('alert').first().waitFor();
  t.equal(await planned.getByLabel('Begin').getAttribute('aria-invalid'), 'true');
  t.strictSame(await accessibilityFaults(page), []);
  await planned.getByLabel('Begin').fill('2030-01-02T08:00');
  await save.click();
  await page.getByText('EVSE 1 was changed.').waitFor();
  const [stored] = await sql`
    select stated_status as status, physical_reference as reference, parking_restrictions as restrictions, capabilities, parking,
      status_schedule as planned, directions, latitude
    from evses where charger_id = ${id}`;
  t.strictSame(
    { ...stored },
    {
      status: 'INOPERATIVE',
      reference: 'A-12',
      restrictions: ['EV_ONLY', 'TAXIS'],
      capabilities: ['RFID_READER'],
      parking: [{ parkingId: 'P1', evsePosition: 'LEFT' }],
      planned: [{ periodBegin: '2030-01-01T23:00:00.000Z', status: 'INOPERATIVE' }],
      directions: [{ language: 'en', text: 'Left of the gate' }],
      latitude: null,
    },
  );
  t.strictSame(faults, []);
});

void t.test('a connector is added and removed', async (t) => {
  const console = await startConsole(t);
  const { sql } = console.stores;
  const { id, path } = await addCharger(console);
  const { page, faults } = await console.open(path);
  await page.getByRole('button', { name: 'Add a connector…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a connector' });
  t.equal(await dialog.getByLabel('Number').inputValue(), '2');
  await dialog.getByLabel('Number').fill('1');
  await dialog.getByLabel('Power (kW)').fill('22');
  t.strictSame(await accessibilityFaults(page), []);
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByText('The charger has a connector 1 already.').waitFor();
  await dialog.getByLabel('Number').fill('2');
  await dialog.getByRole('button', { name: 'Add' }).click();
  const card = page.getByRole('region', { name: 'Connector 2' });
  await card.getByText(/22(\.0)? kW/).waitFor();
  const numbers = () => sql`
    select number, max_power_w as power from connectors where charger_id = ${id} and deleted_at is null order by number`;
  t.match(await numbers(), [{ number: 1 }, { number: 2, power: 22_000 }]);

  await page.getByRole('button', { name: 'Edit connector 2 or its EVSE' }).click();
  await page.getByRole('menuitem', { name: 'Remove the connector…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await card.waitFor({ state: 'detached' });
  t.match(await numbers(), [{ number: 1 }]);
  t.strictSame(faults, []);
});
