import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import type { CommandAnswer } from '#shared/simulator/counters.ts';
import type { Milestones } from '#bench/fleet/light-station.ts';
import type { RegisteredCharger } from './chargers.ts';
import type {
  AcknowledgedReadings,
  FleetAnswer,
  FleetMessage,
  FleetProgress,
  FleetTask,
  LifeAnswer,
  LifeLoad,
  MeterLoad,
  SendAnswer,
} from './fleet-protocol.ts';
import { Latencies } from './latencies.ts';

export interface FleetOptions {
  /** Stations or connections; each process takes up to 9,000 of them. */
  size: number;
  seed: number;
  /** True: its stations offer compression. */
  offersCompression?: boolean;
  onProgress?: (progress: FleetProgress) => void;
}

/** Result of a load, over all processes. */
export interface SendResult {
  messages: number;
  samples: number;
  errors: number;
  repeated: number;
  unsent: number;
  /** From the intended sending in open loop, from sending in closed loop. */
  latency: Latencies;
  /** Open loop: from sending. */
  sentLatency: Latencies;
  cpuSeconds: number;
  bytesSent: number;
  bytesReceived: number;
  acknowledged: AcknowledgedReadings[];
}

/** Result of sessions, over all processes. */
export interface LifeResult extends Pick<LifeAnswer, 'ended' | 'acknowledged' | 'refused'> {
  duration: Latencies;
}

/** Result of a connect storm, over all processes. */
interface StormResult {
  /** Times in ms since 1970, in ascending order. */
  upgradedAt: number[];
  bootedAt: number[];
  reportedAt: number[];
  /** CPU time of the fleet. */
  cpuSeconds: number;
}

/** A fleet in processes of its own: open files are counted per process, and 20,000 is a common limit. */
export interface FleetProcesses {
  /** Connects and boots; resolves to the time when each was booted (ms since 1970). */
  connect(chargers: readonly RegisteredCharger[]): Promise<number[]>;
  /** Starts a session on every station. */
  charge(tokens: readonly string[]): Promise<void>;
  send(load: MeterLoad): Promise<SendResult>;
  /** Sessions from start to end; resolves when the last one has ended. */
  live(load: LifeLoad): Promise<LifeResult>;
  /** Returns the stations' answers to commands since the last call, oldest first for each station. */
  answeredCommands(): Promise<CommandAnswer[]>;
  /** Connects light stations (`LightStation`); resolves when each has done all it does. */
  storm(chargers: readonly RegisteredCharger[], boots: boolean): Promise<StormResult>;
  /** Resolves when all light stations were cut off and are back. */
  comeBack(): Promise<StormResult>;
  /** Closes the connections and ends the processes. */
  stop(): Promise<void>;
}

const perProcess = 9_000;

