import type { Page } from 'playwright-core';
import t from 'tap';
import { answerCalls } from '#gateway/test/support/answering.ts';
import type { Version } from '#gateway/test/support/rig.ts';
import { seedToken } from '#shared/testing/seed.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { connectBooted } from './support/booted.ts';
import { startConsole } from './support/console.ts';
import { until } from '#shared/testing/until.ts';

const themes = { 'ocpp1.6': 'light', 'ocpp2.0.1': 'dark' } as const;

/** Returns the answer of a charger of either version to the commands of the tab. */
function answerOf(version: Version, action: string): object {
  if (action !== 'GetCompositeSchedule') return { status: 'Accepted' };
  const start = new Date().toISOString();
  const limits = {
    duration: 86_400,
    chargingRateUnit: 'A',
    chargingSchedulePeriod: [
      { startPeriod: 0, limit: 16 },
      { startPeriod: 7200, limit: 10 },
    ],
  };
  return version === 'ocpp1.6'
    ? { status: 'Accepted', connectorId: 1, scheduleStart: start, chargingSchedule: limits }
    : { status: 'Accepted', schedule: { evseId: 1, scheduleStart: start, ...limits } };
}

for (const version of ['ocpp1.6', 'ocpp2.0.1'] as const) {
  void t.test(`${version}: a reservation is made and cancelled, a profile is set and drawn`, async (t) => {
    const console = await startConsole(t);
    const { charger, client } = await connectBooted(console, version);
    const sent: string[] = [];
    answerCalls(client, (action) => {
      sent.push(action);
      return answerOf(version, action);
    });
    const token = await seedToken(console.stores.sql, console.network.id);
    const { page, faults } = await console.open(`/fleet/chargers/${charger.uuid}?tab=reservations`, {
      theme: themes[version],
    });
    await page.getByRole('button', { name: 'Reserve…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Token').fill(token);
    t.strictSame(await accessibilityFaults(page), []);
    await dialog.getByRole('button', { name: 'Reserve', exact: true }).click();
    const reservation = page.getByRole('row').filter({ hasText: token });
    await reservation.getByText('Active').waitFor();
    await reservation.getByRole('button', { name: /^Cancel reservation/ }).click();
    await dialog.getByRole('button', { name: 'Cancel the reservation' }).click();
    await reservation.getByText('Cancelled').waitFor();
    t.same(sent, ['ReserveNow', 'CancelReservation']);

    await page.getByRole('button', { name: 'Set a profile…' }).click();
    await dialog.getByRole('button', { name: 'Add a period' }).click();
    await dialog.getByLabel('Limit (A)').nth(1).fill('6');
    t.strictSame(await accessibilityFaults(page), []);
    await dialog.getByRole('button', { name: 'Send to the charger' }).click();
    await page.getByRole('row').filter({ hasText: '16 A → 6 A' }).waitFor();
    const chart = page.getByRole('figure', { name: 'Whole charger · A' });
    await chart.waitFor();
    await until('the limit is drawn', () => isDrawn(page, '--series-1'));

    await page.getByRole('button', { name: 'Request the schedule' }).click();
    await chart.getByText('Composite schedule').waitFor();
    t.strictSame(await accessibilityFaults(page), []);

    await page.getByRole('button', { name: /^Clear profile/ }).click();
    await dialog.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByText('The charger has no charging profiles.').waitFor();
    t.ok(sent.includes('ClearChargingProfile'));
    t.strictSame(faults, []);
  });
}

/** Returns whether a chart of the page has pixels of a colour of the theme. */
function isDrawn(page: Page, color: string): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const [, ...channels] = /^#(..)(..)(..)$/.exec(
      getComputedStyle(document.documentElement).getPropertyValue('${color}').trim(),
    );
    const wanted = channels.map((hex) => Number.parseInt(hex, 16));
    return [...document.querySelectorAll('figure canvas')].some((canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      for (let at = 0; at < data.length; at += 4) {
        if (data[at + 3] === 255 && wanted.every((value, index) => data[at + index] === value)) return true;
      }
      return false;
    });
  })()`);
}

void t.test('a reservation is made and cancelled in the list of all chargers', async (t) => {
  const console = await startConsole(t);
  const { charger, client } = await connectBooted(console, 'ocpp1.6');
  answerCalls(client, () => ({ status: 'Accepted' }));
  const token = await seedToken(console.stores.sql, console.network.id);
  const { page, faults } = await console.open('/charging/reservations', { theme: 'dark' });
  await page.getByText('No reservations.').waitFor();
  await page.getByRole('button', { name: 'Reserve…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Charger' }).fill(charger.uid);
  await page.getByRole('option', { name: charger.uid }).click();
  await dialog.getByLabel('Token').fill(token);
  t.strictSame(await accessibilityFaults(page), []);
  await dialog.getByRole('button', { name: 'Reserve', exact: true }).click();
  const row = page.getByRole('row').filter({ hasText: token });
  await row.getByText('Active').waitFor();
  await row.getByRole('link', { name: charger.uid }).waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  await row.getByRole('button', { name: /^Cancel reservation/ }).click();
  await dialog.getByRole('button', { name: 'Cancel the reservation' }).click();
  await row.getByText('Cancelled').waitFor();
  await page.getByRole('button', { name: /Any status/ }).click();
  await page.getByRole('option', { name: 'Active' }).click();
  await page.waitForURL(/status=Active/);
  await page.getByText('Nothing matches these filters.').waitFor();
  t.strictSame(faults, []);
});
