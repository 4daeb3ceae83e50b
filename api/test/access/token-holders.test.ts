import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { TokenChangeSender } from '#api/jobs/pending-token-changes.ts';
import {
  type ChargerCommand,
  type CommandReply,
  type CommandRequest,
  gatewayChannel,
} from '#shared/domain/commands/commands.ts';
import { createLogger } from '#shared/log/log.ts';
import { findIdTokenFor } from '#shared/postgres/people/id-tokens.statements.ts';
import { seedCharger, type SeededCharger, seedConnection, seedToken } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { holdCharger, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { answered } from '#api/test/support/held-charger.ts';

const log = createLogger('test', 'silent');

/** Reply of a charger to the nth message of a kind. Null: accepted. */
type Reply = (nth: number) => Promise<CommandReply | null>;

/** A charger that keeps a list, of which it takes one entry in each message, and a cache. */
async function startKeeper(t: Test) {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const { id, uid, uuid } = await seedCharger(sql, api.network.id);
  await seedConnection(sql, uuid);
  await sql`update chargers set ocpp_version = '1.6' where id = ${id}`;
  const list = new Set<string>();
  const cache = new Set<string>();
  const replyTo: { list: Reply; clear: Reply } = { list: async () => null, clear: async () => null };
  let messages = 0;
  let clears = 0;
  const take = async (command: ChargerCommand): Promise<CommandReply> => {
    if (command.type === 'get-configuration') {
      return answered({
        settings: [{ key: 'SendLocalListMaxLength', value: '1', readonly: true, status: 'Accepted' }],
      });
    }
    if (command.type === 'clear-cache') {
      cache.clear();
      clears += 1;
      return (await replyTo.clear(clears)) ?? answered();
    }
    if (command.type !== 'send-local-list') return answered();
    if (command.isFull) list.clear();
    for (const { idToken, accepted } of command.entries) {
      if (accepted === null) list.delete(idToken);
      else list.add(idToken);
    }
    messages += 1;
    return (await replyTo.list(messages)) ?? answered();
  };
  await holdCharger(api, uid, ({ command }) => take(command));
  const url = `/cpms/v1/chargers/${uuid}/local-list`;
  return {
    sql,
    list,
    cache,
    replyTo,
    token: async () => {
      const tag = await seedToken(sql, api.network.id);
      const [row] = await sql<{ uuid: string }[]>`select uuid from id_tokens where uid = ${tag}`;
      return { tag, url: `/cpms/v1/id-tokens/${row?.uuid}` };
    },
    push: () => api.call(key, { method: 'POST', url, payload: {} }),
    shown: () => api.call(key, { url }),
    invalidate: (token: { url: string }) => api.call(key, { method: 'DELETE', url: token.url }),
    block: (token: { url: string }) =>
      api.call(key, { method: 'PATCH', url: token.url, payload: { blocked: true } }),
    show: async (tag: string) => {
      const found = await findIdTokenFor(sql, { id, networkId: api.network.id }, tag);
      if (found?.isValid === true) cache.add(tag);
    },
    tell: async () => {
      const sender = new TokenChangeSender({ ...api.deps, log });
      await sender.look();
      await sender.stop();
    },
  };
}

void t.test('removes a token that is invalidated while a long list is sent', async (t) => {
  const keeper = await startKeeper(t);
  const [first, , last] = [await keeper.token(), await keeper.token(), await keeper.token()];
  keeper.replyTo.list = async (message) => {
    if (message !== 2) return null;
    for (const token of [first, last]) await keeper.invalidate(token);
    // Lists of hundreds of messages take longer than answers are on their way.
    await keeper.sql`update id_tokens set forget_since = forget_since - interval '121 seconds'
      where uid = ${last.tag}`;
    await keeper.tell();
    return null;
  };
  t.match(await keeper.push(), {
    status: 200,
    json: { data: { accepted: true, messages: 3, entryCount: 2 } },
  });
  await keeper.tell();
  t.notOk(keeper.list.has(last.tag), 'it was not sent any more');
  t.notOk(keeper.list.has(first.tag), 'it was taken out');
});

void t.test('removes a token whose invalidation waits for a list', async (t) => {
  const keeper = await startKeeper(t);
  const token = await keeper.token();
  const waiting = async () => {
    const [row] = await keeper.sql<{ n: number }[]>`
      select count(*)::integer as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    return row?.n ?? 0;
  };
  const asked: ReturnType<typeof keeper.push>[] = [];
  await keeper.sql.begin(async (transaction) => {
    await transaction`select from id_tokens where uid = ${token.tag} for no key update`;
    asked.push(keeper.invalidate(token));
    await until('the invalidation to wait', async () => (await waiting()) === 1);
    asked.push(keeper.push());
    await until(
      'the list to be sent or to wait',
      async () => keeper.list.has(token.tag) || (await waiting()) === 2,
    );
  });
  for (const answer of await Promise.all(asked)) t.equal(answer.status, 200);
  await keeper.tell();
  t.notOk(keeper.list.has(token.tag));
});

void t.test('counts a list without an answer as possibly stored', async (t) => {
  const keeper = await startKeeper(t);
  const token = await keeper.token();
  keeper.replyTo.list = async (message) =>
    message === 1 ? { ok: false, code: 'CHARGER_TIMEOUT', message: 'silent' } : null;
  t.equal((await keeper.push()).status, 504);
  t.ok(keeper.list.has(token.tag));
  t.match((await keeper.invalidate(token)).json, { data: { pendingChargers: { chargers: 1 } } });
  await keeper.tell();
  t.notOk(keeper.list.has(token.tag));
});

void t.test('counts a refused list as not stored', async (t) => {
  const keeper = await startKeeper(t);
  await keeper.token();
  await keeper.push();
  await keeper.token();
  const refusals: CommandReply[] = [
    answered({ accepted: false, status: 'Failed' }),
    { ok: false, code: 'CHARGER_REFUSED', message: 'no' },
  ];
  for (const refusal of refusals) {
    keeper.replyTo.list = async (message) => (message % 2 === 1 ? refusal : null);
    await keeper.push();
    t.match((await keeper.shown()).json, { entryCount: 1 }, 'as before');
  }
});

void t.test('counts a token used during a clearing as possibly cached', async (t) => {
  const keeper = await startKeeper(t);
  const [blocked, other] = [await keeper.token(), await keeper.token()];
  // Its Authorize overtakes the answer to ClearCache.
  keeper.replyTo.clear = async (clears) => {
    if (clears === 1) await keeper.show(other.tag);
    return null;
  };
  for (const { tag } of [blocked, other]) await keeper.show(tag);
  await keeper.block(blocked);
  await keeper.tell();
  t.same([...keeper.cache], [other.tag]);
  t.match((await keeper.invalidate(other)).json, { data: { pendingChargers: { chargers: 1 } } });
  await keeper.tell();
  t.same([...keeper.cache], []);
});

void t.test('writes the repeated use of a token once for each charger', async (t) => {
  const keeper = await startKeeper(t);
  const { tag } = await keeper.token();
  const row = () => keeper.sql`select xmin::text, xmax::text, ctid::text from id_token_caches`;
  await keeper.show(tag);
  const written = await row();
  t.equal(written.length, 1);
  await keeper.show(tag);
  t.same(await row(), written);
});

void t.test('a charger that does not answer delays no other', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const key = await mintKey(api);
  const [slow, quick] = [await seedCharger(sql, api.network.id), await seedCharger(sql, api.network.id)];
  const hanging = Promise.withResolvers<CommandReply>();
  const cleared: string[] = [];
  await api.shard.respond(gatewayChannel(api.shard.node), async (message) => {
    const { uid } = message as CommandRequest;
    cleared.push(uid);
    return uid === slow.uid ? hanging.promise : answered();
  });
  for (const { uid, uuid } of [slow, quick]) {
    await seedConnection(sql, uuid);
    await api.shard.presence.claim(uid, randomUUID());
  }
  const block = async (holder: SeededCharger) => {
    const tag = await seedToken(sql, api.network.id);
    await findIdTokenFor(sql, { id: holder.id, networkId: api.network.id }, tag);
    const [row] = await sql<{ uuid: string }[]>`select uuid from id_tokens where uid = ${tag}`;
    const url = `/cpms/v1/id-tokens/${row?.uuid}`;
    t.equal((await api.call(key, { method: 'PATCH', url, payload: { blocked: true } })).status, 200);
  };
  const sender = new TokenChangeSender({ ...api.deps, log });
  await block(slow);
  await sender.look();
  await until('the slow charger to be asked', async () => cleared.includes(slow.uid));
  await block(quick);
  await sql`update token_notices set next_at = now()`;
  await sender.look();
  await until('the other charger to be asked', async () => cleared.includes(quick.uid));
  const [notice] = await sql<{ attempts: number }[]>`
    select o.attempts from token_notices o join chargers c on c.id = o.charger_id where c.uid = ${slow.uid}`;
  t.equal(notice?.attempts, 1, 'a charger at work is not claimed once more');
  hanging.resolve(answered());
  await sender.stop();
  t.same(cleared, [slow.uid, quick.uid]);
});
