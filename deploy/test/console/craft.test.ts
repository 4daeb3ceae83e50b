import type { Page } from 'playwright-core';
import t from 'tap';
import { addLocation, startSession } from '#api/test/support/records.ts';
import { answerCalls } from '#gateway/test/support/answering.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { connectBooted } from './support/booted.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

/** Time in ms after which a list of sessions is read again. */
const renewedAfterMs = 20_000;

/** Waits for the title of a window. */
const titled = (page: Page, title: string) => until(title, async () => (await page.title()) === title);

void t.test('pages are named, chargers are chosen, and a job is stopped after a question', async (t) => {
  const console = await startConsole(t);
  const { sql } = console.stores;
  const chargers = [];
  for (let index = 0; index < 3; index += 1)
    chargers.push(await seedCharger(sql, console.network.id, { connectors: 1 }));
  const uids = chargers.map(({ uid }) => uid).toSorted();
  const { page, faults } = await console.open('/fleet/chargers');
  const table = page.getByRole('table', { name: 'Chargers' });
  await table.getByRole('link', { name: uids[0] }).waitFor();
  t.equal(await page.title(), 'Chargers · chargeway');

  await page.getByRole('checkbox', { name: `Select ${uids[0]}` }).check();
  await table
    .getByRole('row')
    .filter({ hasText: uids[1] ?? '' })
    .press(' ');
  const bar = page.getByRole('group', { name: 'Selected chargers' });
  await bar.getByText('2 chargers selected').waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  await bar.getByRole('button', { name: 'Send command…' }).click();
  const dialog = page.getByRole('dialog');
  t.match(await dialog.textContent(), /2 chargers receive this command/);
  await dialog.getByRole('button', { name: 'Send to 2 chargers' }).click();
  await page.getByText('2 of 2 chargers done').waitFor();
  await titled(page, 'Restart · Bulk jobs · chargeway');
  await page.getByRole('button', { name: /Offline\s*2/ }).click();
  await page.getByRole('table', { name: 'Results by charger' }).getByRole('link').nth(1).waitFor();
  t.strictSame(await accessibilityFaults(page), []);

  await page.getByRole('link', { name: uids[0] }).click();
  await titled(page, `${uids[0]} · Chargers · chargeway`);
  await page
    .locator('[aria-live="polite"]')
    .getByText(`${uids[0]} · Chargers`)
    .waitFor({ state: 'attached' });

  await page.getByRole('link', { name: 'Chargers', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Select all matching rows' }).check();
  await bar.getByText('3 chargers selected').waitFor();
  t.ok(await page.getByRole('checkbox', { name: `Select ${uids[2]}` }).isChecked());
  await bar.getByRole('button', { name: 'Clear the selection' }).click();
  await bar.waitFor({ state: 'detached' });

  const { charger, client } = await connectBooted(console, 'ocpp1.6');
  // It never responds, so that its job can be stopped.
  answerCalls(client, () => new Promise(() => {}));
  await page.getByLabel('Search', { exact: true }).fill(charger.uid);
  await page.getByRole('status').getByText('1 row').waitFor();
  await page.getByRole('button', { name: 'Send a command to these chargers…' }).click();
  await dialog.getByRole('button', { name: 'Send to 1 charger' }).click();
  await page.getByRole('button', { name: 'Stop the job' }).click();
  const question = page.getByRole('dialog', { name: 'Stop the job “Restart”?' });
  t.strictSame(await accessibilityFaults(page), []);
  await question.getByRole('button', { name: 'Stop the job' }).click();
  await page.getByText('No further commands are sent.').waitFor();
  t.strictSame(faults, []);
});

void t.test('a list names the time of old rows, and new rows wait while it is read', async (t) => {
  const console = await startConsole(t);
  const { sql } = console.stores;
  const location = await addLocation(sql, console.network.id);
  const charger = await seedCharger(sql, console.network.id, { connectors: 2 });
  await sql`update chargers set location_id = ${location.id} where id = ${charger.id}`;
  await startSession(sql, { chargerUuid: charger.uuid, startedAt: new Date(Date.now() - 60_000) });
  const { page, faults } = await console.open('/charging/sessions', { theme: 'dark', fresh: true });
  await page.clock.install();
  await page.reload();
  const table = page.getByRole('table', { name: 'Sessions' });
  await table.getByText(charger.uid).waitFor();
  await table.hover();
  await startSession(sql, { chargerUuid: charger.uuid, connector: 2, startedAt: new Date() });
  await page.clock.fastForward(renewedAfterMs);
  await page.getByRole('button', { name: '1 new' }).waitFor();
  await page.mouse.move(1, 1);
  t.equal(await table.getByText(charger.uid).count(), 1, 'it waits when the pointer has left');
  await page.getByRole('button', { name: '1 new' }).click();
  await table.getByText(charger.uid).nth(1).waitFor();

  const lists = '**/cpms/v1/sessions?**';
  await page.route(lists, (route) =>
    route.fulfill({ status: 500, json: { error: { code: 'INTERNAL_ERROR', message: 'Out of order.' } } }),
  );
  await page.clock.fastForward(renewedAfterMs);
  const notice = page.getByRole('status').filter({ hasText: 'Data from' });
  await notice.getByText('Out of order.').waitFor();
  t.ok((await table.getByText(charger.uid).count()) > 0, 'the rows stay');
  t.strictSame(await accessibilityFaults(page), []);
  await page.unroute(lists);
  await notice.getByRole('button', { name: 'Try again' }).click();
  await notice.waitFor({ state: 'detached' });
  await table.getByText(charger.uid).first().click();
  await page.waitForURL(/\/charging\/sessions\/[0-9a-f-]{36}/);
  t.strictSame(faults, []);
});
