import t from 'tap';
import { idleSeconds } from '#shared/domain/access/browser-session.ts';
import { hashSecret } from '#shared/domain/kernel/secrets.ts';
import { TestBrowser } from '#api/test/support/browser.ts';
import { listen, openStream } from '#api/test/support/event-stream.ts';
import { mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';

const api = await startTestApi(t, { streamLimits: { verifyMs: 50 } });
const { sql } = api.stores;

/** A browser with a session of a new key, and its stream. */
async function streaming(api: TestApi) {
  const key = await mintKey(api);
  const browser = new TestBrowser(api.app);
  await listen(api.app);
  const { json, text } = await browser.signIn({ apiKey: key });
  if (json['data'] === undefined) throw new Error(text);
  // As EventSource sends it: no other header can be set.
  const headers = { cookie: browser.cookie, 'sec-fetch-site': 'same-origin' };
  const stream = await openStream(t, api.app, null, '/cpms/v1/events', headers);
  return { key, browser, stream };
}

void t.test('ends the streams of a session that signs out', async (t) => {
  const { browser, stream } = await streaming(api);
  const other = await streaming(api);
  t.equal((await browser.delete('/auth/session')).status, 200);
  await stream.ended();
  t.match(stream.messages.at(-1), { event: 'stream.ended', data: { code: 'SIGN_IN_REQUIRED' } });
  t.notOk(other.stream.isEnded);
});

void t.test('ends the streams of a session of a revoked key', async (t) => {
  const { key, stream } = await streaming(api);
  const [row] = await sql<
    { uuid: string }[]
  >`select uuid from api_keys where secret_hash = ${hashSecret(key)}`;
  const revoker = await mintKey(api);
  const answer = await api.call(revoker, { method: 'DELETE', url: `/cpms/v1/api-keys/${row?.uuid}` });
  t.equal(answer.status, 200);
  await stream.ended();
  t.match(stream.messages.at(-1), { event: 'stream.ended', data: { code: 'KEY_REVOKED' } });
});

void t.test('ends the stream of a session that becomes idle', async (t) => {
  const { browser, stream } = await streaming(api);
  await sql`
    update browser_sessions set last_used_at = now() - ${idleSeconds} * interval '1 second'
    where token_hash = ${hashSecret(browser.token)}`;
  await stream.ended();
  t.match(stream.messages.at(-1), { event: 'stream.ended', data: { code: 'SIGN_IN_REQUIRED' } });
});

void t.test('counts a request as use of its session, and an open stream not', async (t) => {
  const own = await startTestApi(t, { streamLimits: { verifyMs: 20, keepAliveMs: 50 } });
  const { stream, browser: watching } = await streaming(own);
  const { browser: reading } = await streaming(own);
  const used = await own.stores.sql`
    update browser_sessions set last_used_at = now() - interval '5 minutes' returning id`;
  t.equal(used.length, 2);
  t.equal((await reading.get('/me')).status, 200);
  const before = stream.comments.length;
  await stream.until('two keep-alives', () => stream.comments.length >= before + 2);
  // Writes what was collected.
  await own.app.close();
  const rows = await own.stores.sql<{ hash: string; isUsed: boolean }[]>`
    select encode(token_hash, 'hex') as hash, last_used_at > now() - interval '1 minute' as "isUsed" from browser_sessions`;
  const isUsed = new Map(rows.map((row) => [row.hash, row.isUsed]));
  t.equal(isUsed.get(hashSecret(reading.token).toString('hex')), true);
  t.equal(isUsed.get(hashSecret(watching.token).toString('hex')), false);
});

void t.test('opens no stream for a page of another site', async (t) => {
  const { browser } = await streaming(api);
  const headers = { cookie: browser.cookie, 'sec-fetch-site': 'cross-site' };
  await t.rejects(openStream(t, api.app, null, '/cpms/v1/events', headers), /CROSS_SITE_REQUEST/);
});
