import { randomUUID } from 'node:crypto';
import t from 'tap';
import { addDriver } from '#api/test/support/drivers.ts';
import { invalid, password, startOperatorApi, tokensOf } from '#api/test/support/operator-client.ts';
import { mailTo } from '#api/test/support/mailbox.ts';

const { api, key, addOperator, post, logIn, me } = await startOperatorApi(t);
const { sql } = api.stores;
const chosen = 'a new horse battery';
const badToken = { status: 400, json: { error: { code: 'MAIL_TOKEN_INVALID' } } };

const request = (email: string, language?: string) => post('/forgot-password', { email, language });
const reset = (token: string, to = chosen) => post('/reset-password', { token, password: to });
const logInWith = (email: string, sent: string) => post('/login', { email, password: sent });

/** Requests an e-mail and returns its token. */
async function tokenFor(email: string): Promise<string> {
  await request(email);
  return (await mailTo(api, email)).token;
}

const actionsOf = async (uuid: string) => {
  const rows = await sql<{ action: string }[]>`
    select action from audit_log where resource_id = ${uuid} and category = 'auth' order by id`;
  return rows.map(({ action }) => action);
};

void t.test('sets a password by the token of an e-mail, ends all sessions and is audited', async (t) => {
  const { email, id } = await addOperator();
  const { access, refresh } = await logIn(email);
  const answer = await request(email.toUpperCase(), 'de-CH');
  t.match(answer, { status: 200, json: { data: { requested: true } } });
  const mail = await mailTo(api, email);
  t.equal(mail.kind, 'reset-operator-password');
  t.match(mail.text, 'das Passwort Ihres Kontos bei chargeway zurückzusetzen');
  t.match(mail.text, `/console/reset-password?lang=de#${mail.token}`);
  t.equal((await me(access)).status, 200, 'a request changes nothing');

  t.match(await reset(mail.token), { status: 200, json: { data: { changed: true } } });
  t.match(await me(access), invalid);
  t.match(await post('/refresh', { refreshToken: refresh }), invalid);
  t.equal((await logInWith(email, password)).status, 401);
  t.ok(tokensOf(await logInWith(email, chosen)).access);
  const notice = await mailTo(api, email);
  t.equal(notice.kind, 'operator-password-changed');
  t.match(notice.text, 'wurde geändert');
  t.strictSame(await actionsOf(id), ['login', 'reset-password', 'login']);
});

void t.test('answers a request for any address alike, and sends no e-mail without an account', async (t) => {
  const known = await addOperator();
  const disabled = await addOperator();
  await api.call(key, { method: 'PATCH', url: disabled.path, payload: { isDisabled: true } });
  const driver = `driver-${randomUUID()}@example.org`;
  await addDriver(api, 0n, driver);
  const external = `eve-${randomUUID()}@example.com`;
  await sql`insert into operators (email, name, issuer, subject, role) values (${external}, 'Eve', 'https://i', ${external}, 'Owner')`;
  const first = await request(known.email);
  for (const email of [disabled.email, driver, external, `nobody-${randomUUID()}@example.com`]) {
    const { status, json, headers } = await request(email);
    t.equal(status, first.status);
    t.strictSame(json['data'], first.json['data']);
    t.strictSame(Object.keys(headers), Object.keys(first.headers));
    t.equal((await sql`select 1 from mails where recipient = ${email} and kind like '%operator%'`).length, 0);
  }
});

void t.test('accepts a token once, within an hour, and not after the account changed', async (t) => {
  const { email, path } = await addOperator();
  t.match(await reset('mt_unknown'), badToken);
  const used = await tokenFor(email);
  t.equal((await reset(used)).status, 200);
  t.match(await reset(used, password), badToken);
  t.equal((await logInWith(email, chosen)).status, 200);

  const expired = await tokenFor(email);
  await sql`update operator_password_resets set expires_at = now()`;
  t.match(await reset(expired), badToken);

  const [earlier, later] = [await tokenFor(email), await tokenFor(email)];
  t.equal((await reset(later)).status, 200);
  t.match(await reset(earlier), badToken, 'a new password invalidates the other tokens');

  const renamed = await tokenFor(email);
  await api.call(key, { method: 'PATCH', url: path, payload: { email: `new-${email}` } });
  t.match(await reset(renamed), badToken);

  const other = `new-${email}`;
  const disabled = await tokenFor(other);
  await api.call(key, { method: 'PATCH', url: path, payload: { isDisabled: true } });
  t.match(await reset(disabled), badToken);
  t.equal((await logInWith(other, chosen)).status, 401);
});

void t.test('accepts one of two resets with the same token at once', async (t) => {
  const { email } = await addOperator();
  const token = await tokenFor(email);
  const answers = await Promise.all([reset(token, 'the first of two'), reset(token, 'the second of two')]);
  t.strictSame(new Set(answers.map(({ status }) => status)), new Set([200, 400]));
});

void t.test(
  'limits requests for a mailbox, and refuses short passwords without using up the token',
  async (t) => {
    const { email } = await addOperator();
    const token = await tokenFor(email);
    t.match(await reset(token, 'short'), { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
    t.equal((await reset(token)).status, 200);
    for (let count = 2; count <= 5; count += 1) t.equal((await request(email)).status, 200);
    t.match(await request(email), { status: 429, headers: { 'retry-after': /^\d+$/ } });
  },
);
