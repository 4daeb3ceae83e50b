import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { buildApp } from '#api/app.ts';
import { removeExpiredRequests } from '#shared/postgres/access/idempotency.statements.ts';
import type { CommandReply } from '#shared/domain/commands/commands.ts';
import { until } from '#shared/testing/until.ts';
import { createLogger } from '#shared/log/log.ts';
import {
  accepted,
  holdCharger,
  mintKey,
  register,
  startTestApi,
  type TestApi,
} from '#api/test/support/fixtures.ts';
import { readWholeDocument } from '#api/test/support/openapi-document.ts';

const chargers = '/cpms/v1/chargers';

function post(api: TestApi, key: string | null, url: string, idempotencyKey: string, payload?: object) {
  return api.call(key, {
    method: 'POST',
    url,
    headers: { 'idempotency-key': idempotencyKey },
    ...(payload !== undefined && { payload }),
  });
}

async function count(api: TestApi, table: 'chargers' | 'audit_log' | 'idempotency_keys'): Promise<number> {
  const { sql } = api.stores;
  const [row] = await sql<{ count: number }[]>`select count(*)::integer from ${sql(table)}`;
  return row?.count ?? -1;
}

void t.test('answers a repeat as the first request, without another effect', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const id = randomUUID();
  const first = await post(api, key, chargers, id, { serial: 'CP-1', ocppVersion: '1.6' });
  t.equal(first.status, 201, first.text);
  t.equal(first.headers['idempotency-replayed'], undefined);
  const entries = await count(api, 'audit_log');
  const again = await post(api, key, chargers, id, { ocppVersion: '1.6', serial: 'CP-1' });
  t.match(again, { status: 201, headers: { 'idempotency-replayed': 'true', 'content-type': /json/ } });
  t.equal(again.text, first.text, 'the password that is shown once, too; fields may come in another order');
  t.not(again.headers['x-request-id'], first.headers['x-request-id']);
  t.equal(await count(api, 'chargers'), 1);
  t.equal(await count(api, 'audit_log'), entries);

  const network = { slug: 'east', name: 'East', currency: 'SEK' };
  const owner = await mintKey(api, { unrestricted: true, networkIds: [] });
  t.equal((await post(api, owner, '/cpms/v1/networks', id, network)).headers['etag'], '"1"');
  t.match(await post(api, owner, '/cpms/v1/networks', id, network), {
    status: 201,
    headers: { etag: '"1"', 'idempotency-replayed': 'true' },
  });

  const refused = await post(api, key, chargers, 'taken', { serial: 'CP-1' });
  t.match(refused, { status: 409, json: { error: { code: 'CHARGER_EXISTS' } } });
  await api.stores.sql`update chargers set deleted_at = now()`;
  const stillRefused = await post(api, key, chargers, 'taken', { serial: 'CP-1' });
  t.match(stillRefused, { status: 409, headers: { 'idempotency-replayed': 'true' } });
  t.equal(stillRefused.text, refused.text);
});

void t.test('binds an idempotency key to one request of one caller', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const other = await mintKey(api);
  t.equal((await post(api, key, chargers, 'k-1', { serial: 'CP-1' })).status, 201);
  const reused = { status: 422, json: { success: false, error: { code: 'IDEMPOTENCY_KEY_REUSED' } } };
  t.match(await post(api, key, chargers, 'k-1', { serial: 'CP-2' }), reused);
  const { uuid } = api.network;
  t.match(await post(api, key, `${chargers}?networkId=${uuid}`, 'k-1', { serial: 'CP-1' }), reused);
  t.equal((await post(api, other, chargers, 'k-1', { serial: 'CP-2' })).status, 201);
  t.equal(await count(api, 'chargers'), 2);

  // The database shows neither keys nor answers.
  const made = await post(api, key, chargers, 'guessable', { serial: 'CP-SECRET' });
  const password = made.json['data']?.['ocppPassword'] as unknown as string;
  t.match(password, /^[0-9a-f]{40}$/);
  const rows = await api.stores.sql<{ text: string; answer: Buffer; id: Buffer; fingerprint: Buffer }[]>`
    select k.*, k::text as text from idempotency_keys k`;
  t.equal(rows.length, 3);
  const stored = rows.map(
    (row) => Buffer.concat([row.answer, row.id, row.fingerprint]).toString('latin1') + row.text,
  );
  for (const secret of [password, 'guessable', 'CP-SECRET']) t.notMatch(stored.join(), secret);
});

