import { randomUUID } from 'node:crypto';
import t from 'tap';
import { stopCharging } from '#api/services/charging/charging-stops.ts';
import type { CommandReply } from '#shared/domain/commands/commands.ts';
import { connectionTimeoutMs } from '#shared/domain/charging/remote-start.ts';
import { lockSession } from '#shared/postgres/charging/sessions.statements.ts';
import { seedCharger, seedToken } from '#shared/testing/seed.ts';
import { until, untilSettled } from '#shared/testing/until.ts';
import {
  beginSession,
  post,
  publicCharger,
  refusal,
  rejected,
  text,
} from '#api/test/support/charging-drivers.ts';
import { addDriver } from '#api/test/support/drivers.ts';
import { accepted, type Answer, mintKey, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { addTariff, endSession } from '#api/test/support/records.ts';

void t.test('starts, reads and stops a session for a driver with the app token', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  await addTariff(sql, api.network.id);
  const driver = await addDriver(api, 2000n);
  const charger = await publicCharger(api);
  const started = await post(api, driver.key, 'start', { chargerId: charger.uuid, maxEnergyKwh: 12 });
  t.match(started, {
    status: 200,
    json: { status: 'pending', chargerId: charger.uuid, connectorNumber: 1, sessionId: null },
  });
  const idTag = text(started.json['idTag']);
  t.match(idTag, /^APP-[0-9A-F]{16}$/, 'of 20 characters, as 1.6 takes them');
  t.match(charger.taken, [
    { command: { type: 'remote-start', idToken: idTag, startUuid: text(started.json['id']) } },
  ]);
  t.match(await driver.shown(), { available: 15, held: 5 });
  const [limits] = await sql`select max_energy_wh from remote_starts`;
  t.equal(limits?.['max_energy_wh'], 12_000);
  const follow = (key: string | null = driver.key) =>
    api.call(key, { url: `/emsp/v1/charging/starts/${text(started.json['id'])}` });
  t.same((await follow()).json, started.json);

  const session = await beginSession(api, charger, started.json, driver.user.id);
  t.match(await follow(), { json: { status: 'started', sessionId: session.uuid } });
  const elsewhere = await seedCharger(sql, api.network.id, { connectors: 1 });
  await sql`
    update chargers set location_id = ${charger.location.id}, is_public = true where id = ${elsewhere.id}`;
  await api.shard.presence.claim(elsewhere.uid, randomUUID());
  t.match(await post(api, driver.key, 'start', { chargerId: elsewhere.uuid }), {
    ...refusal('ID_TOKEN_IN_USE'),
    json: { code: 'ID_TOKEN_IN_USE', details: { sessionId: session.uuid } },
  });
  const other = await addDriver(api, 2000n, 'bob@example.org');
  t.match(await post(api, other.key, 'start', { chargerId: charger.uuid }), refusal('CONNECTOR_UNAVAILABLE'));
  t.match(await follow(other.key), refusal('START_NOT_FOUND', 404), 'another driver');
  const south = await mintKey(api, { apiFamily: 'emsp', networkIds: [api.otherNetwork.id] });
  t.match(await follow(south), refusal('START_NOT_FOUND', 404), 'another network');
  t.match(await follow(await mintKey(api, { apiFamily: 'emsp' })), { status: 200 }, 'the operator');
  t.match(await follow(null), refusal('KEY_MISSING', 401));

  const stop = (key: string | null, sessionId = session.uuid) => post(api, key, 'stop', { sessionId });
  t.match(await stop(other.key), refusal('SESSION_NOT_FOUND', 404));
  t.match(await stop(driver.key, randomUUID()), refusal('SESSION_NOT_FOUND', 404));
  t.match(await stop(null), refusal('KEY_MISSING', 401));
  t.match(await post(api, driver.key, 'stop', {}), refusal('VALIDATION_FAILED'));
  const stopping = stop(driver.key);
  // The charger's own stop comes while the answer waits for it.
  await until('the stop', async () => (await status(api, session)) === 'STOPPING');
  await sql`update sessions set started_at = now() - interval '1 hour'`;
  await endSession(sql, session, 5000);
  t.match(await stopping, {
    status: 200,
    json: {
      id: session.uuid,
      status: 'COMPLETED',
      energyKwh: 5,
      cost: { isFinal: true, totalInclVat: 4.24 },
    },
  });
  t.match(await stop(driver.key), refusal('SESSION_NOT_RUNNING'));
  const again = await post(api, driver.key, 'start', { chargerId: charger.uuid, connectorNumber: 1 });
  t.match(again, { status: 200, json: { idTag } }, 'the app has one token');
  const [audit] = await sql`
    select count(*)::integer as count from audit_log where category = 'id-token' and action = 'create'`;
  t.equal(audit?.['count'], 1);
});

