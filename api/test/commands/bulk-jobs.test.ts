import { randomUUID } from 'node:crypto';
import type { InjectOptions } from 'fastify';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { BulkJobWorker } from '#api/jobs/bulk-jobs.job.ts';
import {
  accepted,
  items,
  type Json,
  mintKey,
  startTestApi,
  type TestApi,
} from '#api/test/support/fixtures.ts';
import { type Bus, BusUnavailableError } from '#shared/bus/contract.ts';
import { type CommandReply, type CommandRequest, gatewayChannel } from '#shared/domain/commands/commands.ts';
import { claimItem } from '#shared/postgres/commands/bulk-job-work.ts';
import { seedLargeFleet } from '#shared/testing/large-fleet.ts';
import { until } from '#shared/testing/until.ts';

const url = '/cpms/v1/bulk-jobs';

interface Job {
  id: string;
  state: string;
}

/** 200 chargers, of which the gateway holds those whose number the filter accepts. */
async function startBulk(
  t: Test,
  {
    holds = () => true,
    reply = () => accepted,
  }: {
    holds?: (number: number) => boolean;
    reply?: (request: CommandRequest) => CommandReply | Promise<CommandReply>;
  } = {},
  chargers = 200,
) {
  const api = await startTestApi(t);
  await seedLargeFleet(api.stores.sql, api.network.id, { chargers });
  const sent: string[] = [];
  await api.shard.respond(gatewayChannel(api.shard.node), async (message) => {
    const request = message as CommandRequest;
    sent.push(request.uid);
    return reply(request);
  });
  for (let number = 1; number <= chargers; number += 1) {
    if (holds(number)) await api.shard.presence.claim(uidOf(number), randomUUID());
  }
  const key = await mintKey(api);
  const worker = new BulkJobWorker({ ...api.deps, log: pino({ level: 'silent' }) });
  t.teardown(() => worker.stop());
  return { api, key, worker, sent };
}

const uidOf = (number: number) => `FL-${String(number).padStart(6, '0')}`;
const numberOf = (uid: string) => Number(uid.slice(3));

async function create(api: TestApi, key: string, payload: object, options: InjectOptions = {}): Promise<Job> {
  const answer = await api.call(key, { method: 'POST', url, payload, ...options });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json['data'] as unknown as Job;
}

async function read(api: TestApi, key: string, job: Job): Promise<Job> {
  return (await api.call(key, { url: `${url}/${job.id}` })).json['data'] as unknown as Job;
}

/** Lets the worker do its work until the job is in a state. */
async function ended(api: TestApi, key: string, worker: BulkJobWorker, job: Job, state: string) {
  return until(`the job is ${state}`, async () => {
    await worker.look();
    const now = await read(api, key, job);
    return now.state === state ? now : undefined;
  });
}

async function results(api: TestApi, key: string, job: Job, query = ''): Promise<Json[]> {
  const rows: Json[] = [];
  let cursor = '';
  do {
    const path = `${url}/${job.id}/results?pageSize=100${query}${cursor}`;
    const { json } = await api.call(key, { url: path });
    rows.push(...items(json['data']));
    cursor = json['nextCursor'] === null ? '' : `&cursor=${json['nextCursor'] as unknown as string}`;
  } while (cursor !== '');
  return rows;
}

const refusal: CommandReply = {
  ...accepted,
  result: { accepted: false, status: 'Rejected', payload: {}, transactionId: null },
} as CommandReply;
const silence: CommandReply = { ok: false, code: 'CHARGER_TIMEOUT', message: 'No answer.' };

/** One charger in ten refuses, and one is silent. */
function mixedReply({ uid }: CommandRequest): CommandReply {
  if (numberOf(uid) % 10 === 1) return refusal;
  return numberOf(uid) % 10 === 2 ? silence : accepted;
}

