import type { Page } from 'playwright-core';
import t from 'tap';
import { type Emsp, enveloped, startEmsp } from '#api/test/roaming/support/emsp.ts';
import { acceptCredentials } from '#api/test/roaming/support/handshakes.ts';
import { credentialsOf } from '#api/test/roaming/support/partner.ts';
import { upsertHubClients } from '#shared/postgres/roaming/ocpi-hub-clients.statements.ts';
import { seedPartner } from '#shared/testing/seed-partner.ts';
import { faultsInBothThemes } from './support/accessibility.ts';
import { type ConsoleRig, startConsole } from './support/console.ts';

/** Fills in the fields of a new partner. */
async function enterPartner(page: Page, name: string, party: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Parties of the partner').fill(party);
}

async function registerBySelf(rig: ConsoleRig, emsp: Emsp, token: string): Promise<void> {
  const response = await fetch(`${rig.origin}/ocpi/2.2.1/credentials`, {
    method: 'POST',
    headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(credentialsOf(emsp)),
  });
  if (!response.ok) throw new Error(await response.text());
}

void t.test('registers partners both ways, explains a failed step, and repeats a failed push', async (t) => {
  const rig = await startConsole(t);
  const { page, faults, visit } = await rig.open('/roaming/partners');
  await page.getByText('No roaming partners yet.').waitFor();

  // The partner begins.
  const emsp = await startEmsp(t);
  await page.getByRole('link', { name: 'New partner' }).click();
  await enterPartner(page, 'Harbour Charging', 'de-ems');
  const create = page.getByRole('button', { name: 'Create the registration token' });
  await page.getByLabel('Validity of the partner’s tokens in days').fill('0');
  await page.getByText('Enter a whole number from 1 to 3650.').waitFor();
  t.ok(await create.isDisabled());
  await page.getByLabel('Validity of the partner’s tokens in days').fill('90');
  t.same(await faultsInBothThemes(page), [], 'wizard');
  await create.click();
  await page.getByText('Waiting for the partner to register…').waitFor();
  const [made] = await rig.stores.sql`
    select hub_parties as hub, token_valid_days as days from ocpi_partners where network_id = ${rig.network.id}`;
  t.strictSame({ ...made }, { hub: null, days: 90 });
  const [, token = ''] = await page.locator('code').allTextContents();
  await registerBySelf(rig, emsp, token);
  await page.getByText('Registered over OCPI 2.2.1.').waitFor();

  // We begin: the first token is wrong.
  const other = await startEmsp(t, { countryCode: 'FR', partyId: 'OTH' });
  acceptCredentials(other, { countryCode: 'FR', partyId: 'OTH' });
  await page.goto(`${rig.origin}/console/roaming/partners/new?way=we`);
  await enterPartner(page, 'Quay Roaming', 'FR-OTH');
  await page.getByLabel('Versions URL of the partner').fill(other.versionsUrl);
  await page.getByLabel('Token from the partner').fill('wrong');
  await page.getByRole('button', { name: 'Run the handshake' }).click();
  await page.getByRole('alert').getByText('refused our token').waitFor();
  t.match(await page.getByRole('listitem').filter({ hasText: 'Agree on a version' }).textContent(), /Failed/);
  await page.getByLabel('Token from the partner').fill(other.token);
  await page.getByRole('button', { name: 'Run the handshake again' }).click();
  await page.getByText('Registered over OCPI 2.2.1.').waitFor();
  t.equal(await page.getByRole('listitem').filter({ hasText: 'Done' }).count(), 4);
  await page.getByRole('link', { name: 'Open the partner' }).click();
  await page.getByRole('heading', { name: 'Quay Roaming' }).waitFor();
  await page.getByText('8 endpoints').waitFor();
  t.same(await faultsInBothThemes(page), [], 'partner');

  // A change of another user is not overwritten unseen.
  const uuid = page.url().split('/').at(-1) ?? '';
  await page.getByLabel('Requests per hour').fill('3600');
  await page.getByLabel('Authorization order for unknown cards').fill('2');
  await page.getByText('No expiry').waitFor();
  await page.getByLabel('Validity of the partner’s tokens in days').fill('5');
  await page.getByText('The partner may change locations').click();
  await page.getByText('National access point').click();
  const theirs = await fetch(`${rig.origin}/cpms/v1/ocpi-partners/${uuid}`, {
    method: 'PATCH',
    headers: { 'x-api-key': rig.key, 'content-type': 'application/json' },
    body: JSON.stringify({ rateLimitPerHour: 60 }),
  });
  t.equal(theirs.status, 200);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Requests per hour is now “60”.').waitFor();
  t.same(await faultsInBothThemes(page), [], 'conflict');
  await page.getByRole('button', { name: 'Overwrite with my changes' }).click();
  await page.getByText('The settings were saved.').waitFor();
  const [partner] = await rig.stores.sql`
    select rate_limit_per_hour as rate, write_scopes as scopes, authorization_order as position, token_valid_days as days,
      is_national_access_point as nap
    from ocpi_partners where uuid = ${uuid}`;
  t.strictSame({ ...partner }, { rate: 3600, scopes: ['locations'], position: 2, days: 5, nap: true });
  // A token that ends within a week is a warning.
  await page.getByText(/\d{4} · 4 days left/).waitFor();

  // A refused push is in the exchange log, and is sent again.
  emsp.react('/ocpi/emsp/2.2.1/locations', { status: 400, body: enveloped(undefined, 2001) }, 1);
  await rig.stores.sql`
    insert into locations (network_id, name, address, city, postal_code, country, latitude, longitude)
    values (${rig.network.id}, 'Harbour', 'Quay 1', 'Rotterdam', '3011 AA', 'NLD', 51.9, 4.5)`;
  await emsp.next('PUT', '/ocpi/emsp/2.2.1/locations');
  await visit('/roaming/exchanges?module=locations&failed=only');
  await page.getByRole('row').filter({ hasText: 'PUT locations' }).click();
  const panel = page.getByRole('dialog', { name: 'Exchange' });
  await panel.getByRole('region', { name: 'Request body' }).getByText('Rotterdam').waitFor();
  t.same(await faultsInBothThemes(page), [], 'exchange');
  await panel.getByRole('button', { name: 'Send the object again' }).click();
  t.match(await emsp.next('PUT', '/ocpi/emsp/2.2.1/locations'), { body: { city: 'Rotterdam' } });

  // Unregistered, with the partner's answer.
  await visit('/roaming/partners');
  await page.getByRole('row').filter({ hasText: 'Quay Roaming' }).click();
  await page.getByRole('button', { name: 'Unregister' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unregister' }).click();
  await page.getByText('Quay Roaming confirmed the end of the registration.').waitFor();
  await page.getByText('No token is valid on either side.').waitFor();
  t.same(faults, []);
});

void t.test('a hub is invited', async (t) => {
  const rig = await startConsole(t);
  const { page, faults } = await rig.open('/roaming/partners/new');
  await enterPartner(page, 'Harbour Hub', 'de-hub');
  await page.getByRole('button', { name: /Roaming hub/ }).click();
  await page.getByRole('option', { name: 'Hub for the parties listed above' }).click();
  await page.getByRole('button', { name: 'Create the registration token' }).click();
  await page.getByText('Waiting for the partner to register…').waitFor();
  const [made] = await rig.stores.sql`
    select hub_parties as hub, token_valid_days as days from ocpi_partners where network_id = ${rig.network.id}`;
  t.strictSame({ ...made }, { hub: 'LISTED', days: null });
  t.same(faults, []);
});

void t.test('a partner is made a hub, and its parties and tokens are listed', async (t) => {
  const rig = await startConsole(t);
  const { sql } = rig.stores;
  const { id } = await seedPartner(sql, rig.network.id, { partyId: 'EST', uid: 'CARD-1' });
  await sql`
    insert into ocpi_tokens (partner_id, country_code, party_id, uid, type, contract_id, issuer, is_valid, whitelist, last_updated)
    values (${id}, 'DE', 'EST', 'CARD-2', 'RFID', 'DE-EST-2', 'EST', false, 'ALLOWED', now()),
      (${id}, 'FR', 'EMP', 'CARD-3', 'RFID', 'FR-EMP-3', 'EMP', true, 'ALLOWED', now())`;
  const [{ uuid } = { uuid: '' }] = await sql<{ uuid: string }[]>`
    select uuid from ocpi_partners where id = ${id}`;
  const { page, faults } = await rig.open(`/roaming/partners/${uuid}`);
  const tokens = page.getByRole('table', { name: 'Tokens of the partner' });
  await tokens.getByRole('row', { name: /CARD-3.*Not a party of the partner/ }).waitFor();

  await page.getByRole('button', { name: /Roaming hub/ }).click();
  await page.getByRole('option', { name: 'all parties that no other partner has' }).click();
  await page.getByRole('button', { name: /HTTP status of our responses/ }).click();
  await page.getByRole('option', { name: '400 for invalid requests' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The settings were saved.').waitFor();
  const [stored] = await sql`select hub_parties as hub, quirks from ocpi_partners where id = ${id}`;
  t.match(stored, { hub: 'ANY', quirks: { httpStatus: 'rest', tokenEncoding: 'base64' } });
  await tokens.getByRole('row', { name: /CARD-3.*Valid/ }).waitFor();

  await page.getByText('The hub has reported no parties.').waitFor();
  await upsertHubClients(sql, id, [
    { countryCode: 'FR', partyId: 'EMP', role: 'EMSP', status: 'SUSPENDED', lastUpdated: new Date() },
  ]);
  await page.reload();
  const clients = page.getByRole('table', { name: 'Parties behind the hub' });
  await clients.getByRole('row', { name: /FR.EMP.*EMSP.*Suspended.*Yes/ }).waitFor();
  t.same(await faultsInBothThemes(page), [], 'hub');

  await page
    .getByRole('button', { name: /^State|Any/ })
    .last()
    .click();
  await page.getByRole('option', { name: 'Invalid' }).click();
  await page.waitForURL(/valid=false/);
  await tokens.getByText('CARD-1').waitFor({ state: 'detached' });
  await tokens.getByText('CARD-2').click();
  await page.waitForURL(/people\/tokens.*uid=CARD-2/);
  await page.getByRole('table', { name: 'Tokens of roaming partners' }).getByText('DE*EST').waitFor();
  t.same(faults, []);
});
