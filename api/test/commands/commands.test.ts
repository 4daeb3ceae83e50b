import { randomUUID } from 'node:crypto';
import t from 'tap';
import { send } from '#api/services/commands/send.ts';
import type { CommandReply } from '#shared/domain/commands/commands.ts';
import {
  accepted,
  holdCharger,
  items,
  mintKey,
  register,
  startTestApi,
  type TestApi,
} from '#api/test/support/fixtures.ts';
import { startSession } from '#api/test/support/records.ts';

const refused: CommandReply = {
  ok: true,
  ocppVersion: '1.6',
  action: 'Reset',
  result: { accepted: false, status: 'Rejected', payload: {}, transactionId: null },
};

async function connectedCharger(api: TestApi, reply: CommandReply = accepted) {
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  const taken = await holdCharger(api, 'CP-1', () => reply);
  const send = (command: string, payload?: object) =>
    api.call(key, {
      method: 'POST',
      url: `/cpms/v1/chargers/${id}/${command}`,
      ...(payload !== undefined && { payload }),
    });
  return { id, key, taken, send };
}

void t.test(
  "sends remote-start to the shard of the charger, with the connector's OCPP position",
  async (t) => {
    const api = await startTestApi(t);
    const { id, taken, send } = await connectedCharger(api, {
      ok: true,
      ocppVersion: '2.0.1',
      action: 'RequestStartTransaction',
      result: { accepted: true, status: 'Accepted', payload: {}, transactionId: 'tx-9' },
    });
    // A 2.0.1 charger whose second connector hangs on its first EVSE.
    await api.stores.sql`
    insert into connectors (charger_id, number, evse_number, evse_connector)
    select id, n, 1, n from chargers, generate_series(1, 2) n`;
    const answer = await send('remote-start', { idTag: 'TAG-7', connectorNumber: 2 });
    t.match(answer, {
      status: 200,
      json: {
        success: true,
        data: {
          chargerId: id,
          connectorNumber: 2,
          idTag: 'TAG-7',
          accepted: true,
          deviceType: 'OCPP',
          transactionId: 'tx-9',
          message: String,
        },
      },
    });
    t.match(taken, [
      {
        uid: 'CP-1',
        timeoutMs: 30_000,
        command: {
          type: 'remote-start',
          position: { evse: 1, connector: 2 },
          idToken: 'TAG-7',
          remoteStartId: Number,
        },
      },
    ]);
    t.match(await send('remote-start', { connectorNumber: 3 }), {
      status: 404,
      json: { error: { code: 'CONNECTOR_NOT_FOUND' } },
    });
  },
);

void t.test(
  'remote-start needs no body: the token is the operator’s and the charger chooses the connector',
  async (t) => {
    const api = await startTestApi(t);
    const { taken, send } = await connectedCharger(api);
    t.match((await send('remote-start')).json['data'], {
      idTag: 'OPERATOR',
      connectorNumber: null,
      transactionId: null,
    });
    t.match(taken, [{ command: { idToken: 'OPERATOR', position: null } }]);
  },
);

void t.test('a charger that has reported no connector yet takes connector n as EVSE n', async (t) => {
  const api = await startTestApi(t);
  const { taken, send } = await connectedCharger(api);
  t.equal((await send('remote-start', { connectorNumber: 1 })).status, 200);
  t.match(taken, [{ command: { position: { evse: 1, connector: 1 } } }]);
});

void t.test('answers 200 for a command that the charger refuses', async (t) => {
  const api = await startTestApi(t);
  const { id, send } = await connectedCharger(api, refused);
  await startSession(api.stores.sql, { chargerUuid: id });
  for (const command of ['remote-start', 'remote-stop', 'reboot']) {
    t.match(await send(command), {
      status: 200,
      json: { data: { accepted: false, message: /Rejected/ } },
    });
  }
  t.equal((await send('remote-stop')).json['data']?.['status'], 'ACTIVE', 'the session runs on');
});

void t.test('remote-stop stops the running session and marks it as stopping', async (t) => {
  const api = await startTestApi(t);
  const { id, taken, send } = await connectedCharger(api);
  t.match(await send('remote-stop'), { status: 409, json: { error: { code: 'NO_ACTIVE_SESSION' } } });

  const session = await startSession(api.stores.sql, { chargerUuid: id });
  t.match(await send('remote-stop'), {
    status: 200,
    json: {
      data: {
        chargerId: id,
        sessionId: session.uuid,
        status: 'STOPPING',
        accepted: true,
        deviceType: 'OCPP',
      },
    },
  });
  t.match(taken, [{ command: { type: 'remote-stop', transactionId: session.transactionId } }]);
  const [row] = await api.stores.sql`select status from sessions where uuid = ${session.uuid}`;
  t.equal(row?.['status'], 'STOPPING');
});

