import t from 'tap';
import { connectRaw, type RawCharger } from '#gateway/test/support/raw-charger.ts';
import { seedCharger, seedNetwork } from '#shared/testing/seed.ts';
import { fillDisk, smallDisk } from '#shared/testing/small-disk.ts';
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

void t.test('a gateway with a full disk refuses readings, keeps its chargers and recovers', async (t) => {
  const disk = smallDisk(t, 16);
  if (disk === null) return;
  const stores = await testStores(t);
  const network = await seedNetwork(stores.sql);
  const environment = await gatewayEnvironment(t, stores);
  const gateway = await startGatewayProcess(t, {
    ...environment,
    DATA_DIR: disk,
    WAL_FLOOR_BYTES: String(2 ** 21),
    LOG_LEVEL: 'info',
  });
  const room = async () => {
    const url = `http://127.0.0.1:${environment['GATEWAY_METRICS_PORT']}/metrics`;
    return Number(/^chargeway_wal_room_bytes (\d+)$/m.exec(await (await fetch(url)).text())?.[1]);
  };
  const lines = (text: string) => gateway.output().split(text).length - 1;
  const versions = ['ocpp1.6', 'ocpp2.0.1'] as const;
  const chargers = await Promise.all(
    versions.map(async (version) => {
      const charger = await seedCharger(stores.sql, network.id, { connectors: 1 });
      return { version, socket: await connectRaw(gateway, charger, version) };
    }),
  );

  for (const { version, socket } of chargers) {
    t.match(await meterValues(socket, version, 'stored'), { kind: 3 }, `${version}: it is stored`);
  }
  t.ok((await room()) > 0);

  const makeRoom = fillDisk(disk);
  // The gateway looks at the disk once a second, and now.
  t.equal(await room(), 0);
  for (const { version, socket } of chargers) {
    for (const id of ['1', '2', '3', '4', '5']) {
      t.same(await meterValues(socket, version, id), { kind: 4, answer: 'InternalError' }, version);
    }
    t.equal((await socket.call('beat', 'Heartbeat', {}))[0], 3, `${version}: the charger is still served`);
  }
  t.ok(lines('the write-ahead log cannot be written') <= 2, 'one line for each thread');

  makeRoom();
  for (const { version, socket } of chargers) {
    t.match(await meterValues(socket, version, 'again'), { kind: 3 }, `${version}: it is stored again`);
  }
  t.ok((await room()) > 0);
  t.ok(lines('the write-ahead log is written again') >= 1);
  t.equal(gateway.child.exitCode, null);
});
