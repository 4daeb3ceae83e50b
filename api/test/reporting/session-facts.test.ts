import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { sessionFactSender } from '#api/jobs/session-facts.job.ts';
import { sendSessionFacts } from '#api/services/reporting/session-facts.service.ts';
import { type ClickHouse, openClickHouse } from '#shared/clickhouse/client.ts';
import { openPostgres, type Sql } from '#shared/postgres/kernel/client.ts';
import { seedNetwork } from '#shared/testing/seed.ts';
import { type TestStores, testStores } from '#shared/testing/stores.ts';
import { until } from '#shared/testing/until.ts';
import { addConnectors, addRunning, endSession, type TestConnector } from '#api/test/support/session-rows.ts';

const noon = (day: number, month = 2) => new Date(Date.UTC(2026, month, day, 12));
const hour = 3_600_000;

async function scene(stores: TestStores): Promise<TestConnector> {
  const network = await seedNetwork(stores.sql);
  const [connector] = await addConnectors(stores.sql, { ...network, currency: 'EUR' }, 1);
  if (connector === undefined) throw new Error('no connector');
  return connector;
}

async function completed(sql: Sql, at: TestConnector, endedAt: Date, energyWh = 1000): Promise<string> {
  const id = await addRunning(sql, at, new Date(endedAt.getTime() - hour));
  await endSession(sql, id, { endedAt, energyWh, costMinor: 500 });
  return id;
}

/** Returns the counts of the rollups and the facts, which must agree. */
async function counted(t: Test, clickhouse: ClickHouse) {
  const ask = async (query: string) =>
    (await clickhouse.query({ query, format: 'JSONEachRow' })).json<Record<string, number>>();
  const facts = await ask(`
    select count() as sessions, sum(energy_milli_wh) as energy, sum(cost_incl_vat_minor) as cost
    from session_facts final where is_counted`);
  const [rollup] = await ask(`
    select sum(sessions) as sessions, sum(energy_milli_wh) as energy, sum(cost_incl_vat_minor) as cost
    from session_rollup final`);
  t.same(rollup?.['sessions'], facts[0]?.['sessions'], 'the rollup follows the facts');
  t.same(rollup?.['energy'], facts[0]?.['energy']);
  const [charging] = await ask('select sum(charging_ms) as ms from charging_rollup final');
  return {
    sessions: rollup?.['sessions'],
    energyWh: (rollup?.['energy'] ?? 0) / 1000,
    chargingMs: charging?.['ms'],
  };
}

/** Returns the number of changes of completed sessions that were not sent yet. */
const waiting = async (sql: Sql) => {
  const rows = await sql`
    select from outbox where 'COMPLETED' in (internal ->> 'status', internal #>> '{was,status}')
      and coalesce(position > (select position from outbox_readers where name = 'facts'), true)`;
  return rows.length;
};

void t.test('counts a session once at its current end, and not once its end is reverted', async (t) => {
  const stores = await testStores(t);
  const { sql, clickhouse } = stores;
  const at = await scene(stores);
  const id = await addRunning(sql, at, noon(1));
  t.equal(await sendSessionFacts(sql, clickhouse), 0, 'a running session is no fact');

  await endSession(sql, id, { endedAt: new Date(noon(1).getTime() + hour), energyWh: 7000, costMinor: 400 });
  t.equal(await sendSessionFacts(sql, clickhouse), 1);
  t.equal(await sendSessionFacts(sql, clickhouse), 0, 'nothing changed since');
  t.strictSame(await counted(t, clickhouse), { sessions: 1, energyWh: 7000, chargingMs: hour });

  const idle = [{ from: noon(2), to: noon(3) }];
  await endSession(sql, id, { endedAt: noon(2, 3), energyWh: 9000, costMinor: null, idle });
  await sendSessionFacts(sql, clickhouse);
  const month = 32 * 24 * hour;
  t.strictSame(await counted(t, clickhouse), {
    sessions: 1,
    energyWh: 9000,
    chargingMs: month - 24 * hour,
  });

  // Two changes in one batch, the first of which was never sent by itself.
  await endSession(sql, id, { endedAt: noon(5), energyWh: 1, costMinor: 1 });
  await endSession(sql, id, { endedAt: new Date(noon(1).getTime() + hour), energyWh: 8000, costMinor: 1 });
  await sendSessionFacts(sql, clickhouse);
  t.strictSame(await counted(t, clickhouse), { sessions: 1, energyWh: 8000, chargingMs: hour });

  await sql`update sessions set status = 'INVALID' where id = ${id}`;
  await sendSessionFacts(sql, clickhouse);
  t.strictSame(await counted(t, clickhouse), { sessions: 0, energyWh: 0, chargingMs: 0 });
});

void t.test('sends nothing of a rolled-back change', async (t) => {
  const stores = await testStores(t);
  const { sql, clickhouse } = stores;
  const at = await scene(stores);
  const id = await completed(sql, at, noon(1));
  await sendSessionFacts(sql, clickhouse);
  await sql
    .begin(async (transaction) => {
      await transaction`update sessions set energy_wh = 5 where id = ${id}`;
      throw new Error('no');
    })
    .catch(() => undefined);
  t.equal(await sendSessionFacts(sql, clickhouse), 0);
  t.match(await counted(t, clickhouse), { energyWh: 1000 });
});