void t.test('requires a session id for remote-stop with several running sessions', async (t) => {
  const api = await startTestApi(t);
  const { id, taken, send } = await connectedCharger(api);
  const one = await startSession(api.stores.sql, { chargerUuid: id, connector: 1 });
  const two = await startSession(api.stores.sql, { chargerUuid: id, connector: 2 });
  const ambiguous = await send('remote-stop');
  t.match(ambiguous, { status: 409, json: { error: { code: 'SESSION_AMBIGUOUS' } } });
  t.strictSame(
    new Set(items(ambiguous.json['error']?.['details']?.['sessions']).map((s) => s['sessionId'])),
    new Set([one.uuid, two.uuid]),
  );
  t.equal((await send('remote-stop', { sessionId: one.uuid })).json['data']?.['sessionId'], one.uuid);
  t.equal((await send('remote-stop', { connectorNumber: 2 })).json['data']?.['sessionId'], two.uuid);
  t.match(taken, [
    { command: { transactionId: one.transactionId } },
    { command: { transactionId: two.transactionId } },
  ]);
  t.equal((await send('remote-stop', { connectorNumber: 3 })).status, 409);
});

void t.test('reboots softly unless a hard reboot is requested', async (t) => {
  const api = await startTestApi(t);
  const { id, taken, send } = await connectedCharger(api);
  t.match((await send('reboot')).json['data'], { chargerId: id, resetType: 'Soft', accepted: true });
  t.match((await send('reboot', { type: 'Hard' })).json['data'], { resetType: 'Hard' });
  t.match(taken, [{ command: { type: 'reset', kind: 'Soft' } }, { command: { kind: 'Hard' } }]);
  t.match(await send('reboot', { type: 'Medium' }), {
    status: 400,
    json: { error: { code: 'VALIDATION_FAILED', message: /Soft, Hard/ } },
  });
});

void t.test('trigger-message names the message and, if wanted, the connector', async (t) => {
  const api = await startTestApi(t);
  const { id, taken, send } = await connectedCharger(api);
  t.match((await send('trigger-message', { requestedMessage: 'Heartbeat' })).json['data'], {
    chargerId: id,
    requestedMessage: 'Heartbeat',
    connectorNumber: null,
    accepted: true,
  });
  await send('trigger-message', { requestedMessage: 'MeterValues', connectorNumber: 1 });
  t.match(taken, [
    { command: { type: 'trigger-message', requestedMessage: 'Heartbeat', position: null } },
    { command: { requestedMessage: 'MeterValues', position: { evse: 1 } } },
  ]);
  t.equal((await send('trigger-message')).status, 400);
});

void t.test('answers at once for a charger that is not connected', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  const url = `/cpms/v1/chargers/${id}/reboot`;
  const offline = { status: 409, json: { error: { code: 'CHARGER_OFFLINE', message: /CP-1/ } } };
  t.match(await api.call(key, { method: 'POST', url }), offline);
  // Its shard died: presence still lists it, but it does not answer.
  await api.shard.presence.claim('CP-1', 'gone');
  t.match(await api.call(key, { method: 'POST', url }), offline);
});

void t.test("returns the shard's result of a command", async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  const replies = [
    ['CHARGER_TIMEOUT', 504],
    ['CHARGER_REFUSED', 502],
    ['COMMAND_NOT_SUPPORTED', 409],
    ['CHARGER_OFFLINE', 409],
  ] as const;
  const next = replies.values();
  await holdCharger(api, 'CP-1', () => ({
    ok: false,
    code: next.next().value?.[0] ?? 'INTERNAL_ERROR',
    message: 'why',
  }));
  for (const [code, status] of replies) {
    const answer = await api.call(key, { method: 'POST', url: `/cpms/v1/chargers/${id}/reboot` });
    t.match(answer, { status, json: { success: false, error: { code, message: 'why' } } });
  }
});

void t.test('a shard that does not answer in time is a charger timeout', async (t) => {
  const api = await startTestApi(t);
  const held = Promise.withResolvers<CommandReply>();
  await holdCharger(api, 'CP-1', () => held.promise);
  const charger = { uid: 'CP-1', uuid: randomUUID(), networkId: api.network.id };
  const command = { type: 'reset', kind: 'Soft' } as const;
  await t.rejects(send(api.deps, null, charger, command, { timeoutMs: 1 }), {
    code: 'CHARGER_TIMEOUT',
  });
  held.resolve(accepted);
});

void t.test('fails a command without the bus as with an unavailable store', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  await api.shard.close();
  await api.bus.close();
  t.match(await api.call(key, { method: 'POST', url: `/cpms/v1/chargers/${id}/reboot` }), {
    status: 503,
    json: { error: { code: 'STORE_UNAVAILABLE' } },
  });
});

void t.test('sends the id of the API request with a command, for the log of the gateway', async (t) => {
  const api = await startTestApi(t);
  const { id, key, taken } = await connectedCharger(api);
  const headers = { 'x-request-id': 'order-7' };
  await api.call(key, { method: 'POST', url: `/cpms/v1/chargers/${id}/reboot`, headers });
  t.match(taken, [{ uid: 'CP-1', requestId: 'order-7' }]);
});
