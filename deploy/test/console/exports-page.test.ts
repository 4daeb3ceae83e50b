import t from 'tap';
import { endSession, startSession } from '#api/test/support/records.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

void t.test('an export is created, downloaded and deleted', async (t) => {
  const console = await startConsole(t);
  const { sql } = console.stores;
  const charger = await seedCharger(sql, console.network.id, { connectors: 1 });
  await endSession(sql, await startSession(sql, { chargerUuid: charger.uuid }), 5000);
  const { page, context, faults } = await console.open('/reporting/exports');
  await page.getByText('No exports yet.').waitFor();
  await page.getByRole('button', { name: 'New export…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New export' });
  t.strictSame(await accessibilityFaults(page), []);
  const direct = await dialog.getByRole('link', { name: 'Download now' }).getAttribute('href');
  const stream = await context.request.get(`${console.origin}${direct}`);
  t.match(await stream.text(), charger.uuid);

  await dialog.getByRole('button', { name: 'Create files' }).click();
  const panel = page.getByRole('dialog', { name: 'Export of Sessions' });
  await panel.getByText('Completed').waitFor();
  const part = await panel.getByRole('link', { name: 'Download part 1' }).getAttribute('href');
  t.match(await (await context.request.get(`${console.origin}${part}`)).text(), charger.uuid);
  t.strictSame(await accessibilityFaults(page), []);
  await panel.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the export' }).click();
  await page.getByText('No exports yet.').waitFor();
  t.strictSame(faults, []);
});
