import { randomUUID } from 'node:crypto';
import t from 'tap';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import type { Queryable, Transaction } from '#shared/postgres/kernel/client.ts';
import { ensureWallet, moveMoney } from '#shared/postgres/money/wallets.statements.ts';
import {
  auth,
  badToken,
  driverClient,
  failed,
  invalid,
  newEmail,
  password,
  tokensOf,
} from '#api/test/support/driver-client.ts';
import { addDriver, bearer, signUp } from '#api/test/support/drivers.ts';
import { startTestApi } from '#api/test/support/fixtures.ts';
import { mailTo } from '#api/test/support/mailbox.ts';
import { callMeanwhile } from '#api/test/support/meanwhile.ts';

const api = await startTestApi(t);
const { sql } = api.stores;
const networkId = api.network.uuid;
const { post, me, register, logIn, resetPassword } = driverClient(api);

const ask = (email: string, from?: string) => post('/forgot-password', { email, networkId }, undefined, from);

void t.test('reveals nothing on a failed login and limits attempts', async (t) => {
  const email = `iris-${newEmail()}`;
  await signUp(api, email);
  const [wrong, nobody] = [await logIn(email, 'wrong'), await logIn(newEmail(), 'wrong')];
  t.match(wrong, failed);
  t.equal(wrong.json['detail'], nobody.json['detail']);
  // In time of the processor, which other work on the machine does not lengthen; the least, to which other work of this
  // process adds nothing.
  const spent = { wrong: Number.POSITIVE_INFINITY, nobody: Number.POSITIVE_INFINITY };
  for (let round = 1; round <= 6; round += 1) {
    for (const name of ['wrong', 'nobody'] as const) {
      const before = process.cpuUsage();
      await logIn(name === 'wrong' ? email : `nobody@example.org`, 'wrong');
      const { user, system } = process.cpuUsage(before);
      spent[name] = Math.min(spent[name], user + system);
    }
  }
  t.ok(spent.nobody > spent.wrong / 2 && spent.wrong > spent.nobody / 2, JSON.stringify(spent));

  const many = await Promise.all(Array.from({ length: 60 }, () => logIn(email, 'wrong', '198.51.100.1')));
  t.equal(many.filter(({ status }) => status === 429).length, 50);
  const refused = await logIn(email.toUpperCase(), password, '198.51.100.1');
  t.match(refused, { status: 429, json: { code: 'RATE_LIMITED' }, headers: { 'retry-after': /^\d+$/ } });
  // PostgreSQL, which finds the account, makes an i of it.
  t.equal((await logIn(email.replace('i', 'İ'), password, '198.51.100.1')).status, 429);
  t.equal((await logIn(email)).status, 200, 'the driver elsewhere is not locked out');
  const hosts = Array.from({ length: 12 }, (_, host) => `2001:db8:0:1::${host}`);
  const household = await Promise.all(hosts.map((host) => logIn(email, 'wrong', host)));
  t.equal(household.filter(({ status }) => status === 429).length, 2, 'hosts of one network are one place');

  // To one address five e-mails an hour, whether the address is known or not; the registration was the first one here.
  for (const [address, more] of [
    [email, 4],
    [newEmail(), 5],
  ] as const) {
    const asked = [];
    for (let count = 1; count <= 6; count += 1) {
      asked.push((await ask(address)).status);
    }
    t.strictSame(asked, [
      ...Array.from({ length: more }, () => 200),
      ...Array.from({ length: 6 - more }, () => 429),
    ]);
    t.equal((await register(address)).status, 429, 'of any kind');
  }

  const forgotten = newEmail();
  const place = '198.51.100.2';
  await Promise.all(Array.from({ length: 50 }, () => ask(newEmail(), place)));
  const beyond = await Promise.all(Array.from({ length: 6 }, () => ask(forgotten, place)));
  t.ok(beyond.every(({ status }) => status === 429));
  t.equal((await ask(forgotten)).status, 200, 'refusals of one address do not count for others');
});

