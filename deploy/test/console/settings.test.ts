import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { faultsInBothThemes } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

/** A receiver of webhooks that accepts everything. */
async function receiver(t: Test): Promise<{ url: string; received: string[] }> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => received.push(chunk));
    request.on('end', () => response.writeHead(200).end('thanks'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`, received };
}

void t.test('a key is made, seen once and revoked with the keys that it created', async (t) => {
  const console = await startConsole(t);
  const { page, faults, visit } = await console.open('/settings/api-keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Fleet dashboard');
  await dialog.getByText('cpms:read', { exact: true }).click();
  await dialog.getByText('cpms:write:api-keys', { exact: true }).click();
  t.strictSame(await faultsInBothThemes(page), []);
  await dialog.getByLabel('IP addresses').fill('not-an-address');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('must be an IPv4 or IPv6 address').waitFor();
  await dialog.getByLabel('IP addresses').fill('');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('heading', { name: 'The key was created' }).waitFor();
  const secret = (await dialog.getByRole('group', { name: 'Secret' }).locator('code').textContent()) ?? '';
  t.match(secret, /^cw_cpms_/);
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  const child = await fetch(`${console.origin}/cpms/v1/api-keys`, {
    method: 'POST',
    headers: { 'x-api-key': secret, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Nightly report' }),
  });
  t.equal(child.status, 201, 'the secret works');

  await page.reload();
  const list = page.getByRole('table', { name: 'API keys' });
  await list.getByText('Nightly report').waitFor();
  t.notOk((await page.content()).includes(secret), 'the secret is shown once');
  await list.getByRole('row', { name: /^Fleet dashboard/ }).click();
  await page.waitForURL(/key=/);
  await list.getByText('2 scopes').waitFor();
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  const question = page.getByRole('dialog', { name: 'Revoke “Fleet dashboard”?' });
  await question.getByText('This key is revoked too:').waitFor();
  await question.getByText('Nightly report').waitFor();
  await question.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByRole('log').getByText('2 keys were revoked.').waitFor();
  await list.getByText('Nightly report').waitFor({ state: 'detached' });

  await visit('/settings/audit-log');
  const log = page.getByRole('table', { name: 'Audit log' });
  await log.getByText('Signed in').first().waitFor();
  await page.getByRole('button', { name: /Category/ }).click();
  await page.getByRole('option', { name: 'API key' }).click();
  await page.waitForURL(/category=api-key/);
  await log.getByRole('cell', { name: 'Signed in', exact: true }).first().waitFor({ state: 'detached' });
  await log
    .getByRole('row', { name: /Created.*API key · Fleet dashboard/ })
    .first()
    .click();
  const entry = page.getByRole('dialog');
  await entry.getByRole('button', { name: 'Only this object' }).click();
  await page.waitForURL(/object=/);
  await log.getByText('Nightly report').first().waitFor({ state: 'detached' });
  t.equal(await log.getByRole('row').count(), 3, 'head, creation and revocation');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  t.equal((await download).suggestedFilename(), 'audit-log.csv');
  t.strictSame(faults, []);
});

void t.test('a network is edited, and a change of another user is not overwritten', async (t) => {
  const console = await startConsole(t);
  const { uuid } = console.network;
  const { page: listPage, faults: listFaults } = await console.open('/settings/network');
  await listPage.getByRole('table', { name: 'Networks' }).getByRole('row').nth(1).click();
  await listPage.waitForURL(`**/settings/network/${uuid}*`);
  t.strictSame(listFaults, []);

  // Only a caller in all networks changes the requests per minute.
  const { page, faults } = await console.open(`/settings/network/${uuid}`, {
    signIn: { apiKey: console.unrestrictedKey },
  });
  const list = page.getByRole('table', { name: 'Networks' });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Networks' }).click();
  await list.getByText('EUR').first().waitFor();
  await page.goBack();
  await page.getByLabel('City').fill('Rotterdam');
  await page.getByLabel('IBAN', { exact: true }).fill('NL00ABNA0417164300');
  const bar = page.getByRole('region', { name: 'Unsaved changes' });
  await bar.getByText('2 changes are not saved.').waitFor();
  t.strictSame(await faultsInBothThemes(page), []);
  await bar.getByRole('button', { name: 'Save' }).click();
  await bar.getByText('Nothing was saved.').waitFor();
  t.equal(await page.locator('[data-invalid] input').first().inputValue(), 'NL00ABNA0417164300');
  await page.getByLabel('IBAN', { exact: true }).fill('NL91ABNA0417164300');
  await page.getByLabel('Requests per minute').fill('6000');

  await console.call('PATCH', `/networks/${uuid}`, { city: 'Delft', legalName: 'Harbour Charging BV' });
  await bar.getByRole('button', { name: 'Save' }).click();
  await bar.getByText('Another user changed this network').waitFor();
  await bar.getByText('City is now “Delft”.').waitFor();
  t.equal(await page.getByLabel('City').inputValue(), 'Rotterdam', 'the edit is kept');
  t.equal(await page.getByLabel('Registered name').inputValue(), 'Harbour Charging BV');
  t.strictSame(await faultsInBothThemes(page), []);
  await bar.getByRole('button', { name: 'Overwrite with my changes' }).click();
  await page.getByText('The network was saved.').waitFor();
  const [stored] = await console.stores.sql`
    select city, iban, legal_name as "legalName", rate_limit_per_minute as rate from networks where uuid = ${uuid}`;
  t.match(stored, {
    city: 'Rotterdam',
    iban: 'NL91ABNA0417164300',
    legalName: 'Harbour Charging BV',
    rate: 6000,
  });

  await page.getByRole('link', { name: 'Changes in the audit log' }).click();
  const log = page.getByRole('table', { name: 'Audit log' });
  await log.getByText('Changed').first().click();
  const change = page.getByRole('dialog').getByRole('row', { name: /city/ });
  await change.getByText('Delft').waitFor();
  await change.getByText('Rotterdam').waitFor();
  t.strictSame(await faultsInBothThemes(page), []);
  await page.getByRole('button', { name: 'Close' }).last().click();

  const json = { error: { code: 'INTERNAL_ERROR', message: 'The list is not available.' } };
  await page.route('**/cpms/v1/networks?*', (route) => route.fulfill({ status: 500, json }));
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Networks' }).click();
  const stale = page.getByRole('status').filter({ hasText: 'The list is not available.' });
  await stale.waitFor();
  await list.getByText('EUR').first().waitFor();
  await page.unroute('**/cpms/v1/networks?*');
  await stale.getByRole('button', { name: 'Try again' }).click();
  await stale.waitFor({ state: 'detached' });
  t.strictSame(faults, []);
});

void t.test('a webhook is made, tested, rotated and deleted', async (t) => {
  const console = await startConsole(t);
  const { url, received } = await receiver(t);
  const { page, faults } = await console.open(`/settings/webhooks?network=${console.network.uuid}`);
  await page.getByText('No webhooks yet.').waitFor();
  await page.getByRole('button', { name: 'Create webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill(url);
  await dialog.getByLabel('Description').fill('Fleet dashboard');
  await dialog.getByText('session.*').click();
  t.strictSame(await faultsInBothThemes(page), []);
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  await dialog.getByText(/^whsec_/).waitFor();
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('heading', { name: 'Fleet dashboard' }).waitFor();

  await page.getByRole('button', { name: 'Send test' }).click();
  await page
    .getByRole('log')
    .getByText(/^Delivered: HTTP 200/)
    .waitFor();
  t.match(received.join(''), 'webhook.test');
  const deliveries = page.getByRole('table', { name: 'Deliveries' });
  await deliveries.getByText('webhook.test').click();
  await page.getByRole('dialog').getByText('thanks').waitFor();
  await page.getByRole('button', { name: 'Close' }).first().click();
  t.strictSame(await faultsInBothThemes(page), []);
  await page.getByRole('tab', { name: /Dead letters/ }).click();
  await page.getByText('Every event was delivered').waitFor();

  const choose = async (action: string) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  await choose('Replay events');
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('The events are being sent again.').waitFor();
  await choose('Replace secret');
  await dialog.getByRole('button', { name: 'Replace secret' }).click();
  await dialog.getByText(/^whsec_/).waitFor();
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await choose('Disable');
  await page.getByText('Disabled · by an operator').waitFor();
  await choose('Delete webhook');
  await dialog.getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByText('No webhooks yet.').waitFor();
  t.strictSame(faults, []);
});

void t.test('an account ends its other sessions and changes its password', async (t) => {
  const console = await startConsole(t);
  const login = await console.addOperator('Viewer');
  const viewer = await console.open('/', { signIn: login });
  const other = await console.open('/settings/account', { signIn: login });
  await viewer.page.goto(`${console.origin}/console/settings/account`);
  const sessions = viewer.page.getByRole('region', { name: 'Sessions' });
  const foreign = sessions.getByRole('listitem').filter({ hasNotText: 'This browser' });
  await foreign.getByRole('button', { name: 'Sign out this session' }).click();
  await foreign.waitFor({ state: 'detached' });
  await other.page.reload();
  await other.page.waitForURL(/sign-in/);

  const password = viewer.page.getByRole('region', { name: 'Change password' });
  await password.getByLabel('Current password').fill('wrong');
  await password.getByLabel('New password', { exact: true }).fill('a much better battery');
  await password.getByLabel('Repeat the new password').fill('a much better battery');
  const send = password.getByRole('button', { name: 'Change password' });
  await send.click();
  await password.locator('[role=alert], [data-invalid]').first().waitFor();
  await password.getByLabel('Current password').fill(login.password);
  await send.click();
  await viewer.page.getByText('The password was changed.').waitFor();
  const again = { ...login, password: 'a much better battery' };
  const renewed = await console.open('/settings/account', { signIn: again });
  await renewed.page.getByText(login.email).waitFor();
  t.strictSame(viewer.faults, []);
});
