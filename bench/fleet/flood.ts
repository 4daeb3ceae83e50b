import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { MeterFrame } from './meter-frame.ts';
import { CallError, type Outcome, type PreparedCall } from './rpc.ts';
import { ConnectorState, type Reading, type Session, type Station } from './station.ts';

/** One meter sample that the back end has acknowledged. */
export interface AcknowledgedSample {
  connector: number;
  transactionId: number | string | undefined;
  /** ms since 1970. */
  timeMs: number;
  energyWh: number;
}

export interface FloodOptions {
  /** Booted, with a session running on a connector. The first running session is used. */
  stations: readonly Station[];
  /** Total number of messages. */
  messages?: number;
  /** ... or until when; whichever is first. Answers outstanding at the end are waited for. */
  signal?: AbortSignal;
  /** Readings in a message; 1. */
  samplesPerMessage?: number;
  onAcknowledged?: (uid: string, sample: AcknowledgedSample) => void;
}

export interface FloodResult {
  /** Acknowledged. */
  messages: number;
  samples: number;
  /** CALLERRORs; such a message is not repeated. */
  errors: number;
  /** Sent again because the connection or the answer was lost. */
  repeated: number;
  elapsedMs: number;
  /** Microseconds from the first sending to the acknowledgement. */
  latencyUs: RecordableHistogram;
}

/** Longest latency that the histogram separates: an hour, in µs. */
const maxLatencyUs = 3_600_000_000;

/** Sample times may run that far ahead of the clock before a station waits, in ms. */
const aheadMs = 200;

/**
 * Every station sends meter values as fast as they are acknowledged, one message in flight each (closed loop).
 * Samples of a session have times of their own, at least 1 ms apart and hardly ahead of the clock, so that none is
 * taken for a repetition; hence at most 1,000 samples per second and station. Rejects with ConnectorState for a
 * station without a session, with StationClosed when one is closed meanwhile.
 */
export async function floodMeterValues(options: FloodOptions): Promise<FloodResult> {
  const start = performance.now();
  const flood: Flood = {
    left: options.messages ?? Number.POSITIVE_INFINITY,
    signal: options.signal,
    onAcknowledged: options.onAcknowledged,
    result: {
      messages: 0,
      samples: 0,
      errors: 0,
      repeated: 0,
      elapsedMs: 0,
      latencyUs: createHistogram({ lowest: 1, highest: maxLatencyUs }),
    },
  };
  const samples = options.samplesPerMessage ?? 1;
  const senders = options.stations.map((station) => new Sender(station, flood, samples));
  await Promise.all(senders.map((sender) => sender.run()));
  flood.result.elapsedMs = performance.now() - start;
  return flood.result;
}

interface Flood {
  left: number;
  signal: FloodOptions['signal'];
  onAcknowledged: FloodOptions['onAcknowledged'];
  result: FloodResult;
}

/** One station's closed loop. The object itself is the call that is sent again and again. */
class Sender implements PreparedCall {
  readonly prepared = true;
  readonly #station: Station;
  readonly #session: Session;
  readonly #flood: Flood;
  readonly #message: MeterFrame;
  readonly #readings: (Reading & { powerW: number })[];
  readonly #done = Promise.withResolvers<void>();
  #timeMs = 0;
  #energyWh: number;
  #sentAt = 0;

  constructor(station: Station, flood: Flood, samples: number) {
    const connectors = Array.from({ length: station.connectors }, (_, index) => index + 1);
    const session = connectors.map((id) => station.session(id)).find((running) => running !== undefined);
    if (session === undefined) throw new ConnectorState(`no session runs on ${station.uid}`);
    this.#station = station;
    this.#session = session;
    this.#flood = flood;
    this.#energyWh = station.registerWh(session.connector);
    this.#message = new MeterFrame(station, session, samples);
    this.#readings = Array.from({ length: samples }, () => ({
      time: new Date(0),
      energyWh: 0,
      powerW: 0,
      currentA: 0,
      voltageV: 0,
      socPercent: 0,
      temperatureC: 0,
    }));
  }

  get id(): string {
    return this.#message.id;
  }

  get frame(): Buffer {
    return this.#message.frame;
  }

  run(): Promise<void> {
    this.#next();
    return this.#done.promise;
  }

  settle(outcome: Outcome): void {
    if ('error' in outcome && !(outcome.error instanceof CallError)) {
      this.#flood.result.repeated++;
      this.#repeat().catch((error: unknown) => this.#done.reject(error));
      return;
    }
    if ('error' in outcome) this.#flood.result.errors++;
    else this.#acknowledge();
    this.#next();
  }

  #next(): void {
    const now = Date.now();
    if (this.#timeMs > now + aheadMs) {
      setTimeout(() => this.#next(), this.#timeMs - now);
      return;
    }
    if (this.#flood.left <= 0 || this.#flood.signal?.aborted === true) {
      this.#done.resolve();
      return;
    }
    this.#flood.left--;
    for (const reading of this.#readings) this.#measure(reading, now);
    this.#message.write(this.#readings, this.#station.noteReadings(this.#session, this.#readings));
    this.#sentAt = performance.now();
    this.#send();
  }

  /** The same frame again, when the station is back. */
  async #repeat(): Promise<void> {
    await this.#station.ready();
    this.#send();
  }

  #send(): void {
    const { rpc } = this.#station;
    if (rpc !== undefined) rpc.send(this);
    else this.#repeat().catch((error: unknown) => this.#done.reject(error));
  }

  /** Values that move as a charging car's do, so that a store compresses them no better than real ones. */
  #measure(reading: Reading & { powerW: number }, now: number): void {
    this.#timeMs = Math.max(this.#timeMs + 1, now);
    reading.time.setTime(this.#timeMs);
    this.#energyWh += 1 + Math.floor(Math.random() * 3);
    reading.energyWh = this.#energyWh;
    reading.voltageV = 226 + Math.random() * 8;
    reading.currentA = 15 + Math.random();
    reading.powerW = reading.voltageV * reading.currentA * 3;
    reading.socPercent = 20 + ((this.#energyWh / 1000) % 60);
    reading.temperatureC = 30 + Math.random() * 4;
  }

  #acknowledge(): void {
    const { result, onAcknowledged } = this.#flood;
    result.messages++;
    result.samples += this.#readings.length;
    // A histogram takes integers from 1 on.
    result.latencyUs.record(Math.max(1, Math.round((performance.now() - this.#sentAt) * 1000)));
    if (onAcknowledged === undefined) return;
    for (const reading of this.#readings) {
      onAcknowledged(this.#station.uid, {
        connector: this.#session.connector,
        transactionId: this.#session.transactionId,
        timeMs: reading.time.getTime(),
        energyWh: reading.energyWh,
      });
    }
  }
}
