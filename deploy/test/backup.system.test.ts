import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { floodMeterValues } from '#bench/fleet/flood.ts';
import { createStation16 } from '#shared/simulator/station16.ts';
import { readRuntime } from '#deploy/start/runtime-file.ts';
import { readManifest, writeManifest } from '#deploy/operate/backup/manifest.ts';
import { type ClickHouse, openClickHouse } from '#shared/clickhouse/client.ts';
import { openPostgres, type Sql } from '#shared/postgres/kernel/client.ts';
import { seedNetwork, seedToken } from '#shared/testing/seed.ts';
import { until } from '#shared/testing/until.ts';
import { allInOneEnvironment, startAllInOne } from './support/all-in-one.ts';
import { Acknowledged, startFleet, startProcess, storedInTheEnd } from './support/system.ts';

const size = 12;

/** Connections to the embedded stores of a running system. */
function storesOf(
  t: Test,
  dataDir: string,
): { sql: Sql; clickhouse: ClickHouse; ocppUrl: string; apiUrl: string } {
  const runtime = readRuntime(dataDir);
  if (runtime === null) throw new Error('no system runs');
  const sql = openPostgres(runtime.databaseUrl, { name: 'test', connections: 2 });
  const clickhouse = openClickHouse(runtime.clickhouseUrl, { name: 'test', connections: 2 });
  t.teardown(() => Promise.all([sql.end({ timeout: 1 }), clickhouse.close()]));
  return { ...runtime, sql, clickhouse };
}

async function completedSessions(sql: Sql): Promise<string[]> {
  const rows = await sql<{ id: bigint }[]>`select id from sessions where status = 'COMPLETED' order by id`;
  return rows.map(({ id }) => String(id));
}

async function countedSessions(clickhouse: ClickHouse): Promise<string[]> {
  const result = await clickhouse.query({
    query: `select toString(session_id) as id from session_facts final where is_counted order by session_id`,
    format: 'JSONEachRow',
  });
  return (await result.json<{ id: string }>()).map(({ id }) => id);
}

/** Removes the rows of a table of ClickHouse that is stopped. */
async function removeParts(table: string): Promise<void> {
  const parts = (await readdir(table)).filter((name) => /_\d+_\d+_\d+/.test(name));
  await Promise.all(parts.map((part) => rm(join(table, part), { recursive: true })));
}

void t.test(
  'a backup under load restores what was acknowledged before it, and stores that agree',
  async (t) => {
    const env = await allInOneEnvironment(t);
    const backup = join(env.DATA_DIR, '../backup');
    const system = await startAllInOne(t, env);
    const source = storesOf(t, env.DATA_DIR);
    const network = await seedNetwork(source.sql);
    const idToken = await seedToken(source.sql, network.id);
    const { chargers, stations } = await startFleet(t, {
      sql: source.sql,
      networkId: network.id,
      ocppUrl: source.ocppUrl,
      size,
      idToken,
    });
    await mkdir(join(env.DATA_DIR, 'firmware'), { recursive: true });
    await writeFile(join(env.DATA_DIR, 'firmware', 'image.bin'), 'image');

    const [early, ...others] = stations;
    await early?.stopSession();
    const acknowledged = new Acknowledged();
    const enough = new AbortController();
    const flood = floodMeterValues({
      stations: others,
      signal: enough.signal,
      rate: 200,
      onAcknowledged: (uid, sample) => acknowledged.add(uid, sample),
    });
    await acknowledged.more(200);
    const before = new Acknowledged();
    for (const key of acknowledged.keys) before.keys.add(key);

    const run = startProcess(t, 'deploy/operate/backup/backup.ts', { DATA_DIR: env.DATA_DIR }, [backup]);
    // Their facts arise while the stores are copied.
    const cars = (async () => {
      while (run.child.exitCode === null) {
        await early?.startSession({ idToken });
        await early?.stopSession();
      }
    })();
    t.equal(await run.exited, 0, run.output());
    await cars;
    enough.abort();
    t.equal((await flood).errors, 0, 'no reading was refused meanwhile');
    await Promise.all(stations.map((station) => station.close()));
    t.equal(await system.kill('SIGTERM'), 0);

    const again = startProcess(t, 'deploy/operate/backup/backup.ts', { DATA_DIR: env.DATA_DIR }, [backup]);
    t.equal(await again.exited, 1);
    t.match(again.output(), 'exists. A backup needs a new directory');
    const refused = startProcess(t, 'deploy/operate/backup/restore.ts', { DATA_DIR: env.DATA_DIR }, [backup]);
    t.equal(await refused.exited, 1);
    t.match(refused.output(), 'is not empty');

    const restored = { ...env, DATA_DIR: join(env.DATA_DIR, '../restored') };
    // As if all facts had been sent between the copies of ClickHouse and PostgreSQL.
    await writeManifest(backup, { ...(await readManifest(backup)), factsPosition: '0' });
    const restore = startProcess(t, 'deploy/operate/backup/restore.ts', { DATA_DIR: restored.DATA_DIR }, [
      backup,
    ]);
    t.equal(await restore.exited, 0, restore.output());
    await removeParts(join(restored.DATA_DIR, 'clickhouse/data/default/session_facts'));
    const copy = await startAllInOne(t, restored);
    const target = storesOf(t, restored.DATA_DIR);

    const stored = await storedInTheEnd(target.clickhouse, chargers, before);
    t.equal(new Set(stored).size, stored.length, 'no reading is there twice');
    const sessions = await target.sql<
      { charger: number }[]
    >`select distinct charger_id as charger from sessions`;
    t.equal(sessions.length, size, 'the sessions of all chargers are there');
    const completed = await completedSessions(target.sql);
    t.ok(completed.length > 0);
    t.same(
      await until('a fact of each completed session', async () => {
        const counted = await countedSessions(target.clickhouse);
        return counted.length >= completed.length && counted;
      }),
      completed,
    );
    for (const name of ['credentials.json', 'sealing.key', 'firmware/image.bin']) {
      const [one, other] = [join(env.DATA_DIR, name), join(restored.DATA_DIR, name)];
      t.same(await readFile(other), await readFile(one), name);
      t.equal((await stat(other)).mode, (await stat(one)).mode);
    }

    const position = async () => {
      const [row] = await target.sql<{ last: bigint }[]>`select max(position) as last from outbox`;
      return row?.last ?? 0n;
    };
    const last = await position();
    const [charger] = chargers;
    if (charger === undefined) throw new Error('there is no charger');
    const station = createStation16({
      ocppUrl: target.ocppUrl,
      uid: charger.uid,
      password: charger.password,
      connectors: 1,
      vendor: 'Test',
      model: 'Test',
    });
    t.teardown(() => station.close());
    await station.connect();
    await station.boot();
    await station.startSession({ idToken });
    await until('an event of the new session', async () => (await position()) > last);
    await station.close();
    t.equal(await copy.kill('SIGTERM'), 0);
  },
);
