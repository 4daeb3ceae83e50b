import { randomUUID } from 'node:crypto';
import t from 'tap';
import { Check } from 'typebox/value';
import { CursorEnvelope } from '#api/routes/cpms/kernel/envelope.ts';
import { SessionItem } from '#api/routes/cpms/charging/session-view.ts';
import type { CommandReply } from '#shared/domain/commands/commands.ts';
import { insertMeterRows, meterRow } from '#shared/testing/meter-rows.ts';
import {
  accepted,
  holdCharger,
  items,
  type Json,
  mintKey,
  register,
  startTestApi,
  type TestApi,
} from '#api/test/support/fixtures.ts';
import { awaitsStop } from '#shared/domain/charging/session.ts';
import { lockStopCandidates } from '#shared/postgres/charging/session-closing.ts';
import { addLocation, addTariff, addUser, endSession, startSession } from '#api/test/support/records.ts';

const url = '/cpms/v1/sessions';
const late = { transactionId: '0', meterStopWh: 99_000, reason: null, idToken: null, flags: [] };
const text = (json: Json | undefined) => json as unknown as string;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

async function scene(api: TestApi) {
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  return {
    key,
    chargerId: id,
    list: async (query = '') => {
      const answer = await api.call(key, { url: `${url}${query}` });
      return { ids: items(answer.json['data']).map((session) => text(session['id'])), answer };
    },
    read: async (uuid: string) => (await api.call(key, { url: `${url}/${uuid}` })).json['data']!,
    amend: (uuid: string, payload: object, headers = {}) =>
      api.call(key, { method: 'POST', url: `${url}/${uuid}/amend`, payload, headers }),
  };
}

void t.test('lists sessions newest first, in pages, with filters', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { list, chargerId, read, key } = await scene(api);
  const location = await addLocation(sql, api.network.id);
  const driver = await addUser(sql, api.network.id, 'driver@example.org');
  const old = await startSession(sql, { chargerUuid: chargerId, startedAt: hoursAgo(5), userId: driver.id });
  await endSession(sql, old, 10_000);
  await addTariff(sql, api.network.id);
  const priced = await startSession(sql, { chargerUuid: chargerId, startedAt: hoursAgo(3) });
  await endSession(sql, priced, 20_000);
  const elsewhere = await register(api, key, { serial: 'CP-2', locationUuid: location.uuid });
  const running = await startSession(sql, {
    chargerUuid: elsewhere.id,
    connector: 2,
    startedAt: hoursAgo(1),
  });
  await sql`update sessions set id_token = 'Blue-1', flags = '{meter-backwards}' where uuid = ${running.uuid}`;

  const all = [running.uuid, priced.uuid, old.uuid];
  const everything = await list();
  t.ok(Check(CursorEnvelope(SessionItem, ''), everything.answer.json), 'as the OpenAPI says');
  t.equal(everything.answer.headers['content-type'], 'application/json; charset=utf-8');
  const first = await list('?pageSize=2');
  t.strictSame(first.ids, all.slice(0, 2));
  await startSession(sql, { chargerUuid: chargerId, connector: 3, startedAt: hoursAgo(0) });
  const cursor = text(first.answer.json['nextCursor']);
  const rest = await list(`?pageSize=2&cursor=${cursor}`);
  t.strictSame(rest.ids, [old.uuid], 'what began meanwhile moves nothing');
  t.equal(rest.answer.json['nextCursor'], null);

  const { connectorId } = (await read(running.uuid)) as unknown as { connectorId: string };
  const time = (hours: number) => hoursAgo(hours).toISOString();
  for (const [query, expected] of [
    [`?networkId=${api.network.uuid}&to=${time(0.5)}`, all],
    ['?status=COMPLETED', [priced.uuid, old.uuid]],
    [`?chargerId=${elsewhere.id}`, [running.uuid]],
    [`?connectorId=${connectorId}`, [running.uuid]],
    [`?locationId=${location.uuid}`, [running.uuid]],
    [`?userId=${driver.uuid}`, [old.uuid]],
    ['?idTag=BLUE-1', [running.uuid]],
    ['?flag=meter-backwards', [running.uuid]],
    ['?withoutTariff=true', [old.uuid]],
    [`?from=${time(4)}&to=${time(2)}`, [priced.uuid]],
    [`?from=${old.startedAt.toISOString()}&to=${old.startedAt.toISOString()}`, [old.uuid]],
    [`?chargerId=${randomUUID()}`, []],
  ] as const) {
    t.strictSame((await list(query)).ids, expected, query);
  }
  for (const query of [
    'cursor=x',
    `cursor=${Buffer.from('0.18446744073709551615').toString('base64url')}`,
    'status=GONE',
    `from=${time(1)}&to=${time(2)}`,
  ]) {
    t.match(await api.call(key, { url: `${url}?${query}` }), {
      status: 400,
      json: { error: { code: 'VALIDATION_FAILED' } },
    });
  }
});

