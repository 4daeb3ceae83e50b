import type { CommandAnswer } from '#shared/simulator/counters.ts';
import type { Milestones } from '#bench/fleet/light-station.ts';
import type { RegisteredCharger } from './chargers.ts';

/** Load of meter values. Times by `Date.now()`. */
export interface MeterLoad {
  /** Start and end of the measured period; sending begins at once and ends with it. */
  fromMs: number;
  untilMs: number;
  samples: number;
  /** Messages per second of all processes together; null: closed loop. */
  rate: number | null;
  seed: number;
  /** Pause before a refused message is sent again; null: it is not repeated. */
  repeatRefusedMs: number | null;
  /** True to return the times of acknowledged readings. */
  keepsAcknowledged: boolean;
}

/** Tasks of a process of the fleet; it answers each with a `FleetAnswer`. */
export type FleetTask =
  /** Connects and boots these stations. */
  | {
      do: 'connect';
      ocppUrls: readonly string[];
      chargers: RegisteredCharger[];
      seed: number;
      offersCompression: boolean;
    }
  /** Starts a session on every station. */
  | { do: 'charge'; tokens: readonly string[] }
  | ({ do: 'send' } & MeterLoad)
  /** Connects light stations as fast as the server upgrades them; with `boots` they boot and report a status. */
  | {
      do: 'storm';
      ocppUrls: readonly string[];
      chargers: RegisteredCharger[];
      boots: boolean;
      offersCompression: boolean;
    }
  /** Waits until all light stations are cut off, and then until every one is back. */
  | { do: 'return' }
  | ({ do: 'live' } & LifeLoad)
  /** Returns the answers to commands since the last such task. */
  | { do: 'report-commands' }
  | { do: 'close' };

/** Load of whole sessions: each station starts one, sends readings, stops it, and starts the next. */
export interface LifeLoad {
  tokens: readonly string[];
  /** No session starts after this time, by `Date.now()`. */
  untilMs: number;
  readings: number;
  /** Pause after each message of a session, in ms. */
  pauseMs: number;
  /** Times at which every second station loses its connection, by `Date.now()`. */
  cutAtMs: readonly number[];
}

/** Result of `live`: what was acknowledged. */
export interface LifeAnswer {
  /** Sessions whose end was acknowledged, by charger. */
  ended: { uid: string; sessions: number }[];
  acknowledged: AcknowledgedReadings[];
  /** Sessions and readings that the back end refused. */
  refused: number;
  /** From the start of each session to the acknowledgement of its end. */
  durationMs: Float32Array;
}

/** Readings that were acknowledged to a charger: their times, in ms since 1970. */
export interface AcknowledgedReadings {
  uid: string;
  timesMs: number[];
}

/** Result of `send` in one process. */
export interface SendAnswer {
  messages: number;
  samples: number;
  errors: number;
  repeated: number;
  unsent: number;
  latencyMs: Float32Array;
  sentLatencyMs: Float32Array;
  /** CPU time of the fleet's process in the measured period. */
  cpuSeconds: number;
  /** Bytes on the wire in the measured period. */
  bytesSent: number;
  bytesReceived: number;
  acknowledged: AcknowledgedReadings[];
}

export interface FleetAnswer {
  /** Times at which each station was connected and booted (ms since 1970). */
  bootedAt?: number[];
  /** Milestones of each light station, and CPU time of the fleet's process meanwhile. */
  storm?: { milestones: Milestones[]; cpuSeconds: number };
  sent?: SendAnswer;
  lived?: LifeAnswer;
  commands?: CommandAnswer[];
  /** Reason of a failure. */
  error?: string;
}

/** Messages of a process of the fleet. */
export type FleetMessage = { answer: FleetAnswer } | { progress: FleetProgress };

export interface FleetProgress {
  messages: number;
  errors: number;
  /** Stations that have the state that the task wants. */
  done: number;
}
