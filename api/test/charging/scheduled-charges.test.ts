import { randomUUID } from 'node:crypto';
import t from 'tap';
import { runScheduledCharge } from '#api/services/charging/scheduled-runs.ts';
import type { CommandReply } from '#shared/domain/commands/commands.ts';
import { expireRemoteStarts } from '#shared/postgres/charging/remote-starts.statements.ts';
import { seedToken } from '#shared/testing/seed.ts';
import {
  beginSession,
  post,
  publicCharger,
  refusal,
  rejected,
  text,
} from '#api/test/support/charging-drivers.ts';
import { addDriver } from '#api/test/support/drivers.ts';
import { accepted, items, type Json, mintKey, startTestApi } from '#api/test/support/fixtures.ts';
import { endSession } from '#api/test/support/records.ts';

const soon = (ms = 3_600_000) => new Date(Date.now() + ms).toISOString();

void t.test('schedules, lists and cancels charges of a driver', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const driver = await addDriver(api);
  const other = await addDriver(api, 0n, 'bob@example.org');
  const charger = await publicCharger(api, undefined, 2);
  const schedule = (body: object = {}, key: string | null = driver.key) =>
    post(api, key, 'schedule', {
      chargerId: charger.uuid,
      connectorNumber: 2,
      startTime: soon(),
      ...body,
    });
  const list = (query = '', key: string | null = driver.key) =>
    api.call(key, { url: `/emsp/v1/charging/schedules${query}` });
  const cancel = (id: string, key: string | null = driver.key) =>
    api.call(key, { method: 'DELETE', url: `/emsp/v1/charging/schedule/${id}` });

  const startTime = soon();
  const made = await schedule({ startTime, windowMinutes: 60, maxCost: 12.5 });
  t.match(made, {
    status: 201,
    json: {
      status: 'scheduled',
      chargerUid: charger.uid,
      connectorNumber: 2,
      locationName: 'Harbour',
      idTag: /^APP-/,
      startTime,
      windowEndsAt: new Date(Date.parse(startTime) + 3_600_000).toISOString(),
      limits: { maxCost: 12.5, maxEnergyKwh: null, maxDurationMinutes: null },
      sessionId: null,
      problem: null,
    },
  });
  const [job] = await sql`
    select payload, attempts, due_at from queued_jobs where name = 'scheduled-charge'`;
  t.match(job, { payload: { uuid: text(made.json['id']) }, attempts: 0, due_at: new Date(startTime) });
  for (const wrong of [
    { startTime: soon(-1000) },
    { startTime: soon(31 * 86_400_000) },
    { startTime: 'tomorrow' },
    { startTime: undefined },
    { windowMinutes: 0 },
    { windowMinutes: 241 },
  ]) {
    t.match(await schedule(wrong), refusal('VALIDATION_FAILED'), JSON.stringify(wrong));
  }
  t.match(await schedule({ chargerId: randomUUID() }), refusal('CHARGER_NOT_FOUND', 404));
  t.match(await schedule({ connectorNumber: 9 }), refusal('CONNECTOR_NOT_FOUND', 404));
  t.match(await schedule({ idTag: 'NOBODY' }), refusal('ID_TOKEN_NOT_FOUND', 404));
  const blocked = await seedToken(sql, api.network.id, { userId: driver.user.id, isValid: false });
  t.match(await schedule({ idTag: blocked }), refusal('ID_TOKEN_BLOCKED', 403));
  const operator = await mintKey(api, { apiFamily: 'emsp' });
  t.match(await schedule({}, operator), refusal('DRIVER_KEY_REQUIRED', 403));
  t.match(await list('', operator), refusal('DRIVER_KEY_REQUIRED', 403));
  t.match(await schedule({}, null), refusal('KEY_MISSING', 401));

  const key = { 'idempotency-key': randomUUID() };
  const later = { chargerId: charger.uuid, connectorNumber: 1, startTime: soon(7_200_000) };
  const second = await post(api, driver.key, 'schedule', later, key);
  t.same((await post(api, driver.key, 'schedule', later, key)).json, second.json);
  t.match(await list(), { json: { data: [second.json, made.json], pagination: { total: 2 } } });
  t.match(await list('', other.key), { json: { data: [], pagination: { total: 0 } } });

  const id = text(made.json['id']);
  t.match(await cancel(id, other.key), refusal('SCHEDULE_NOT_FOUND', 404), 'another driver');
  t.match(await cancel(id, operator), refusal('DRIVER_KEY_REQUIRED', 403));
  t.match(await cancel(randomUUID()), refusal('SCHEDULE_NOT_FOUND', 404));
  t.match(await cancel('x'), refusal('VALIDATION_FAILED'));
  t.match(await cancel(id), { status: 204, text: '' });
  t.match(await cancel(id), refusal('SCHEDULE_NOT_FOUND', 404), 'again');
  t.match(await list('?status=cancelled'), { json: { pagination: { total: 1 } } });
  await runScheduledCharge(api.deps, id);
  t.equal(charger.taken.length, 0, 'one that was cancelled is not started');
  const audited = await sql`
    select action from audit_log where category = 'scheduled-charge' order by id`;
  t.same(
    audited.map(({ action }) => action as string),
    ['create', 'create', 'cancel'],
  );

  const many = await Promise.all(Array.from({ length: 22 }, () => schedule()));
  t.equal(many.filter(({ status }) => status === 201).length, 19, '20 may be to come');
  t.match(await schedule(), refusal('SCHEDULE_FULL'));
});

