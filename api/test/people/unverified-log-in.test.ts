import t from 'tap';
import { driverClient, failed, newEmail, tokensOf } from '#api/test/support/driver-client.ts';
import { signUp } from '#api/test/support/drivers.ts';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { mailTo } from '#api/test/support/mailbox.ts';

const api = await startTestApi(t);
const networkId = api.network.uuid;
const { post, me, register, logIn } = driverClient(api);

void t.test('logs in the newest of several registrations until one is verified', async (t) => {
  const email = newEmail();
  await register(email, { password: 'of a first device' });
  await register(email, { password: 'of a second device' });
  t.match(await logIn(email, 'of a first device'), failed);
  const login = await logIn(email, 'of a second device');
  t.match(login, { status: 200, json: { driver: { id: null, emailVerified: false } } });
  const { token } = await mailTo(api, email);
  t.equal((await post('/verify-email', { token })).status, 200);
  t.match(await me(tokensOf(login).access), { status: 200, json: { email } });
});

void t.test('refuses a log-in before the verification where the network requires it', async (t) => {
  const cpmsKey = await mintKey(api);
  const settings = { url: `/cpms/v1/networks/${networkId}` };
  const set = (requiresVerifiedEmail: boolean) =>
    api.call(cpmsKey, { ...settings, method: 'PATCH', payload: { requiresVerifiedEmail } });
  t.match(await api.call(cpmsKey, settings), { json: { data: { requiresVerifiedEmail: false } } });
  t.match(await set(true), { status: 200, json: { data: { requiresVerifiedEmail: true } } });
  const [email, known] = [newEmail(), newEmail()];
  await signUp(api, known);
  for (const address of [email, known]) {
    await register(address, { password: 'of a registration' });
    t.match(await logIn(address, 'wrong password'), failed);
    t.match(await logIn(address, 'of a registration'), {
      status: 403,
      json: { code: 'EMAIL_NOT_VERIFIED', detail: /Confirm your e-mail address/ },
    });
  }
  const { token } = await mailTo(api, email);
  t.equal((await post('/verify-email', { token })).status, 200);
  t.match(await logIn(email, 'of a registration'), {
    status: 200,
    json: { driver: { emailVerified: true } },
  });
  t.equal((await set(false)).status, 200);
});
