import { readFileSync } from 'node:fs';
import { createFleetCounters, type FleetCounters } from '#bench/fleet/counters.ts';
import { runLife } from '#bench/fleet/life.ts';
import { createRandom } from '#bench/fleet/random.ts';
import type { Station } from '#bench/fleet/station.ts';
import { createStation16 } from '#bench/fleet/station16.ts';
import { createStation201 } from '#bench/fleet/station201.ts';
import { readRuntime } from '#deploy/all-in-one/runtime-file.ts';
import { credentialsPath, type FirstCredentials } from '#deploy/first-key.ts';
import { loadConfig } from '#shared/config/config.ts';
import { runMain } from '#shared/config/run.ts';
import { openPostgres } from '#shared/postgres/client.ts';
import { type DemoCharger, registerChargers } from './chargers.ts';
import { leave } from './leave.ts';
import { seedNetwork } from './seed.ts';

/** An hour of charging takes a minute, so that there is something to watch. */
const timeScale = 60;
const meterIntervalMs = 5000;
const idleMinutes = [1, 15] as const;

/** `npm run demo`: seeds a small network in the running system and lets its chargers charge until it is stopped. */
async function main(): Promise<void> {
  const { dataDir } = loadConfig();
  const runtime = readRuntime(dataDir);
  if (runtime === null) {
    throw new Error(`No system runs on ${dataDir}. Start it first, in another terminal: npm start`);
  }
  const credentials = JSON.parse(readFileSync(credentialsPath(dataDir), 'utf8')) as FirstCredentials;
  const sql = openPostgres(runtime.databaseUrl, { name: 'chargeway-demo', connections: 1 });
  const seeded = await seedNetwork(sql, credentials.networkId);
  await sql.end();
  const api = { url: runtime.apiUrl, key: credentials.operatorKey, networkUuid: credentials.networkId };
  const chargers = await registerChargers(api, seeded, dataDir);
  console.log(`${chargers.length} chargers at ${runtime.ocppUrl}; one simulated hour a minute. Stop: Ctrl-C`);
  await drive(chargers, { ocppUrl: runtime.ocppUrl, tokens: seeded.tokens });
}

async function drive(chargers: DemoCharger[], options: { ocppUrl: string; tokens: string[] }): Promise<void> {
  const counters = createFleetCounters();
  const ending = new AbortController();
  process.once('SIGINT', () => ending.abort());
  process.once('SIGTERM', () => ending.abort());
  const stations = chargers.map((charger, index) => ({
    charger,
    station: createStation(charger, options.ocppUrl, counters),
    random: createRandom(index + 1),
  }));
  const stopProgress = showProgress(counters);
  await Promise.all(
    stations.map(async ({ charger, station, random }) => {
      await station.connect(5);
      await station.boot();
      const { signal } = ending;
      const { supply } = charger.model;
      const life = {
        tokens: options.tokens,
        timeScale,
        signal,
        random,
        supply,
        meterIntervalMs,
        idleMinutes,
      };
      await runLife(station, life);
      await leave(station);
    }),
  );
  stopProgress();
}

function createStation(charger: DemoCharger, ocppUrl: string, counters: FleetCounters): Station {
  const { model, uid, password } = charger;
  const create = model.ocppVersion === '1.6' ? createStation16 : createStation201;
  return create({
    ocppUrl,
    uid,
    password,
    connectors: model.connectors,
    vendor: model.manufacturer,
    model: model.modelName,
    serialNumber: uid,
    firmwareVersion: '4.2.0',
    registerWh: 1_000_000,
    counters,
  });
}

/** A line of progress every second on a terminal, every ten seconds elsewhere. */
function showProgress(counters: FleetCounters): () => void {
  const isTerminal = process.stdout.isTTY;
  const show = (): void => {
    const line =
      `${counters.connected} connected   ${counters.sessionsStarted - counters.sessionsStopped} charging   ` +
      `${counters.sessionsStarted} sessions started, ${counters.sessionsStopped} ended   ` +
      `${counters.acknowledged} meter values stored   ${counters.remoteStarts} remote starts   ${counters.errors} errors`;
    process.stdout.write(isTerminal ? `\r\u001B[K${line}` : `${line}\n`);
  };
  show();
  const timer = setInterval(show, isTerminal ? 1000 : 10_000);
  return () => {
    clearInterval(timer);
    show();
    process.stdout.write('\n');
  };
}

await runMain(main);