void t.test('starts a scheduled charge once, retries it and reports its failure', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const driver = await addDriver(api, 1000n);
  await sql`update users set language = 'nl' where id = ${driver.user.id}`;
  let reply: CommandReply = rejected;
  const charger = await publicCharger(api, () => reply);
  const schedule = async (windowMinutes = 15) => {
    const wanted = { chargerId: charger.uuid, startTime: soon(), windowMinutes, maxEnergyKwh: 9 };
    const { json } = await post(api, driver.key, 'schedule', wanted);
    const id = text(json['id']);
    // Its time has come.
    await sql`
      update scheduled_charges set start_at = now(), window_ends_at = now() + (window_ends_at - start_at) where uuid = ${id}`;
    return id;
  };
  const windowPasses = () => sql`
    update scheduled_charges set start_at = now() - interval '1 hour', window_ends_at = now()`;
  const run = (id: string) => runScheduledCharge(api.deps, id);
  const shown = async () => {
    const answer = await api.call(driver.key, { url: '/emsp/v1/charging/schedules?pageSize=1' });
    return items(answer.json['data'])[0];
  };
  const mails = () => sql`select kind, recipient, subject, body_text from mails order by id`;

  const first = await schedule();
  await t.rejects(run(first), { name: 'NotThereYet' });
  t.match(await shown(), { status: 'starting', problem: { code: 'START_REFUSED' } });
  reply = accepted;
  const again = await Promise.allSettled([run(first), run(first), run(first)]);
  t.equal(
    again.every(({ status }) => status === 'rejected'),
    true,
  );
  t.equal(charger.taken.length, 2, 'refused, and then asked once');
  t.match(await shown(), { status: 'starting', problem: null });
  t.match(
    await api.call(driver.key, { method: 'DELETE', url: `/emsp/v1/charging/schedule/${first}` }),
    refusal('SCHEDULE_NOT_FOUND', 404),
    'the request was sent',
  );
  await t.rejects(run(first), { name: 'NotThereYet' });
  const [start] = await sql`
    select id_token as "idTag", evse as "connectorNumber" from remote_starts where status = 'pending'`;
  const session = await beginSession(api, charger, start as unknown as Json, driver.user.id);
  t.match(await shown(), { status: 'started', sessionId: session.uuid });
  await run(first);
  await run(first);
  t.equal(charger.taken.length, 2);
  t.match(await shown(), { status: 'started', sessionId: session.uuid, problem: null });
  const [command] = await sql`
    select user_name from audit_log where category = 'command' order by id desc limit 1`;
  t.match(command, { user_name: 'scheduled-charges' });

  await t.test('notifies a driver who already charges when the window has passed', async (t) => {
    const busy = await schedule();
    await t.rejects(run(busy), { name: 'NotThereYet' });
    t.match(await shown(), { status: 'starting', problem: { code: 'CONNECTOR_UNAVAILABLE' } });
    await windowPasses();
    await run(busy);
    await run(busy);
    t.match(await shown(), { status: 'failed', problem: { code: 'CONNECTOR_UNAVAILABLE' } });
    t.match(await mails(), [
      {
        kind: 'scheduled-charge-failed',
        recipient: 'ada@example.org',
        subject: `Uw geplande laadsessie bij ${charger.uid} is niet gestart`,
        body_text: /De aansluiting was bezet/,
      },
    ]);
  });
  await endSession(sql, session, 1000);

  await t.test('repeats the start while no car arrives and notifies the driver at the end', async (t) => {
    const id = await schedule();
    const before = charger.taken.length;
    await t.rejects(run(id), { name: 'NotThereYet' });
    await sql`update remote_starts set expires_at = now() where status = 'pending'`;
    await expireRemoteStarts(sql);
    await t.rejects(run(id), { name: 'NotThereYet' });
    t.equal(charger.taken.length, before + 2);
    await windowPasses();
    await t.rejects(run(id), { name: 'NotThereYet' }, 'the last start still waits for its session');
    await sql`update remote_starts set expires_at = now() where status = 'pending'`;
    await run(id);
    t.match(await shown(), { status: 'failed', problem: { code: 'START_EXPIRED' } });
    t.match((await mails()).at(-1), { body_text: /geen voertuig aangesloten/ });
  });

  await t.test('fails at once for a permanent error', async (t) => {
    const id = await schedule();
    await sql`update id_tokens set is_valid = false`;
    await run(id);
    t.match(await shown(), { status: 'failed', problem: { code: 'ID_TOKEN_BLOCKED' } });
    await sql`update id_tokens set is_valid = true`;
    const missed = await schedule();
    await windowPasses();
    await run(missed);
    t.match(await shown(), { status: 'failed', problem: { code: 'START_MISSED' } });
    const gone = await schedule();
    await sql`update chargers set is_public = false`;
    await run(gone);
    t.match(await shown(), { status: 'failed', problem: { code: 'CHARGER_NOT_FOUND' } });
    await sql`update chargers set is_public = true`;
    t.equal((await mails()).length, 5);
  });

  await t.test('sends no notification when the driver was removed', async (t) => {
    const id = await schedule();
    await sql`update users set deleted_at = now()`;
    await run(id);
    t.match(await shown(), { status: 'cancelled' });
    t.equal((await mails()).length, 5);
  });
});
