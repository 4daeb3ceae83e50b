import t from 'tap';
import { createStation16 } from '#shared/simulator/station16.ts';
import { createStation201 } from '#shared/simulator/station201.ts';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import { seedApiKey, seedCharger, type SeededCharger, seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import {
  type GatewayProcess,
  gatewayEnvironment,
  startGatewayProcess,
  startProcess,
  untilHealthy,
} from './support/system.ts';

interface Answer {
  status: number;
  data?: { accepted: boolean; status?: string; isConnected: boolean };
  error?: { code: string };
}

interface InstallationAnswer {
  gateways: { shards: { state: string; sockets: Record<string, number> }[] }[] | null;
}

void t.test('two gateway processes and an API over Redis', async (t) => {
  const stores = await testStores(t);
  const { sql } = stores;
  const network = await seedNetwork(sql);
  const key = await seedApiKey(sql, 'cpms', { networkIds: [network.id], scopes: grantableScopes });
  const operator = await seedApiKey(sql, 'cpms', { scopes: ['cpms:read:networks'] });
  const startGateway = async () => startGatewayProcess(t, await gatewayEnvironment(t, stores));
  const environment = await gatewayEnvironment(t, stores);
  const url = `http://127.0.0.1:${environment['PORT']}`;
  const api = startProcess(t, 'api/main.ts', environment);
  const [first, second] = await Promise.all([
    startGateway(),
    startGateway(),
    untilHealthy(api, `${url}/health/ready`),
  ]);

  const ask = async ({ uuid }: SeededCharger, path = '', body?: object): Promise<Answer> => {
    const response = await fetch(`${url}/cpms/v1/chargers/${uuid}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, ...((await response.json()) as Omit<Answer, 'status'>) };
  };
  const isConnected = async (charger: SeededCharger) => (await ask(charger)).data?.isConnected;
  const connect = async (
    gateway: GatewayProcess,
    create: typeof createStation16 | typeof createStation201,
  ) => {
    const charger = await seedCharger(sql, network.id, { connectors: 1 });
    const { uid, password } = charger;
    const about = { connectors: 1, vendor: 'Test', model: 'Test' };
    const station = create({ ocppUrl: gateway.ocppUrl, uid, password, ...about });
    t.teardown(() => station.close());
    await station.connect();
    await station.boot();
    await until('the charger to be connected', () => isConnected(charger));
    return { charger, station };
  };
  const kept = await connect(first, createStation16);
  const lost = await connect(second, createStation201);

  for (const { charger, station } of [kept, lost]) {
    await t.test(`relay commands of the API to the charger of ${station.protocol}`, async (t) => {
      const started = new Promise((resolve) => (station.onRemoteStart = resolve));
      const start = await ask(charger, '/remote-start', { connectorNumber: 1 });
      t.match(start, { status: 200, data: { accepted: true } });
      await started;
      const statuses = async () => {
        const rows = await sql<{ status: string }[]>`
          select status from sessions where charger_id = ${charger.id}`;
        return rows.map(({ status }) => status);
      };
      await until('the session', async () => (await statuses()).length > 0);
      t.same(await statuses(), ['ACTIVE']);
      const stop = await ask(charger, '/remote-stop', {});
      t.match(stop, { status: 200, data: { accepted: true, status: 'STOPPING' } });
      await until('the end of the session', async () => (await statuses())[0] === 'COMPLETED');
    });
  }

  /** Returns the gateways of the installation, as an unrestricted operator sees them: number of sockets, and states of the shards. */
  const gateways = async () => {
    const response = await fetch(`http://127.0.0.1:${environment['PORT']}/cpms/v1/installation`, {
      headers: { 'x-api-key': operator },
    });
    const { data } = (await response.json()) as { data: InstallationAnswer };
    return (data.gateways ?? []).map(({ shards }) => ({
      sockets: shards.flatMap((shard) => Object.values(shard.sockets)).reduce((sum, count) => sum + count, 0),
      states: [...new Set(shards.map(({ state }) => state))],
    }));
  };

  await t.test('report their shards and sockets for the state of the installation', async (t) => {
    const isWhole = async () => (await gateways()).filter(({ sockets }) => sockets === 1).length === 2;
    await until('both gateways with their charger', isWhole);
    t.same(await gateways(), [
      { sockets: 1, states: ['running'] },
      { sockets: 1, states: ['running'] },
    ]);
  });

  await t.test('disconnect only the chargers of a gateway that gets kill -9', async (t) => {
    await second.kill('SIGKILL');
    await until('the charger to be disconnected', async () => (await isConnected(lost.charger)) === false);
    t.equal(await isConnected(kept.charger), true);
    const [row] = await sql<{ isOpen: boolean }[]>`
      select disconnected_at is null as "isOpen" from chargers where id = ${lost.charger.id}`;
    t.equal(row?.isOpen, true, 'no process stored the end of the connection');
    await until('the dead process to be gone from presence', async () => {
      const answer = await ask(lost.charger, '/reboot', {});
      return answer.status === 409 && answer.error?.code === 'CHARGER_OFFLINE';
    });
    t.match(await ask(kept.charger, '/reboot', {}), { status: 200 });
  });

  await t.test('stop cleanly', async (t) => {
    const silent = async () => (await gateways()).filter(({ states }) => states.includes('silent'));
    await until('the dead gateway to be silent', async () => (await silent()).length === 1);
    t.equal(await first.kill('SIGTERM'), 0);
    t.same(await gateways(), await silent(), 'only the gateway that died is listed');
    t.equal(await api.kill('SIGTERM'), 0);
  });
});
