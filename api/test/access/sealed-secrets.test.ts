import { randomBytes } from 'node:crypto';
import t from 'tap';
import { sealSecrets } from '#api/jobs/secret-sealing.ts';
import { signAccessToken, verifyAccessToken } from '#api/services/access/access-tokens.ts';
import { openSecrets } from '#api/services/events/webhook-secrets.ts';
import { SecretBox } from '#api/services/kernel/secret-box.ts';
import { addWebhook } from '#api/test/events/support/webhooks.ts';
import { startEmsp } from '#api/test/roaming/support/emsp.ts';
import { registerEmsp } from '#api/test/roaming/support/partner.ts';
import { mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { testSettings } from '#api/test/support/deps.ts';
import { countUnreadableSecrets } from '#shared/postgres/access/sealed-secrets.ts';
import { createLogger } from '#shared/log/log.ts';

const log = createLogger('test', 'silent');
const account = '7d444840-9dc0-11d1-b245-5ffdce74fad2';
const present = testSettings.sealingKey ?? '';

void t.test('a change of the sealing key keeps every secret readable', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const emsp = await startEmsp(t);
  const partner = await registerEmsp(api, emsp);
  const { secret } = await addWebhook(
    { ...api, key: await mintKey(api) },
    { url: 'https://hooks.example.org' },
  );
  const token = await signAccessToken(api.deps, 'cpms', account, account);

  const stored = await sql<{ theirToken: string }[]>`select their_token as "theirToken" from ocpi_partners`;
  t.notMatch(stored[0]?.theirToken, emsp.token, "the partner's token is not in clear");

  const changed = { ...api.deps, log, secrets: new SecretBox('the next key of tests', [present]) };
  await sealSecrets(changed);
  const next = { ...changed, secrets: new SecretBox('the next key of tests') };
  t.equal(await countUnreadableSecrets(sql, next.secrets.knownIds), 0);
  t.match(await verifyAccessToken(next, 'cpms', token), { accountUuid: account });
  const [{ theirToken } = { theirToken: '' }] = await sql<{ theirToken: string }[]>`
    select their_token as "theirToken" from ocpi_partners where uuid = ${partner.id}`;
  t.equal(next.secrets.openText(theirToken), emsp.token);
  const [endpoint] = await sql<{ id: number }[]>`select id from webhook_endpoints`;
  t.same((await openSecrets(next, endpoint?.id ?? 0))(), [secret]);

  await t.rejects(
    verifyAccessToken(api.deps, 'cpms', token),
    { code: 'TOKEN_INVALID' },
    'the former key is of no use',
  );
  t.ok((await countUnreadableSecrets(sql, api.deps.secrets.knownIds)) > 0);
});

void t.test('secrets in clear from before are used, and sealed', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const emsp = await startEmsp(t);
  const partner = await registerEmsp(api, emsp);
  await sql`update ocpi_partners set their_token = ${emsp.token}`;
  await sql`insert into token_signing_keys (secret) values (${randomBytes(32)})`;
  const token = await signAccessToken(api.deps, 'cpms', account, account);
  await sealSecrets({ ...api.deps, log });
  t.match(await verifyAccessToken(api.deps, 'cpms', token), { accountUuid: account });
  t.same(await sql`select from token_signing_keys where sealing_key is null`, []);
  const [{ theirToken } = { theirToken: '' }] = await sql<{ theirToken: string }[]>`
    select their_token as "theirToken" from ocpi_partners where uuid = ${partner.id}`;
  t.not(theirToken, emsp.token);
  t.equal(api.deps.secrets.openText(theirToken), emsp.token);
});
