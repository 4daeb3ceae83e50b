import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { type OpenPage, startConsole } from './support/console.ts';
import { seedPages } from './support/pages.ts';

/** Path of a page, an element that shows that it has loaded, and the names of buttons and links that change something. */
type ReadPage = [path: string, loaded: (page: Page) => Locator, changes: readonly (string | RegExp)[]];

/** Checks that a page that has loaded offers no button or link of these names. */
async function offersNone(t: Test, page: Page, names: readonly (string | RegExp)[]): Promise<void> {
  for (const name of names) {
    const offered = page.getByRole('button', { name }).or(page.getByRole('link', { name }));
    t.equal(await offered.count(), 0, `${new URL(page.url()).pathname}: ${name}`);
  }
}

/** Opens pages and checks that they offer no changes. */
async function readPages(t: Test, { page, visit }: OpenPage, pages: readonly ReadPage[]): Promise<void> {
  for (const [path, loaded, changes] of pages) {
    await visit(path);
    await loaded(page).waitFor();
    await offersNone(t, page, changes);
  }
}

void t.test('offers a viewer no change on any page', async (t) => {
  const console = await startConsole(t);
  const ids = await seedPages(console);
  const opened = await console.open('/', { signIn: await console.addOperator('Viewer') });
  const { page, faults, visit } = opened;
  await readPages(t, opened, [
    [
      `/fleet/chargers/${ids.charger}`,
      (page) => page.getByRole('heading', { name: 'Connector 1' }),
      [/^Edit/, 'Start', 'Stop', 'Restart', 'More actions'],
    ],
    ['/money/wallets', (page) => page.getByRole('link', { name: 'Ada Driver' }), ['Open a wallet']],
    [`/money/wallets/${ids.wallet}`, (page) => page.getByText('Welcome'), ['Credit', 'Debit']],
    [
      `/people/drivers/${ids.driver}`,
      (page) => page.getByRole('heading', { name: 'Ada Driver' }),
      ['Block…'],
    ],
    ['/settings/api-keys', (page) => page.getByRole('table', { name: 'API keys' }), ['Create key']],
    [
      `/settings/network/${ids.network}`,
      (page) => page.getByLabel('Requests per minute'),
      ['Delete network'],
    ],
  ]);
  for (const label of ['City', 'Requests per minute']) {
    t.equal(await page.getByLabel(label).getAttribute('readonly'), '', label);
  }

  await visit('/roaming/partners');
  await page.getByRole('row').filter({ hasText: ids.partner.name }).click();
  await page.getByRole('heading', { name: ids.partner.name, exact: true }).waitFor();
  await page.getByText('Encoding of the token in our requests').waitFor();
  await offersNone(t, page, ['Rotate token', 'Unregister', 'Delete', 'Suspend']);

  await visit(`/fleet/locations/${ids.location}`);
  await page.getByText('Wi-Fi').waitFor();
  await page.getByRole('row', { name: /P1.*Bus.*By reservation only/ }).click();
  t.equal(await page.getByRole('dialog').count(), 0, 'a parking space is not edited');
  await offersNone(t, page, [/^Edit/, /^Add/]);
  t.strictSame(faults, []);
});

/** Checks the links of the navigation: links in `shown` are offered, links in `hidden` are not. */
async function offersPages(
  t: Test,
  page: Page,
  { shown, hidden }: Record<'shown' | 'hidden', readonly string[]>,
): Promise<void> {
  const navigation = page.getByRole('navigation', { name: 'Main' });
  const named = (name: string) => navigation.getByRole('link', { name, exact: true });
  for (const name of shown) t.equal(await named(name).count(), 1, name);
  for (const name of hidden) t.equal(await named(name).count(), 0, name);
}

const money = ['Tariffs', 'Wallets', 'Invoices', 'Analytics', 'Exports'];
const accounts = ['Operators', 'API keys', 'Webhooks', 'Audit log'];

/** Checks that a window offers these commands of a connected charger. */
async function offersCommands(t: Test, page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) {
    t.equal(await page.getByRole('button', { name, exact: true }).count(), 1, name);
  }
}

