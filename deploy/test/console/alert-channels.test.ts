import t from 'tap';
import { startReceiver } from '#api/test/events/support/receiver.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

void t.test('a channel is added, tested, changed and deleted, and its address is not shown', async (t) => {
  const console = await startConsole(t);
  const receiver = await startReceiver(t);
  const { page, faults } = await console.open('/alerts?tab=channels');
  await page.getByText('No channels.').waitFor();
  await page.getByRole('button', { name: 'Add a channel…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New channel' });
  await dialog.getByLabel('Name').fill('On call');
  await dialog.getByLabel('Address').fill(`${receiver.url}/secret`);
  await dialog.getByRole('button', { name: /Warnings and critical alerts/ }).click();
  await page.getByRole('option', { name: 'Critical alerts only' }).click();
  t.strictSame(await accessibilityFaults(page), []);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const row = page.getByRole('table', { name: 'Channels' }).getByRole('row').filter({ hasText: 'On call' });
  await row.getByText('All kinds · Critical alerts only').waitFor();
  await row.getByText('Nothing sent yet').waitFor();
  t.strictSame(await accessibilityFaults(page), []);

  await row.getByRole('button', { name: 'Actions on “On call”' }).click();
  await page.getByRole('menuitem', { name: 'Send a test alert' }).click();
  await page.getByText('“On call” received the test.').waitFor();
  t.match(JSON.parse((await receiver.got(1))[0]!.body), { text: 'Test alert' });
  receiver.react = () => ({ status: 404 });
  await row.getByRole('button', { name: 'Actions on “On call”' }).click();
  await page.getByRole('menuitem', { name: 'Send a test alert' }).click();
  await page.getByText('“On call” did not receive the test: HTTP 404').waitFor();

  await console.stores.sql`
    with notification as (
      insert into alert_notifications (network_id, kind, severity, state, collects_until)
      values (${console.network.id}, 'charger-faulted', 'critical', 'notified', now()) returning id
    )
    insert into alert_channel_notices (channel_id, notification_id, cause, due_at, state, tries, last_tried_at, http_status, last_error)
    select c.id, n.id, 'escalated', now(), 'failed', 10, now(), 404, 'HTTP 404'
    from notification n, alert_channels c where c.network_id = ${console.network.id}`;
  await row.getByRole('button', { name: 'Actions on “On call”' }).click();
  await page.getByRole('menuitem', { name: 'Deliveries…' }).click();
  const deliveries = page.getByRole('dialog', { name: 'Deliveries to “On call”' });
  const delivery = deliveries.getByRole('row').filter({ hasText: 'Charger faulted' });
  await delivery.getByText('Not acknowledged').waitFor();
  await delivery.getByText('Given up: HTTP 404').waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  await page.keyboard.press('Escape');

  await row.press('Enter');
  const edit = page.getByRole('dialog', { name: 'Edit the channel “On call”' });
  t.equal(await edit.getByLabel('Address').inputValue(), '');
  await edit.getByLabel('Name').fill('Night shift');
  await edit.getByRole('button', { name: 'Save' }).click();
  const renamed = page.getByRole('row').filter({ hasText: 'Night shift' });
  await renamed.getByRole('button', { name: 'Actions on “Night shift”' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No channels.').waitFor();
  t.strictSame(faults, []);
});

void t.test('a threshold is added, changed and deleted', async (t) => {
  const console = await startConsole(t);
  const { page, faults } = await console.open('/alerts?tab=thresholds', { theme: 'dark' });
  await page.getByRole('button', { name: 'Add a threshold…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Many offline');
  await dialog.getByLabel('Value in %').fill('20');
  t.strictSame(await accessibilityFaults(page), []);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const row = page.getByRole('table', { name: 'Thresholds' }).getByRole('row');
  await row.getByText('Share of chargers offline above 20 % for 10 minutes').waitFor();
  await row.getByText('Not exceeded').waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  await row.filter({ hasText: 'Many offline' }).press('Enter');
  await dialog.getByLabel('For minutes').fill('1');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row.getByText('for 1 minute').waitFor();
  await row.getByRole('button', { name: 'Delete the threshold “Many offline”' }).click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No thresholds.').waitFor();
  t.strictSame(faults, []);
});

void t.test(
  'an alert is acknowledged in place: in the list, on the overview and on its charger',
  async (t) => {
    const console = await startConsole(t);
    const { sql } = console.stores;
    const charger = await seedCharger(sql, console.network.id, { connectors: 1 });
    for (const kind of ['firmware-failed', 'unmatched-stop', 'security-event'])
      await sql`
      insert into alerts (network_id, kind, severity, resource_type, resource_id, resource_name, charger_id, subject, message,
        details, occurred_at, last_occurred_at)
      values (${console.network.id}, ${kind}, 'critical', 'charger', ${charger.uuid}, ${charger.uid}, ${charger.id},
        'TamperDetectionActivated', 'Something happened.', '{}', now(), now())`;
    const { page, faults } = await console.open('/alerts?status=open');
    const button = (kind: string) =>
      page.getByRole('button', { name: `Acknowledge “${kind}” of ${charger.uid}` });
    await button('Firmware update failed').click();
    await button('Firmware update failed').waitFor({ state: 'detached' });
    t.match(
      await sql`select status from alerts where kind = 'firmware-failed' and network_id = ${console.network.id}`,
      [{ status: 'acknowledged' }],
    );

    await page.goto(`${new URL(page.url()).origin}/console/`);
    const overview = page.getByRole('listitem').filter({ hasText: 'Stop for an unknown session' }).last();
    await overview.getByText('Critical').waitFor();
    await button('Stop for an unknown session').click();
    await overview.waitFor({ state: 'detached' });

    await page.goto(`${new URL(page.url()).origin}/console/fleet/chargers/${charger.uuid}`);
    const banner = page.getByRole('list', { name: 'Open alerts' });
    await banner.getByText('Security event').waitFor();
    await banner.getByText('TamperDetectionActivated').waitFor();
    t.strictSame(await accessibilityFaults(page), []);
    await button('Security event').click();
    await banner.waitFor({ state: 'detached' });
    t.strictSame(faults, []);
  },
);
