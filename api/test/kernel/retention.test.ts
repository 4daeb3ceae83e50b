import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { dropPastPartitions, limitLogs, removePastRecords } from '#api/jobs/retention.job.ts';
import { testSettings } from '#api/test/support/deps.ts';
import { rollUpReadings } from '#shared/clickhouse/reading-rollup.queries.ts';
import type { Retention } from '#shared/domain/kernel/retention.ts';
import { createLogger } from '#shared/log/log.ts';
import { insertMeterRows, meterRow } from '#shared/testing/meter-rows.ts';
import { testStores } from '#shared/testing/stores.ts';

const document = join(import.meta.dirname, '../../../docs/operations/retention.md');
const log = createLogger('test', 'silent');

/** Tables of each variable. */
const tablesOf: Record<string, string[]> = {
  LOG_DAYS: ['ocpp_messages', 'device_events', 'ocpi_exchanges', 'webhook_deliveries'],
  READING_DAYS: ['meter_samples', 'reading_rollup'],
  RECORD_DAYS: ['alerts', 'status_events', 'security_events'],
  AUDIT_DAYS: ['audit_log'],
  PERSONAL_DAYS: ['users'],
};

/** Returns the tables that a section of the document lists, each with its retention. */
function listedTables(text: string, heading: string): [table: string, text: string][] {
  const list = text.split(`## ${heading}`)[1]?.split('## ')[0] ?? '';
  return [...list.matchAll(/^\| (`.+?) \| (.+) \|$/gm)].flatMap(([, tables = '', retention = '']) =>
    [...tables.matchAll(/`([\w.*]+)`/g)].map(([, table = '']): [string, string] => [table, retention]),
  );
}

void t.test(
  'docs/operations/retention.md lists every table of both databases once, with its retention',
  async (t) => {
    const { sql, clickhouse } = await testStores(t);
    const text = await readFile(document, 'utf8');
    const ofPostgres = listedTables(text, 'PostgreSQL');
    const ofClickHouse = listedTables(text, 'ClickHouse');

    const tables = await sql<{ name: string }[]>`
    select c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname = 'public'`;
    t.same(ofPostgres.map(([table]) => table).toSorted(), tables.map(({ name }) => name).toSorted());

    const result = await clickhouse.query({
      query: `select name from system.tables where database = currentDatabase() and engine like '%MergeTree'`,
      format: 'JSONEachRow',
    });
    const stored = (await result.json<{ name: string }>()).map(({ name }) => name);
    t.same(ofClickHouse.map(([table]) => table).toSorted(), stored.toSorted());

    const texts = new Map([...ofPostgres, ...ofClickHouse]);
    for (const [name, tables] of Object.entries(tablesOf))
      for (const table of tables) t.match(texts.get(table), name, table);
  },
);

/** Dependencies of the jobs, with a retention. */
async function retentionDeps(t: Pick<Tap, 'teardown'>, retention: Partial<Retention>) {
  // Databases whose tables have the retention of an installation.
  const { sql, clickhouse } = await testStores(t, { fresh: true });
  const settings = { ...testSettings, retention: { ...testSettings.retention, ...retention } };
  return { sql, clickhouse, settings, log };
}

type Tap = typeof t;

void t.test(
  'removes records and readings that are past their retention, unless it is indefinitely',
  async (t) => {
    const forEver: Partial<Retention> = {
      readingDays: null,
      auditDays: null,
      recordDays: null,
    };
    const deps = await retentionDeps(t, forEver);
    const { sql, clickhouse } = deps;
    await sql`
    insert into audit_log (at, category, action, description, details)
    values (now() - interval '400 days', 'x', 'x', 'x', '{}')`;
    const network = await sql<
      { id: number }[]
    >`insert into networks (slug, name) values ('n', 'n') returning id`;
    await sql`
    insert into alerts (network_id, kind, severity, resource_type, resource_id, resource_name, message, details, occurred_at,
      last_occurred_at, opened_at, status, resolved_at)
    select ${network[0]?.id ?? 0}, 'x', 'warning', 'gateway', 'x', 'x', 'x', '{}', at, at, at, 'resolved', at
    from (select now() - interval '400 days' as at) past`;
    const origin = { networkId: 1, chargerId: 1, sessionId: null };
    await insertMeterRows(clickhouse, [
      meterRow(origin, new Date(Date.now() - 400 * 24 * 3_600_000), { powerW: 1 }),
    ]);
    const counts = async () => {
      const [row] = await sql<{ entries: number; alerts: number }[]>`
      select (select count(*)::integer from audit_log) as entries, (select count(*)::integer from alerts) as alerts`;
      const result = await clickhouse.query({
        query: 'select count() from meter_samples',
        format: 'JSONCompactEachRow',
      });
      const [[readings] = []] = await result.json<[number]>();
      return { ...row, readings };
    };

    await removePastRecords(deps);
    await dropPastPartitions(deps);
    t.same(await counts(), { entries: 1, alerts: 1, readings: 1 });

    const days = { readingDays: 365, auditDays: 365, recordDays: 365 };
    const limited = {
      ...deps,
      settings: { ...testSettings, retention: { ...testSettings.retention, ...days } },
    };
    await rollUpReadings(clickhouse, 100, Date.now() + 3_600_000);
    await removePastRecords(limited);
    await dropPastPartitions(limited);
    t.same(await counts(), { entries: 1, alerts: 0, readings: 0 });
    const [entry] = await sql`select category, action, user_name, details from audit_log`;
    t.match(entry, {
      category: 'audit-log',
      action: 'retention',
      user_name: 'record-retention',
      details: { removed: 1, days: 365 },
    });
    await removePastRecords(limited);
    t.match(await counts(), { entries: 1 }, 'a run that removes nothing adds no entry');
  },
);

void t.test('sets the retention of exchanges and deliveries that the settings name', async (t) => {
  const deps = await retentionDeps(t, { logDays: 11 });
  await limitLogs(deps);
  const result = await deps.clickhouse.query({
    query: `select name, extract(create_table_query, 'toIntervalDay\\\\((\\\\d+)\\\\)') as days from system.tables
      where database = currentDatabase() and name in ('ocpi_exchanges', 'webhook_deliveries') order by name`,
    format: 'JSONEachRow',
  });
  t.same(await result.json(), [
    { name: 'ocpi_exchanges', days: '11' },
    { name: 'webhook_deliveries', days: '11' },
  ]);
});