void t.test('commands 200 chargers once each, and lists a result for each', async (t) => {
  const { api, key, worker, sent } = await startBulk(t, {
    holds: (number) => number % 4 !== 0,
    reply: mixedReply,
  });
  const job = await create(api, key, { action: 'reboot', filter: {}, concurrency: 20 });
  t.match(job, { state: 'QUEUED', total: 200, parameters: { kind: 'Soft' } });
  const done = await ended(api, key, worker, job, 'COMPLETED');
  t.match(done, {
    outcomes: {
      accepted: 120,
      rejected: 20,
      'timed-out': 10,
      offline: 50,
      queued: 0,
      running: 0,
      unknown: 0,
    },
  });
  t.equal(sent.length, 150);
  t.equal(new Set(sent).size, 150);
  const rows = await results(api, key, job);
  t.equal(rows.length, 200);
  t.match(rows[0], { uid: uidOf(1), outcome: 'rejected', answer: 'Rejected', errorCode: null });
  t.match(rows[1], { uid: uidOf(2), outcome: 'timed-out', errorCode: 'CHARGER_TIMEOUT' });
  t.match(rows[3], { uid: uidOf(4), outcome: 'offline', errorCode: 'CHARGER_OFFLINE' });
  t.equal((await results(api, key, job, '&outcome=offline')).length, 50);
  const [audited] = await api.stores.sql`
    select count(*)::integer as entries from audit_log
    where category = 'command' and details ->> 'bulkJobId' = ${job.id}`;
  t.equal(audited?.['entries'], 200);
});

void t.test('counts the chargers of a dry run, and sends nothing', async (t) => {
  const { api, key, worker, sent } = await startBulk(t);
  const payload = { action: 'reboot', filter: { state: 'faulted' }, dryRun: true };
  const answer = await api.call(key, { method: 'POST', url, payload });
  t.match(answer, { status: 200, json: { data: { total: 6, isDryRun: true } } });
  await worker.look();
  t.match(await api.call(key, { url }), { json: { data: [] } });
  t.equal(sent.length, 0);
});

void t.test('sends no more commands at the same time than the job allows', async (t) => {
  let inProgress = 0;
  let highest = 0;
  const answered = Promise.withResolvers<void>();
  const reply = async () => {
    inProgress += 1;
    highest = Math.max(highest, inProgress);
    await answered.promise;
    // The next command of either worker may come meanwhile.
    await api.stores.sql`select 1`;
    inProgress -= 1;
    return accepted;
  };
  const { api, key, worker, sent } = await startBulk(t, { reply }, 60);
  const second = new BulkJobWorker({ ...api.deps, log: pino({ level: 'silent' }) });
  t.teardown(() => second.stop());
  const job = await create(api, key, { action: 'reboot', filter: {}, concurrency: 3 });
  await Promise.all([worker.look(), second.look()]);
  await until('three commands are sent', () => sent.length === 3);
  await Promise.all([worker.look(), second.look()]);
  t.equal(sent.length, 3, 'no further one before an answer');
  answered.resolve();
  await ended(api, key, worker, job, 'COMPLETED');
  t.equal(highest, 3);
});

void t.test('cancels a job: no further command is sent', async (t) => {
  const { promise: first, resolve: answer } = Promise.withResolvers<CommandReply>();
  const { api, key, worker, sent } = await startBulk(t, { reply: () => first }, 20);
  const job = await create(api, key, { action: 'reboot', filter: {}, concurrency: 2 });
  await worker.look();
  await until('two commands are sent', async () => sent.length === 2 || undefined);
  const cancel = { method: 'POST', url: `${url}/${job.id}/cancel` } as const;
  t.match(await api.call(key, cancel), {
    status: 200,
    json: { data: { state: 'CANCELLED', outcomes: { cancelled: 18, running: 2 } } },
  });
  t.match(await api.call(key, cancel), { status: 409, json: { error: { code: 'BULK_JOB_ENDED' } } });
  answer(accepted);
  await worker.stop();
  t.match(await read(api, key, job), { state: 'CANCELLED', outcomes: { cancelled: 18, accepted: 2 } });
  t.equal(sent.length, 2);
});

void t.test('stops after the given number of failures', async (t) => {
  const { api, key, worker, sent } = await startBulk(t, { reply: () => refusal }, 30);
  const job = await create(api, key, { action: 'reboot', filter: {}, concurrency: 1, stopAfterFailures: 4 });
  const done = await ended(api, key, worker, job, 'STOPPED');
  t.match(done, { stopReason: 'FAILURES', outcomes: { rejected: 4, cancelled: 26 } });
  t.equal(sent.length, 4);
});

