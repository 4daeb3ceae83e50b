import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { grantsAny, type OperatorRole, roles, scopesOfRole } from '#shared/domain/access/roles.ts';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { type ConsoleRig, type OpenPage, startConsole } from './support/console.ts';
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
  t.equal(await page.getByRole('dialog').count(), 0, 'a parking place is not edited');
  await offersNone(t, page, [/^Edit/, /^Add/]);
  t.strictSame(faults, []);
});

/** Page with the scope that opens it, an element that shows that it has loaded, and its actions with the scope of each. */
interface RolePage {
  path: string;
  /** Link of the navigation, if the page has one. */
  link?: string;
  read: string;
  loaded: (page: Page) => Locator;
  actions: readonly (readonly [name: string | RegExp, scope: string])[];
}

type SeededPages = Awaited<ReturnType<typeof seedPages>>;

/** Pages by which roles differ. */
const rolePages = (ids: SeededPages): RolePage[] => [
  {
    path: `/fleet/chargers/${ids.charger}`,
    read: 'cpms:read:chargers',
    loaded: (page) => page.getByRole('heading', { name: 'Connector 1' }),
    actions: [
      [/^Edit/, 'cpms:write:chargers'],
      ['Start', 'cpms:command:remote-start'],
      ['Unlock', 'cpms:command:unlock-connector'],
      ['Restart', 'cpms:command:reboot'],
    ],
  },
  {
    path: `/charging/sessions/${ids.session}`,
    read: 'cpms:read:sessions',
    loaded: (page) => page.getByText('Price awaiting review').first(),
    actions: [
      [/^Amend/, 'cpms:command:billing'],
      [/^Approve/, 'cpms:command:billing'],
    ],
  },
  {
    path: `/charging/sessions/${ids.running}`,
    read: 'cpms:read:sessions',
    loaded: (page) => page.getByText('Cost so far').first(),
    actions: [
      [/^Stop/, 'cpms:command:remote-stop'],
      [/^Change limits/, 'cpms:write:sessions'],
    ],
  },
  {
    path: '/money/tariffs',
    link: 'Tariffs',
    read: 'cpms:read:tariffs',
    loaded: (page) => page.getByText('Until 1 Jan 2031'),
    actions: [['New tariff', 'cpms:write:tariffs']],
  },
  {
    path: `/money/wallets/${ids.wallet}`,
    link: 'Wallets',
    read: 'cpms:read:wallets',
    loaded: (page) => page.getByText('Welcome'),
    actions: [
      [/^Credit/, 'cpms:command:billing'],
      [/^Debit/, 'cpms:command:billing'],
    ],
  },
  {
    path: `/people/drivers/${ids.driver}`,
    link: 'Drivers',
    read: 'cpms:read:users',
    loaded: (page) => page.getByRole('heading', { name: 'Ada Driver' }),
    actions: [['Block…', 'cpms:write:users']],
  },
  {
    path: '/people/operators',
    link: 'Operators',
    read: 'cpms:read:operators',
    loaded: (page) => page.getByRole('table', { name: 'Operators' }),
    actions: [['New operator…', 'cpms:write:operators']],
  },
  {
    path: '/reporting/exports',
    link: 'Exports',
    read: 'cpms:read:exports',
    loaded: (page) => page.getByRole('heading', { name: 'Exports', exact: true }),
    // Readers download the listed records without a stored export.
    actions: [['New export', 'cpms:read:exports']],
  },
  {
    path: `/alerts?alert=${ids.alert}`,
    link: 'Alerts',
    read: 'cpms:read:alerts',
    loaded: (page) => page.getByRole('dialog').getByText('The charger reported InstallationFailed.'),
    actions: [['Acknowledge', 'cpms:write:alerts']],
  },
  {
    path: '/fleet/load',
    link: 'Load management',
    read: 'cpms:read:load-sites',
    loaded: (page) => page.getByRole('heading', { name: 'Load management', exact: true }),
    actions: [['New site', 'cpms:write:load-sites']],
  },
  {
    path: '/settings/api-keys',
    link: 'API keys',
    read: 'cpms:read:api-keys',
    loaded: (page) => page.getByRole('table', { name: 'API keys' }),
    actions: [['Create key', 'cpms:write:api-keys']],
  },
];

const nightShift = [
  'cpms:read:chargers',
  'cpms:read:networks',
  'cpms:read:sessions',
  'cpms:read:wallets',
  'cpms:command:reboot',
];

/** Roles with their scopes: the built-in ones, and one that is composed of scopes. */
const roleTable: [role: OperatorRole, scopes: readonly string[]][] = [
  ...roles.map((role): [OperatorRole, readonly string[]] => [role, scopesOfRole(role)]),
  ['Custom', nightShift],
];

/** Adds an operator of a built-in role, or of a custom one with these scopes. */
async function addOperatorOf(console: ConsoleRig, role: OperatorRole, scopes: readonly string[]) {
  if (role !== 'Custom') return console.addOperator(role);
  const name = 'Night shift';
  const networkUuid = console.network.uuid;
  const { id } = await console.call('POST', '/custom-roles', { name, scopes, networkUuid });
  const login = { email: `night-${randomUUID()}@example.com`, password: 'correct horse battery' };
  await console.call('POST', '/operators', { ...login, name: 'Nell', customRoleId: id });
  return login;
}

for (const [role, scopes] of roleTable) {
  void t.test(`offers the role ${role} the pages and actions of its scopes, and no others`, async (t) => {
    const console = await startConsole(t);
    const ids = await seedPages(console);
    const signIn = await addOperatorOf(console, role, scopes);
    const { page, faults, visit } = await console.open('/', { signIn });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const navigation = page.getByRole('navigation', { name: 'Main' });
    const pages = rolePages(ids);
    for (const { link, read } of pages) {
      if (link === undefined) continue;
      // A badge may follow the name.
      const links = await navigation.getByRole('link', { name: new RegExp(`^${link}\\b`) }).count();
      t.equal(links, grantsAny(scopes, read) ? 1 : 0, link);
    }
    for (const { path, read, loaded, actions } of pages) {
      if (!grantsAny(scopes, read)) continue;
      await visit(path);
      await loaded(page).waitFor();
      for (const [name, scope] of actions) {
        // Restart contains Start.
        const named = { name: typeof name === 'string' ? new RegExp(`^${name}`) : name };
        const offered = page.getByRole('button', named).or(page.getByRole('link', named));
        if (grantsAny(scopes, scope)) await offered.first().waitFor();
        else t.equal(await offered.count(), 0, `${path}: ${name}`);
      }
    }
    t.strictSame(faults, []);
    for (const { path, read } of pages) {
      if (grantsAny(scopes, read)) continue;
      // Leaves the refusal of the page before.
      await visit('/settings/account');
      await page
        .getByText(role === 'Custom' ? 'Night shift' : role, { exact: true })
        .first()
        .waitFor();
      await visit(path);
      await page.getByText('Your role does not permit this').first().waitFor();
    }
  });
}

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
