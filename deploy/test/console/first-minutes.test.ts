import { randomUUID } from 'node:crypto';
import t from 'tap';
import { accessibilityFaults } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

/** Returns a serial number, which is unique over all networks, and needs percent-encoding in an address. */
const newSerial = () => `QUAY ${randomUUID().slice(0, 8)}/1`;

void t.test('an empty network is led to a running session with a simulated charger', async (t) => {
  const console = await startConsole(t);
  const serial = newSerial();
  const { page, faults } = await console.open('/');
  await page.getByRole('link', { name: 'Get started' }).click();

  await page.getByLabel('Name').fill('Quay');
  await page.getByLabel('Street and number').fill('Quay 1');
  await page.getByLabel('City').fill('Rotterdam');
  await page.getByLabel('Latitude').fill('51,9');
  await page.getByLabel('Longitude').fill('4.47');
  t.strictSame(await accessibilityFaults(page), []);
  await page.getByRole('button', { name: 'Create the location' }).click();

  await page.getByLabel('Price per kWh (EUR)').fill('0.35');
  await page.getByRole('button', { name: 'Create the tariff' }).click();

  await page.getByLabel('Serial number').fill('QUAY:1');
  await page.getByText('1 to 48 visible characters').waitFor();
  await page.getByLabel('Serial number').fill(serial);
  t.strictSame(await accessibilityFaults(page), []);
  await page.getByRole('button', { name: 'Register the charger' }).click();

  await page.getByRole('img', { name: 'QR code of address, user and password' }).waitFor();
  await page.getByText(`wss://chargeway.test/ocpp/${encodeURIComponent(serial)}`).waitFor();
  await page.getByText(/^[0-9a-f]{40}$/).waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  await page.getByRole('button', { name: 'Use a simulated charger' }).click();

  await page.getByRole('button', { name: 'Start a session at connector 1' }).click();
  await page.getByRole('link', { name: 'Open the session' }).click();
  await page.getByRole('heading', { name: `Session at ${serial}` }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByText(/kW$/).first().waitFor();
  t.strictSame(faults, []);
});

void t.test('the password is shown once, and a charger can be simulated nevertheless', async (t) => {
  const console = await startConsole(t);
  const { page, faults } = await console.open('/start', { theme: 'dark' });
  const created = await page.request.post(`${console.origin}/cpms/v1/chargers`, {
    headers: { 'x-api-key': console.key },
    data: { serial: newSerial(), networkUuid: console.network.uuid },
  });
  const { data } = (await created.json()) as { data: { id: string; ocppPassword: string } };
  for (const [path, body] of [
    [
      'locations',
      {
        name: 'Quay',
        address: 'Quay 1',
        city: 'Rotterdam',
        country: 'NLD',
        coordinates: { latitude: 51.9, longitude: 4.5 },
      },
    ],
    [
      'tariffs',
      { name: 'T', elements: [{ price_components: [{ type: 'ENERGY', price: 0.4, step_size: 1 }] }] },
    ],
  ] as const) {
    const headers = { 'x-api-key': console.key };
    const made = await page.request.post(`${console.origin}/cpms/v1/${path}`, { headers, data: body });
    t.equal(made.status(), 201, path);
  }
  await page.goto(`${console.origin}/console/start?charger=${data.id}`);
  await page.getByText('The password was shown only when the charger was registered').waitFor();
  t.notMatch(await page.content(), data.ocppPassword);
  t.strictSame(await accessibilityFaults(page), []);
  await page.getByRole('button', { name: 'Use a simulated charger' }).click();
  await page.waitForURL((url) => url.searchParams.get('charger') !== data.id);
  await page.getByRole('button', { name: 'Start a session at connector 1' }).waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  t.strictSame(faults, []);
});

void t.test('a role without the right to add chargers is not led to it', async (t) => {
  const console = await startConsole(t);
  const signIn = await console.addOperator('Viewer');
  const { page, faults } = await console.open('/', { signIn, theme: 'dark' });
  await page.getByRole('region', { name: 'Chargers by state' }).waitFor();
  t.equal(await page.getByRole('link', { name: 'Get started' }).count(), 0);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Chargers' }).click();
  await page.getByText('No chargers yet.').waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  t.equal(await page.getByRole('link', { name: 'Add a charger' }).count(), 0);
  await page.goto(`${console.origin}/console/start`);
  await page.getByText('Your role does not permit adding chargers.').waitFor();

  // Without the right to read networks, none is listed; that is not "none exists".
  const apiKey = await console.addKey(['cpms:read:chargers', 'cpms:write:chargers']);
  const limited = await console.open('/start', { signIn: { apiKey } });
  await limited.page.getByText('cpms:read:networks').waitFor();
  t.equal(await limited.page.getByText('No network yet').count(), 0);
  t.strictSame(faults, []);
});
