import t, { type Test } from 'tap';
import type { Page } from 'playwright-core';
import { AuthenticatorApp } from '#api/test/support/second-factor.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { type ConsoleRig, type Login, startConsole } from './support/console.ts';

/** Console whose address is a name, as passkeys need it. */
function startNamed(t: Test): Promise<ConsoleRig> {
  return startConsole(t, (origin, { settings }) => ({ settings: { ...settings, publicUrl: named(origin) } }));
}

const named = (origin: string) => origin.replace('127.0.0.1', 'localhost');

/** Sends the password of an account on the sign-in page. */
async function sendPassword(page: Page, origin: string, { email, password }: Login): Promise<void> {
  await page.goto(`${origin}/console/sign-in`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Lets the codes of authenticator apps be used again, as half a minute later. */
const waitForNextCode = ({ stores: { sql } }: ConsoleRig) => sql`update second_factors set last_step = 0`;

/** Enrols an authenticator app in the open form. Returns the app and the recovery codes. */
async function enrolApp(page: Page, { password }: Login) {
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  const secret = (await page.getByRole('code').first().innerText()).replaceAll(' ', '');
  const app = new AuthenticatorApp(secret);
  await page.getByLabel('Code', { exact: true }).fill(app.wrongCode());
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('The code is wrong or has expired.').waitFor();
  await page.getByLabel('Code', { exact: true }).fill(app.code());
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('button', { name: 'I have stored them' }).waitFor();
  const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('code').allInnerTexts();
  return { app, codes };
}

void t.test(
  'an operator adds an authenticator app, signs in with it, and once with a recovery code',
  async (t) => {
    const console = await startConsole(t);
    const owner = await console.addOperator('Owner');
    const { page, faults } = await console.open('/settings/account', { signIn: owner });
    await page.getByRole('button', { name: 'Add an authenticator app…' }).click();
    const { app, codes } = await enrolApp(page, owner);
    t.equal(codes.length, 10);
    t.strictSame(await accessibilityFaults(page), []);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    t.match((await download).suggestedFilename(), /^chargeway-recovery-codes-.*\.txt$/);
    await page.getByRole('button', { name: 'I have stored them' }).click();
    const factors = page.getByRole('list', { name: 'Second factor' });
    await factors.getByText('10 codes left').waitFor();

    await sendPassword(page, console.origin, owner);
    await page.getByRole('heading', { name: 'Second factor' }).waitFor();
    t.strictSame(await accessibilityFaults(page), []);
    await page.getByLabel('Code', { exact: true }).fill(app.wrongCode());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The code or passkey is wrong or was used before.').waitFor();
    await waitForNextCode(console);
    await page.getByLabel('Code', { exact: true }).fill(app.code());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();

    await sendPassword(page, console.origin, owner);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(codes[0] ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(`${console.origin}/console/settings/account`);
    await factors.getByText('9 codes left').waitFor();

    await factors.getByRole('button', { name: 'Remove Authenticator app…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password').fill('wrong');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByText('is wrong').waitFor();
    await dialog.getByLabel('Password').fill(owner.password);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Signing in takes your password only.').waitFor();
    t.strictSame(
      faults.filter((fault) => !/40[01]/.test(fault)),
      [],
    );
  },
);

void t.test('an operator adds a passkey and signs in with it', async (t) => {
  const console = await startNamed(t);
  const origin = named(console.origin);
  const owner = await console.addOperator('Owner');
  const { page, context } = await console.open('/sign-in', { signIn: null });
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await sendPassword(page, origin, owner);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.goto(`${origin}/console/settings/account`);
  await page.getByRole('button', { name: 'Add a passkey…' }).click();
  await page.getByLabel('Name').fill('Laptop');
  await page.getByLabel('Password', { exact: true }).fill(owner.password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'I have stored them' }).click();
  const factors = page.getByRole('list', { name: 'Second factor' });
  await factors.getByText('Laptop').waitFor();
  const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
  t.equal(credentials.length, 1);

  await sendPassword(page, origin, owner);
  t.strictSame(await accessibilityFaults(page), []);
  await page.getByRole('button', { name: 'Use the passkey' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();

  // Another authenticator has no such passkey.
  await devtools.send('WebAuthn.removeCredential', {
    authenticatorId,
    credentialId: credentials[0]?.credentialId ?? '',
  });
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await sendPassword(page, origin, owner);
  await page.getByRole('button', { name: 'Use the passkey' }).click();
  await page.getByText('The passkey was not used').waitFor();
  t.equal(await page.getByRole('button', { name: 'Use a recovery code' }).count(), 1);
});

void t.test(
  'an operator of a network that requires a second factor adds one before anything else',
  async (t) => {
    const console = await startConsole(t);
    const owner = await console.addOperator('Owner');
    await console.call('PATCH', `/networks/${console.network.uuid}`, { requiresSecondFactor: true });
    const { page } = await console.open('/sign-in', { signIn: null });
    await sendPassword(page, console.origin, owner);
    await page.getByRole('heading', { name: 'Add a second factor' }).waitFor();
    t.strictSame(await accessibilityFaults(page), []);
    await page.goto(`${console.origin}/console/fleet/chargers`);
    await page.waitForURL(/\/second-factor\?returnTo=/);
    await page.getByRole('button', { name: 'Add an authenticator app…' }).click();
    await enrolApp(page, owner);
    await page.getByRole('button', { name: 'I have stored them' }).click();
    await page.waitForURL(/\/fleet\/chargers/);
    await page.getByRole('heading', { name: 'Chargers' }).waitFor();

    const admin = await console.open('/sign-in', { signIn: null });
    const other = await console.addOperator('Owner');
    await console.call('PATCH', `/networks/${console.network.uuid}`, { requiresSecondFactor: false });
    await sendPassword(admin.page, console.origin, other);
    await admin.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await admin.page.goto(`${console.origin}/console/people/operators`);
    const accounts = admin.page.getByRole('table', { name: 'Operators' });
    const row = accounts.getByRole('row').filter({ hasText: owner.email });
    await row.getByText('Password and second factor').waitFor();
    await row.getByRole('button', { name: 'Actions for Ada' }).click();
    await admin.page.getByRole('menuitem', { name: 'Reset the second factor…' }).click();
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Reset the second factor' }).click();
    await row.getByText('Password', { exact: true }).waitFor();
    await page.reload();
    await page.waitForURL(/\/sign-in/);
  },
);
