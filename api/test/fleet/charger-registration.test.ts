import t from 'tap';
import type { CommandReply } from '#shared/domain/commands/commands.ts';
import { holdCharger, mintKey, register, startTestApi, type TestApi } from '#api/test/support/fixtures.ts';
import { answered } from '#api/test/support/held-charger.ts';

const status = (value: string) => ({ status: value });

async function start(api: TestApi, reply: () => CommandReply = () => answered()) {
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  const taken = await holdCharger(api, 'CP-1', reply);
  const set = (payload: object, asKey: string | null = key, headers = {}) =>
    api.call(asKey, { method: 'POST', url: `/cpms/v1/chargers/${id}/registration`, payload, headers });
  const read = async () => (await api.call(key, { url: `/cpms/v1/chargers/${id}` })).json['data'];
  return { key, id, taken, set, read };
}

void t.test('holds and accepts a charger, and triggers its boot', async (t) => {
  const api = await startTestApi(t);
  const { id, taken, set, read } = await start(api);
  t.match(await read(), { registration: 'Accepted' });
  t.match(await set(status('Pending')), {
    status: 200,
    json: { data: { chargerId: id, status: 'Pending', triggered: true } },
  });
  t.match(await read(), { registration: 'Pending' });
  t.match(await set(status('Accepted')), { status: 200, json: { data: { triggered: true } } });
  t.same(
    taken.map(({ command }) => command),
    [1, 2].map(() => ({ type: 'trigger-message', requestedMessage: 'BootNotification', position: null })),
  );
  const entries = await api.stores.sql`
    select action, details from audit_log where action = 'registration' order by id`;
  t.match(entries, [
    { details: { before: { registration: 'Accepted' }, after: { registration: 'Pending' } } },
    { details: { before: { registration: 'Pending' }, after: { registration: 'Accepted' } } },
  ]);
});

void t.test('sends nothing to a Rejected charger, and no status twice', async (t) => {
  const api = await startTestApi(t);
  const { taken, set } = await start(api);
  for (const value of ['Rejected', 'Rejected', 'Accepted', 'Accepted']) {
    t.match(await set(status(value)), { status: 200, json: { data: { triggered: false } } }, value);
  }
  t.same(taken, []);
});

void t.test('a charger that cannot be asked to boot keeps its new status', async (t) => {
  const api = await startTestApi(t);
  const { set, read } = await start(api, () => ({ ok: false, code: 'CHARGER_REFUSED', message: 'why' }));
  t.match(await set(status('Pending')), { status: 200, json: { data: { triggered: false } } });
  t.match(await read(), { registration: 'Pending' });
});

void t.test('a registration is changed only with the right key, scope, version and status', async (t) => {
  const api = await startTestApi(t);
  const { set, read } = await start(api);
  const other = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const reader = await mintKey(api, { scopes: ['cpms:read'] });
  const driver = await mintKey(api, { apiFamily: 'emsp', scopes: [] });
  for (const [key, code, number] of [
    [other, 'CHARGER_NOT_FOUND', 404],
    [reader, 'SCOPE_MISSING', 403],
    [driver, 'API_FAMILY_MISMATCH', 403],
    [null, 'KEY_MISSING', 401],
  ] as const) {
    t.match(await set(status('Pending'), key), { status: number, json: { error: { code } } }, code);
  }
  t.match(await set(status('Maybe')), { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
  t.match(await set({}), { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
  const stale = await set(status('Pending'), undefined, { 'if-match': '"99"' });
  t.match(stale, { status: 412, json: { error: { code: 'PRECONDITION_FAILED' } } });
  t.match(await read(), { registration: 'Accepted' });
});

void t.test('a network holds its new chargers when its operator says so', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const url = `/cpms/v1/networks/${api.network.uuid}`;
  t.match((await api.call(key, { url })).json['data'], { newChargerRegistration: 'Accepted' });
  const change = (newChargerRegistration: string) =>
    api.call(key, { method: 'PATCH', url, payload: { newChargerRegistration } });
  t.match((await change('Rejected')).json, { error: { code: 'VALIDATION_FAILED' } });
  t.match((await change('Pending')).json['data'], { newChargerRegistration: 'Pending' });
  t.match(await register(api, key, { serial: 'CP-2' }), { registration: 'Pending' });
});

void t.test('a command that a held charger may not get is refused by its own code', async (t) => {
  const api = await startTestApi(t);
  const { key, id } = await start(api, () => ({ ok: false, code: 'CHARGER_HELD', message: 'held' }));
  const reboot = await api.call(key, { method: 'POST', url: `/cpms/v1/chargers/${id}/reboot` });
  t.match(reboot, { status: 409, json: { error: { code: 'CHARGER_HELD' } } });
});
