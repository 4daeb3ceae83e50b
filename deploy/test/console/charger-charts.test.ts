import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { seedCharger } from '#shared/testing/seed.ts';
import { fillYearOfReadings } from '#shared/testing/year-of-readings.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

/** Opens the console at a charger with two connectors and a history of three days. */
async function openCharger(t: Test, search: string, theme: 'light' | 'dark' = 'light') {
  const console = await startConsole(t);
  const { sql } = console.stores;
  const charger = await seedCharger(sql, console.network.id, { connectors: 2, ocppVersion: '1.6' });
  await fillYearOfReadings(
    console.stores,
    { id: charger.id, networkId: console.network.id },
    { days: 3, messageDays: 3 },
  );
  const opened = await console.open(`/fleet/chargers/${charger.uuid}${search}`, { theme });
  // Both come from queries of their own, and the second moves the first.
  for (const name of ['Power (kW)', 'States over time']) {
    await opened.page.getByRole('figure', { name }).waitFor();
  }
  return { ...opened, charger };
}

/** Brushes the middle third of the power chart. */
async function brush(page: Page): Promise<void> {
  const box = await page.getByRole('figure', { name: 'Power (kW)' }).locator('.u-over').boundingBox();
  if (box === null) throw new Error('the chart has no plot');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width / 3, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, y);
  await page.mouse.move(box.x + (box.width * 2) / 3, y);
  await page.mouse.up();
}

void t.test(
  'the charts of a charger share a range, which brushing zooms and going back restores',
  async (t) => {
    const { page, faults } = await openCharger(t, '?range=day');
    const all = await page.getByRole('figure').all();
    const figures = await Promise.all(all.map((each) => each.getAttribute('aria-label')));
    t.strictSame(figures, [
      'States over time',
      'Power (kW)',
      figures[2],
      'Current (A) · Connector 1',
      'Current (A) · Connector 2',
      'Voltage (V) · Connector 1',
      'Voltage (V) · Connector 2',
      'State of charge (%)',
      'Temperature (°C)',
    ]);
    t.match(figures[2], /^Energy per .+ \(kWh\)$/);

    await brush(page);
    await page.waitForURL(/range=day.*zoom=\d+-\d+/);
    const [from, to] = (new URL(page.url()).searchParams.get('zoom') ?? '').split('-').map(Number);
    const hours = ((to ?? 0) - (from ?? 0)) / 3600;
    t.ok(hours > 7 && hours < 9, `a third of a day is ${hours} h`);
    const whole = page.getByRole('button', { name: 'Show the whole range' });
    await whole.waitFor();
    await page.goBack();
    await page.waitForURL((url) => !url.searchParams.has('zoom'));
    await whole.waitFor({ state: 'hidden' });

    await brush(page);
    await page.waitForURL(/zoom=/);
    await whole.waitFor();
    await page.getByRole('figure', { name: 'Power (kW)' }).locator('.u-over').dblclick();
    await page.waitForURL((url) => !url.searchParams.has('zoom'));
    t.strictSame(await accessibilityFaults(page), []);
    t.strictSame(faults, []);
  },
);

void t.test('the numbers of the charts are a table and a file, without a hidden connector', async (t) => {
  const { page, charger, faults } = await openCharger(t, '?range=day', 'dark');
  t.strictSame(await accessibilityFaults(page), []);
  await page.getByRole('button', { name: 'Connector 2', exact: true }).click();
  await page.waitForURL(/hidden=2-/);
  await page.getByRole('button', { name: 'Show as table' }).click();
  const table = page.getByRole('table', { name: 'Readings' });
  await table.getByRole('columnheader', { name: 'Power (kW) · Connector 1' }).waitFor();
  t.equal(await table.getByRole('columnheader', { name: 'Connector 2' }).count(), 0);
  t.ok((await table.getByRole('row').count()) > 10);
  const states = page.getByRole('table', { name: 'States over time' });
  await states
    .getByRole('row', { name: /Connector 1 Charging/ })
    .first()
    .waitFor();
  t.strictSame(await accessibilityFaults(page), []);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const file = await download;
  t.match(file.suggestedFilename(), new RegExp(`^${charger.uid}-readings_\\d{4}-\\d\\d-\\d\\d\\.csv$`));
  const [header = '', first = ''] = (await readFile(await file.path(), 'utf8')).split('\r\n');
  t.match(header, /^\ufefftime,power-1 \(kW\) mean,power-1 \(kW\) min,power-1 \(kW\) max/);
  t.notMatch(header, 'power-2');
  t.match(first, /^\d{4}-\d{2}-\d{2}T[^,]+Z,\d/);
  t.strictSame(faults, []);
});

void t.test('the sessions of a charger are sorted by the server and lead to their pages', async (t) => {
  const { page, faults } = await openCharger(t, '?range=day');
  await page.getByRole('tab', { name: 'Charging' }).click();
  const table = page.getByRole('table', { name: 'Sessions' });
  await table.getByText('33.1 kWh').first().waitFor();
  t.equal(await table.getAttribute('aria-rowcount'), '25');
  await table.getByRole('button', { name: 'Energy' }).click();
  await page.waitForURL(/sort=energy/);
  t.strictSame(await accessibilityFaults(page), []);
  await table.getByRole('row').nth(1).press('Enter');
  await page.waitForURL(/\/charging\/sessions\/[0-9a-f-]{36}/);
  t.strictSame(faults, []);
});