void t.test('ends only its own session when a refresh token is used twice', async (t) => {
  const stolen = await signUp(api, newEmail());
  const other = tokensOf(await logIn(stolen.email));
  const racing = await Promise.all([1, 2, 3].map(() => post('/refresh', { refreshToken: stolen.refresh })));
  t.strictSame(
    racing.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 401, 401],
  );
  const winner = tokensOf(racing.find(({ status }) => status === 200)!);
  t.match(await me(winner.access), invalid);
  t.match(await post('/refresh', { refreshToken: winner.refresh }), invalid);
  t.equal((await me(other.access)).status, 200);
  t.match(await post('/refresh', { refreshToken: 'unknown' }), invalid);
});

void t.test('a forgotten password is replaced by e-mail, once and in time', async (t) => {
  const driver = await signUp(api, newEmail());
  const { email } = driver;
  const ask = async () => {
    t.equal((await post('/forgot-password', { email: email.toUpperCase(), networkId })).status, 200);
    const mail = await mailTo(api, email);
    t.equal(mail.kind, 'reset-password');
    return mail.token;
  };
  const next = 'a staple for the battery';
  const [one, two] = [await ask(), await ask()];
  t.match(await resetPassword('unknown', next), badToken);
  t.equal((await resetPassword(one, 'short')).status, 400);
  const racing = await Promise.all([resetPassword(one, next), resetPassword(two, next)]);
  t.strictSame(
    racing.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 400],
  );
  for (const used of [one, two])
    t.match(await resetPassword(used, next), badToken, 'the other e-mail is invalid too');
  t.match(await me(driver.access), invalid, 'all sessions ended');
  t.match(await logIn(email), failed);
  t.equal((await logIn(email, next)).status, 200);
  t.match(await mailTo(api, email), { kind: 'password-changed' });

  const late = await ask();
  await sql`update driver_mail_tokens set expires_at = now() - interval '1 second' where email = ${email}`;
  t.match(await resetPassword(late, next), badToken);
  const elsewhereNow = await ask();
  await sql`update users set email = ${newEmail()} where uuid = ${driver.id}`;
  t.match(await resetPassword(elsewhereNow, next), badToken, 'the address is not the driver’s any more');
});

void t.test('changes a password with the old one and ends the other sessions', async (t) => {
  const mine = await signUp(api, newEmail());
  const other = tokensOf(await logIn(mine.email));
  const next = 'a staple for the battery';
  const change = (currentPassword: string, newPassword: string) =>
    post('/change-password', { currentPassword, newPassword }, mine.access);
  for (const [current, chosen] of [
    ['wrong', next],
    [password, 'short'],
    [password, password],
  ] as const) {
    t.match(await change(current, chosen), { status: 400, json: { code: 'VALIDATION_FAILED' } });
  }
  t.equal((await change(password, next)).status, 200);
  t.equal((await me(mine.access)).status, 200);
  t.match(await me(other.access), invalid);
  t.match(await post('/refresh', { refreshToken: other.refresh }), invalid);
  t.match(await logIn(mine.email), failed);
  t.equal((await logIn(mine.email, next)).status, 200);
  t.match(await mailTo(api, mine.email), { kind: 'password-changed' });
  const hashes = await sql`
    select a.password_hash from driver_accounts a join users u on u.id = a.user_id where u.uuid = ${mine.id}`;
  t.match(hashes, [{ password_hash: /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/ }]);

  const { key } = await addDriver(api, 0n, newEmail());
  for (const [path, payload] of [
    ['/change-password', { currentPassword: next, newPassword: password }],
    ['/delete-account', { password: next }],
  ] as const) {
    t.match(await api.call(key, { method: 'POST', url: `${auth}${path}`, payload }), {
      status: 403,
      json: { code: 'DRIVER_LOGIN_REQUIRED' },
    });
    t.equal((await post(path, payload)).status, 401, 'nobody');
  }
});

