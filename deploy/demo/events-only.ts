import { setTimeout as wait } from 'node:timers/promises';
import { runningStores } from '#deploy/start/runtime-file.ts';
import { loadConfig } from '#shared/config/config.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { recordEvents } from '#shared/postgres/kernel/outbox.ts';

/**
 * Writes numbered public events at a rate in batches, and prints the time that it took in ms: for the bench. The first argument (JSON)
 * has the rate, the seconds, and the prefix of the uids of the chargers that the events concern in turn.
 */
const batchesPerSecond = 20;

const { rate, seconds, prefix } = JSON.parse(process.argv[3] ?? '') as {
  rate: number;
  seconds: number;
  prefix: string;
};
const sql = openPostgres(runningStores(loadConfig()).databaseUrl, { name: 'chargeway-demo', connections: 1 });
const chargers = await sql<{ id: number; uuid: string; networkId: number }[]>`
  select id, uuid, network_id as "networkId" from chargers where uid like ${`${prefix}-%`} order by uid`;
const perBatch = Math.ceil(rate / batchesPerSecond);
const total = rate * seconds;
const begin = performance.now();
for (let first = 0; first < total; first += perBatch) {
  await wait(begin + (first / rate) * 1000 - performance.now());
  const events = Array.from({ length: Math.min(perBatch, total - first) }, (_, index) => {
    const number = first + index;
    const { id, uuid, networkId } = chargers[number % chargers.length]!;
    return {
      type: 'charger.updated' as const,
      networkId,
      subjectId: id,
      subjectUuid: uuid,
      chargerId: id,
      data: { number, writtenAt: Date.now() },
    };
  });
  await recordEvents(sql, events);
}
await sql.end();
console.log(Math.round(performance.now() - begin));
