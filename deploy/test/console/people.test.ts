import type { Page } from 'playwright-core';
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { roles as allRoles } from '#shared/domain/access/roles.ts';
import { seedPartner } from '#shared/testing/seed-partner.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

void t.test('an operator creates a driver, gives it a token, and blocks the token', async (t) => {
  const console = await startConsole(t);
  const { page, faults } = await console.open('/people/drivers');
  await page.getByText('No drivers yet.').waitFor();
  await page.getByRole('button', { name: 'New driver…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Ada Lovelace');
  await dialog.getByLabel('E-mail address').fill('ada@example.org');
  await dialog.getByLabel('Telephone').fill('+31 6 1234 5678');
  t.strictSame(await accessibilityFaults(page), []);
  await dialog.getByRole('button', { name: 'Create the driver' }).click();
  await page.waitForURL(/\/people\/drivers\/[0-9a-f-]{36}/);
  await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
  await page.getByText('No wallet: the sessions are invoiced.').waitFor();
  t.equal(await page.title(), 'Ada Lovelace · Drivers · chargeway');

  await page.getByRole('button', { name: 'Add a token…' }).click();
  await dialog.getByLabel('UID').fill('04A1B2C3D4E5F6');
  await dialog.getByRole('button', { name: 'Create the token' }).click();
  const list = page.getByRole('table', { name: 'Tokens' });
  await list.getByText('04A1B2C3D4E5F6').click();
  await page.waitForURL(/token=/);
  const panel = page.getByRole('dialog', { name: 'Token 04A1B2C3D4E5F6' });
  await panel.getByRole('button', { name: 'Block…' }).click();
  await page
    .getByRole('dialog', { name: 'Block token' })
    .getByRole('button', { name: 'Block the token' })
    .click();
  await panel.getByText('Blocked', { exact: true }).waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  const [token] = await console.stores.sql<{ isValid: boolean }[]>`
    select is_valid as "isValid" from id_tokens
    where network_id = ${console.network.id} and uid = '04A1B2C3D4E5F6'`;
  t.equal(token?.isValid, false);
  t.strictSame(faults, []);
});

void t.test('an operator blocks a driver and releases it', async (t) => {
  const console = await startConsole(t);
  const networkUuid = console.network.uuid;
  const driver = await console.call('POST', '/users', { networkUuid, name: 'Ada', email: 'ada@example.org' });
  await console.call('POST', '/id-tokens', { uid: 'CARD-1', tokenType: 'RFID', userId: driver.id });
  const { page, faults, visit } = await console.open(`/people/drivers/${driver.id}`);
  const tokens = page.getByRole('table', { name: 'Tokens' });
  await tokens.getByText('Valid', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Block…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Block the driver' }).click();
  await page.getByText('Ada is blocked.').waitFor();
  await page.getByRole('banner').or(page.locator('header')).getByText('Blocked', { exact: true }).waitFor();
  await tokens.getByText('Blocked', { exact: true }).waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  await tokens.getByText('CARD-1').click();
  const panel = page.getByRole('dialog', { name: 'Token CARD-1' });
  await panel.getByText('The driver is blocked.', { exact: false }).waitFor();
  await page.keyboard.press('Escape');
  await visit('/people/drivers');
  await page.getByRole('row', { name: /Ada.*Blocked/ }).waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  await page.getByRole('link', { name: 'Ada' }).click();
  await page.getByRole('button', { name: 'Unblock' }).click();
  await page.getByText('Ada is no longer blocked.').waitFor();
  await tokens.getByText('Valid', { exact: true }).waitFor();
  t.strictSame(faults, []);
});

void t.test('drivers and tokens are found by the lists and by the search of all pages', async (t) => {
  const console = await startConsole(t);
  const networkUuid = console.network.uuid;
  const ids = new Map<string, string>();
  for (const name of ['Ada', 'Bob', 'Chloé']) {
    const email = `${name.normalize('NFD').replaceAll(/[^A-Za-z]/g, '')}@example.org`;
    const driver = await console.call('POST', '/users', { networkUuid, name, email });
    ids.set(name, driver.id);
    const token = { uid: `CARD-${ids.size}`, tokenType: 'RFID', userId: driver.id };
    await console.call('POST', '/id-tokens', token);
  }
  const { page, faults } = await console.open('/people/drivers', { theme: 'dark' });
  const drivers = page.getByRole('table', { name: 'Drivers' });
  const rows = async () =>
    (await drivers.getByRole('row').allInnerTexts()).slice(1).map((row) => row.split('\n')[0]);
  await drivers.getByText('Chloé').waitFor();
  t.strictSame(await rows(), ['Ada', 'Bob', 'Chloé']);
  await drivers.getByRole('button', { name: 'Name' }).click();
  await page.waitForURL(/sort=-name/);
  await drivers.getByRole('row').nth(1).getByText('Chloé').waitFor();
  t.strictSame(await rows(), ['Chloé', 'Bob', 'Ada']);
  t.strictSame(await accessibilityFaults(page), []);
  await page.getByRole('searchbox', { name: 'Search' }).fill('bob@');
  await page.waitForURL(/search=/);
  await drivers.getByText('Ada').waitFor({ state: 'detached' });
  await drivers.getByText('bob@example.org', { exact: false }).waitFor();

  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('searchbox').fill('CARD-1');
  await page.getByRole('menuitem', { name: 'CARD-1' }).click();
  await page.getByRole('dialog', { name: /Token CARD-1/ }).waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  await page.getByRole('dialog').getByRole('link', { name: 'Ada' }).click();
  await page.waitForURL(new RegExp(`/people/drivers/${ids.get('Ada')}`));
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export data' }).click();
  t.equal((await download).suggestedFilename(), `driver-${ids.get('Ada')}.json`);
  t.strictSame(faults, []);
});

void t.test('an operator chooses the party that authorizes a card of two partners', async (t) => {
  const console = await startConsole(t);
  for (const partyId of ['EST', 'WST']) {
    await seedPartner(console.stores.sql, console.network.id, { partyId, uid: 'SHARED-1' });
  }
  const { page, faults } = await console.open('/people/tokens?tab=partners');
  await page.getByText('Enter the complete UID of a card').waitFor();
  await page.getByLabel('UID of the card').fill('SHARED-1');
  const claims = page.getByRole('table', { name: 'Tokens of roaming partners' });
  await claims.getByRole('row', { name: /EST.*Authorizes the card/ }).waitFor();
  t.strictSame(await accessibilityFaults(page), []);
  await claims.getByRole('button', { name: 'Choose as owner… DE*WST' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Choose DE*WST' }).click();
  await claims.getByRole('row', { name: /WST.*Authorizes the card/ }).waitFor();
  t.strictSame(faults, []);
});

void t.test('an account gets no more than its creator has, and a refusal is explained', async (t) => {
  const console = await startConsole(t);
  /** Returns the offered roles without the custom ones, which other networks may have as well. */
  const builtInOptions = async (page: Page) => {
    const custom = await console.stores.sql<{ name: string }[]>`select name from custom_roles`;
    const names = custom.map(({ name }) => name);
    return (await page.getByRole('option').allInnerTexts()).filter((option) => !names.includes(option));
  };
  const owner = await console.addOperator('Owner', console.unrestrictedKey);
  const other = await console.addOperator('Owner', console.unrestrictedKey);
  const email = `grace-${randomUUID()}@example.org`;
  const { page, faults } = await console.open('/people/operators', { signIn: owner });
  await page.getByRole('button', { name: 'New operator…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Grace');
  await dialog.getByLabel('E-mail address').fill(email);
  await dialog.getByRole('button', { name: /^Viewer/ }).click();
  t.strictSame(await builtInOptions(page), [...allRoles]);
  await page.getByRole('option', { name: 'Admin' }).click();
  await dialog.getByText('All networks, including future ones').click();
  await dialog.getByRole('button', { name: 'Create the operator' }).click();
  const shown = page.getByRole('dialog', { name: 'Password of Grace' });
  const password = (await shown.getByRole('code').innerText()).trim();
  t.match(password, /^[\w-]{20}$/);
  await shown.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('table', { name: 'Operators' }).getByText(email).waitFor();

  const grace = { email, password };
  const admin = await console.open('/people/operators', { signIn: grace, theme: 'dark' });
  const accounts = admin.page.getByRole('table', { name: 'Operators' });
  await accounts.getByText(email).waitFor();
  for (const [account, locks] of [
    [owner.email, 1],
    [other.email, 1],
    [email, 0],
  ] as const) {
    const row = accounts.getByRole('row').filter({ hasText: account });
    t.equal(await row.getByRole('img', { name: 'Your role cannot change this account' }).count(), locks);
  }
  await admin.page.getByRole('button', { name: 'New operator…' }).click();
  const form = admin.page.getByRole('dialog');
  await form.getByLabel('Name').fill('Tim');
  await form.getByLabel('E-mail address').fill('tim@example.org');
  await form.getByText('All networks, including future ones').click();
  await form.getByRole('button', { name: /^Viewer/ }).click();
  t.strictSame(await builtInOptions(admin.page), allRoles.slice(1));
  await admin.page.getByRole('option', { name: 'Admin' }).click();
  t.strictSame(await accessibilityFaults(admin.page), []);
  // The role that the form still offers is gone when it is sent.
  const [row] = await console.stores.sql<{ uuid: string }[]>`
    select uuid from operators where email = ${email}`;
  await console.call('PATCH', `/operators/${row?.uuid}`, { role: 'Manager' }, console.unrestrictedKey);
  await form.getByRole('button', { name: 'Create the operator' }).click();
  await form.getByText('Your role does not permit this.').waitFor();
  t.strictSame([...faults, ...admin.faults], []);

  const manager = await console.open('/people/roles', { signIn: grace });
  const roles = manager.page.getByRole('table', { name: 'Roles' });
  await roles.getByRole('row', { name: /cpms:command:reboot/ }).waitFor();
  const marks = roles.getByRole('row', { name: /cpms:command:reboot/ }).getByRole('img');
  const words = await Promise.all((await marks.all()).map((mark) => mark.getAttribute('aria-label')));
  t.strictSame(words, ['yes', 'yes', 'no', 'yes', 'yes', 'no', 'no', 'no']);
  t.equal(
    await manager.page.getByRole('link', { name: 'Operators', exact: true }).count(),
    1,
    'no navigation to it',
  );
  t.strictSame(manager.faults, []);
});

void t.test(
  'an owner composes a role of scopes, grants it, and keeps it while an operator has it',
  async (t) => {
    const console = await startConsole(t);
    const owner = await console.addOperator('Owner');
    const { page, faults, visit } = await console.open('/people/roles', { signIn: owner });
    await page.getByRole('button', { name: 'New role…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Night shift');
    t.equal(await dialog.getByText('cpms:write:operators').count(), 0, 'no scopes of operators');
    await dialog.getByRole('button', { name: /Begin with/ }).click();
    await page.getByRole('option', { name: 'Support' }).click();
    await dialog.getByText('cpms:command:firmware').click();
    t.strictSame(await accessibilityFaults(page), []);
    await dialog.getByRole('button', { name: 'Create the role' }).click();
    const cards = page.getByRole('list', { name: 'Custom roles' });
    await cards.getByText(/Install firmware/).waitFor();

    await visit('/people/operators');
    await page.getByRole('button', { name: 'New operator…' }).click();
    await dialog.getByLabel('Name').fill('Tim');
    const email = `tim-${randomUUID()}@example.org`;
    await dialog.getByLabel('E-mail address').fill(email);
    await dialog.getByLabel('Password').fill('correct horse battery');
    await dialog.getByRole('button', { name: /^Viewer/ }).click();
    await page.getByRole('option', { name: 'Night shift' }).click();
    await dialog.getByText(/Commands: .*Install firmware/).waitFor();
    await dialog.getByRole('button', { name: 'Create the operator' }).click();
    await page
      .getByRole('table', { name: 'Operators' })
      .getByRole('row', { name: /Tim.*Night shift/ })
      .waitFor();

    const tim = await console.open('/', { signIn: { email, password: 'correct horse battery' } });
    const navigation = tim.page.getByRole('navigation', { name: 'Main' });
    await navigation.getByRole('link', { name: 'Chargers' }).waitFor();
    t.equal(await navigation.getByRole('link', { name: 'Operators' }).count(), 0);

    await visit('/people/roles');
    const actions = async (name: string) => {
      await cards.getByRole('button', { name: 'Actions for Night shift' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await actions('Delete…');
    await page
      .getByRole('dialog', { name: /^Delete the role Night/ })
      .getByRole('button', { name: 'Delete the role' })
      .click();
    await page.getByText(/Operators have this role/).waitFor();
    await actions('Edit…');
    await dialog.getByText(/applies at once to 1 operator/).waitFor();
    await dialog.getByText('cpms:read:users').click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Night shift was saved.').waitFor();
    await navigation.getByRole('link', { name: 'Chargers' }).waitFor();
    await tim.page.reload();
    await navigation.getByRole('link', { name: 'Chargers' }).waitFor();
    t.equal(
      await navigation.getByRole('link', { name: 'Drivers' }).count(),
      0,
      'the change applies to the session',
    );
    t.strictSame([...faults, ...tim.faults], []);
  },
);
