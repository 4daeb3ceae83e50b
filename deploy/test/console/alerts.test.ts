import t from 'tap';
import { seedCharger } from '#shared/testing/seed.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { type ConsoleRig, startConsole } from './support/console.ts';

/** Opens an alert of a charger, of a kind that does not end by itself. */
async function openAlert(
  { stores, network }: ConsoleRig,
  charger: { id: number; uuid: string; uid: string },
) {
  await stores.sql`
    insert into alerts (network_id, kind, severity, resource_type, resource_id, resource_name, charger_id, message, details,
      occurred_at, last_occurred_at)
    values (${network.id}, 'firmware-failed', 'critical', 'charger', ${charger.uuid}, ${charger.uid}, ${charger.id},
      'The charger reported InstallationFailed.', '{"status": "InstallationFailed"}', now(), now())`;
}

void t.test('an alert is acknowledged with a note, and resolved', async (t) => {
  const console = await startConsole(t);
  const charger = await seedCharger(console.stores.sql, console.network.id, { connectors: 1 });
  await openAlert(console, charger);
  const { page, faults } = await console.open('/alerts');
  const row = page.getByRole('table', { name: 'Alerts' }).getByRole('row').filter({ hasText: charger.uid });
  await row.getByText('Firmware update failed').waitFor();
  await row.press('Enter');
  await page.waitForURL(/alert=/);
  const panel = page.getByRole('dialog', { name: 'Firmware update failed' });
  await panel.getByLabel('Note').fill('On my way');
  t.strictSame(await accessibilityFaults(page), []);
  await panel.getByRole('button', { name: 'Acknowledge' }).click();
  await panel.getByText('On my way').first().waitFor();
  await panel.getByRole('button', { name: 'Resolve' }).click();
  await panel.getByRole('button', { name: 'Resolve' }).waitFor({ state: 'detached' });
  await panel.getByRole('button', { name: 'Close' }).click();
  await row.getByText('Resolved').waitFor();
  await page.getByRole('button', { name: /Any State/ }).click();
  await page.getByRole('option', { name: 'Open', exact: true }).click();
  await page.waitForURL(/status=open/);
  await page.getByText('Nothing matches these filters.').waitFor();
  t.strictSame(faults, []);
});

void t.test('a rule is changed and reset, and a kind of alerts is muted', async (t) => {
  const console = await startConsole(t);
  const { page, faults } = await console.open('/alerts?tab=rules', { theme: 'dark' });
  const rules = page.getByRole('table', { name: 'Rules' });
  const rule = rules.getByRole('row').filter({ hasText: 'Charger offline' });
  await rule.getByRole('button', { name: 'Edit the rule “Charger offline”' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Minutes offline').fill('0');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Minutes offline').fill('45');
  t.strictSame(await accessibilityFaults(page), []);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await rule.getByText('Minutes offline: 45').waitFor();
  await rule.getByRole('button').click();
  await dialog.getByRole('button', { name: 'Reset to defaults' }).click();
  await dialog.getByRole('button', { name: 'Reset to defaults' }).click();
  await rule.getByText('Minutes offline: 15').waitFor();

  await page.getByRole('tab', { name: 'Mutes' }).click();
  await page.getByRole('button', { name: 'Mute…' }).click();
  await dialog.getByRole('button', { name: /All\s*Kind/ }).click();
  await page.getByRole('option', { name: 'Connector faulted' }).click();
  await dialog.getByRole('button', { name: 'Mute', exact: true }).click();
  const mute = page.getByRole('row').filter({ hasText: 'Connector faulted' });
  await mute.getByRole('button', { name: 'End…' }).click();
  await dialog.getByRole('button', { name: 'End the mute' }).click();
  await page.getByText('Nothing is muted.').waitFor();
  t.strictSame(faults, []);
});
