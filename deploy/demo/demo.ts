import { readFileSync } from 'node:fs';
import { createFleetCounters, type FleetCounters } from '#shared/simulator/counters.ts';
import { runLife } from '#shared/simulator/life.ts';
import { usualStay } from '#shared/simulator/life.ts';
import { between, createRandom, type Random } from '#shared/simulator/random.ts';
import type { Station } from '#shared/simulator/station.ts';
import { stations } from '#shared/simulator/stations.ts';
import { readRuntime } from '#deploy/start/runtime-file.ts';
import { credentialsPath, type FirstCredentials } from '#deploy/start/first-key.ts';
import { loadConfig } from '#shared/config/config.ts';
import { runMain } from '#shared/config/run.ts';
import { openPostgres } from '#shared/postgres/kernel/client.ts';
import { type DemoCharger, demoMeter, newestSessionAt, registerChargers } from './chargers.ts';
import { leave } from './leave.ts';
import { type PastTime, pastSessions, withJump } from './past.ts';
import { createRecords } from './records.ts';
import { seedNetwork } from './seed.ts';

/** Cars charge in real time: what is faster is implausible, and its price is reviewed. */
const timeScale = 1;
const meterIntervalMs = 5000;
const idleMinutes = [1, 15] as const;

/** The history that chargers replay at first. */
const historyMs = 7 * 24 * 3_600_000;

/** Share of the connectors with a session when the demo begins. */
const occupiedShare = 0.5;

/** Chargers whose first connector ends its history with a jump of the register: their sessions are in the review queue. */
const faultyMeters = new Set(['DEMO-1A01', 'DEMO-2B01', 'DEMO-3C01']);

/** Charged before a history began. */
const registerWh = 1_000_000;

/**
 * `npm run demo`: seeds a small network in the running system. Its chargers replay the sessions of a week as if they had been
 * offline, and then charge until the demo is stopped. Another run replays what would have happened since the last.
 */
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
  const to = Date.now();
  const newest = await newestSessionAt(api);
  const past = { from: Math.max(to - historyMs, newest ?? 0), to };
  console.log(`${chargers.length} chargers at ${runtime.ocppUrl}, with their last week. Stop: Ctrl-C`);
  await drive(chargers, {
    ocppUrl: runtime.ocppUrl,
    tokens: seeded.tokens,
    past,
    isFirstRun: newest === null,
    onReplayed: () => createRecords(api, credentials.emspKey),
  });
}

async function drive(
  chargers: DemoCharger[],
  options: {
    ocppUrl: string;
    tokens: string[];
    past: PastTime;
    isFirstRun: boolean;
    onReplayed: () => Promise<void>;
  },
): Promise<void> {
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
  let replaying = stations.length;
  await Promise.all(
    stations.map(async ({ charger, station, random }) => {
      await station.connect(5);
      await station.boot();
      const { signal } = ending;
      const { supply } = charger.model;
      const arrivals = await replay(station, charger, { ...options, random });
      replaying -= 1;
      if (replaying === 0) {
        console.log('\nThe history is replayed; cars charge in real time now.');
        await options
          .onReplayed()
          .catch((error: unknown) =>
            console.error('The records of the demonstration are incomplete:', error),
          );
      }
      const life = {
        arrivedMinutesAgo: (connector: number) => arrivals.get(connector),
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

/**
 * Replays the past of all connectors of a charger, and returns how many minutes ago the drivers came that are there now: after
 * the last session of their connector.
 */
async function replay(
  station: Station,
  { uid, model: { supply } }: DemoCharger,
  options: { tokens: string[]; past: PastTime; isFirstRun: boolean; random: Random },
): Promise<Map<number, number>> {
  const { tokens, past, isFirstRun, random } = options;
  const arrivals = new Map<number, number>();
  for (let connector = 1; connector <= station.connectors; connector += 1) {
    const usual = pastSessions(past, { supply, tokens, random, registerWh });
    const hasFault = isFirstRun && connector === 1 && faultyMeters.has(uid);
    const sessions = hasFault ? withJump(usual) : usual;
    await station.replaySessions(connector, sessions);
    const freeSince = sessions.at(-1)?.end.at.getTime() ?? past.from;
    const freeMinutes = (past.to - freeSince) / 60_000;
    if (random() < occupiedShare) {
      arrivals.set(connector, Math.min(freeMinutes, between(random, 1, usualStay(supply)[0])));
    }
  }
  return arrivals;
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