void t.test('returns all fields of a session and its readings', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { read, chargerId, key } = await scene(api);
  await addTariff(sql, api.network.id);
  const session = await startSession(sql, { chargerUuid: chargerId, startedAt: hoursAgo(3) });
  await endSession(sql, session, 20_000);
  t.match(await read(session.uuid), {
    id: session.uuid,
    status: 'COMPLETED',
    networkId: api.network.id,
    networkUuid: api.network.uuid,
    chargerId,
    energyKwh: 20,
    startReceivedAt: session.startedAt.toISOString(),
    stopReceivedAt: new Date(session.startedAt.getTime() + 3_600_000).toISOString(),
    authorizationStatus: 'Accepted',
    invoiceNumber: null,
    version: 1,
    tariff: { name: 'Standard', elements: [{}] },
    // 20 kWh at 0.40 and 1.50 for the session, 21 % VAT on both.
    cost: { totalExclVat: 9.5, totalInclVat: 11.5, isFinal: true },
    revisions: [],
  });
  const origin = { networkId: api.network.id, chargerId: session.chargerId, sessionId: session.uuid };
  const time = new Date(session.startedAt.getTime() + 60_000);
  await insertMeterRows(api.stores.clickhouse, [meterRow(origin, time, { energyWh: 1500 })]);
  const values = await api.call(key, { url: `${url}/${session.uuid}/meter-values?limit=5` });
  t.match(values.json['data'], {
    sessionId: session.uuid,
    limit: 5,
    truncated: false,
    samples: [{ energyKwh: 1.5 }],
  });
});

void t.test('a running session is stopped by its own id', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { chargerId, key } = await scene(api);
  const session = await startSession(sql, { chargerUuid: chargerId });
  const other = await startSession(sql, { chargerUuid: chargerId, connector: 2 });
  const stop = (uuid: string, by: string | null = key) =>
    api.call(by, { method: 'POST', url: `${url}/${uuid}/stop` });
  t.match(await stop(session.uuid), { status: 409, json: { error: { code: 'CHARGER_OFFLINE' } } });
  const replies: CommandReply[] = [{ ok: false, code: 'CHARGER_TIMEOUT', message: 'silent' }, accepted];
  const taken = await holdCharger(api, 'CP-1', () => replies.shift() ?? accepted);
  t.match(await stop(session.uuid), { status: 504, json: { error: { code: 'CHARGER_TIMEOUT' } } });
  t.match(await stop(session.uuid), {
    status: 200,
    json: { data: { sessionId: session.uuid, chargerId, status: 'STOPPING', accepted: true } },
  });
  t.match(taken.at(-1), { command: { type: 'remote-stop', transactionId: session.transactionId } });
  await endSession(sql, other, 1000);
  const ended = { status: 409, json: { error: { code: 'NO_ACTIVE_SESSION' } } };
  t.match(await stop(other.uuid), ended);
  await sql`update chargers set deleted_at = now() where uuid = ${chargerId}`;
  t.match(await stop(other.uuid), ended, 'its charger is gone since');
});

