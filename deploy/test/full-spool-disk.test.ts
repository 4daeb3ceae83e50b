import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { connectRaw, type RawCharger } from '#gateway/test/support/raw-charger.ts';
import { startEmbeddedClickHouse } from '#shared/embedded/clickhouse.ts';
import { seedCharger, seedNetwork } from '#shared/testing/seed.ts';
import { freeBytes, smallDisk } from '#shared/testing/small-disk.ts';
import { testStores } from '#shared/testing/stores.ts';
import { gatewayEnvironment, startGatewayProcess } from './support/system.ts';

/** A reading that belongs to no session, in the words of each version. */
const readings = {
  'ocpp1.6': { connectorId: 1 },
  'ocpp2.0.1': { evseId: 1 },
} as const;

async function meterValues(charger: RawCharger, version: keyof typeof readings, id: string) {
  const sampled = { value: version === 'ocpp1.6' ? '5' : 5 };
  const meterValue = [{ timestamp: new Date().toISOString(), sampledValue: [sampled] }];
  const [kind, , answer] = await charger.call(id, 'MeterValues', { ...readings[version], meterValue });
  return { kind, answer };
}

void t.test(
  'a gateway with a full spool disk refuses readings, keeps its chargers and recovers',
  async (t) => {
    const disk = smallDisk(t, 16);
    if (disk === null) return;
    const directory = mkdtempSync(join(tmpdir(), 'chargeway-test-clickhouse-'));
    t.teardown(() => rmSync(directory, { recursive: true, force: true }));
    const server = await startEmbeddedClickHouse({ dataDir: join(directory, 'clickhouse') });
    t.teardown(() => server.stop());
    const stores = await testStores(t);
    const network = await seedNetwork(stores.sql);
    const environment = await gatewayEnvironment(t, { ...stores, clickhouseUrl: server.url });
    const gateway = await startGatewayProcess(t, {
      ...environment,
      DATA_DIR: disk,
      SPOOL_FLOOR_BYTES: String(2 ** 21),
      LOG_LEVEL: 'info',
    });
    const room = async () => {
      const url = `http://127.0.0.1:${environment['GATEWAY_METRICS_PORT']}/metrics`;
      return Number(/^chargeway_spool_room_bytes (\d+)$/m.exec(await (await fetch(url)).text())?.[1]);
    };
    const lines = (text: string) => gateway.output().split(text).length - 1;
    const versions = ['ocpp1.6', 'ocpp2.0.1'] as const;
    const chargers = await Promise.all(
      versions.map(async (version) => {
        const charger = await seedCharger(stores.sql, network.id, { connectors: 1 });
        return { version, socket: await connectRaw(gateway, charger, version) };
      }),
    );

    await server.stop();
    for (const { version, socket } of chargers) {
      t.match(await meterValues(socket, version, 'spooled'), { kind: 3 }, `${version}: the spool takes it`);
    }
    t.ok((await room()) > 0);

    const ballast = join(disk, 'ballast');
    writeFileSync(ballast, Buffer.alloc(freeBytes(disk)));
    for (const { version, socket } of chargers) {
      for (const id of ['1', '2', '3', '4', '5']) {
        t.same(await meterValues(socket, version, id), { kind: 4, answer: 'InternalError' }, version);
      }
      t.equal((await socket.call('beat', 'Heartbeat', {}))[0], 3, `${version}: the charger is still served`);
    }
    t.equal(await room(), 0);
    t.ok(lines('the disk of the spool is full') <= 2, 'one line for each thread');

    rmSync(ballast);
    for (const { version, socket } of chargers) {
      t.match(
        await meterValues(socket, version, 'again'),
        { kind: 3 },
        `${version}: the spool takes it again`,
      );
    }
    t.ok((await room()) > 0);
    t.ok(lines('the spool has room again') >= 1);
    t.equal(gateway.child.exitCode, null);
  },
);