void t.test('replaces a sender that was killed between write and commit', async (t) => {
  const stores = await testStores(t);
  const { sql, clickhouse } = stores;
  const at = await scene(stores);
  for (let day = 1; day <= 5; day += 1) await completed(sql, at, noon(day));
  // Creates the database, which the other process opens by its address.
  await clickhouse.ping();

  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../support/facts-sender.ts'), stores.databaseUrl, stores.clickhouseUrl],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  t.teardown(() => child.kill('SIGKILL'));
  const [said] = (await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])) as [unknown];
  t.equal(String(said), 'written');
  t.equal(await sendSessionFacts(sql, clickhouse), 0, 'one sends at a time');
  child.kill('SIGKILL');
  await once(child, 'exit');
  t.equal(await waiting(sql), 5, 'all of it is still to be sent');

  const sendAgain = async () => (await sendSessionFacts(sql, clickhouse)) || null;
  t.equal(await until('the lock of the dead', sendAgain), 5);
  t.equal(await waiting(sql), 0);
  t.strictSame(await counted(t, clickhouse), { sessions: 5, energyWh: 5000, chargingMs: 5 * hour });
});

void t.test('sends from two processes while sessions end and change', async (t) => {
  const stores = await testStores(t);
  const { sql, clickhouse } = stores;
  const at = await scene(stores);
  const other = openPostgres(stores.databaseUrl, { name: 'other', connections: 2 });
  t.teardown(() => other.end());
  const ending = { isDone: false };
  const send = async (from: Sql) => {
    let sent = 0;
    while (!ending.isDone || (await waiting(from)) > 0) sent += await sendSessionFacts(from, clickhouse, 7);
    return sent;
  };
  const senders = [send(sql), send(other)];
  for (let day = 1; day <= 12; day += 1) {
    const id = await completed(sql, at, noon(day));
    await endSession(sql, id, { endedAt: noon(day), energyWh: 2000, costMinor: 700 });
  }
  ending.isDone = true;
  const sent = await Promise.all(senders);
  t.equal(sent[0]! + sent[1]!, 24);
  t.strictSame(await counted(t, clickhouse), { sessions: 12, energyWh: 24_000, chargingMs: 12 * hour });
});

void t.test('keeps facts while ClickHouse is unavailable and logs it once', async (t) => {
  const stores = await testStores(t);
  const { sql } = stores;
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => lines.push(line) });
  await completed(sql, await scene(stores), noon(1));

  const clickhouse = openClickHouse('http://127.0.0.1:9/', { name: 'nobody', connections: 1 });
  t.teardown(() => clickhouse.close());
  const away = sessionFactSender({ sql, clickhouse, log });
  const { signal } = new AbortController();
  await away(signal);
  await away(signal);
  t.equal(await waiting(sql), 1);
  t.equal(lines.filter((line) => line.includes('they are kept in PostgreSQL')).length, 1);

  await sessionFactSender({ sql, clickhouse: stores.clickhouse, log })(signal);
  t.equal(await waiting(sql), 0);
  t.match(await counted(t, stores.clickhouse), { sessions: 1 });
});

void t.test('ends when the process stops, although sessions change all the time', async (t) => {
  const stores = await testStores(t);
  const { sql, clickhouse } = stores;
  const log = pino({ level: 'silent' });
  await completed(sql, await scene(stores), noon(1));
  await clickhouse.ping();
  const stopping = new AbortController();
  const enough = new AbortController();
  const change = async (): Promise<void> => {
    for (let changes = 0; !enough.signal.aborted; changes++) {
      await sql`update sessions set version = version + 1`;
      if (changes === 50) stopping.abort();
    }
  };
  const changing = change();
  const send = sessionFactSender({ sql, clickhouse, log });
  // A run also ends when all facts are sent: the next change may come late.
  while (!stopping.signal.aborted) await send(stopping.signal);
  enough.abort();
  await changing;
});

void t.test('sends other facts alongside an implausible session', async (t) => {
  const stores = await testStores(t);
  const { sql, clickhouse } = stores;
  const at = await scene(stores);
  for (const [startedAt, endedAt, energyWh] of [
    ['1969-01-01T00:00:00Z', '1970-01-01T00:00:01Z', 1],
    ['2026-03-01T00:00:00Z', '2026-02-01T00:00:00Z', 1e300],
    ['2026-03-01T00:00:00Z', '9999-12-31T23:59:59Z', 1],
  ] as const) {
    const id = await addRunning(sql, at, new Date(startedAt));
    await endSession(sql, id, { endedAt: new Date(endedAt), energyWh, costMinor: 1 });
  }
  await completed(sql, at, noon(1));
  t.equal(await sendSessionFacts(sql, clickhouse), 4);
  t.match(await counted(t, clickhouse), { sessions: 4, chargingMs: 1000 + (366 * 24 + 1) * hour });
});

void t.test('sends lost facts again from PostgreSQL', async (t) => {
  const stores = await testStores(t);
  const { sql, clickhouse } = stores;
  const at = await scene(stores);
  await completed(sql, at, noon(1));
  await sendSessionFacts(sql, clickhouse);
  for (const table of ['session_facts', 'session_rollup', 'charging_rollup']) {
    await clickhouse.command({ query: `truncate table ${table}` });
  }
  await sql`
    insert into outbox (network_id, type, subject_id)
    select network_id, 'session_fact.due', id from sessions where status = 'COMPLETED'`;
  t.equal(await sendSessionFacts(sql, clickhouse), 1);
  t.match(await counted(t, clickhouse), { sessions: 1, energyWh: 1000 });
});
