import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { forgetMails } from '#api/jobs/mails.job.ts';
import { type MailTransport, openMailTransport } from '#api/services/mail/transport.ts';
import { languageOf } from '#api/services/mail/texts/texts.ts';
import { type MailMessage, queueMail, sendMail } from '#api/services/mail/mails.ts';
import { loadConfig } from '#shared/config/config.ts';
import { until } from '#shared/testing/until.ts';
import { startTestApi } from '#api/test/support/fixtures.ts';
import { startQueuedJobs } from '#api/test/support/queued-jobs.ts';
import { type MailServer, readMail, startMailServer } from '#api/test/support/mailbox.ts';

const api = await startTestApi(t);
const { sql } = api.stores;
const from = 'charge@example.com';
const token = 'tok_0123456789';

async function over(t: Test, url: string): Promise<MailTransport> {
  const mailer = await openMailTransport({ smtpUrl: url, from, outboxDir: '/nonexistent' });
  t.teardown(() => mailer.close());
  return mailer;
}

/** Queues an e-mail and answers its id. */
async function queue(
  email: string | null,
  message: MailMessage = { kind: 'verify-email', token },
  language: string | null = null,
): Promise<number> {
  const addressee = { networkId: api.network.id, email, language };
  await sql.begin((transaction) => queueMail(api.deps, transaction, addressee, message));
  const [row] = await sql<{ id: number }[]>`select max(id) as id from mails`;
  return row?.id ?? 0;
}

const stored = async (id: number) => (await sql`select * from mails where id = ${id}`)[0];
const emptied = { recipient: null, subject: null, body_text: null, body_html: null };

function onlyMail({ taken }: MailServer) {
  const [mail] = taken;
  if (mail === undefined || taken.length > 1) throw new Error(`${taken.length} e-mails`);
  return { to: mail.to, ...readMail(mail.raw) };
}

void t.test('sends an e-mail once, in the name of its network, and removes its text', async (t) => {
  const server = await startMailServer(t);
  await sql`update networks set support_email = 'help@north.example' where id = ${api.network.id}`;
  const other = { networkId: api.network.id, email: 'b@example.org', language: null };
  await sql
    .begin(async (transaction) => {
      await queueMail(api.deps, transaction, other, { kind: 'password-changed' });
      throw new Error('rolled back');
    })
    .catch(() => undefined);
  const id = await queue('Ada@Example.org');
  const { uuid } = (await stored(id)) as unknown as { uuid: string };
  const stop = startQueuedJobs(t, { ...api.deps, mailer: await over(t, server.url) }, ['send-mail']);
  await until('it is sent', async () => (await stored(id))?.['sent_at'] !== null);
  // No other e-mail of this file is sent.
  await stop();
  const mail = onlyMail(server);
  t.strictSame(mail.to, ['Ada@example.org']);
  t.match(mail.headers, {
    from: `North <${from}>`,
    'reply-to': 'North <help@north.example>',
    subject: 'Confirm your e-mail address for North',
    'message-id': `<${uuid}@example.com>`,
    'auto-submitted': 'auto-generated',
  });
  const link = `http://chargeway.test/account/verify-email?lang=en#${token}`;
  t.match(mail.text, link);
  t.match(mail.text, `\n${token}\r\n`, 'and the token by itself, for an app');
  t.match(mail.html, `href="${link}"`);
  t.match(await stored(id), { ...emptied, kind: 'verify-email', given_up_at: null });
  t.equal(await sendMail({ ...api.deps, mailer: await over(t, server.url) }, id), 'done-before');
  t.equal(server.taken.length, 1);
});

void t.test('writes every e-mail in four languages', async (t) => {
  const kinds: MailMessage[] = [
    { kind: 'verify-email', token },
    { kind: 'account-exists', token },
    { kind: 'reset-password', token },
    { kind: 'password-changed' },
    { kind: 'account-deletion', keptUntil: new Date('2026-12-31T23:30:00Z'), timeZone: 'Europe/Paris' },
  ];
  const subjects = new Set<string>();
  for (const message of kinds) {
    for (const language of ['en', 'de-AT', 'nl', 'fr']) {
      const mail = await stored(await queue('x@example.org', message, language));
      t.match(mail?.['subject'], /North/);
      t.equal(
        'token' in message,
        String(mail?.['body_text']).includes(`?lang=${language.slice(0, 2)}#${token}`),
      );
      if (message.kind === 'account-deletion') t.match(mail?.['body_text'], /\b1\S* \S+ 2027/, language);
      subjects.add(String(mail?.['subject']));
    }
  }
  t.equal(subjects.size, 20);
  t.equal(languageOf('es', 'nl-BE'), 'nl', "else in the network's");
  t.equal(languageOf('constructor', null), 'en', 'else in English');
});

void t.test('escapes the name of a network in the page and the headers', async (t) => {
  const server = await startMailServer(t);
  await sql`update networks set name = '<b>A & "B"</b> Łódź', primary_color = '#fde047' where id = ${api.network.id}`;
  const id = await queue('ada@example.org', { kind: 'reset-password', token }, 'fr');
  await sendMail({ ...api.deps, mailer: await over(t, server.url) }, id);
  const mail = onlyMail(server);
  t.equal(mail.headers['subject'], 'Réinitialisez votre mot de passe <b>A & "B"</b> Łódź');
  t.match(mail.headers['from'], /Łódź.* <charge@example\.com>/);
  t.match(mail.html, '&lt;b&gt;A &amp; &quot;B&quot;&lt;/b&gt; Łódź');
  t.notMatch(mail.html, '<b>');
  t.match(mail.html, 'background:#fde047;color:#000000', 'dark letters on a light color');
  const mailer = await over(t, server.url);
  const hostile = { fromName: 'A\r\nBcc: eve@example.org', subject: 'B\r\nBcc: eve@example.org' };
  const outgoing = { uuid: randomUUID(), replyTo: null, to: 'ada@example.org', text: 'T', html: 'H' };
  await mailer.send({ ...outgoing, ...hostile });
  t.strictSame(server.taken[1]?.to, ['ada@example.org']);
  t.notMatch(server.taken[1]?.raw, /^bcc:/im);
  await mailer
    .send({ ...outgoing, fromName: 'A', subject: 'B', to: 'ada@example.org, eve@example.org' })
    .catch(() => undefined);
  t.notOk(
    server.taken.some(({ to }) => to.some((address) => address === 'eve@example.org')),
    'one address is one',
  );
});

