import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { type ClickHouse, openClickHouse } from '#shared/clickhouse/client.ts';
import { insertMeterRows, meterRow } from '#shared/testing/meter-rows.ts';
import { migrateClickHouse } from '#shared/clickhouse/migrate.queries.ts';
import { startEmbeddedClickHouse } from '#shared/embedded/clickhouse.ts';

/** The files and directories that the engine has flushed since it started. */
async function flushes(clickhouse: ClickHouse): Promise<{ files: number; directories: number }> {
  const result = await clickhouse.query({
    query: `select sumIf(value, event = 'FileSync') as files, sumIf(value, event = 'DirectorySync') as directories from system.events`,
    format: 'JSONEachRow',
  });
  const [counted] = await result.json<{ files: number; directories: number }>();
  return counted ?? { files: 0, directories: 0 };
}

void t.test('flushes an insert of readings to disk before it answers', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'chargeway-test-flushes-'));
  const server = await startEmbeddedClickHouse({ dataDir: join(dataDir, 'clickhouse') });
  const clickhouse = openClickHouse(server.url, { name: 'test', connections: 1 });
  t.teardown(async () => {
    await clickhouse.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  await migrateClickHouse(clickhouse);
  const before = await flushes(clickhouse);
  const origin = { networkId: 1, chargerId: 2, sessionId: randomUUID() };
  await insertMeterRows(clickhouse, [meterRow(origin, new Date(), { energyWh: 1 })]);
  const after = await flushes(clickhouse);
  t.ok(after.files > before.files, `${after.files - before.files} files`);
  t.ok(after.directories > before.directories, `${after.directories - before.directories} directories`);
});