void t.test('continues the job of a process that died, and repeats no command', async (t) => {
  const { api, key, worker, sent } = await startBulk(t, {}, 10);
  const { sql } = api.stores;
  const job = await create(api, key, { action: 'reboot', filter: {} });
  const [row] = await sql<{ id: number }[]>`select id from bulk_jobs`;
  const claimed = await claimItem(sql, row?.id ?? 0);
  t.ok(claimed, 'another process claims a charger, and dies');
  await worker.look();
  await until('the others have answered', async () =>
    (await results(api, key, job, '&outcome=accepted')).length === 9 ? true : undefined,
  );
  await sql`update bulk_job_items set started_at = now() - interval '2 minutes' where outcome = 'running'`;
  const done = await ended(api, key, worker, job, 'COMPLETED');
  t.match(done, { outcomes: { accepted: 9, unknown: 1 } });
  t.equal(sent.length, 9);
  t.match(await results(api, key, job, '&outcome=unknown'), [{ uid: uidOf(1), outcome: 'unknown' }]);
});

void t.test('queues a charger again while the bus is away, since nothing was sent', async (t) => {
  const { api, key, worker, sent } = await startBulk(t, {}, 5);
  const presence = { lookup: () => Promise.reject(new BusUnavailableError('closed')) };
  const bus = { presence } as unknown as Bus;
  const cutOff = new BulkJobWorker({ ...api.deps, bus, log: pino({ level: 'silent' }) });
  const job = await create(api, key, { action: 'reboot', filter: {} });
  await cutOff.look();
  await cutOff.stop();
  t.match(
    await results(api, key, job, '&outcome=queued'),
    Array.from({ length: 5 }, () => ({ outcome: 'queued' })),
  );
  t.match(await ended(api, key, worker, job, 'COMPLETED'), { outcomes: { accepted: 5, unknown: 0 } });
  t.equal(sent.length, 5);
});

void t.test('stops when the key of its creator is revoked or loses the scope', async (t) => {
  const { api, key, worker, sent } = await startBulk(t, {}, 10);
  const { sql } = api.stores;
  for (const [change, code] of [
    [sql`update api_keys set revoked_at = now() where name = 'creator'`, 'KEY_REVOKED'],
    [sql`update api_keys set scopes = '{cpms:read}' where name = 'creator'`, 'SCOPE_MISSING'],
    [sql`update api_keys set expires_at = now() where name = 'creator'`, 'KEY_EXPIRED'],
  ] as const) {
    const creator = await mintKey(api, { name: 'creator' });
    const job = await create(api, creator, { action: 'reboot', filter: {}, concurrency: 2 });
    await change;
    const done = await ended(api, key, worker, job, 'STOPPED');
    t.match(done, { stopReason: 'CREATOR_NOT_ALLOWED' });
    t.ok((await results(api, key, job, '&outcome=cancelled')).length >= 8);
    t.match((await results(api, key, job, '&outcome=skipped'))[0], { errorCode: code });
    await sql`update api_keys set name = 'past' where name = 'creator'`;
  }
  t.equal(sent.length, 0);
});

void t.test('skips chargers that left the networks of the creator', async (t) => {
  const { api, key, worker, sent } = await startBulk(t, {}, 10);
  const job = await create(api, key, { action: 'reboot', filter: {} });
  await api.stores.sql`
    update chargers set network_id = ${api.otherNetwork.id} where uid in (${uidOf(3)}, ${uidOf(4)})`;
  const done = await ended(api, key, worker, job, 'COMPLETED');
  t.match(done, { outcomes: { accepted: 8, skipped: 2 } });
  t.notOk(sent.includes(uidOf(3)));
});

void t.test('creates one job for two requests with the same Idempotency-Key', async (t) => {
  const { api, key } = await startBulk(t, {}, 5);
  const options = { headers: { 'idempotency-key': randomUUID() } };
  const first = await create(api, key, { action: 'reboot', filter: {} }, options);
  const second = await create(api, key, { action: 'reboot', filter: {} }, options);
  t.equal(second.id, first.id);
  t.equal(items((await api.call(key, { url })).json['data']).length, 1);
});

void t.test('masks secrets of parameters and sends them', async (t) => {
  const values: unknown[] = [];
  const reply = ({ command }: CommandRequest) => {
    values.push(command);
    return accepted;
  };
  const { api, key, worker } = await startBulk(t, { reply }, 1);
  const parameters = { key: 'AuthorizationKey', value: 'very-secret-value' };
  const job = await create(api, key, { action: 'change-configuration', parameters, filter: {} });
  await ended(api, key, worker, job, 'COMPLETED');
  t.match(values, [{ type: 'change-configuration', ...parameters }]);
  t.notMatch(JSON.stringify(await read(api, key, job)), /very-secret/);
  const [stored] = await api.stores.sql`select parameters::text as parameters from bulk_jobs`;
  t.notMatch(stored?.['parameters'], /very-secret/);
});