void t.test('ends sessions begun with a password when it changes', async (t) => {
  const { email, id, access } = await signUp(api, newEmail());
  const send = (path: string, payload: object) =>
    ({
      method: 'POST',
      url: `${auth}${path}`,
      payload,
      headers: path === '/login' ? {} : bearer(access),
    }) as const;
  const login = send('/login', { email, password, networkId });
  const [{ hash } = { hash: '' }] = await sql<{ hash: string }[]>`
    select password_hash as hash from driver_accounts where user_id = (select id from users where uuid = ${id})`;
  const set = (at: Queryable, changed: string) => at`
    with u as (select id from users where uuid = ${id} for no key update)
    update driver_accounts set password_hash = ${changed} where user_id = (select id from u)`;
  t.match(await callMeanwhile(api, (transaction) => set(transaction, 'reset'), null, login), failed);
  await set(sql, hash);
  const change = send('/change-password', { currentPassword: password, newPassword: 'a staple' });
  t.match(await callMeanwhile(api, (transaction) => set(transaction, 'reset'), null, change), {
    status: 400,
    json: { details: { errors: [{ field: 'currentPassword' }] } },
  });
  const go = send('/delete-account', { password });
  await set(sql, hash);
  t.match(await callMeanwhile(api, (transaction) => set(transaction, 'reset'), null, go), {
    status: 400,
    json: { details: { errors: [{ field: 'password' }] } },
  });
  await set(sql, hash);
  const remove = (transaction: Transaction) =>
    transaction`delete from driver_accounts where user_id = (select id from users where uuid = ${id})`;
  t.match(await callMeanwhile(api, remove, null, login), failed, 'nor is a removed account a fault');
});

void t.test('removes a driver without open amounts', async (t) => {
  const driver = await signUp(api, newEmail());
  const remove = (secret: string) => post('/delete-account', { password: secret }, driver.access);
  t.match(await remove('wrong'), { status: 400, json: { code: 'VALIDATION_FAILED' } });
  const opened = await ensureWallet(sql, allNetworks, { uuid: driver.id });
  const move = (amountMinor: bigint) =>
    sql.begin((transaction) =>
      moveMoney(transaction, opened?.wallet.id ?? 0, {
        cause: 'CREDIT',
        causeId: randomUUID(),
        counter: 'adjustments',
        amountMinor,
        mayOwe: false,
      }),
    );
  await move(500n);
  t.match(await remove(password), { status: 409, json: { code: 'USER_IN_USE' } });
  await move(-500n);
  t.equal((await remove(password)).status, 200);
  t.match(await me(driver.access), invalid);
  t.match(await post('/refresh', { refreshToken: driver.refresh }), invalid);
  t.match(await logIn(driver.email), failed);
  t.match(await sql`select name, email, deleted_at from users where uuid = ${driver.id}`, [
    { name: 'Deleted user', email: /@deleted\.invalid$/, deleted_at: Date },
  ]);
  t.not((await signUp(api, driver.email)).id, driver.id, 'a returning driver is a new driver');
});

void t.test('every form of an address that reaches one mailbox counts as that mailbox', async (t) => {
  const forms = [
    'victim@example.org',
    'VICTIM@example.org',
    'victim@EXAMPLE.org',
    'victim+1@example.org',
    'victim+news@ｅxample.org',
    'Victim+2@Example.Org',
  ];
  const statuses = [];
  for (const email of forms) statuses.push((await register(email)).status);
  t.same(statuses, [201, 201, 201, 201, 201, 429]);
});

void t.test('an address with a name, brackets, a comment, a list or a group is refused', async (t) => {
  for (const email of [
    '<victim2@example.org>',
    '"victim2"<victim2@example.org>',
    'x,victim2@example.org',
    '(comment)victim2@example.org',
    'victim2(comment)@example.org',
    'group:victim2@example.org;',
    'victim2@example.org;',
    'victim2@example.org,',
    'victim2@example.org.',
    '.victim2@example.org',
    'victim2\\@example.org',
    '"victim2"@example.org',
    'victim2@[192.0.2.1]',
    'victim2@example.org>',
  ]) {
    t.match(await register(email), { status: 400, json: { code: 'VALIDATION_FAILED' } }, email);
  }
  for (const email of [
    "o'neil@example.org",
    'first.last@sub.example.org',
    'jürgen@exämple.org',
    'a_b-c%d@example.org',
  ]) {
    t.equal((await register(email)).status, 201, email);
  }
});
