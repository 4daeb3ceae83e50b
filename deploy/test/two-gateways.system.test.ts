import t from 'tap';
import { freePort } from '#shared/testing/free-port.ts';
import { createStation16 } from '#bench/fleet/station16.ts';
import { createStation201 } from '#bench/fleet/station201.ts';
import { grantableScopes } from '#shared/domain/access/scopes.ts';
import { seedApiKey, seedCharger, seedNetwork } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import { gatewayEnvironment, startGatewayProcess, startProcess, untilHealthy } from './support/system.ts';

void t.test(
  'a command of the API reaches the gateway process that holds the charger, over Redis',
  async (t) => {
    const stores = await testStores(t);
    const { sql } = stores;
    const network = await seedNetwork(sql);
    const key = await seedApiKey(sql, 'cpms', { networkIds: [network.id], scopes: grantableScopes });

    const [first, second] = await Promise.all(
      [1, 2].map(async () => startGatewayProcess(t, await gatewayEnvironment(t, stores))),
    );
    const apiPort = String(await freePort());
    const api = startProcess(t, 'api/main.ts', { ...(await gatewayEnvironment(t, stores)), PORT: apiPort });
    const url = `http://127.0.0.1:${apiPort}`;
    await untilHealthy(api, `${url}/health/ready`);
    if (first === undefined || second === undefined) return;

    const command = async (uuid: string, name: string, body: unknown) => {
      const response = await fetch(`${url}/cpms/v1/chargers/${uuid}/${name}`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const answer = (await response.json()) as {
        data?: { accepted: boolean; status?: string };
        error?: { code: string };
      };
      return { status: response.status, ...answer };
    };

    const homes = [
      { gateway: first, create: createStation16 },
      { gateway: second, create: createStation201 },
    ];
    const connected = await Promise.all(
      homes.map(async ({ gateway, create }) => {
        const charger = await seedCharger(sql, network.id, { connectors: 1 });
        const station = create({
          ocppUrl: gateway.ocppUrl,
          uid: charger.uid,
          password: charger.password,
          connectors: 1,
          vendor: 'Test',
          model: 'Test',
        });
        t.teardown(() => station.close());
        await station.connect();
        await station.boot();
        return { charger, station };
      }),
    );
    for (const { charger, station } of connected) {
      const started = new Promise((resolve) => (station.onRemoteStart = resolve));
      const start = await command(charger.uuid, 'remote-start', { connectorNumber: 1 });
      t.match(start, { status: 200, data: { accepted: true } });
      await started;
      const running = await until('the session', async () => {
        const [row] = await sql<{ status: string }[]>`
        select status from sessions where charger_id = ${charger.id}`;
        return row;
      });
      t.equal(running.status, 'ACTIVE', `${station.protocol}: the session began`);
      const stop = await command(charger.uuid, 'remote-stop', {});
      t.match(stop, { status: 200, data: { accepted: true, status: 'STOPPING' } });
      await until('the end of the session', async () => {
        const [row] = await sql<{ status: string }[]>`
        select status from sessions where charger_id = ${charger.id}`;
        return row?.status === 'COMPLETED';
      });
    }

    const [, orphan] = connected;
    if (orphan === undefined) return;
    await second.kill('SIGKILL');
    await until('the dead process to be gone from presence', async () => {
      const answer = await command(orphan.charger.uuid, 'reboot', {});
      return answer.status === 409 && answer.error?.code === 'CHARGER_OFFLINE';
    });
    const [neighbour] = connected;
    t.match(await command(neighbour?.charger.uuid ?? '', 'reboot', {}), { status: 200 });

    t.equal(await first.kill('SIGTERM'), 0, 'the other gateway stops cleanly');
    t.equal(await api.kill('SIGTERM'), 0, 'and so does the API');
  },
);
