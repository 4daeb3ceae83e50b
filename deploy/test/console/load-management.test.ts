import t from 'tap';
import { loadSite } from '#api/test/support/load-site.ts';
import { insertLoadMinutes } from '#shared/clickhouse/load-minutes.queries.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { faultsInBothThemes } from './support/accessibility.ts';
import { type ConsoleRig, startConsole } from './support/console.ts';

/** Adds a site with a charger of two connectors, the second of which exceeds its limit. */
async function addSite(console: ConsoleRig) {
  const { stores, network } = console;
  const { sql, clickhouse } = stores;
  const charger = await seedCharger(sql, network.id, { connectors: 2 });
  const rows = await sql<{ id: number; uuid: string }[]>`
    select id, uuid from connectors where charger_id = ${charger.id} order by number`;
  const ids = rows.map(({ uuid }) => uuid);
  const site = await console.call('POST', '/load-sites', loadSite(...ids));
  await sql`update load_connectors set set_aside_at = now() where connector_id = ${rows[1]?.id ?? 0}`;
  const [stored] = await sql<{ id: number }[]>`select id from load_sites where uuid = ${site.id}`;
  const now = Math.floor(Date.now() / 60_000) * 60_000;
  await insertLoadMinutes(
    clickhouse,
    Array.from({ length: 60 }, (_, index) => ({
      site: { id: stored?.id ?? 0, networkId: network.id },
      minute: {
        circuitId: 'grid',
        phase: index % 3,
        at: now - index * 60_000,
        samples: 1,
        limitAmps: 63,
        otherSum: 10,
        loadSum: 40 + (index % 20),
        loadMax: 42 + (index % 20),
        boundMax: 62,
      },
    })),
  );
  return { id: site.id, charger, ids };
}

void t.test('shows why each connector has its limit, and saves no unsafe tree', async (t) => {
  const console = await startConsole(t);
  const { id, charger, ids } = await addSite(console);
  const plan = await console.call<object>('POST', `/load-sites/${id}/simulate`, {
    connectors: ids.map((connectorId, index) => ({ connectorId, isSetAside: index === 1 })),
  });
  const { page, faults } = await console.open('/fleet/load');
  const body = { data: { isEnabled: true, plan }, success: true, timestamp: new Date().toISOString() };
  await page.route('**/plan', (route) => route.fulfill({ json: body }));
  const row = page.getByRole('row').filter({ hasText: 'Quay' });
  await row.getByText('1 exceeds its limit').waitFor();
  t.strictSame(await faultsInBothThemes(page), [], 'list');
  await row.click();
  const diagram = page.getByRole('list', { name: 'Circuits and connectors' });
  const item = (number: number) =>
    diagram
      .getByRole('listitem')
      .filter({ hasText: `${charger.uid} · ${number}` })
      .last();
  await item(1).getByText('6.0 A, draws 6.0 A').waitFor();
  await item(1).getByText('Paused: board-a L1 is full').or(item(1).getByText('board-a L1 is full')).waitFor();
  await item(2).getByText('Exceeds its limit: counted at its maximum').waitFor();
  t.strictSame(await faultsInBothThemes(page), [], 'diagram');
  await item(2).getByRole('button', { name: 'Trust again' }).click();
  await page.getByText('The station is trusted again.').waitFor();

  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('figure', { name: 'L1 (A)' }).waitFor();
  t.strictSame(await faultsInBothThemes(page), [], 'history');

  await page.getByRole('tab', { name: 'What if' }).click();
  await page.getByRole('button', { name: 'Calculate' }).click();
  await item(2).getByText('16.0 A, draws 16.0 A').waitFor();
  t.strictSame(await faultsInBothThemes(page), [], 'what-if');

  await page.getByRole('tab', { name: 'Circuits' }).click();
  const limit = page.getByRole('textbox', { name: 'Limit (A)' }).nth(1);
  const save = page.getByRole('button', { name: 'Save' });
  await limit.fill('11');
  await page.getByText('board-a cannot carry the fallbacks').waitFor();
  t.ok(await save.isDisabled());
  t.strictSame(await faultsInBothThemes(page), [], 'editor');
  await limit.fill('20 / 20 / 16');
  await page.getByText('Each circuit carries its fallbacks').waitFor();
  await save.click();
  await page.getByText('The circuits were saved.').waitFor();
  const [board] = await console.stores.sql`select amps from load_circuits where id = 'board-a' and site_id =
    (select id from load_sites where uuid = ${id})`;
  t.same(board?.['amps'], [20, 20, 16]);
  t.strictSame(faults, []);
});