void t.test('corrects a completed session with a reason and keeps its earlier state', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { amend, read, chargerId, key } = await scene(api);
  await addTariff(sql, api.network.id);
  const session = await startSession(sql, { chargerUuid: chargerId, startedAt: hoursAgo(3) });
  t.match(await amend(session.uuid, { reason: 'no', energyKwh: 1 }), {
    status: 409,
    json: { error: { code: 'SESSION_NOT_COMPLETED' } },
  });
  await endSession(sql, session, 20_000);
  const etag = (await api.call(key, { url: `${url}/${session.uuid}` })).headers['etag'];
  t.equal(etag, '"1"');

  const reason = 'The meter was misread';
  const first = await amend(session.uuid, { reason, energyKwh: 10 }, { 'if-match': etag });
  t.match(first, { status: 200, headers: { etag: '"2"' } }, first.text);
  t.match(first.json['data'], {
    energyKwh: 10,
    flags: ['corrected'],
    version: 2,
    // 10 kWh at 0.40 and 1.50, with VAT.
    cost: { totalExclVat: 5.5, totalInclVat: 6.66 },
    revisions: [
      {
        version: 1,
        energyKwh: 20,
        reason,
        replacedBy: 'test',
        cost: { totalExclVat: 9.5, totalInclVat: 11.5 },
      },
    ],
  });
  t.equal((await amend(session.uuid, { reason, energyKwh: 9 }, { 'if-match': etag })).status, 412);

  const endedAt = new Date(session.startedAt.getTime() + 1_800_000).toISOString();
  const second = await amend(session.uuid, { reason: 'Goodwill', endedAt, cost: { exclVat: 0, inclVat: 0 } });
  t.match(second.json['data'], {
    endedAt,
    energyKwh: 10,
    durationSeconds: 1800,
    cost: { totalInclVat: 0, lines: [{ type: 'AMENDED', exclVat: 0, vat: 0, unit: 'session' }] },
    version: 3,
    revisions: [{ version: 1 }, { version: 2, reason: 'Goodwill', flags: ['corrected'] }],
  });
  const third = await amend(session.uuid, { reason: 'Agreed', cost: { exclVat: 2.5, inclVat: 3.03 } });
  t.match(third.json['data']?.['cost'], { totalExclVat: 2.5, totalVat: 0.53, totalInclVat: 3.03 });
  t.match(
    await sql`select action, resource_id, description, details from audit_log where category = 'session' order by id`,
    [
      {
        action: 'amend',
        resource_id: session.uuid,
        description: new RegExp(reason),
        details: {
          before: { energyWh: 20_000, totalInclVatMinor: '1150' },
          after: { energyWh: 10_000, totalInclVatMinor: '666' },
          reason,
        },
      },
      { details: { before: { totalInclVatMinor: '666' }, after: { totalInclVatMinor: '0' } } },
      { details: { after: { totalInclVatMinor: '303' } } },
    ],
  );

  const refused = async (payload: object, code = 'VALIDATION_FAILED', status = 400) =>
    t.match(
      await amend(session.uuid, payload),
      { status, json: { error: { code } } },
      JSON.stringify(payload),
    );
  await refused({ energyKwh: 1 });
  await refused({ reason: 'nothing else' });
  await refused({ reason, energyKwh: -1 });
  await refused({ reason, energyKwh: '5' });
  await refused({ reason, endedAt: hoursAgo(4).toISOString() });
  await refused({ reason, endedAt: hoursAgo(-1).toISOString() });
  await refused({ reason, cost: { exclVat: 1.005, inclVat: 2 } });
  await refused({ reason, cost: { exclVat: 2, inclVat: 1 } });
  await refused({ reason, cost: { inclVat: 1 } });
  await sql`update sessions set invoice_number = 'INV-7' where uuid = ${session.uuid}`;
  await refused({ reason, energyKwh: 1 }, 'SESSION_INVOICED', 409);
  t.match(await read(session.uuid), { version: 4, invoiceNumber: 'INV-7' });
});

