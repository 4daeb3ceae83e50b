import { setTimeout as wait } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { credentialsPath, type FirstCredentials } from '#deploy/start/first-key.ts';
import { runningStores } from '#deploy/start/runtime-file.ts';
import { openClickHouse } from '#shared/clickhouse/client.ts';
import { loadConfig } from '#shared/config/config.ts';
import { unknownStatus } from '#shared/domain/fleet/charger.ts';
import { hashSecret, newChargerPassword } from '#shared/domain/kernel/secrets.ts';
import { openPostgres, type Sql } from '#shared/postgres/kernel/client.ts';
import { recordEvents } from '#shared/postgres/kernel/outbox.statements.ts';
import { fillHistory, type HistorySize } from './history.ts';
import { seedNetwork } from './seed.ts';

/** Network that is filled, and its stores. */
interface Filled {
  sql: Sql;
  clickhouseUrl: string;
  networkId: string;
}

/** Seeds the demo's network without its chargers; returns its tokens. */
async function seed({ sql, networkId }: Filled): Promise<unknown> {
  const { tokens } = await seedNetwork(sql, networkId);
  return { networkId, tokens };
}

/** Registers chargers in one statement, since the fleets of the bench are too large for a request per charger. */
async function chargers(
  { sql, networkId }: Filled,
  { count, prefix }: { count: number; prefix: string },
): Promise<unknown> {
  const added = Array.from({ length: count }, (_, number) => ({
    uid: `${prefix}-${String(number).padStart(6, '0')}`,
    password: newChargerPassword(),
  }));
  const rows = await sql<{ uid: string; id: string }[]>`
    insert into chargers (network_id, uid, evse_id, serial_number, status, password_hash, registration)
    select n.id, r.uid, 'NL*BEN*E' || replace(r.uid, '-', '*'), r.uid, ${unknownStatus}, decode(r.hash, 'hex'),
      n.new_charger_registration
    from networks n, unnest(${added.map(({ uid }) => uid)}::text[],
      ${added.map(({ password }) => hashSecret(password).toString('hex'))}::text[]) as r(uid, hash)
    where n.uuid = ${networkId}
    returning uid, uuid as id`;
  const ids = new Map(rows.map(({ uid, id }) => [uid, id]));
  return added.map((charger) => ({ ...charger, id: ids.get(charger.uid) }));
}

const batchesPerSecond = 20;

/** Writes numbered public events of chargers in turn, at a rate in batches; returns the time that it took in ms. */
async function events(
  { sql }: Filled,
  { rate, seconds, prefix }: { rate: number; seconds: number; prefix: string },
): Promise<unknown> {
  const subjects = await sql<{ id: number; uuid: string; networkId: number }[]>`
    select id, uuid, network_id as "networkId" from chargers where uid like ${`${prefix}-%`} order by uid`;
  const perBatch = Math.ceil(rate / batchesPerSecond);
  const total = rate * seconds;
  const begin = performance.now();
  for (let first = 0; first < total; first += perBatch) {
    await wait(begin + (first / rate) * 1000 - performance.now());
    const batch = Array.from({ length: Math.min(perBatch, total - first) }, (_, index) => {
      const number = first + index;
      const { id, uuid, networkId } = subjects[number % subjects.length]!;
      return {
        type: 'charger.updated' as const,
        networkId,
        subjectId: id,
        subjectUuid: uuid,
        chargerId: id,
        data: { number, writtenAt: Date.now() },
      };
    });
    await recordEvents(sql, batch);
  }
  return Math.round(performance.now() - begin);
}

/** Fills the network with a year of sessions. */
async function history({ sql, clickhouseUrl, networkId }: Filled, size: HistorySize): Promise<unknown> {
  const clickhouse = openClickHouse(clickhouseUrl, {
    name: 'chargeway-demo',
    connections: 1,
    timeoutMs: 600_000,
  });
  await fillHistory({ sql, clickhouse }, networkId, size);
  await clickhouse.close();
  return null;
}

const fillings: Record<string, (filled: Filled, options: never) => Promise<unknown>> = {
  seed,
  chargers,
  events,
  history,
};

/** Fills the first network of the running system for the bench: `fill.ts WHAT OPTIONS`, options and result as JSON. */
const [, , , what = '', options = 'null'] = process.argv;
const config = loadConfig();
const { databaseUrl, clickhouseUrl } = runningStores(config);
const { networkId } = JSON.parse(readFileSync(credentialsPath(config.dataDir), 'utf8')) as FirstCredentials;
const sql = openPostgres(databaseUrl, { name: 'chargeway-demo', connections: 1 });
const fill = fillings[what];
if (fill === undefined) throw new Error(`there is no filling ${what}`);
const result = await fill({ sql, clickhouseUrl, networkId }, JSON.parse(options) as never);
await sql.end();
console.log(JSON.stringify(result));