for (const role of ['Support', 'Technician'] as const) {
  void t.test(`offers the role ${role} its commands, and neither money nor accounts`, async (t) => {
    const console = await startConsole(t);
    const ids = await seedPages(console);
    const opened = await console.open('/', { signIn: await console.addOperator(role) });
    const { page, faults, visit } = opened;
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await offersPages(t, page, {
      shown: ['Chargers', 'Sessions', 'Drivers'],
      hidden: [...money, ...accounts],
    });
    await readPages(t, opened, [
      [
        `/fleet/chargers/${ids.charger}`,
        (page) => page.getByRole('heading', { name: 'Connector 1' }),
        [/^Edit/],
      ],
    ]);
    await offersCommands(t, page, ['Start', 'Stop', 'Unlock', 'Restart']);
    await visit(`/fleet/chargers/${ids.charger}?tab=log`);
    await page.getByRole('tab', { name: 'Live log' }).waitFor();
    t.equal(await page.getByRole('tab', { name: 'Commands' }).count(), 0);
    await visit(`/fleet/chargers/${ids.charger}?tab=firmware`);
    await page.getByText('No update has been requested for this charger.').waitFor();
    t.equal(
      await page.getByRole('button', { name: 'Update firmware…' }).count(),
      role === 'Technician' ? 1 : 0,
    );
    await readPages(t, opened, [
      [
        `/charging/sessions/${ids.session}`,
        (page) => page.getByText('Price awaiting review').first(),
        ['Amend', 'Approve'],
      ],
      [
        `/charging/sessions/${ids.running}`,
        (page) => page.getByText('Cost so far').first(),
        ['Change limits'],
      ],
      [
        `/people/drivers/${ids.driver}`,
        (page) => page.getByRole('heading', { name: 'Ada Driver' }),
        ['Block…', /^Wallet/, 'Open a wallet'],
      ],
    ]);
    for (const path of ['/money/wallets', '/money/invoices', '/people/operators', '/settings/api-keys']) {
      await page.goto(`${console.origin}/console${path}`);
      await page.getByText('Your role does not permit this').first().waitFor();
    }
    t.strictSame(faults, []);
  });
}

void t.test('offers the role Finance changes of money, and no commands, drivers or accounts', async (t) => {
  const console = await startConsole(t);
  const ids = await seedPages(console);
  const opened = await console.open('/', { signIn: await console.addOperator('Finance') });
  const { page, faults, visit } = opened;
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await offersPages(t, page, { shown: [...money, 'Chargers', 'Sessions'], hidden: ['Operators'] });
  await readPages(t, opened, [
    [
      `/fleet/chargers/${ids.charger}`,
      (page) => page.getByRole('heading', { name: 'Connector 1' }),
      [/^Edit/, 'Start', 'Stop', 'Unlock', 'Restart', 'More actions'],
    ],
    [
      `/people/drivers/${ids.driver}`,
      (page) => page.getByRole('heading', { name: 'Ada Driver' }),
      ['Block…'],
    ],
    ['/settings/api-keys', (page) => page.getByRole('table', { name: 'API keys' }), ['Create key']],
  ]);
  for (const [path, names] of [
    [`/charging/sessions/${ids.session}`, ['Amend', 'Approve']],
    [`/money/wallets/${ids.wallet}`, ['Credit', 'Debit']],
    ['/money/tariffs', ['New tariff']],
    ['/reporting/exports', ['New export']],
  ] as const) {
    await visit(path);
    for (const name of names)
      await page.getByRole('button', { name }).or(page.getByRole('link', { name })).first().waitFor();
  }
  t.strictSame(faults, []);
});

