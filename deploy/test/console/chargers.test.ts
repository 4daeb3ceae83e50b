import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { seedLargeFleet } from '#shared/testing/large-fleet.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';
import { until } from '#shared/testing/until.ts';

/** Scrolls, searches, filters and sorts a list. */
async function useList(t: Test, page: Page): Promise<void> {
  await page.getByRole('status').getByText('20,000 rows').waitFor();
  const table = page.getByRole('table', { name: 'Chargers' });
  await table.getByRole('link', { name: 'FL-000001' }).waitFor();
  t.ok((await table.getByRole('row').count()) < 100, 'only rows in view exist');
  t.strictSame(await accessibilityFaults(page), []);

  await table.getByRole('row').nth(1).press('End');
  await table.getByRole('link', { name: 'FL-020000' }).waitFor();

  const faulted = page
    .getByRole('group', { name: 'Filter by state' })
    .getByRole('button', { name: /^Faulted/ });
  const count = /[\d,]+$/.exec((await faulted.textContent())?.trim() ?? '')?.[0];
  await faulted.click();
  await page.waitForURL(/state=faulted/);
  await page.getByRole('status').getByText(`${count} rows`).waitFor();

  await page.getByLabel('Search', { exact: true }).fill('FL-01');
  await page.waitForURL(/search=FL-01/);
  await table
    .getByRole('link', { name: /^FL-01/ })
    .first()
    .waitFor();
  await table.getByRole('button', { name: 'Charger' }).click();
  await page.waitForURL(/sort=-name/);
  await until('the names in the other order', async () => {
    const names = await table.getByRole('link').allTextContents();
    return names.length > 1 && names.join() === names.toSorted().toReversed().join();
  });

  await page.getByRole('button', { name: 'Clear' }).click();
  await page.waitForURL((url) => !url.searchParams.has('state') && !url.searchParams.has('search'));
  await table.getByRole('link', { name: 'FL-020000' }).click();
  await page.getByRole('heading', { name: 'FL-020000' }).waitFor();
}

void t.test(
  '20,000 chargers are scrolled, searched, filtered and sorted, and clustered on a map',
  async (t) => {
    const console = await startConsole(t);
    await seedLargeFleet(console.stores.sql, console.network.id);
    const { page, faults, visit } = await console.open('/fleet/chargers');
    await useList(t, page);

    await page.emulateMedia({ colorScheme: 'dark' });
    await visit('/fleet/map');
    const cluster = page.getByRole('button', { name: /Group of locations/ }).first();
    await cluster.waitFor();
    await page.getByText(/[\d,]+ chargers in this part of the map/).waitFor();
    const before = page.url();
    await cluster.click();
    await page.waitForURL((url) => url.href !== before);
    t.match(page.url(), /at=/);
    t.strictSame(await accessibilityFaults(page), []);
    t.strictSame(faults, []);
  },
);
