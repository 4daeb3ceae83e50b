import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createFleetCounters, type FleetCounters } from '#shared/simulator/counters.ts';
import { type LifeOptions, runLife } from '#shared/simulator/life.ts';
import { createRandom, type Random } from '#shared/simulator/random.ts';
import type { Station } from '#shared/simulator/station.ts';
import { stations } from '#shared/simulator/stations.ts';
import { readRuntime, type Runtime } from '#deploy/start/runtime-file.ts';
import { credentialsPath, type FirstCredentials } from '#deploy/start/first-key.ts';
import { openClickHouse } from '#shared/clickhouse/client.ts';
import { insertLines } from '#shared/clickhouse/insert-lines.ts';
import { type StatusEventOrigin, statusEventTable } from '#shared/clickhouse/status-events.ts';
import { loadConfig } from '#shared/config/config.ts';
import { ConfigError } from '#shared/config/config-error.ts';
import { runMain } from '#shared/config/run.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import {
  chargerOrigins,
  type DemoCharger,
  demoMeter,
  newestSessionAt,
  registerChargers,
} from './chargers.ts';
import {
  causeIncidents,
  faultyMeters,
  flap,
  flappingBackoff,
  incidents,
  runFaulted,
  runOffline,
} from './incidents.ts';
import { createGarage, runBuilding } from './garage.ts';
import { leave } from './leave.ts';
import { type ConnectorPast, pastOf, type PastTime, withJump, withLast } from './past.ts';
import { pastStates } from './past-states.ts';
import { garage } from './network-plan.ts';
import { createRecords } from './records.ts';
import { seedNetwork } from './seed.ts';

const usage = `npm run demo -- [--days DAYS]

Fills the running system (npm start, in another terminal) with a network of 32 simulated chargers. They replay the sessions of the
last days as if they had been offline, and then charge in real time until the demo is stopped with Ctrl-C. Another run replays what
would have happened since the last one.

  --days DAYS   days of the history of the first run, from 1 to 60; 8 by default, so that a week ago can be compared
  --help        this text

Environment: DATA_DIR, the data directory of the running system.`;

/** Cars charge in real time: what is faster is implausible, and its price is reviewed. */
const timeScale = 1;
const meterIntervalMs = 5000;
const idleMinutes = [10, 90] as const;
/** Short, so that the cars in the garage need more than its limit. */
const garageIdleMinutes = [0.5, 6] as const;

const dayMs = 24 * 3_600_000;
const maxDays = 60;

/** Charged before a history began. */
const registerWh = 1_000_000;

/**
 * `npm run demo`: seeds a small network in the running system. Its chargers replay the sessions of eight days as if they had been
 * offline, and then charge until the demo is stopped. Some have a trouble. Another run replays what would have happened since the last.
 */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(3));
  if (options === null) return console.log(usage);
  const { dataDir } = loadConfig();
  const runtime = readRuntime(dataDir);
  if (runtime === null) {
    throw new Error(`No system runs on ${dataDir}. Start it first, in another terminal: npm start`);
  }
  const credentials = JSON.parse(readFileSync(credentialsPath(dataDir), 'utf8')) as FirstCredentials;
  const sql = openPostgres(runtime.databaseUrl, { name: 'chargeway-demo', connections: 1 });
  const seeded = await seedNetwork(sql, credentials.networkId);
  const api = { url: runtime.apiUrl, key: credentials.operatorKey, networkUuid: credentials.networkId };
  const chargers = await registerChargers(api, seeded, dataDir);
  const to = Date.now();
  const newest = await newestSessionAt(sql, credentials.networkId);
  const origins = await chargerOrigins(sql);
  await sql.end();
  const past = { from: Math.max(to - options.days * dayMs, newest ?? 0), to };
  const members = chargers.map((charger, index) => {
    const random = createRandom(index + 1);
    return {
      charger,
      random,
      past: pastOfCharger(charger, past, { ...seeded, random, isFirst: newest === null }),
    };
  });
  await writeStates(runtime, origins, past, members);
  console.log(`${chargers.length} chargers at ${runtime.ocppUrl}, with their last days. Stop: Ctrl-C`);
  await drive(members, runtime, {
    tokens: seeded.tokens,
    onReplayed: async (signal) => {
      const { id } = await createGarage(api);
      void runBuilding(api, id, { signal, random: createRandom(1) });
      await causeIncidents(api, runtime.ocppUrl);
      await createRecords(api, credentials.emspKey);
    },
  });
}

