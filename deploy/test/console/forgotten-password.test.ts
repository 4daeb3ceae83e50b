import t from 'tap';
import { accessibilityFaults } from './support/accessibility.ts';
import { startConsole } from './support/console.ts';

void t.test('an operator who forgot the password chooses a new one by e-mail', async (t) => {
  const console = await startConsole(t);
  const { email } = await console.addOperator('Viewer');
  const { page, faults } = await console.open('/', { signIn: null });
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  t.strictSame(await accessibilityFaults(page), []);
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByRole('status').getByText(`If ${email} has an account`).waitFor();

  // The e-mail is sent and its text removed meanwhile; its token is known to its reader only.
  const token = `mt_${email}`;
  await console.stores.sql`
    update operator_password_resets set token_hash = sha256(${token}::text::bytea) where email = ${email}`;
  await page.goto(`${console.origin}/console/reset-password?lang=en#wrong`);
  const choose = async (password: string) => {
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Set password' }).click();
  };
  await choose('a new horse battery');
  await page.getByRole('alert').getByText('This link has expired or has already been used.').waitFor();
  await page.getByRole('link', { name: 'Request a new link' }).waitFor();

  await page.goto('about:blank');
  await page.goto(`${console.origin}/console/reset-password?lang=en#${token}`);
  await page.getByLabel('New password').waitFor();
  t.notMatch(page.url(), token, 'the address keeps no token');
  t.strictSame(await accessibilityFaults(page), []);
  await choose('a new horse battery');
  await page.getByRole('status').getByText('The password was changed').waitFor();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill('a new horse battery');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  t.strictSame(faults, []);
});