void t.test('prices a session without a price and keeps the price after later messages', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { amend, read, chargerId } = await scene(api);
  const session = await startSession(sql, { chargerUuid: chargerId, startedAt: hoursAgo(3) });
  await endSession(sql, session, 20_000);
  await sql`update sessions set flags = '{no-tariff,estimated,closed-available}' where uuid = ${session.uuid}`;
  t.match(await amend(session.uuid, { reason: 'Metered by hand', energyKwh: 12.5 }), {
    json: {
      data: {
        cost: null,
        costUnavailable: 'NO_TARIFF',
        flags: ['estimated', 'closed-available', 'no-tariff', 'corrected'],
      },
    },
  });
  const byContract = { reason: 'By contract', cost: { exclVat: 5, inclVat: 6.05 } };
  t.match(
    await amend(session.uuid, byContract),
    { status: 409, json: { error: { code: 'ABOVE_PLAUSIBLE', details: { plausibleInclVat: null } } } },
    'without a tariff no price is plausible',
  );
  const priced = await amend(session.uuid, { ...byContract, confirmAbovePlausible: true });
  t.strictSame(priced.json['data']?.['flags'], ['estimated', 'closed-available', 'corrected']);
  t.match(priced.json['data'], { energyKwh: 12.5, cost: { totalInclVat: 6.05 }, costUnavailable: null });

  t.notOk(awaitsStop({ endedAt: session.startedAt, flags: ['estimated'], priceDecision: 'AMENDED' }));
  const stop = { ...late, endedAt: new Date(), receivedAt: new Date() };
  const candidates = () =>
    sql.begin((transaction) => lockStopCandidates(transaction, session.chargerId, stop));
  t.equal((await candidates()).length, 0);
  await sql`update sessions set flags = '{estimated}', price_decision = null where uuid = ${session.uuid}`;
  t.equal((await candidates()).length, 1, 'an uncorrected session is');

  // A charger's own late word on a completed session is a revision too, without a reason.
  await sql`update sessions set energy_wh = 13000 where uuid = ${session.uuid}`;
  t.match(items((await read(session.uuid))['revisions']).at(-1), {
    version: 3,
    energyKwh: 12.5,
    reason: null,
    replacedBy: null,
  });
});

void t.test('hides sessions from callers of other networks', async (t) => {
  const api = await startTestApi(t);
  const { sql } = api.stores;
  const { chargerId } = await scene(api);
  const session = await startSession(sql, { chargerUuid: chargerId, startedAt: hoursAgo(3) });
  await endSession(sql, session, 1000);
  const foreign = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const requests: [string, { method: 'GET' | 'POST'; url: string; payload?: object }][] = [
    ['cpms:read:sessions', { method: 'GET', url: `${url}/${session.uuid}` }],
    ['cpms:read:sessions', { method: 'GET', url: `${url}/${session.uuid}/meter-values` }],
    ['cpms:command:remote-stop', { method: 'POST', url: `${url}/${session.uuid}/stop` }],
    [
      'cpms:command:billing',
      { method: 'POST', url: `${url}/${session.uuid}/amend`, payload: { reason: 'x', energyKwh: 1 } },
    ],
    [
      'cpms:command:billing',
      { method: 'POST', url: `${url}/${session.uuid}/approve`, payload: { reason: 'x' } },
    ],
  ];
  const poor = await mintKey(api, { scopes: ['cpms:read:chargers', 'cpms:write:sessions'] });
  for (const [scope, request] of requests) {
    t.match(
      await api.call(foreign, request),
      { status: 404, json: { error: { code: 'SESSION_NOT_FOUND' } } },
      request.url,
    );
    t.match(await api.call(poor, request), {
      status: 403,
      json: { error: { details: { scope } } } as unknown as Json,
    });
    t.equal((await api.call(null, request)).status, 401);
  }
  t.strictSame((await api.call(foreign, { url })).json['data'], []);
  t.equal((await api.call(foreign, { url: `${url}?networkId=${api.network.uuid}` })).status, 404);
  t.equal((await api.call(poor, { url })).status, 403);
});