async function status(api: TestApi, session: { uuid: string }) {
  const [row] = await api.stores.sql`select status from sessions where uuid = ${session.uuid}`;
  return row?.['status'] as string;
}

void t.test('rejects a start with the code of its obstacle and holds no money', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const driver = await addDriver(api, 600n);
  const other = await addDriver(api, 100n, 'bob@example.org');
  let reply: CommandReply = rejected;
  const charger = await publicCharger(api, () => reply, 2);
  const start = (body: object = {}, key: string | null = driver.key) =>
    post(api, key, 'start', { chargerId: charger.uuid, connectorNumber: 2, ...body });
  const untouched = async (what: string) => {
    t.match(await driver.shown(), { available: 6, held: 0 }, what);
    const [pending] =
      await sql`select count(*)::integer as count from remote_starts where status = 'pending'`;
    t.equal(pending?.['count'], 0, what);
  };

  t.match(await start({}, null), refusal('KEY_MISSING', 401));
  t.match(await start({}, await mintKey(api)), refusal('API_FAMILY_MISMATCH', 403));
  for (const wrong of [
    { connectorNumber: 0 },
    { maxCost: -1 },
    { idTag: 'x'.repeat(256) },
    { chargerId: 'x' },
    { nothing: 1 },
  ]) {
    t.match(await start(wrong), refusal('VALIDATION_FAILED'), JSON.stringify(wrong));
  }
  t.match(
    await post(api, driver.key, 'start', { chargerId: charger.uuid }),
    refusal('VALIDATION_FAILED'),
    'which of two connectors',
  );
  t.match(await start({ connectorNumber: 3 }), refusal('CONNECTOR_NOT_FOUND', 404));
  t.match(await start({ connectorId: randomUUID() }), refusal('CONNECTOR_NOT_FOUND', 404));
  t.match(await start({ chargerId: randomUUID() }), refusal('CHARGER_NOT_FOUND', 404));
  await sql`update locations set is_published = false`;
  t.match(await start(), refusal('CHARGER_NOT_FOUND', 404), 'not published');
  await sql`update locations set is_published = true`;
  const south = await mintKey(api, { apiFamily: 'emsp', networkIds: [api.otherNetwork.id] });
  t.match(await start({ idTag: 'X' }, south), refusal('CHARGER_NOT_FOUND', 404), 'another network');

  const off = await seedCharger(sql, api.network.id, { connectors: 1 });
  await sql`update chargers set location_id = ${charger.location.id}, is_public = true where id = ${off.id}`;
  t.match(await start({ chargerId: off.uuid }), refusal('CHARGER_UNAVAILABLE'), 'offline');
  for (const broken of ['Faulted', 'Unavailable', 'Charging', 'SuspendedEVSE', 'Reserved']) {
    await sql`update connectors set status = ${broken} where number = 2`;
    t.match(await start(), refusal('CONNECTOR_UNAVAILABLE'), broken);
  }
  await sql`update connectors set status = 'Preparing' where number = 2`;

  const foreign = await seedToken(sql, api.network.id, { userId: other.user.id });
  t.match(await start({ idTag: foreign }), refusal('ID_TOKEN_NOT_FOUND', 404), "another driver's");
  t.match(await start({ idTag: 'NOBODY' }), refusal('ID_TOKEN_NOT_FOUND', 404));
  const userId = driver.user.id;
  const blocked = await seedToken(sql, api.network.id, { userId, isValid: false });
  const expired = await seedToken(sql, api.network.id, { userId, expiresAt: new Date(0) });
  t.match(await start({ idTag: blocked }), refusal('ID_TOKEN_BLOCKED', 403));
  t.match(await start({ idTag: expired }), refusal('ID_TOKEN_BLOCKED', 403));
  await untouched('nothing was asked');
  t.equal(charger.taken.length, 0);
  t.match(await start({}, other.key), {
    ...refusal('BALANCE_TOO_LOW', 402),
    json: { details: { needed: 5, currency: 'EUR' } },
  });
  t.equal(charger.taken.length, 0);
  t.strictSame(
    [...(await sql`select id from remote_starts`)],
    [],
    'a start that was never sent leaves no row',
  );

  t.match(await start(), refusal('START_REFUSED'));
  await untouched('the charger said no');
  reply = { ok: false, code: 'CHARGER_REFUSED', message: 'x' };
  t.match(await start(), refusal('CHARGER_REFUSED', 502));
  reply = { ok: false, code: 'COMMAND_NOT_SUPPORTED', message: 'x' };
  t.match(await start(), refusal('START_REFUSED'));
  reply = { ok: false, code: 'CHARGER_OFFLINE', message: 'x' };
  t.match(await start(), refusal('CHARGER_UNAVAILABLE'), 'the socket was lost');
  await untouched('the charger failed');
  const [{ uuid } = { uuid: '' }] = await sql<{ uuid: string }[]>`
    update id_tokens set is_valid = false where type = 'APP_USER' and user_id = ${userId} returning uuid`;
  const removal = { method: 'DELETE', url: `/emsp/v1/auth/tokens/${uuid}` } as const;
  t.match(await api.call(driver.key, removal), refusal('ID_TOKEN_BLOCKED', 403));
  t.match(await start(), refusal('ID_TOKEN_BLOCKED', 403), 'no new token for one that was blocked');

  const own = await seedToken(sql, api.network.id, { userId });
  await sql`update connectors set status = 'Reserved' where number = 2`;
  await sql`
    insert into reservations (charger_id, reservation_id, evse, id_token, expires_at)
    values (${charger.id}, 1, 2, ${own.toLowerCase()}, now() + interval '1 hour')`;
  reply = { ok: false, code: 'CHARGER_TIMEOUT', message: 'x' };
  t.match(await start({ idTag: own }), refusal('CHARGER_TIMEOUT', 504), 'reserved for this token');
  t.match(await driver.shown(), { held: 5 }, 'a silent charger may begin: the hold and the start wait');
  t.match(await start({ idTag: own, connectorNumber: 1 }), refusal('START_IN_PROGRESS'));
  await sql`update remote_starts set expires_at = now() where status = 'pending'`;
  reply = accepted;
  t.match(
    await start({ idTag: own, connectorNumber: 1 }),
    { status: 200 },
    'an expired start and its hold block no other start',
  );
  t.match(await driver.shown(), { available: 1, held: 5 });
});

