import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { addConnectors, addRunning } from '#api/test/support/session-rows.ts';
import { until } from '#shared/testing/until.ts';
import { startConsole } from './support/console.ts';

/** A running session whose price rises by ten cents in each millisecond, so that each read has another. */
async function scene(t: Test) {
  const console = await startConsole(t);
  const { sql } = console.stores;
  const [connector] = await addConnectors(sql, { id: console.network.id, currency: 'EUR' }, 1);
  const session = await addRunning(sql, connector!, new Date(Date.now() - 60_000));
  const tariff = {
    uuid: '0b9f1f36-9d0a-4a9e-8f0e-6a1f0d1c2b3a',
    name: 'Fast clock',
    currency: 'EUR',
    elements: [{ price_components: [{ type: 'TIME', price: '360000', vat: '21', step_size: 1 }] }],
  };
  await sql`
    update sessions set tariff = ${sql.json(tariff)}, energy_wh = 4000, live_at = now(), meter_start_wh = 0
    where id = ${session}`;
  const [row] = await sql<{ uuid: string; charger: string }[]>`
    select s.uuid, c.uuid as charger from sessions s join chargers c on c.id = s.charger_id where s.id = ${session}`;
  return { ...console, session: row!.uuid, charger: row!.charger };
}

/** Opens a page with a clock of its own, and returns the texts of two elements at three reads of the price, each pair at one moment. */
async function samples(page: Page, one: string, other: string): Promise<[string, string][]> {
  const pairs: [string, string][] = [];
  const read = () =>
    page.evaluate<[string, string]>(
      `[${JSON.stringify(one)}, ${JSON.stringify(other)}].map((path) =>
        document.evaluate(path, document, null, XPathResult.STRING_TYPE).stringValue)`,
    );
  await page.locator(`xpath=${one}`).filter({ hasText: '€' }).waitFor();
  await page.locator(`xpath=${other}`).filter({ hasText: '€' }).waitFor();
  for (let sample = 0; sample < 3; sample += 1) {
    const before = await read();
    pairs.push(before);
    await until('another price', async () => {
      // A tick while the last read is under way starts no other.
      await page.clock.fastForward(16_000);
      return (await read())[0] !== before[0];
    });
  }
  return pairs;
}

const costSoFar = '//dt[text()="Cost so far"]/following-sibling::dd[1]';

void t.test('the price of a running session is one number on the page of the session', async (t) => {
  const console = await scene(t);
  const { page, visit, faults } = await console.open('/settings/account');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.clock.install();
  await visit(`/charging/sessions/${console.session}`);
  const total = '(//tr[contains(., "Total")])[last()]/td[last()]';
  for (const [figure, sum] of await samples(page, costSoFar, total)) t.equal(figure, sum);
  t.strictSame(faults, []);
});

void t.test('the price of a running session is one number on the page of its charger', async (t) => {
  const console = await scene(t);
  const { page, visit, faults } = await console.open('/settings/account');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.clock.install();
  await visit(`/fleet/chargers/${console.charger}?tab=sessions`);
  const cell = '//*[@role="row"]/*[contains(., "€")]';
  for (const [card, row] of await samples(page, costSoFar, cell)) t.equal(card, row);
  t.strictSame(faults, []);
});
