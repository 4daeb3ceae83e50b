import { Latencies } from '#bench/load/latencies.ts';
import { FloodSender } from './flood-sender.ts';
import { Pacer } from './pacer.ts';
import type { Random } from '#shared/simulator/random.ts';
import type { Station } from '#shared/simulator/station.ts';

/** One meter sample that the back end has acknowledged. */
export interface AcknowledgedSample {
  connector: number;
  transactionId: number | string | undefined;
  /** ms since 1970. */
  timeMs: number;
  energyWh: number;
}

interface FloodOptions {
  /** Booted, with a session running on a connector. The first running session is used. */
  stations: readonly Station[];
  /** Total number of messages. */
  messages?: number;
  /** ... or until when; whichever is first. Answers outstanding at the end are waited for. */
  signal?: AbortSignal;
  /** Readings in a message; 1. */
  samplesPerMessage?: number;
  /**
   * Messages per second of the whole fleet (open loop): each station sends at fixed intervals from a random moment on,
   * and keeps what is due while a message is in flight. By default each sends when the last message is acknowledged.
   */
  rate?: number | undefined;
  /** Source of phases and measured values; Math.random. */
  random?: Random;
  /** Pause before a refused message (CALLERROR) is sent again, in ms. By default it is not repeated. */
  repeatRefusedMs?: number;
  /** Period whose acknowledgements count, by `Date.now()`; by default all do. */
  measured?: { fromMs: number; untilMs: number };
  onAcknowledged?: (uid: string, sample: AcknowledgedSample) => void;
}

export interface FloodResult {
  /** Acknowledged. */
  messages: number;
  samples: number;
  /** CALLERRORs. */
  errors: number;
  /** Sent again because the connection or the answer was lost. */
  repeated: number;
  /** Open loop: messages that were due and not sent at the end. */
  unsent: number;
  elapsedMs: number;
  /** From the intended sending (open loop) or the first sending (closed loop) to the acknowledgement. */
  latency: Latencies;
  /** From the last sending to the acknowledgement. */
  sentLatency: Latencies;
}

/** Flood that runs: what its senders share. */
export interface Flood {
  left: number;
  readonly isClosedLoop: boolean;
  readonly options: FloodOptions;
  readonly random: Random;
  readonly result: FloodResult;
}

/**
 * Every station sends meter values, one message in flight each, in a closed loop or at a rate. Samples of a session have
 * times of their own, at least 1 ms apart and hardly ahead of the clock, so that none is taken for a repetition; hence at
 * most 1,000 samples per second and station. Rejects with ConnectorState for a station without a session, with
 * StationClosed when one is closed meanwhile.
 * @param onStart receives the result while it grows.
 */
export async function floodMeterValues(
  options: FloodOptions,
  onStart: (result: Readonly<FloodResult>) => void = () => undefined,
): Promise<FloodResult> {
  const start = performance.now();
  const flood: Flood = {
    left: options.messages ?? Number.POSITIVE_INFINITY,
    isClosedLoop: options.rate === undefined,
    options,
    random: options.random ?? Math.random,
    result: {
      messages: 0,
      samples: 0,
      errors: 0,
      repeated: 0,
      unsent: 0,
      elapsedMs: 0,
      latency: new Latencies(),
      sentLatency: new Latencies(),
    },
  };
  const senders = options.stations.map(
    (station) => new FloodSender(station, flood, options.samplesPerMessage ?? 1),
  );
  onStart(flood.result);
  const pacer = options.rate === undefined ? undefined : new Pacer(senders, options.rate, flood.random);
  const finished = senders.map((sender) => sender.run());
  const end = (): void => {
    pacer?.stop();
    for (const sender of senders) sender.end();
  };
  options.signal?.addEventListener('abort', end, { once: true });
  try {
    await Promise.all(finished);
  } finally {
    pacer?.stop();
    options.signal?.removeEventListener('abort', end);
  }
  flood.result.elapsedMs = performance.now() - start;
  return flood.result;
}