const codes = (answers: Answer[]) =>
  answers.map(({ status, json }) => (status === 200 ? 'started' : text(json['code']))).toSorted();

void t.test('accepts one of two concurrent starts, and starts once for a repeated request', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  let held: Promise<void> = Promise.resolve();
  const one = await publicCharger(
    api,
    async () => {
      await held;
      return accepted;
    },
    2,
  );
  const [ada, bob] = [await addDriver(api, 10_000n), await addDriver(api, 10_000n, 'bob@example.org')];
  const start = (key: string, connectorNumber: number) =>
    post(api, key, 'start', { chargerId: one.uuid, connectorNumber });
  /** Sends two starts at the same time. The charger answers when one of them was refused. */
  const race = async (...both: (readonly [key: string, connectorNumber: number])[]) => {
    const refused = Promise.withResolvers<void>();
    held = refused.promise;
    const answers = both.map(([key, connectorNumber]) => start(key, connectorNumber));
    await untilSettled('a refusal', Promise.race(answers));
    refused.resolve();
    return codes(await Promise.all(answers));
  };
  t.same(await race([ada.key, 1], [ada.key, 2]), ['START_IN_PROGRESS', 'started']);
  t.match(await ada.shown(), { held: 5 });
  await sql`update remote_starts set status = 'expired' where status = 'pending'`;
  t.same(await race([ada.key, 1], [bob.key, 1]), ['START_IN_PROGRESS', 'started']);
  t.equal(one.taken.length, 2, 'the charger received only the commands of the winners');
  await sql`update remote_starts set status = 'expired' where status = 'pending'`;

  const key = { 'idempotency-key': randomUUID() };
  const send = () => post(api, ada.key, 'start', { chargerId: one.uuid, connectorNumber: 1 }, key);
  const first = await send();
  t.match(first, { status: 200 });
  t.same((await send()).json, first.json);
  t.equal(one.taken.length, 3);
  const [row] = await sql`
    select extract(epoch from expires_at - requested_at)::float as seconds from remote_starts where status = 'pending'`;
  t.ok(Number(row?.['seconds']) >= connectionTimeoutMs / 1000);
});

