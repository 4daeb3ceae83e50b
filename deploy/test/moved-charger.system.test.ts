import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { pricePendingSessions } from '#api/jobs/session-pricer.ts';
import { connectRaw, type RawCharger } from '#gateway/test/support/raw-charger.ts';
import { walEmpty } from '#gateway/test/support/wal-empty.ts';
import { startEmbeddedClickHouse } from '#shared/embedded/clickhouse.ts';
import { listedSessions } from '#shared/testing/listed-sessions.ts';
import { seedCharger, seedNetwork, seedTariff, seedToken } from '#shared/testing/seed.ts';
import { testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import { allNetworks } from '#shared/domain/access/tenancy.ts';
import { gatewayEnvironment, startGatewayProcess } from './support/system.ts';

const minute = 60_000;
const energy = (price: string) => ({ type: 'ENERGY' as const, price, step_size: 1 });
/** 0.50 per kWh from 20 kW on, 0.20 below. */
const byPower = [
  { price_components: [energy('0.50')], restrictions: { min_power: 20 } },
  { price_components: [energy('0.20')] },
];

void t.test(
  'readings on the disk of a gateway that is down re-price a session that ended on another',
  async (t) => {
    const stores = await testStores(t);
    const { sql } = stores;
    const network = await seedNetwork(sql);
    await seedTariff(sql, network.id, byPower);
    const idTag = await seedToken(sql, network.id);
    const charger = await seedCharger(sql, network.id, { connectors: 1 });
    const begin = Date.now() - 60 * minute;
    const at = (minutes: number): string => new Date(begin + minutes * minute).toISOString();
    const call = async (socket: RawCharger, action: string, payload: object) => {
      const [kind, , answer] = await socket.call(`${action}-${performance.now()}`, action, payload);
      t.equal(kind, 3, action);
      return answer as { transactionId: number };
    };

    const env = await gatewayEnvironment(t, stores);
    const directory = mkdtempSync(join(tmpdir(), 'chargeway-test-clickhouse-'));
    t.teardown(() => rmSync(directory, { recursive: true, force: true }));
    const away = await startEmbeddedClickHouse({ dataDir: join(directory, 'clickhouse') });
    const first = await startGatewayProcess(t, { ...env, CLICKHOUSE_URL: away.url });
    await away.stop();
    const socket = await connectRaw(first, charger, 'ocpp1.6');
    const start = { connectorId: 1, idTag, meterStart: 0, timestamp: at(0) };
    const { transactionId } = await call(socket, 'StartTransaction', start);
    const meterValue = [{ timestamp: at(10), sampledValue: [{ value: '10000' }] }];
    await call(socket, 'MeterValues', { connectorId: 1, transactionId, meterValue });
    await first.kill('SIGKILL');

    const second = await startGatewayProcess(t, await gatewayEnvironment(t, stores));
    const moved = await connectRaw(second, charger, 'ocpp1.6');
    await call(moved, 'StopTransaction', { transactionId, meterStop: 12_000, timestamp: at(60) });
    const session = async () => (await listedSessions(sql, { networks: allNetworks, userId: null }))[0];
    await pricePendingSessions(stores, { longestMs: 0, quietPeriodMs: 0 });
    t.match((await session())?.cost, { totalInclVatMinor: '240' }, '12 kW all the time');

    await startGatewayProcess(t, env);
    await walEmpty(env['DATA_DIR'] ?? '');
    await until('the price of all readings', async () => {
      await pricePendingSessions(stores, { longestMs: 0, quietPeriodMs: 0 });
      return (await session())?.cost?.totalInclVatMinor === '540';
    });
  },
);
