import { randomUUID } from 'node:crypto';
import t from 'tap';
import { attempt } from '#gateway/test/support/handshakes.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { type ConsoleRig, startConsole } from './support/console.ts';

/** Adds a charger, with the location and the tariff that precede it in the first minutes. */
async function addCharger(console: ConsoleRig): Promise<{ id: string; uid: string }> {
  const coordinates = { latitude: 51.9, longitude: 4.5 };
  await console.call('POST', '/locations', {
    name: 'Quay',
    address: 'Quay 1',
    city: 'Rotterdam',
    country: 'NLD',
    coordinates,
  });
  const elements = [{ price_components: [{ type: 'ENERGY', price: 0.4, step_size: 1 }] }];
  await console.call('POST', '/tariffs', { name: 'T', elements });
  return console.call('POST', '/chargers', { serial: `QUAY-${randomUUID().slice(0, 8)}` });
}

void t.test('a rejected charger is listed with its reason and registered from there', async (t) => {
  const console = await startConsole(t);
  const identity = `QUAY-${randomUUID().slice(0, 8)}`;
  await attempt(console, { uid: identity }, { password: 'any' });
  const { page, faults } = await console.open('/fleet/rejected-connections', {
    signIn: { apiKey: console.unrestrictedKey },
  });
  const row = page.getByRole('row').filter({ hasText: identity });
  await row.getByText('No charger has this identity.').waitFor();
  await row.getByText('127.0.0.1').waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  t.match(
    await row.getByRole('link', { name: 'Register' }).getAttribute('href'),
    new RegExp(`/start\\?charger=new&identity=${identity}`),
  );
  t.strictSame(faults, []);
});

void t.test('the first minutes show why the awaited charger is rejected', async (t) => {
  const console = await startConsole(t);
  const charger = await addCharger(console);
  const { page, faults } = await console.open(`/start?charger=${charger.id}`);
  await page.getByText(`Waiting for ${charger.uid} to connect`).waitFor();
  await attempt(console, charger, { password: 'wrong' });
  await attempt(console, charger, { password: 'wrong' });
  const rejections = page.getByRole('list', { name: 'Rejected connections' });
  await rejections.getByText(/The password is wrong\. [12] attempts? from 127\.0\.0\.1/).waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  t.strictSame(faults, []);
});

void t.test('the first minutes warn of an address that no charger can reach', async (t) => {
  const console = await startConsole(t, (_origin, deps) => ({
    settings: { ...deps.settings, ocppUrl: 'ws://127.0.0.1:9000/ocpp' },
  }));
  const charger = await addCharger(console);
  const { page } = await console.open(`/start?charger=${charger.id}`);
  await page.getByText('Chargers cannot reach ws://127.0.0.1:9000/ocpp').waitFor();
});
