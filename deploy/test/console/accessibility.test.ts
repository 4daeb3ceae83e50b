import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { faultsInBothThemes } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';
import { seedPages } from './support/pages.ts';

const table = (name: string) => (page: Page) => page.getByRole('table', { name }).getByRole('row').nth(1);

/** Returns the names of tables that are wider than their place in the window. */
const cutTables = (page: Page) =>
  page.evaluate(
    `[...document.querySelectorAll('[role="table"]')].filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.ariaLabel)`,
  );

/** Dialogs and the states of a journey are checked where a test reaches them. */
void t.test('has no accessibility faults on any page in either theme', async (t) => {
  const console = await startConsole(t);
  const ids = await seedPages(console);
  const signIn = await console.addOperator('Owner');
  const { page, faults, visit } = await console.open('/', { signIn });
  const pages: [path: string, loaded: (page: Page) => Locator][] = [
    ['/alerts', table('Alerts')],
    ['/charging/sessions', table('Sessions')],
    ['/charging/review', (page) => page.getByText('1 session to review')],
    ['/money/wallets', table('Wallets')],
    [`/money/wallets/${ids.wallet}`, table('Movements of the wallet')],
    ['/money/tariffs', table('Tariffs')],
    [`/money/tariffs/${ids.tariff}`, (page) => page.getByRole('figure', { name: 'Cost with VAT (EUR)' })],
    ['/people/drivers', table('Drivers')],
    ['/people/operators', table('Operators')],
    ['/people/roles', table('Roles')],
    ['/roaming/partners', table('Partners')],
    ['/settings/api-keys', table('API keys')],
    ['/settings/audit-log', table('Audit log')],
    ['/settings/network', table('Networks')],
    ['/settings/account', (page) => page.getByRole('region', { name: 'Sessions' }).getByRole('listitem')],
  ];
  for (const [path, loaded] of pages) {
    await visit(path);
    await loaded(page).first().waitFor();
    t.strictSame(await faultsInBothThemes(page), [], path);
    t.strictSame(await cutTables(page), [], `${path}: columns that do not fit`);
  }
  t.strictSame(faults, []);
});
