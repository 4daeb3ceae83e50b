import t from 'tap';
import { answerCalls } from '#gateway/test/support/answering.ts';
import { testRootCertificate } from '#gateway/test/support/root-certificate.ts';
import { seedToken } from '#shared/testing/seed.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { connectBooted } from './support/booted.ts';
import { startConsole } from './support/console.ts';

void t.test('a firmware update is started and followed to its end', async (t) => {
  const console = await startConsole(t);
  const { charger, client } = await connectBooted(console, 'ocpp1.6');
  answerCalls(client, () => ({}));
  const { page, faults } = await console.open(`/fleet/chargers/${charger.uuid}?tab=firmware`);
  await page.getByRole('button', { name: 'Update firmware…' }).click();
  await page.getByLabel('URL', { exact: true }).fill('https://files.example.org/ep11-1.4.2.bin');
  t.strictSame(await accessibilityFaults(page), []);
  await page.getByRole('button', { name: 'Start the update' }).click();
  const timeline = page.getByRole('list', { name: 'Progress of the update' });
  await timeline.getByText('in progress').waitFor();
  for (const status of ['Downloading', 'Downloaded', 'Installing', 'Installed']) {
    await client.call('FirmwareStatusNotification', { status });
  }
  await timeline.getByText('succeeded').waitFor();
  await timeline.getByText('Downloading').waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  t.strictSame(faults, []);
});

void t.test('certificates, the local list, events and the state of an OCPP 2.1 charger', async (t) => {
  const console = await startConsole(t);
  const { charger, client } = await connectBooted(console, 'ocpp2.1');
  answerCalls(client, (action) => (action === 'GetPeriodicEventStream' ? {} : { status: 'Accepted' }));
  const timestamp = new Date().toISOString();
  await client.call('SecurityEventNotification', { type: 'InvalidMessages', timestamp });
  await client.call('NotifyEvent', {
    generatedAt: timestamp,
    seqNo: 0,
    tbc: false,
    eventData: [
      {
        eventId: 1,
        timestamp,
        trigger: 'Alerting',
        actualValue: 'true',
        eventNotificationType: 'HardWiredNotification',
        component: { name: 'Connector', evse: { id: 1, connectorId: 1 } },
        variable: { name: 'Problem' },
        techInfo: 'Latch stuck',
      },
    ],
  });
  await client.call('NotifyDERAlarm', {
    controlType: 'VoltWatt',
    gridEventFault: 'OverVoltage',
    timestamp,
  });
  const token = await seedToken(console.stores.sql, console.network.id);
  const { page, faults } = await console.open(`/fleet/chargers/${charger.uuid}?tab=certificates`, {
    theme: 'dark',
  });

  await page.getByRole('button', { name: 'Install a certificate…' }).click();
  await page.getByLabel('Certificate (PEM)').fill(testRootCertificate.pem);
  t.strictSame(await accessibilityFaults(page), []);
  await page.getByRole('button', { name: 'Install', exact: true }).click();
  const certificate = page.getByRole('row').filter({ hasText: 'CSMSRootCertificate' });
  await certificate.waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  await certificate.getByRole('button', { name: /^Delete the certificate/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the certificate' }).click();
  await page.getByText('No certificate was installed through this system.').waitFor();

  await page.getByRole('tab', { name: 'Local list' }).click();
  await page.getByRole('button', { name: 'Send the list…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send the list' }).click();
  await page.getByRole('row').filter({ hasText: token }).waitFor();
  t.strictSame(await accessibilityFaults(page), []);

  await page.getByRole('tab', { name: 'Messages' }).click();
  await page.getByRole('tab', { name: 'Events' }).click();
  await page.getByRole('row').filter({ hasText: 'InvalidMessages' }).waitFor();
  await page.getByRole('row').filter({ hasText: 'Latch stuck' }).waitFor();
  await page.getByRole('row').filter({ hasText: 'NotifyDERAlarm' }).waitFor();
  t.strictSame(await accessibilityFaults(page), []);

  await page.getByRole('tab', { name: 'Device' }).click();
  await page.getByRole('tab', { name: 'Station' }).click();
  await page.getByRole('row').filter({ hasText: 'OverVoltage' }).getByText('Active').waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  t.strictSame(faults, []);
});

for (const width of [1440, 390]) {
  void t.test(`shows each tab of a charger whole in a window of ${width} px`, async (t) => {
    const console = await startConsole(t);
    const { charger } = await connectBooted(console, 'ocpp1.6');
    const { page, faults, visit } = await console.open(`/fleet/chargers/${charger.uuid}`);
    await page.setViewportSize({ width, height: 900 });
    for (const tab of ['sessions', 'log', 'configuration']) {
      await visit(`/fleet/chargers/${charger.uuid}?tab=${tab}`);
      await page.getByRole('tab', { selected: true }).nth(1).waitFor();
      const tabs = await page.getByRole('tab').all();
      const boxes = await Promise.all(tabs.map(async (each) => each.boundingBox()));
      const edges = boxes.map((box) => (box === null ? Infinity : box.x + box.width));
      t.ok(edges.length > 6);
      t.strictSame(
        edges.filter((right) => right > width),
        [],
      );
    }
    t.strictSame(faults, []);
  });
}