void t.test('retries an e-mail after a temporary failure, and not after a refusal', async (t) => {
  const answers: (number | null)[] = [451, null, 550];
  const server = await startMailServer(t, {
    onRcptTo({ address }, _session, done) {
      const code = answers.shift() ?? null;
      if (code === null) return done();
      return done(Object.assign(new Error(`no ${address} here`), { responseCode: code }));
    },
  });
  const deps = { ...api.deps, mailer: await over(t, server.url) };
  const id = await queue('ada@example.org');
  await t.rejects(sendMail(deps, id), { code: 'EENVELOPE' });
  t.match(await stored(id), { recipient: 'ada@example.org', body_text: String, sent_at: null });
  t.equal(await sendMail(deps, id), 'sent');
  const refused = await queue('gone@example.org');
  t.equal(await sendMail(deps, refused), 'refused');
  t.match(
    await stored(refused),
    { ...emptied, sent_at: null, refusal: /550 no … here/ },
    'without the address',
  );
  t.equal(server.taken.length, 1);

  const nobody = await queue(null);
  t.equal(await sendMail(deps, nobody), 'no-recipient');
  t.match(await stored(nobody), { ...emptied, sent_at: null });
  t.equal(server.taken.length, 1);

  const gone = await over(t, 'smtp://127.0.0.1:1');
  await t.rejects(sendMail({ ...api.deps, mailer: gone }, await queue('ada@example.org')), {
    code: 'ESOCKET',
  });
});

void t.test('uses the login of SMTP_URL, retries a failed one, and can require TLS', async (t) => {
  const server = await startMailServer(t, {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      const isRight = username === 'mail@north' && password === 'p/s:s@1';
      return done(isRight ? null : new Error('no'), { user: username });
    },
  });
  const url = (login: string) => server.url.replace('//', `//${login}@`);
  const id = await queue('ada@example.org');
  await t.rejects(sendMail({ ...api.deps, mailer: await over(t, url('mail%40north:wrong')) }, id), {
    code: 'EAUTH',
  });
  const right = url('mail%40north:p%2Fs%3As%401');
  await t.rejects(sendMail({ ...api.deps, mailer: await over(t, `${right}?requireTLS=true`) }, id), {
    code: 'ETLS',
  });
  t.equal(await sendMail({ ...api.deps, mailer: await over(t, right) }, id), 'sent');
  t.equal(server.taken.length, 1);
});

void t.test('writes e-mails to private files without a mail server', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'chargeway-outbox-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const outboxDir = join(directory, 'outbox');
  const mailer = await openMailTransport({ smtpUrl: null, from, outboxDir });
  const ids = [await queue('ada@example.org'), await queue('bob@example.org')];
  for (const id of ids) t.equal(await sendMail({ ...api.deps, mailer }, id), 'sent');
  const files = await readdir(outboxDir);
  t.equal(files.length, 2);
  for (const file of files) {
    t.match(file, /^[\w.-]+\.eml$/);
    t.equal((await stat(join(outboxDir, file))).mode & 0o777, 0o600);
  }
  const mails = await Promise.all(
    files.map(async (file) => readMail(await readFile(join(outboxDir, file), 'utf8'))),
  );
  t.strictSame(
    new Set(mails.map(({ headers }) => headers['to'])),
    new Set(['ada@example.org', 'bob@example.org']),
  );
  t.match(mails[0]?.text, token);
});

void t.test('gives up an expired e-mail and removes its record after a month', async (t) => {
  const [fresh, late, old] = [
    await queue('a@example.org'),
    await queue('b@example.org'),
    await queue('c@example.org'),
  ];
  await sql`update mails set created_at = now() - interval '49 hours' where id = ${late}`;
  await sql`update mails set created_at = now() - interval '31 days' where id = ${old}`;
  await forgetMails(api.deps);
  t.match(await stored(fresh), { recipient: 'a@example.org', given_up_at: null });
  t.match(await stored(late), { ...emptied, given_up_at: Date });
  t.equal(await stored(old), undefined);
});

void t.test('the configuration of e-mail is checked', async (t) => {
  t.match(loadConfig({ DATA_DIR: '/data' }).mail, {
    smtpUrl: null,
    from: 'chargeway@localhost',
    outboxDir: '/data/outbox',
  });
  t.match(loadConfig({ SMTP_URL: 'smtps://u:p@mail.example', MAIL_FROM: 'a@b.example' }).mail, {
    smtpUrl: 'smtps://u:p@mail.example',
    from: 'a@b.example',
  });
  const wrong: [NodeJS.ProcessEnv, string][] = [
    [{ SMTP_URL: 'smtp://mail.example' }, 'MAIL_FROM'],
    [{ SMTP_URL: 'http://mail.example', MAIL_FROM: 'a@b.example' }, 'SMTP_URL'],
    [{ MAIL_FROM: 'A <a@b.example>' }, 'MAIL_FROM'],
  ];
  for (const [environment, name] of wrong)
    t.throws(() => loadConfig(environment), { message: new RegExp(name) });
});
