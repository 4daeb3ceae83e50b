import t from 'tap';
import type { Test } from 'tap';
import { type SimulatedCharger, Simulations } from '#api/services/fleet/running-simulations.ts';
import { createLogger } from '#shared/log/log.ts';
import { accepted, holdCharger, mintKey, register, startTestApi } from '#api/test/support/fixtures.ts';
import { until } from '#shared/testing/until.ts';

/** Starts an API whose simulated chargers connect to nothing. The gateway refuses the password `wrong`. */
async function start(t: Test, { max = 5, durationMs = 60_000 } = {}) {
  const connected: SimulatedCharger[] = [];
  const stopped: string[] = [];
  const simulations = new Simulations({
    max,
    durationMs,
    log: createLogger('api', 'error'),
    connect: async (charger) => {
      if (charger.password === 'wrong') throw new Error('the server refused the upgrade: 401');
      connected.push(charger);
      return {
        async stop() {
          stopped.push(charger.uid);
        },
      };
    },
  });
  t.teardown(() => simulations.close());
  const api = await startTestApi(t, { simulations });
  const key = await mintKey(api);
  const call = (
    method: 'POST' | 'GET' | 'DELETE',
    id: string,
    asKey: string | null = key,
    password = 'right',
  ) =>
    api.call(asKey, {
      method,
      url: `/cpms/v1/chargers/${id}/simulation`,
      ...(method === 'POST' && { payload: { ocppPassword: password } }),
    });
  return { api, key, call, connected, stopped, simulations };
}

void t.test('simulates a charger with its password and size, and stops it', async (t) => {
  const { api, key, call, connected, stopped } = await start(t);
  const { id, ocppPassword, ocppUrl } = await register(api, key, { serial: 'CP-1', ocppVersion: '2.0.1' });
  t.equal(ocppUrl, 'wss://chargeway.test/ocpp/CP-1');
  for (const [connectorNumber, maxPower] of [
    [1, 11],
    [2, 22],
  ]) {
    const url = `/cpms/v1/chargers/${id}/connectors`;
    await api.call(key, { method: 'POST', url, payload: { connectorNumber, maxPower } });
  }
  t.match(await call('GET', id), { status: 404, json: { error: { code: 'SIMULATION_NOT_FOUND' } } });
  const started = await call('POST', id, key, ocppPassword);
  t.match(started, { status: 201, json: { data: { chargerId: id, startedAt: String, endsAt: String } } });
  t.same(connected, [
    { uid: 'CP-1', password: ocppPassword, ocppVersion: '2.0.1', connectors: 2, maxPowerW: 22_000 },
  ]);
  t.match(await call('GET', id), { status: 200, json: { data: started.json['data'] } });
  t.match(await call('DELETE', id), { status: 200, json: { data: { chargerId: id, stopped: true } } });
  t.same(stopped, ['CP-1']);
  t.match(await call('DELETE', id), { status: 404, json: { error: { code: 'SIMULATION_NOT_FOUND' } } });
  const entries = await api.stores.sql`
    select action, details::text from audit_log where action like 'simulation-%' order by id`;
  t.match(entries, [{ action: 'simulation-start' }, { action: 'simulation-stop' }]);
  t.notMatch(JSON.stringify(entries), ocppPassword);
});

void t.test('ends a simulation by itself after its duration', async (t) => {
  const { api, key, call, stopped } = await start(t, { durationMs: 30 });
  const { id } = await register(api, key, { serial: 'CP-1' });
  t.match(await call('POST', id), { status: 201 });
  await until('the end of the simulation', async () => stopped.length === 1 || null);
  t.match(await call('GET', id), { status: 404 });
});

void t.test('refuses a charger that is connected, needs TLS, or has another password', async (t) => {
  const { api, key, call, connected } = await start(t);
  const refused = { status: 409, json: { error: { code: 'SIMULATION_REFUSED' } } };
  const { id } = await register(api, key, { serial: 'CP-1' });
  t.match(await call('POST', id, key, 'wrong'), refused);
  t.match(await call('POST', id), { status: 201 }, 'a refused simulation leaves nothing behind');
  t.match(await call('POST', id), refused, 'it is simulated already');
  const { id: tls } = await register(api, key, { serial: 'CP-2', securityProfile: 2 });
  t.match(await call('POST', tls), refused);
  const { id: online } = await register(api, key, { serial: 'CP-3' });
  await holdCharger(api, 'CP-3', () => accepted);
  t.match(await call('POST', online), refused);
  t.equal(connected.length, 1);
});

void t.test('simulates a charger once when it is started twice at the same time', async (t) => {
  const { api, key, call, connected, stopped } = await start(t);
  const { id } = await register(api, key, { serial: 'CP-1' });
  const answers = await Promise.all([call('POST', id), call('POST', id)]);
  t.equal(answers.filter(({ status }) => status === 201).length, 1);
  t.match(answers.find(({ status }) => status === 409)?.json, {
    error: { code: 'SIMULATION_REFUSED', message: /is connected/ },
  });
  t.equal(connected.length, 1);
  t.match(await call('DELETE', id), { status: 200 });
  t.equal(stopped.length, 1);
});

void t.test('limits the number of simulated chargers', async (t) => {
  const { api, key, call } = await start(t, { max: 1 });
  const { id } = await register(api, key, { serial: 'CP-1' });
  const { id: second } = await register(api, key, { serial: 'CP-2' });
  t.match(await call('POST', id), { status: 201 });
  t.match(await call('POST', second), { status: 429, json: { error: { code: 'TOO_MANY_SIMULATIONS' } } });
  t.match(await call('DELETE', id), { status: 200 });
  t.match(await call('POST', second), { status: 201 });
});

void t.test('a simulation is started only with the right key, scope, body and charger', async (t) => {
  const { api, key, call } = await start(t);
  const { id } = await register(api, key, { serial: 'CP-1' });
  const other = await mintKey(api, { networkIds: [api.otherNetwork.id] });
  const reader = await mintKey(api, { scopes: ['cpms:read'] });
  for (const method of ['POST', 'DELETE'] as const) {
    t.match(await call(method, id, null), { status: 401 });
    t.match(await call(method, id, reader), { status: 403, json: { error: { code: 'SCOPE_MISSING' } } });
  }
  for (const method of ['POST', 'GET', 'DELETE'] as const) {
    t.match(await call(method, id, other), { status: 404, json: { error: { code: 'CHARGER_NOT_FOUND' } } });
  }
  t.match(await call('POST', id, key, ''), { status: 400, json: { error: { code: 'VALIDATION_FAILED' } } });
  t.match((await api.call(key, { url: '/cpms/v1/me' })).json, {
    data: { simulatedChargers: true, ocppUrl: 'wss://chargeway.test/ocpp' },
  });
});

void t.test('an installation without simulated chargers says so', async (t) => {
  const api = await startTestApi(t);
  const key = await mintKey(api);
  const { id } = await register(api, key, { serial: 'CP-1' });
  const url = `/cpms/v1/chargers/${id}/simulation`;
  t.match(await api.call(key, { method: 'POST', url, payload: { ocppPassword: 'x' } }), {
    status: 404,
    json: { error: { code: 'SIMULATIONS_DISABLED' } },
  });
  t.match(await api.call(key, { url }), { status: 404, json: { error: { code: 'SIMULATION_NOT_FOUND' } } });
  t.match((await api.call(key, { url: '/cpms/v1/me' })).json, { data: { simulatedChargers: false } });
});