void t.test('hides a job from keys of other networks, and needs the scope of its command', async (t) => {
  const { api, key } = await startBulk(t, {}, 5);
  const other = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const reader = await mintKey(api, { scopes: ['cpms:read'] });
  const job = await create(api, key, { action: 'reboot', filter: {} });
  const path = `${url}/${job.id}`;
  const missing = { status: 404, json: { error: { code: 'BULK_JOB_NOT_FOUND' } } };
  t.match(await api.call(other, { url: path }), missing);
  t.match(await api.call(other, { url: `${path}/results` }), missing);
  t.match(await api.call(other, { method: 'POST', url: `${path}/cancel` }), missing);
  t.strictSame((await api.call(other, { url })).json['data'], []);
  const lacks = { status: 403, json: { error: { code: 'SCOPE_MISSING' } } };
  const payload = { action: 'reboot', filter: {} };
  t.match(await api.call(reader, { method: 'POST', url, payload }), lacks);
  t.match(await api.call(reader, { method: 'POST', url, payload: { ...payload, dryRun: true } }), lacks);
  t.match(await api.call(reader, { method: 'POST', url: `${path}/cancel` }), lacks);
  t.match(await api.call(reader, { url: path }), { status: 200 });
  t.equal((await api.call(null, { url: path })).status, 401);
  const named = await api.stores.sql<{ uuid: string }[]>`select uuid from chargers limit 2`;
  const chargerUuids = named.map(({ uuid }) => uuid);
  t.match(await api.call(other, { method: 'POST', url, payload: { action: 'reboot', chargerUuids } }), {
    status: 404,
    json: { error: { code: 'CHARGER_NOT_FOUND' } },
  });
});

void t.test('lists the jobs of a network, page by page', async (t) => {
  const { api } = await startBulk(t, {}, 2);
  const { sql } = api.stores;
  await sql`update chargers set network_id = ${api.otherNetwork.id} where uid = ${uidOf(2)}`;
  const key = await mintKey(api, { networkIds: [api.network.id, api.otherNetwork.id] });
  const reboot = (uid: string) => create(api, key, { action: 'reboot', filter: { search: uid } });
  const [first, second] = [await reboot(uidOf(1)), await reboot(uidOf(2))];
  const both = await create(api, key, { action: 'reboot', filter: {} });
  const idsOf = async (query: string) => {
    const { json } = await api.call(key, { url: `${url}?${query}` });
    return { ids: items(json['data']).map(({ id }) => id), next: json['nextCursor'] };
  };
  t.same((await idsOf('')).ids, [both.id, second.id, first.id]);
  t.same((await idsOf(`networkUuid=${api.network.uuid}`)).ids, [both.id, first.id]);
  const page = await idsOf(`networkUuid=${api.otherNetwork.uuid}&pageSize=1`);
  t.same(page.ids, [both.id]);
  const rest = `networkUuid=${api.otherNetwork.uuid}&pageSize=1&cursor=${page.next as unknown as string}`;
  t.same(await idsOf(rest), { ids: [second.id], next: null });
  const own = await mintKey(api, { networkIds: [api.network.id] });
  t.match(await api.call(own, { url: `${url}?networkUuid=${api.otherNetwork.uuid}` }), {
    status: 404,
    json: { error: { code: 'NETWORK_NOT_FOUND' } },
  });
});

void t.test('rejects parameters that the action lacks or does not take', async (t) => {
  const { api, key } = await startBulk(t, {}, 1);
  for (const payload of [
    { action: 'reboot' },
    { action: 'reboot', filter: {}, chargerUuids: [randomUUID()] },
    { action: 'reboot', filter: { search: 'no such charger' } },
    { action: 'reboot', filter: {}, parameters: { key: 'a' } },
    { action: 'unlock-connector', filter: {} },
    { action: 'update-firmware', filter: {} },
    { action: 'erase', filter: {} },
  ]) {
    const answer = await api.call(key, { method: 'POST', url, payload });
    t.match(answer, { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } }, JSON.stringify(payload));
  }
});