void t.test('runs one of several concurrent requests, over all processes', async (t) => {
  const api = await startTestApi(t);
  const { sql, clickhouse } = api.stores;
  const second = await buildApp({ ...api.deps, sql, clickhouse, log: createLogger('test', 'silent') });
  t.teardown(() => second.close());
  const key = await mintKey(api);
  const send = (app: typeof second) =>
    app.inject({
      method: 'POST',
      url: chargers,
      headers: { 'x-api-key': key, 'idempotency-key': 'same' },
      payload: { serial: 'CP-1' },
    });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => send(n % 2 === 0 ? api.app : second)),
  );
  t.equal(await count(api, 'chargers'), 1);
  const first = answers.filter(
    (answer) => answer.headers['idempotency-replayed'] === undefined && answer.statusCode === 201,
  );
  t.equal(first.length, 1);
  for (const answer of answers) {
    if (answer.statusCode === 201) t.equal(answer.body, first[0]?.body);
    else t.match(answer.json(), { error: { code: 'IDEMPOTENCY_IN_PROGRESS' } });
  }
});

void t.test('sends a command once, even when its caller disconnects', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  const reply: { now: ((reply: CommandReply) => void) | null } = { now: null };
  const taken = await holdCharger(api, 'CP-1', () => new Promise((resolve) => (reply.now = resolve)));
  const reboot = `${chargers}/${id}/reboot`;
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  const headers = { 'x-api-key': key, 'idempotency-key': 'boot' };
  const left = httpRequest({ host: '127.0.0.1', port, path: reboot, method: 'POST', headers });
  left.on('error', () => undefined);
  left.end();
  await until('the command is at the charger', async () => taken.length === 1);
  t.match(await post(api, key, reboot, 'boot'), {
    status: 409,
    headers: { 'retry-after': '5' },
    json: { error: { code: 'IDEMPOTENCY_IN_PROGRESS' } },
  });
  left.destroy();
  reply.now?.(accepted);
  await until('the answer is kept', async () => (await post(api, key, reboot, 'boot')).status === 200);
  t.match(await post(api, key, reboot, 'boot'), {
    headers: { 'idempotency-replayed': 'true' },
    json: { data: { accepted: true } },
  });
  t.equal(taken.length, 1);
});

void t.test('stores failures of a command, but not failures without an effect', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  const next: { reply: CommandReply } = { reply: { ok: false, code: 'CHARGER_TIMEOUT', message: 'silent' } };
  const taken = await holdCharger(api, 'CP-1', () => next.reply);
  const reboot = `${chargers}/${id}/reboot`;
  for (const [code, status] of [
    ['CHARGER_TIMEOUT', 504],
    ['CHARGER_REFUSED', 502],
  ] as const) {
    next.reply = { ok: false, code, message: 'no' };
    t.match(await post(api, key, reboot, code), { status, json: { error: { code } } });
    const before = taken.length;
    t.match(await post(api, key, reboot, code), { status, headers: { 'idempotency-replayed': 'true' } });
    t.equal(taken.length, before);
  }

  const { sql } = api.stores;
  await sql`alter table chargers add check (serial_number <> 'CP-2')`;
  t.equal((await post(api, key, chargers, 'k', { serial: 'CP-2' })).status, 500);
  await sql`alter table chargers drop constraint chargers_serial_number_check`;
  t.equal((await post(api, key, chargers, 'k', { serial: 'CP-2' })).status, 201);
});