/** Returns the options of the command line. Null: help is wanted. */
function readOptions(args: string[]): { days: number } | null {
  try {
    const options = { days: { type: 'string', default: '8' }, help: { type: 'boolean' } } as const;
    const { values } = parseArgs({ args, options });
    if (values.help === true) return null;
    const days = Number(values.days);
    if (days >= 1 && days <= maxDays) return { days };
    throw new Error(`--days: ${values.days} is not a number from 1 to ${maxDays}`);
  } catch (error) {
    throw new ConfigError([(error as Error).message, usage]);
  }
}

/** A charger of the demo, with the past of its connectors. */
interface Member {
  charger: DemoCharger;
  random: Random;
  past: ConnectorPast[];
}

function pastOfCharger(
  { uid, model: { supply, connectors } }: DemoCharger,
  time: PastTime,
  {
    tokens,
    shortToken,
    random,
    isFirst,
  }: { tokens: string[]; shortToken: string; random: Random; isFirst: boolean },
): ConnectorPast[] {
  return Array.from({ length: connectors }, (_, index) => {
    const usual = pastOf(time, { supply, tokens, random, registerWh });
    if (!isFirst || index > 0) return usual;
    if (faultyMeters.has(uid)) return { ...usual, sessions: withLast(usual.sessions, withJump) };
    if (uid !== incidents.unpaid) return usual;
    return { ...usual, sessions: withLast(usual.sessions, (last) => ({ ...last, idToken: shortToken })) };
  });
}

/** Stores the states that the chargers would have reported in the past. No charger reports them later. */
async function writeStates(
  runtime: Runtime,
  origins: ReadonlyMap<string, StatusEventOrigin>,
  time: PastTime,
  members: readonly Member[],
): Promise<void> {
  const rows = members.flatMap(({ charger: { uid, model }, past: connectors, random }) => {
    const origin = origins.get(uid);
    if (origin === undefined) throw new Error(`there is no charger ${uid}`);
    const past = { origin, version: model.ocppVersion, connectors, hasBadLink: uid === incidents.flapping };
    return pastStates(time, past, random);
  });
  const clickhouse = openClickHouse(runtime.clickhouseUrl, { name: 'chargeway-demo', connections: 1 });
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  await insertLines(clickhouse, statusEventTable, [Buffer.from(lines)]);
  await clickhouse.close();
}

async function drive(
  members: readonly Member[],
  { ocppUrl }: Runtime,
  { tokens, onReplayed }: { tokens: string[]; onReplayed: (signal: AbortSignal) => Promise<void> },
): Promise<void> {
  const counters = createFleetCounters();
  const ending = new AbortController();
  process.once('SIGINT', () => ending.abort());
  process.once('SIGTERM', () => ending.abort());
  const stopProgress = showProgress(counters);
  const replayed = Promise.withResolvers<void>();
  let replaying = members.length;
  const drives = members.map(async ({ charger, random, past }) => {
    const station = createStation(charger, ocppUrl, counters);
    await station.connect(5);
    await station.boot();
    for (const [index, { sessions }] of past.entries()) await station.replaySessions(index + 1, sessions);
    replaying -= 1;
    if (replaying === 0) replayed.resolve();
    const now = Date.now();
    const life = {
      arrivedMinutesAgo: (connector: number) => {
        const since = past[connector - 1]?.occupiedSince ?? null;
        return since === null ? undefined : (now - since) / 60_000;
      },
      tokens,
      timeScale,
      signal: ending.signal,
      random,
      supply: charger.model.supply,
      meterIntervalMs,
      idleMinutes: charger.location === garage ? garageIdleMinutes : idleMinutes,
    };
    await live(charger.uid, station, life);
    if (charger.uid !== incidents.offline) await leave(station);
  });
  const addRecords = async () => {
    await replayed.promise;
    console.log('\nThe history is replayed; cars charge in real time now.');
    await onReplayed(ending.signal).catch((error: unknown) =>
      console.error('The records of the demonstration are incomplete:', error),
    );
  };
  await Promise.all([...drives, addRecords()]);
  stopProgress();
}

/** Lets drivers come and go, or has the trouble of a charger. */
async function live(uid: string, station: Station, life: LifeOptions): Promise<void> {
  if (uid === incidents.faulted) return runFaulted(station, life);
  if (uid === incidents.offline) return runOffline(station, life);
  await Promise.all([runLife(station, life), ...(uid === incidents.flapping ? [flap(station, life)] : [])]);
}

function createStation(charger: DemoCharger, ocppUrl: string, counters: FleetCounters): Station {
  const { model, uid, password } = charger;
  return stations[model.ocppVersion]({
    ocppUrl,
    uid,
    password,
    connectors: model.connectors,
    vendor: model.manufacturer,
    model: model.modelName,
    serialNumber: uid,
    firmwareVersion: '4.2.0',
    registerWh,
    meter: demoMeter(password),
    counters,
    ...(uid === incidents.flapping && { backoff: flappingBackoff }),
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
