import { sendSessionFacts } from '#api/services/reporting/session-facts.service.ts';
import { type ClickHouse, openClickHouse } from '#shared/clickhouse/client.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';

/**
 * A process that sends session facts and comes no further than to the last statement in ClickHouse: it says so and
 * waits to be killed.
 */
const [databaseUrl = '', clickhouseUrl = ''] = process.argv.slice(2);
const sql = openPostgres(databaseUrl, { name: 'facts-sender', connections: 1 });
const client = openClickHouse(clickhouseUrl, { name: 'facts-sender', connections: 1 });
let commands = 0;
async function command(params: Parameters<ClickHouse['command']>[0]) {
  const result = await client.command(params);
  commands += 1;
  if (commands < 2) return result;
  process.stdout.write('written');
  return new Promise<never>(() => undefined);
}
const halting: ClickHouse = {
  cluster: client.cluster,
  query: (params) => client.query(params),
  command,
  ping: () => client.ping(),
  close: () => client.close(),
  insert: (params) => client.insert(params),
  exec: (params) => client.exec(params),
  send: (...given) => client.send(...given),
};
await sendSessionFacts(sql, halting);
