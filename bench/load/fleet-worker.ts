import { setTimeout as wait } from 'node:timers/promises';
import { type CommandAnswer, createFleetCounters } from '#shared/simulator/counters.ts';
import { floodMeterValues, type FloodResult } from '#bench/fleet/flood.ts';
import { LightFleet } from '#bench/fleet/light-fleet.ts';
import type { Milestones } from '#bench/fleet/light-station.ts';
import { createRandom } from '#shared/simulator/random.ts';
import type { Station } from '#shared/simulator/station.ts';
import { createBenchStation, forEachAtOnce, localAddress, stationsAtOnce } from './bench-station.ts';
import { live } from './session-life.ts';
import type {
  AcknowledgedReadings,
  FleetAnswer,
  FleetMessage,
  FleetTask,
  MeterLoad,
  SendAnswer,
} from './fleet-protocol.ts';

const progressMs = 1000;

const stations: Station[] = [];
const storms: LightFleet[] = [];
const counters = { ...createFleetCounters(), commandAnswers: [] as CommandAnswer[] };
let sending: Readonly<FloodResult> | null = null;
let done = 0;

/** Runs a step for each item, a limited number of them at once, and counts the progress. */
async function forEach<Item>(
  items: readonly Item[],
  limit: number,
  step: (item: Item) => Promise<void>,
): Promise<void> {
  await forEachAtOnce(items, limit, async (item) => {
    await step(item);
    done++;
  });
}

async function connect(task: Extract<FleetTask, { do: 'connect' }>): Promise<FleetAnswer> {
  const added = task.chargers.map((charger) =>
    createBenchStation(charger, {
      ocppUrl: task.ocppUrls[Math.floor(charger.number / 2) % task.ocppUrls.length] ?? '',
      counters,
      bootsOnReconnect: true,
      offersCompression: task.offersCompression,
      random: createRandom(task.seed + charger.number),
      // Impatient on purpose, and still at random times: all of them are back within seconds of the gateway.
      backoff: { baseMs: 1000, maxMs: 8000 },
    }),
  );
  stations.push(...added);
  const bootedAt: number[] = [];
  await forEach(added, stationsAtOnce, async (station) => {
    await station.connect(20);
    await station.boot();
    bootedAt.push(Date.now());
  });
  return { bootedAt };
}

async function charge(tokens: readonly string[]): Promise<FleetAnswer> {
  await forEach(stations, stationsAtOnce, async (station) => {
    await station.startSession({ idToken: tokens[done % tokens.length] ?? '' });
  });
  return {};
}

async function send(load: MeterLoad): Promise<FleetAnswer> {
  const acknowledged = new Map<string, number[]>();
  const rate = load.rate === null ? undefined : load.rate;
  const flooded = floodMeterValues(
    {
      stations,
      signal: AbortSignal.timeout(Math.max(0, load.untilMs - Date.now())),
      samplesPerMessage: load.samples,
      rate,
      random: createRandom(load.seed),
      measured: load,
      ...(load.repeatRefusedMs !== null && { repeatRefusedMs: load.repeatRefusedMs }),
      ...(load.keepsAcknowledged && {
        onAcknowledged: (uid, { timeMs }) => {
          const times = acknowledged.get(uid);
          if (times === undefined) acknowledged.set(uid, [timeMs]);
          else times.push(timeMs);
        },
      }),
    },
    (result) => (sending = result),
  );
  const usage = usageBetween(load.fromMs, load.untilMs);
  const result = await flooded;
  sending = null;
  return { sent: sendAnswer(result, await usage, acknowledged) };
}

function sendAnswer(
  result: FloodResult,
  usage: Pick<SendAnswer, 'cpuSeconds' | 'bytesSent' | 'bytesReceived'>,
  acknowledged: ReadonlyMap<string, number[]>,
): SendAnswer {
  const { messages, samples, errors, repeated, unsent } = result;
  return {
    messages,
    samples,
    errors,
    repeated,
    unsent,
    latencyMs: result.latency.values(),
    sentLatencyMs: result.sentLatency.values(),
    ...usage,
    acknowledged: [...acknowledged].map(([uid, timesMs]): AcknowledgedReadings => ({ uid, timesMs })),
  };
}

async function usageBetween(
  fromMs: number,
  untilMs: number,
): Promise<Pick<SendAnswer, 'cpuSeconds' | 'bytesSent' | 'bytesReceived'>> {
  await wait(fromMs - Date.now());
  const before = process.cpuUsage();
  const first = wireBytes();
  await wait(untilMs - Date.now());
  const used = process.cpuUsage(before);
  const last = wireBytes();
  return {
    cpuSeconds: (used.user + used.system) / 1e6,
    bytesSent: last.sent - first.sent,
    bytesReceived: last.received - first.received,
  };
}

/** Returns the bytes of all stations so far. */
function wireBytes(): { sent: number; received: number } {
  const total = { sent: 0, received: 0 };
  for (const { rpc } of stations) {
    total.sent += rpc?.wireBytes.sent ?? 0;
    total.received += rpc?.wireBytes.received ?? 0;
  }
  return total;
}

/** Connects one more group of light stations. */
function storm(task: Extract<FleetTask, { do: 'storm' }>): Promise<FleetAnswer> {
  const fleet = new LightFleet(
    task.chargers.map(({ uid, password, number }) => ({
      ocppUrl: task.ocppUrls[Math.floor(number / 2) % task.ocppUrls.length] ?? '',
      uid,
      password,
      protocol: number % 2 === 0 ? 'ocpp1.6' : 'ocpp2.0.1',
      localAddress: localAddress(number),
      boots: task.boots,
      offersCompression: task.offersCompression,
    })),
  );
  storms.push(fleet);
  return stormAnswer([fleet.connect()]);
}

async function stormAnswer(groups: Promise<Milestones[]>[]): Promise<FleetAnswer> {
  const before = process.cpuUsage();
  const milestones = (await Promise.all(groups)).flat();
  const { user, system } = process.cpuUsage(before);
  return { storm: { milestones, cpuSeconds: (user + system) / 1e6 } };
}

async function close(): Promise<FleetAnswer> {
  await Promise.all(stations.splice(0).map((station) => station.close()));
  for (const fleet of storms.splice(0)) fleet.close();
  return {};
}

async function carryOut(task: FleetTask): Promise<FleetAnswer> {
  done = 0;
  switch (task.do) {
    case 'connect':
      return connect(task);
    case 'charge':
      return charge(task.tokens);
    case 'send':
      return send(task);
    case 'storm':
      return storm(task);
    case 'return':
      return stormAnswer(storms.map((fleet) => fleet.comeBack()));
    case 'live':
      return { lived: await live(stations, task, () => done++) };
    case 'report-commands':
      return { commands: counters.commandAnswers.splice(0) };
    default:
      return close();
  }
}

/** Reports to the bench. It is not read after the end of the bench: `disconnect` follows, and ends this process. */
function post(message: FleetMessage): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

setInterval(() => {
  const finished = storms.reduce((sum, fleet) => sum + fleet.finishedCount, done);
  post({ progress: { messages: sending?.messages ?? 0, errors: sending?.errors ?? 0, done: finished } });
}, progressMs).unref();

process.on('message', (task: FleetTask) => {
  carryOut(task).then(
    (answer) => post({ answer }),
    (error: unknown) => post({ answer: { error: String(error) } }),
  );
});
// The bench is over, or was interrupted.
process.on('disconnect', () => process.exit());
