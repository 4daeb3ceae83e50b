import t from 'tap';
import { answerCalls } from '#gateway/test/support/answering.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

void t.test('a command shows the answer of the charger and its effect', async (t) => {
  const console = await startConsole(t);
  const { charger, client } = await console.connect('ocpp1.6');
  const calls: unknown[] = [];
  let status = 'Rejected';
  answerCalls(client, (action, payload) => {
    calls.push([action, payload]);
    return { status };
  });
  await client.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available' });
  const { page, faults } = await console.open(`/fleet/chargers/${charger.uuid}`);
  await page.getByText('Live', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Change availability' }).click();
  const dialog = page.getByRole('dialog');
  const send = dialog.getByRole('button', { name: `Take ${charger.uid} out of service` });
  t.strictSame(await accessibilityFaults(page), []);
  await send.click();
  await dialog.getByText('Refused by the charger.').waitFor();
  await dialog.getByText('The charger answered Rejected.').waitFor();

  status = 'Accepted';
  await send.click();
  await dialog.getByText('Accepted by the charger.').waitFor();
  await dialog.getByText('No effect seen yet.').waitFor();
  for (const connectorId of [1, 2]) {
    const report = { connectorId, errorCode: 'NoError', status: 'Unavailable' };
    await client.call('StatusNotification', report);
  }
  await dialog.getByText(`${charger.uid} is out of service.`).waitFor();
  t.strictSame(calls, [
    ['ChangeAvailability', { connectorId: 0, type: 'Inoperative' }],
    ['ChangeAvailability', { connectorId: 0, type: 'Inoperative' }],
  ]);

  await dialog.getByRole('link', { name: 'Messages of ChangeAvailability in the log' }).click();
  await page.waitForURL(/tab=log.*logAction=ChangeAvailability|logAction=ChangeAvailability.*tab=log/);
  await page.getByRole('tab', { name: 'Live log', selected: true }).waitFor();
  t.strictSame(faults, []);
});

void t.test('a charger that waits for its registration is accepted in its page', async (t) => {
  const console = await startConsole(t);
  const { charger } = await console.connect('ocpp1.6');
  await console.stores.sql`update chargers set registration = 'Pending' where id = ${charger.id}`;
  const { page, faults } = await console.open(`/fleet/chargers/${charger.uuid}`);
  await page.getByText('This charger is waiting to be accepted.').waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  await page.getByRole('button', { name: `Accept ${charger.uid}` }).click();
  await page.getByText('The charger is accepted.').waitFor();
  await page.getByText('This charger is waiting to be accepted.').waitFor({ state: 'detached' });
  t.strictSame(faults, []);
});