void t.test('charges the driver of the token that an operator starts with', async (t) => {
  const api = await startTestApi(t);
  const driver = await addDriver(api, 1000n);
  const charger = await publicCharger(api);
  await api.stores.sql`update chargers set is_public = false`;
  const key = await mintKey(api, { apiFamily: 'emsp' });
  const start = (idTag?: string) => post(api, key, 'start', { chargerId: charger.uuid, idTag });
  t.match(await start(), refusal('VALIDATION_FAILED'));
  const idTag = await seedToken(api.stores.sql, api.network.id, { userId: driver.user.id });
  t.match(await start(idTag), { status: 200, json: { idTag } });
  t.match(await driver.shown(), { held: 5 });
  const another = await seedToken(api.stores.sql, api.network.id);
  t.match(await start(another), refusal('START_IN_PROGRESS'), 'the connector is taken');
  await api.stores.sql`update remote_starts set expires_at = now()`;
  t.match(await start(another), { status: 200 }, 'a token without a driver needs no wallet');
});

void t.test('limits the wait for a missing stop', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const driver = await addDriver(api, 1000n);
  let reply: CommandReply = rejected;
  const charger = await publicCharger(api, (request) =>
    request.command.type === 'remote-start' ? accepted : reply,
  );
  const { json } = await post(api, driver.key, 'start', { chargerId: charger.uuid });
  const session = await beginSession(api, charger, json, driver.user.id);
  const stop = () => post(api, driver.key, 'stop', { sessionId: session.uuid });
  t.match(await stop(), refusal('STOP_REFUSED'));
  reply = { ok: false, code: 'CHARGER_OFFLINE', message: 'x' };
  t.match(await stop(), refusal('CHARGER_UNAVAILABLE'));
  // It is no business of the driver's any more, but for the session.
  await sql`update chargers set is_public = false`;
  reply = accepted;
  const [who] = await sql<
    { id: number; uuid: string }[]
  >`select id, uuid from api_keys where user_id = ${driver.user.id}`;
  const caller = {
    who: { kind: 'key', id: who?.id ?? 0, uuid: who?.uuid ?? '', name: null, sessionId: null },
    keyType: null,
    unrestricted: false,
    networks: { all: false, networkIds: [api.network.id] },
    userId: driver.user.id,
    scopes: [],
    roleCeiling: 'Viewer',
    rateLimitPerHour: null,
    allowedIPs: [],
    expiresAt: null,
  } as const;
  const by = { caller, ipAddress: '127.0.0.1' };
  const { session: stopped } = await stopCharging(api.deps, by, session.uuid, 100);
  t.match(stopped, { status: 'STOPPING', endedAt: null });
  reply = rejected;
  const { session: again } = await stopCharging(api.deps, by, session.uuid, 100);
  t.match(again, { status: 'STOPPING', endedAt: null }, 'a charger that stops refuses to be asked again');
  t.ok(await sql.begin((transaction) => lockSession(transaction, charger.id, session.transactionId)));
});
