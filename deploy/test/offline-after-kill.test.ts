import t from 'tap';
import { createStation16 } from '#bench/fleet/station16.ts';
import { freePort } from '#shared/testing/free-port.ts';
import { seedApiKey, seedCharger, seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import { gatewayEnvironment, startGatewayProcess, startProcess, untilHealthy } from './support/system.ts';

void t.test('kill -9 of a gateway disconnects only its chargers, within seconds', async (t) => {
  const stores = await testStores(t);
  const { sql } = stores;
  const network = await seedNetwork(sql);
  const key = await seedApiKey(sql, 'cpms', { networkIds: [network.id], scopes: ['cpms:read:chargers'] });
  const apiPort = String(await freePort());
  const [doomed, survivor] = await Promise.all([
    startGatewayProcess(t, await gatewayEnvironment(t, stores)),
    startGatewayProcess(t, await gatewayEnvironment(t, stores)),
  ]);
  const api = startProcess(t, 'api/main.ts', { ...(await gatewayEnvironment(t, stores)), PORT: apiPort });
  await untilHealthy(api, `http://127.0.0.1:${apiPort}/health/ready`);
  const isConnected = async (uuid: string): Promise<boolean> => {
    const url = `http://127.0.0.1:${apiPort}/cpms/v1/chargers/${uuid}`;
    const answer = await fetch(url, { headers: { 'x-api-key': key } });
    return ((await answer.json()) as { data: { isConnected: boolean } }).data.isConnected;
  };
  const connect = async (ocppUrl: string): Promise<string> => {
    const { uid, uuid, password } = await seedCharger(sql, network.id, { connectors: 1 });
    const station = createStation16({
      ocppUrl,
      uid,
      password,
      connectors: 1,
      vendor: 'Test',
      model: 'Test',
    });
    t.teardown(() => station.close());
    await station.connect();
    await station.boot();
    await until('the charger to be connected', () => isConnected(uuid));
    return uuid;
  };
  const lost = await connect(doomed.ocppUrl);
  const kept = await connect(survivor.ocppUrl);

  await doomed.kill('SIGKILL');
  await until('the charger to be disconnected', async () => !(await isConnected(lost)));
  t.equal(await isConnected(kept), true);
  const [row] = await sql<{ isOpen: boolean }[]>`
    select disconnected_at is null as "isOpen" from chargers where uuid = ${lost}`;
  t.equal(row?.isOpen, true, 'though nobody could say so');
});
