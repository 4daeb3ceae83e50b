import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { DirectoryLock } from '#gateway/wal/directory-lock.ts';
import { drainWriteAheadLogs } from '#gateway/wal/drain.ts';
import { openClickHouse } from '#shared/clickhouse/client.ts';
import { createLogger } from '#shared/log/log.ts';
import { freePort } from '#shared/testing/free-port.ts';
import { meterRow } from '#shared/testing/meter-rows.ts';
import { storedSamples } from '#shared/testing/stored-samples.ts';
import { testStores } from '#shared/testing/stores.ts';
import { leaveSegments, walDirectory } from './support/segments.ts';

const chargerId = 7;
const begin = Date.UTC(2026, 4, 4);

/** Data of a gateway of two shards that ended with readings in its logs. */
async function stoppedGateway(t: Test) {
  const { clickhouse, sql } = await testStores(t);
  const dataDir = walDirectory(t);
  const sessionId = randomUUID();
  const reading = (energyWh: number) =>
    meterRow({ networkId: 1, chargerId, sessionId }, new Date(begin + energyWh * 1000), {
      energyWh,
      extra: {},
      flags: [],
    });
  const directories = ['0', '1'].map((shard) => join(dataDir, 'wal', shard));
  for (const [index, directory] of directories.entries()) {
    mkdirSync(directory, { recursive: true });
    await leaveSegments(directory, [[reading(2 * index + 1)], [reading(2 * index + 2)]]);
  }
  const segments = () =>
    directories.flatMap((directory) => readdirSync(directory).filter((name) => name.endsWith('.segment')));
  return {
    directories,
    segments,
    options: { dataDir, deadlineMs: 20_000, clickhouse, sql, log: createLogger('test', 'silent') },
    stored: async () =>
      (await storedSamples(clickhouse, { chargerId, sessionId })).map((row) => row.energyWh),
  };
}

void t.test('a drain moves what the logs of all shards hold to ClickHouse', async (t) => {
  const { options, segments, stored } = await stoppedGateway(t);
  t.equal(segments().length, 4);
  t.match(await drainWriteAheadLogs(options), { segments: 4, bytes: Number, setAside: [] });
  t.same(segments(), []);
  t.same(await stored(), [1, 2, 3, 4]);
  t.strictSame(await drainWriteAheadLogs(options), { segments: 0, bytes: 0, setAside: [] }, 'once more');
});

void t.test('a drain loads what ClickHouse refused before and takes now', async (t) => {
  const { options, directories, segments, stored } = await stoppedGateway(t);
  const [directory = ''] = directories;
  const [name = ''] = segments();
  renameSync(join(directory, name), join(directory, `${name}.refused`));
  t.match(await drainWriteAheadLogs(options), { segments: 4, setAside: [] });
  t.same(await stored(), [1, 2, 3, 4]);
});

void t.test('a drain keeps everything while ClickHouse is unavailable', async (t) => {
  const { options, segments, stored } = await stoppedGateway(t);
  const away = openClickHouse(`http://127.0.0.1:${await freePort()}/none`, { name: 'away', connections: 1 });
  await t.rejects(drainWriteAheadLogs({ ...options, clickhouse: away }), { code: 'ECONNREFUSED' });
  await away.close();
  t.equal(segments().length, 4);
  await drainWriteAheadLogs(options);
  t.same(await stored(), [1, 2, 3, 4], 'a later run continues');
});

void t.test('a drain names the segments that were set aside, in this run or before', async (t) => {
  const { options, directories, segments } = await stoppedGateway(t);
  const [directory = ''] = directories;
  const [name = ''] = segments();
  writeFileSync(join(directory, name), 'not a segment');
  const kept = join(directory, `${name}.unreadable`);
  t.strictSame((await drainWriteAheadLogs(options)).setAside, [kept]);
  t.strictSame((await drainWriteAheadLogs(options)).setAside, [kept], 'once more');
});

void t.test('a volume that no gateway wrote to is drained', async (t) => {
  const { options } = await stoppedGateway(t);
  const drained = await drainWriteAheadLogs({ ...options, dataDir: walDirectory(t) });
  t.strictSame(drained, { segments: 0, bytes: 0, setAside: [] });
});

void t.test('a drain refuses the logs of a gateway that runs', async (t) => {
  const { options, directories, segments } = await stoppedGateway(t);
  const [directory = ''] = directories;
  t.ok(existsSync(directory));
  const lock = await DirectoryLock.take(directory);
  await t.rejects(drainWriteAheadLogs(options), /a gateway writes to .*: stop it first/);
  await lock?.release();
  t.equal(segments().length, 4);
});
