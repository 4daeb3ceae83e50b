import t from 'tap';
import { testSettings } from '#api/test/support/deps.ts';
import { driverClient, failed, newEmail, password } from '#api/test/support/driver-client.ts';
import { signUp } from '#api/test/support/drivers.ts';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { mailTo } from '#api/test/support/mailbox.ts';

// Two networks: `network` is the older one.
const api = await startTestApi(t);
const { post, resetPassword } = driverClient(api);
const logIn = (email: string, secret = password) => post('/login', { email, password: secret });
const driverOf = (id: string, network: { uuid: string }) => ({
  status: 200,
  json: { driver: { id, networkId: network.uuid } },
});

void t.test('a registration without a network', async (t) => {
  await t.test('goes into the oldest network', async (t) => {
    const email = newEmail();
    const registered = await post('/register', { email, password, name: 'Ada' });
    t.match(registered, { status: 201, json: { driver: { networkId: api.network.uuid } } });
    t.equal((await post('/verify-email', { token: (await mailTo(api, email)).token })).status, 200);
    t.match(await logIn(email), { status: 200, json: { driver: { networkId: api.network.uuid } } });
  });

  await t.test('goes on when a network is made', async (t) => {
    const key = await mintKey(api, { unrestricted: true, networkIds: [] });
    const payload = { slug: 'newest', name: 'Newest', currency: 'EUR' };
    t.equal((await api.call(key, { method: 'POST', url: '/cpms/v1/networks', payload })).status, 201);
    const registered = await post('/register', { email: newEmail(), password, name: 'Ada' });
    t.match(registered, { status: 201, json: { driver: { networkId: api.network.uuid } } });
  });

  await t.test('goes into the network of the setting', async (t) => {
    const chosen = await startTestApi(t, { settings: { ...testSettings, defaultNetwork: 'south' } });
    const body = { email: newEmail(), password, name: 'Ada' };
    const registered = await driverClient(chosen).post('/register', body);
    t.match(registered, { status: 201, json: { driver: { networkId: chosen.otherNetwork.uuid } } });
  });

  await t.test('is refused when the setting names no network', async (t) => {
    const chosen = await startTestApi(t, { settings: { ...testSettings, defaultNetwork: 'nowhere' } });
    const body = { email: newEmail(), password, name: 'Ada' };
    const registered = await driverClient(chosen).post('/register', body);
    t.match(registered, {
      status: 400,
      json: { code: 'VALIDATION_FAILED', detail: /networkId is required/ },
    });
  });
});

void t.test('an address that one network knows', async (t) => {
  const email = newEmail();
  const driver = await signUp(api, email, api.otherNetwork);

  await t.test('logs in without a network', async (t) => {
    t.match(await logIn(email.toUpperCase()), driverOf(driver.id, api.otherNetwork));
    t.match(await logIn(email, 'another password'), failed);
  });

  await t.test('gets the e-mail for a new password without a network', async (t) => {
    t.equal((await post('/forgot-password', { email })).status, 200);
    const { kind, token } = await mailTo(api, email);
    t.equal(kind, 'reset-password');
    t.equal((await resetPassword(token, 'a new password')).status, 200);
    t.match(await logIn(email, 'a new password'), driverOf(driver.id, api.otherNetwork));
  });
});

void t.test('an address that several networks know', async (t) => {
  const email = newEmail();
  const there = await signUp(api, email, api.otherNetwork);
  const here = await signUp(api, email);
  const { sql } = api.stores;

  await t.test('logs in to the default network without a network', async (t) => {
    t.match(await logIn(email), driverOf(here.id, api.network));
    const named = { email, password, networkId: api.otherNetwork.uuid };
    t.match(await post('/login', named), driverOf(there.id, api.otherNetwork));
  });

  await t.test('does not log in by the password of the other account', async (t) => {
    await post('/forgot-password', { email, networkId: api.otherNetwork.uuid });
    await resetPassword((await mailTo(api, email)).token, 'of the other one');
    t.match(await logIn(email, 'of the other one'), failed);
    t.match(await logIn(email), driverOf(here.id, api.network));
  });

  await t.test('answers a wrong password as an unknown address does', async (t) => {
    const answers = await Promise.all([logIn(email, 'wrong password'), logIn(newEmail(), 'wrong password')]);
    const [known, unknown] = answers.map(({ status, json }) => ({ status, ...json, instance: null }));
    t.same(known, unknown);
  });

  await t.test('has one limit of attempts, with a network or without', async (t) => {
    const from = '10.9.9.9';
    const attempt = (payload: object) =>
      post('/login', { email, password: 'wrong password', ...payload }, undefined, from);
    for (let count = 0; count < 10; count += 1) await attempt({});
    t.equal((await attempt({})).status, 429);
    for (const network of [api.network, api.otherNetwork]) {
      t.equal((await attempt({ networkId: network.uuid })).status, 429, network.slug);
    }
  });

  await t.test('means the oldest account when the default network does not know it', async (t) => {
    await sql`update users set deleted_at = now() where uuid = ${here.id}`;
    t.match(await logIn(email, 'of the other one'), driverOf(there.id, api.otherNetwork));
  });
});