void t.test('validates a request before it counts its idempotency key', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  t.equal((await post(api, key, chargers, 'k', { serial: '' })).status, 400);
  t.equal((await post(api, null, chargers, 'k', { serial: 'CP-1' })).status, 401);
  t.equal(
    (await post(api, await mintKey(api, { scopes: [] }), chargers, 'k', { serial: 'CP-1' })).status,
    403,
  );
  for (const wrong of ['', 'two words', 'ü', 'x'.repeat(256)]) {
    const answer = await post(api, key, chargers, wrong, { serial: 'CP-1' });
    t.match(answer, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } }, wrong);
  }
  t.equal(await count(api, 'idempotency_keys'), 0);

  // The document shows the header at each POST that takes it, and only there.
  const { paths } = (await readWholeDocument(api)) as unknown as {
    paths: Record<
      string,
      Record<string, { parameters?: { name: string }[]; responses: Record<string, { description: string }> }>
    >;
  };
  const takes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], responses }]) => {
      if (!parameters.some(({ name }) => name === 'idempotency-key')) return [];
      t.match(responses['409']?.description, /IDEMPOTENCY_IN_PROGRESS/, path);
      t.match(responses['422']?.description, /IDEMPOTENCY_KEY_REUSED/, path);
      t.equal(method, 'post');
      return [path];
    }),
  );
  const posts = Object.keys(paths).filter((path) => 'post' in paths[path]! && /^\/(cpms|emsp)\//.test(path));
  const without = posts.filter((path) => !takes.includes(path));
  t.ok(takes.includes(chargers));
  t.strictSame(
    // Those of drivers' accounts answer with tokens, which are not kept, or change nothing when they are repeated.
    without.filter((path) => !withoutKey.has(path) && !path.startsWith('/emsp/v1/auth/driver/')),
    [],
  );
});

void t.test('does not run a crashed request again and removes answers after a day', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const [began] = await sql<{ at: Date }[]>`select now() as at`;
  await post(api, key, chargers, 'k', { serial: 'CP-1' });
  // Between its beginning and now it was claimed.
  const since = sql`${began!.at}::timestamptz`;
  t.strictSame(
    [
      ...(await sql`
          select claimed_until between ${since} + interval '2 minutes' and now() + interval '2 minutes' as claim,
            expires_at between ${since} + interval '1 day' and now() + interval '1 day' as keep
          from idempotency_keys`),
    ],
    [{ claim: true, keep: true }],
  );

  // As a process leaves it that was killed before the charger was stored.
  await sql`update idempotency_keys set answer = null`;
  await sql`update chargers set deleted_at = now()`;
  t.equal((await post(api, key, chargers, 'k', { serial: 'CP-1' })).status, 409);
  await sql`update idempotency_keys set claimed_until = now()`;
  t.equal(
    (await post(api, key, chargers, 'k', { serial: 'CP-2' })).status,
    422,
    'nor may another request take it',
  );
  const repeated = await post(api, key, chargers, 'k', { serial: 'CP-1' });
  t.match(repeated, { status: 409, json: { error: { code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' } } });

  await removeExpiredRequests(api.deps.sql);
  t.equal(await count(api, 'idempotency_keys'), 1);
  await sql`update idempotency_keys set expires_at = now()`;
  t.equal((await post(api, key, chargers, 'k', { serial: 'CP-3' })).status, 201, 'a new day, a new request');
  await sql`update idempotency_keys set expires_at = now()`;
  await removeExpiredRequests(api.deps.sql);
  t.equal(await count(api, 'idempotency_keys'), 0);
});

/** Reads, and operations that run again on each request. */
const withoutKey = new Set([
  '/cpms/v1/chargers/{chargerUuid}/variables/get',
  '/cpms/v1/auth/login',
  '/cpms/v1/auth/sessions',
  '/cpms/v1/auth/login/second-factor',
  '/cpms/v1/auth/sessions/second-factor',
  '/cpms/v1/auth/second-factors',
  '/cpms/v1/auth/second-factors/{uuid}/confirm',
  '/cpms/v1/auth/second-factors/{uuid}/remove',
  '/cpms/v1/auth/recovery-codes',
  // The body is a file, and changes nothing until it is applied.
  '/cpms/v1/imports',
  '/cpms/v1/auth/refresh',
  '/cpms/v1/auth/logout',
  '/cpms/v1/auth/change-password',
  '/cpms/v1/auth/forgot-password',
  '/cpms/v1/auth/reset-password',
  '/cpms/v1/tariffs/simulate',
  '/emsp/v1/pricing/calculate',
]);
