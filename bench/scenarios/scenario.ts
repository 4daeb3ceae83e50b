import type { FleetOptions, FleetProcesses } from '#bench/load/fleet-processes.ts';
import type { OwnSystem, System, SystemOptions, Topology } from '#bench/system/system.ts';
import type { Yardstick, YardstickName } from '#bench/yardsticks/start.ts';

/** Load of a run. Scenarios have defaults of their own. */
export interface Load {
  stations: number;
  /** Messages per second of an open loop; null: the scenario derives it. */
  rate: number | null;
  /** Length of one measured phase, in seconds. */
  duration: number;
  /** Start of every random sequence. */
  seed: number;
  /** Readings in a MeterValues message. */
  samples: number;
  /** Concurrent HTTP connections. */
  connections: number;
  /** Sessions of the history that is read. */
  sessions: number;
  /** Rows to which the table of readings grows. */
  rows: number;
}

/** One number of a report. Numbers of different subjects with the same name and unit share a line. */
export interface Measurement {
  /** Measured part and mode, such as `gateway only, closed loop`. */
  subject: string;
  what: string;
  value: number;
  unit: string;
}

/** Quotient of two measurements of the same run, and the goal that it is held against. */
export interface Ratio {
  what: string;
  value: number;
  goal?: { atMost: number } | { atLeast: number };
}

/** Values of a quantity over another one. */
export interface Series {
  name: string;
  /** Name and unit of both axes. */
  x: string;
  y: string;
  points: [x: number, y: number][];
}

/** Result of a scenario. */
export interface Outcome {
  measurements: Measurement[];
  ratios?: Ratio[];
  series?: Series[];
  /** Statements about the run that are no numbers. */
  notes?: string[];
}

/** Means of a scenario. Everything that is started here is stopped when the scenario ends. */
export interface Bench {
  readonly load: Load;
  /** Topologies to measure: both of the product, or the one running system. */
  readonly topologies: readonly Topology[];
  /** Returns the running system of `--target`, else starts a fresh one. */
  start(topology: Topology, options?: SystemOptions): Promise<System>;
  /** @throws {Error} with `--target`: a running system is not stopped or killed. */
  startOwn(topology: Topology, options?: SystemOptions): Promise<OwnSystem>;
  startFleet(ocppUrls: readonly string[], options: FleetOptions): FleetProcesses;
  startYardstick(name: YardstickName, env?: Record<string, string>): Promise<Yardstick>;
  /** Stops everything that was started so far. */
  stopAll(): Promise<void>;
  /** Shows what is being done. */
  progress(text: string): void;
}

export interface Scenario {
  name: string;
  describe: string;
  /** Load where it differs from the general default. */
  defaults?: Partial<Load>;
  run(bench: Bench): Promise<Outcome>;
}
