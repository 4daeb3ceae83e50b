import t from 'tap';
import { seedCharger } from '#shared/testing/seed.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

void t.test('the overview counts chargers by state and follows a charger that connects', async (t) => {
  const console = await startConsole(t);
  // The overview of a network without chargers leads to the first steps.
  await seedCharger(console.stores.sql, console.network.id, { connectors: 1 });
  const { page, faults } = await console.open('/');
  const counts = page.getByRole('region', { name: 'Chargers by state' });
  await counts.getByRole('link', { name: /0\s*Available/ }).waitFor();
  await page.getByRole('status').getByText('Live').waitFor();
  const { charger } = await console.connect('ocpp1.6');
  await page
    .getByRole('listitem')
    .filter({ hasText: /connected$/ })
    .getByRole('link', { name: charger.uid })
    .waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  await counts.getByRole('link', { name: /Offline/ }).click();
  await page.getByRole('heading', { name: 'Chargers', level: 1 }).waitFor();
  t.match(page.url(), 'state=offline');
  t.strictSame(faults, []);
});

void t.test('a view is saved, and search finds a charger', async (t) => {
  const console = await startConsole(t);
  const { uid } = await seedCharger(console.stores.sql, console.network.id, { connectors: 1 });
  const { page, faults } = await console.open('/fleet/chargers?state=offline');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  await page.getByLabel('Name').fill('Needs me');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('link', { name: 'Overview' }).click();
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Chargers' }).click();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Needs me' }).click();
  await page.waitForURL(/state=offline/);

  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('searchbox').fill(uid.slice(0, 6));
  await page.getByRole('menuitem', { name: uid }).click();
  await page.getByRole('heading', { name: uid, level: 1 }).waitFor();
  t.strictSame(faults, []);
});