/** Starts as many processes as a fleet of this size needs. */
export function startFleetProcesses(ocppUrls: readonly string[], options: FleetOptions): FleetProcesses {
  const workers = Array.from(
    { length: Math.max(1, Math.ceil(options.size / perProcess)) },
    () => new FleetProcess(),
  );
  const { offersCompression = false } = options;
  const all = async (taskOf: (index: number) => FleetTask): Promise<FleetAnswer[]> => {
    const progress = workers.map((): FleetProgress => ({ messages: 0, errors: 0, done: 0 }));
    return Promise.all(
      workers.map((worker, index) =>
        worker.ask(taskOf(index), (now) => {
          progress[index] = now;
          options.onProgress?.(sumOf(progress));
        }),
      ),
    );
  };
  return {
    connect: async (chargers) =>
      bootTimes(
        await all((index) => ({
          do: 'connect',
          ocppUrls,
          chargers: chargers.filter((_, charger) => Math.floor(charger / 2) % workers.length === index),
          seed: options.seed,
          offersCompression,
        })),
      ),
    async charge(tokens) {
      await all(() => ({ do: 'charge', tokens }));
    },
    send: async (load) =>
      joinAnswers(
        await all((index) => ({
          ...load,
          do: 'send',
          rate: load.rate === null ? null : load.rate / workers.length,
          seed: load.seed + index,
        })),
      ),
    live: async (load) => joinedLives(await all(() => ({ ...load, do: 'live' }))),
    answeredCommands: async () =>
      (await all(() => ({ do: 'report-commands' }))).flatMap(({ commands = [] }) => commands),
    storm: async (chargers, boots) =>
      joinedStorms(
        await all((index) => ({
          do: 'storm',
          ocppUrls,
          chargers: chargers.filter((_, charger) => Math.floor(charger / 2) % workers.length === index),
          boots,
          offersCompression,
        })),
      ),
    comeBack: async () => joinedStorms(await all(() => ({ do: 'return' }))),
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}

function bootTimes(answers: readonly FleetAnswer[]): number[] {
  return answers.flatMap((answer) => answer.bootedAt ?? []);
}

function joinedStorms(answers: readonly FleetAnswer[]): StormResult {
  const parts = answers.flatMap(({ storm }) => storm ?? []);
  const times = (of: keyof Milestones): number[] =>
    parts.flatMap(({ milestones }) => milestones.map((one) => one[of])).toSorted((a, b) => a - b);
  return {
    upgradedAt: times('upgradedAt'),
    bootedAt: times('bootedAt'),
    reportedAt: times('reportedAt'),
    cpuSeconds: parts.reduce((sum, part) => sum + part.cpuSeconds, 0),
  };
}

function sumOf(parts: readonly FleetProgress[]): FleetProgress {
  const sum = (field: keyof FleetProgress): number => parts.reduce((total, part) => total + part[field], 0);
  return { messages: sum('messages'), errors: sum('errors'), done: sum('done') };
}

function joinedLives(answers: readonly FleetAnswer[]): LifeResult {
  const parts = answers.flatMap(({ lived }) => lived ?? []);
  return {
    ended: parts.flatMap(({ ended }) => ended),
    acknowledged: parts.flatMap(({ acknowledged }) => acknowledged),
    refused: parts.reduce((sum, { refused }) => sum + refused, 0),
    duration: Latencies.merged(parts.map(({ durationMs }) => durationMs)),
  };
}

/** Adds up the answers of all processes. */
function joinAnswers(answers: readonly FleetAnswer[]): SendResult {
  const parts = answers.flatMap(({ sent }) => sent ?? []);
  const sum = (field: Exclude<keyof SendAnswer, 'latencyMs' | 'sentLatencyMs' | 'acknowledged'>): number =>
    parts.reduce((total, part) => total + part[field], 0);
  return {
    messages: sum('messages'),
    samples: sum('samples'),
    errors: sum('errors'),
    repeated: sum('repeated'),
    unsent: sum('unsent'),
    cpuSeconds: sum('cpuSeconds'),
    bytesSent: sum('bytesSent'),
    bytesReceived: sum('bytesReceived'),
    latency: Latencies.merged(parts.map(({ latencyMs }) => latencyMs)),
    sentLatency: Latencies.merged(parts.map(({ sentLatencyMs }) => sentLatencyMs)),
    acknowledged: parts.flatMap(({ acknowledged }) => acknowledged),
  };
}

/** One process of the fleet, which carries out one task at a time. */
class FleetProcess {
  readonly #child: ChildProcess;
  readonly #answers = new EventEmitter();
  #onProgress: (progress: FleetProgress) => void = () => undefined;

  constructor() {
    this.#child = fork(new URL('./fleet-worker.ts', import.meta.url), { serialization: 'advanced' });
    this.#child.on('message', (message: FleetMessage) => {
      if ('progress' in message) this.#onProgress(message.progress);
      else this.#answers.emit('answer', message.answer);
    });
  }

  /** @throws {Error} when the task fails or the process ends. */
  async ask(task: FleetTask, onProgress: (progress: FleetProgress) => void): Promise<FleetAnswer> {
    this.#onProgress = onProgress;
    const ended = new AbortController();
    const onExit = (code: number | null): void =>
      ended.abort(new Error(`a fleet process ended with ${code}`));
    this.#child.once('exit', onExit);
    this.#child.send(task);
    try {
      const [answer] = (await once(this.#answers, 'answer', { signal: ended.signal })) as [FleetAnswer];
      if (answer.error !== undefined) throw new Error(`the fleet: ${answer.error}`);
      return answer;
    } catch (error) {
      throw ended.signal.aborted ? ended.signal.reason : error;
    } finally {
      this.#child.off('exit', onExit);
      this.#onProgress = () => undefined;
    }
  }

  async stop(): Promise<void> {
    if (!this.#child.connected) return;
    const exited = once(this.#child, 'exit');
    await this.ask({ do: 'close' }, () => undefined).catch(() => undefined);
    if (this.#child.connected) this.#child.disconnect();
    await exited;
  }
}
