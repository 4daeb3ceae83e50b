import t from 'tap';
import { ExternalIssuer } from '#api/services/access/external-issuer.ts';
import { OpenIdSignIn } from '#api/services/access/openid-sign-in.service.ts';
import { registration, startIssuer } from '#api/test/support/openid-issuer.ts';
import { seedCharger } from '#shared/testing/seed.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { openWindow } from './support/browser.ts';
import { startConsole } from './support/console.ts';

void t.test('an operator signs in with a password and returns to the wanted page', async (t) => {
  const console = await startConsole(t);
  const { email, password } = await console.addOperator('Viewer');
  const { page, context, faults } = await console.open('/?network=x', { signIn: null });
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  t.strictSame(await accessibilityFaults(page), []);

  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill('wrong password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  t.match(await page.getByRole('alert').textContent(), 'The e-mail address or the password is wrong.');

  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  t.match(page.url(), '/console/?network=x');
  const cookies = await context.cookies();
  t.ok(cookies.length > 0 && cookies.every(({ httpOnly, sameSite }) => httpOnly && sameSite === 'Strict'));
  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  t.notMatch(stored, /token|key|session/i, 'no script finds a credential');
  t.strictSame(faults, []);
});

const atLocalhost = (origin: string) => origin.replace('127.0.0.1', 'localhost');

void t.test('an operator signs in at the OpenID Connect issuer of another site, and signs out', async (t) => {
  const oidc = await startIssuer(t);
  const console = await startConsole(t, (origin, { settings }) => {
    const publicUrl = atLocalhost(origin);
    const issuer = {
      issuer: oidc.issuer,
      audience: 'chargeway',
      roleClaim: 'realm_access.roles',
      networksClaim: 'networks',
    };
    const client = { ...registration, scopes: 'openid email', displayName: 'Example ID' };
    return {
      settings: { ...settings, publicUrl },
      externalIssuer: new ExternalIssuer(issuer, 0),
      openIdSignIn: new OpenIdSignIn(issuer, client, publicUrl),
    };
  });
  oidc.state.idClaims = { networks: [console.network.uuid] };
  const { page } = await openWindow(t, atLocalhost(console.origin));
  await page.goto(`${atLocalhost(console.origin)}/console/charging/sessions`);
  await page.getByRole('link', { name: 'Example ID' }).click();
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  t.ok(oidc.state.requests.includes('/realm/token'));
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();

  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'Example ID' }).waitFor();
});

void t.test('an API key is exchanged for a session and kept nowhere', async (t) => {
  const console = await startConsole(t);
  const { page, faults } = await console.open('/', { signIn: null, theme: 'dark' });
  await page.getByRole('button', { name: 'Use an API key' }).click();
  t.strictSame(await accessibilityFaults(page), []);
  await page.getByLabel('API key').fill(console.key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  t.notMatch(stored, console.key);
  t.strictSame(await accessibilityFaults(page), []);
  t.strictSame(faults, []);
});

void t.test(
  'the first page loads less than 250 KB of compressed script, and one font of less than 80 KB',
  async (t) => {
    const console = await startConsole(t);
    await seedCharger(console.stores.sql, console.network.id, { connectors: 1 });
    // A used window reports no load of what its process still has.
    const { page, faults } = await console.open('/', { fresh: true });
    await page.getByRole('region', { name: 'Chargers by state' }).waitFor();
    await page.evaluate('document.fonts.ready');
    t.equal(await page.evaluate('document.fonts.check("500 14px Inter", "Zoë Łódź £ ₹ kr. → −")'), true);
    const loaded = await page.evaluate(() =>
      (
        performance.getEntriesByType('resource') as unknown as { name: string; encodedBodySize: number }[]
      ).map(({ name, encodedBodySize }) => ({ name, size: encodedBodySize })),
    );
    const scripts = loaded.filter(({ name }) => name.endsWith('.js'));
    const bytes = scripts.reduce((sum, { size }) => sum + size, 0);
    t.ok(
      scripts.length > 10 && bytes > 100_000 && bytes < 250_000,
      `${bytes} bytes in ${scripts.length} files`,
    );
    const fonts = loaded.filter(({ name }) => name.endsWith('.woff2'));
    t.equal(new Set(fonts.map(({ name }) => name)).size, 1);
    t.ok(fonts.every(({ name, size }) => name.startsWith(new URL(page.url()).origin) && size < 80_000));
    t.strictSame(faults, []);
  },
);

void t.test('signing out everywhere ends the sessions of other browsers', async (t) => {
  const console = await startConsole(t);
  const signIn = await console.addOperator('Admin');
  const here = await console.open('/', { signIn });
  const there = await console.open('/', { signIn });
  await here.page.getByRole('button', { name: /^Account/ }).click();
  await here.page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
  await here.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await there.page.reload();
  await there.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  t.strictSame([...here.faults, ...there.faults], []);
});

void t.test('the console speaks the language of the browser and the chosen one', async (t) => {
  const console = await startConsole(t);
  const { page, faults } = await console.open('/', { language: 'de-DE' });
  await page.getByRole('navigation', { name: 'Hauptmenü' }).waitFor();
  await page.getByRole('button', { name: /^Konto/ }).click();
  await page.getByRole('menuitem', { name: 'Nederlands' }).click();
  await page.getByRole('navigation', { name: 'Hoofdmenu' }).waitFor();
  t.equal(await page.getAttribute('html', 'lang'), 'nl');
  await page.reload();
  await page.getByRole('navigation', { name: 'Hoofdmenu' }).waitFor();
  t.strictSame(faults, []);
});