void t.test('offers a reader of alerts, sessions or tariffs no change of them', async (t) => {
  const console = await startConsole(t);
  const ids = await seedPages(console);
  const readers: [what: 'alerts' | 'sessions' | 'tariffs', pages: ReadPage[]][] = [
    [
      'alerts',
      [
        [
          `/alerts?alert=${ids.alert}`,
          (page) => page.getByRole('dialog').getByText('The charger reported InstallationFailed.'),
          ['Acknowledge', 'Resolve'],
        ],
        ['/alerts?tab=mutes', (page) => page.getByText('Nothing is muted.'), ['Mute…']],
      ],
    ],
    [
      'sessions',
      [
        [
          `/charging/sessions/${ids.session}`,
          (page) => page.getByText('Price awaiting review').first(),
          ['Amend', 'Approve'],
        ],
        [
          `/charging/sessions/${ids.running}`,
          (page) => page.getByText('Cost so far').first(),
          ['Stop', 'Change limits'],
        ],
      ],
    ],
    [
      'tariffs',
      [
        ['/money/tariffs', (page) => page.getByText('Until 1 Jan 2031'), ['New tariff']],
        [
          `/money/tariffs/${ids.tariff}`,
          (page) => page.getByRole('table', { name: 'Assignments' }).getByText('In effect'),
          ['Edit', 'Delete…', 'Duplicate', 'Assign…', 'End the assignment'],
        ],
        [`/money/tariffs/${ids.tariff}`, (page) => page.getByLabel('Totals'), []],
      ],
    ],
  ];
  for (const [what, pages] of readers) {
    const apiKey = await console.addKey([`cpms:read:${what}`, 'cpms:read:networks']);
    const opened = await console.open('/', { signIn: { apiKey } });
    await readPages(t, opened, pages);
    t.strictSame(opened.faults, [], what);
  }
});

void t.test('offers the commands that the scopes of a key permit', async (t) => {
  const console = await startConsole(t);
  const { charger } = await seedPages(console);
  const unlock = await console.addKey(['cpms:read', 'cpms:command:unlock-connector']);
  const { page, faults } = await console.open(`/fleet/chargers/${charger}`, { signIn: { apiKey: unlock } });
  await page.getByRole('button', { name: 'Unlock' }).waitFor();
  await offersNone(t, page, ['Start', 'Stop', 'Restart', 'More actions']);
  t.strictSame(faults, []);

  const others = grantableScopes.filter((scope) => scope !== 'cpms:command:ocpp');
  const { page: log } = await console.open(`/fleet/chargers/${charger}?tab=log`, {
    signIn: { apiKey: await console.addKey(others) },
  });
  await log.getByRole('tab', { name: 'Live log' }).waitFor();
  t.equal(await log.getByRole('tab', { name: 'Commands' }).count(), 0);
});

for (const scopes of [['cpms:read:chargers'], ['cpms:read:chargers', 'cpms:read:networks']]) {
  void t.test(`shows only the pages of a key with ${scopes.join(' and ')}`, async (t) => {
    const console = await startConsole(t);
    const { uid } = await seedCharger(console.stores.sql, console.network.id, { connectors: 1 });
    const { page, faults } = await console.open('/fleet/chargers', {
      signIn: { apiKey: await console.addKey(scopes) },
    });
    await page.getByText(uid).waitFor();
    const navigation = page.getByRole('navigation', { name: 'Main' });
    for (const name of ['Sessions', 'Analytics', 'API keys', 'Webhooks', 'Audit log']) {
      t.equal(await navigation.getByRole('link', { name }).count(), 0, name);
    }
    for (const path of ['/settings/audit-log', '/reporting/analytics']) {
      await page.goto(`${console.origin}/console${path}`);
      await page.getByText('Your role does not permit this').first().waitFor();
      await navigation.getByRole('link', { name: 'Chargers' }).waitFor();
    }
    t.strictSame(faults, []);
  });
}

void t.test('leaves out filters by what a caller may not read', async (t) => {
  const console = await startConsole(t);
  const apiKey = await console.addKey(['cpms:read:chargers', 'cpms:read:sessions', 'cpms:read:networks']);
  const { page, faults } = await console.open('/fleet/chargers', { signIn: { apiKey } });
  await page.getByLabel('Search', { exact: true }).waitFor();
  t.equal(await page.getByLabel('Location').count(), 0);
  await page.getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('combobox', { name: 'Charger' }).waitFor();
  t.equal(await page.getByLabel('Location').count(), 0);
  t.strictSame(faults, []);
});
