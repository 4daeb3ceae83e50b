import type { Flood } from './flood.ts';
import { MeterFrame } from './meter-frame.ts';
import type { Paced } from './pacer.ts';
import { CallError, type Outcome, type PreparedCall } from '#shared/simulator/rpc.ts';
import { ConnectorState, type Reading, type Session, type Station } from '#shared/simulator/station.ts';

/** Sample times may run that far ahead of the clock before a station waits, in ms. */
const aheadMs = 200;

/** The messages of one station in a flood. The object itself is the call that is sent again and again. */
export class FloodSender implements PreparedCall, Paced {
  readonly prepared = true;
  readonly #station: Station;
  readonly #session: Session;
  readonly #flood: Flood;
  readonly #message: MeterFrame;
  readonly #readings: (Reading & { powerW: number })[];
  readonly #done = Promise.withResolvers<void>();
  /** Moments of messages that are due and not sent, in open loop. */
  readonly #backlog: number[] = [];
  #isBusy = false;
  #hasEnded = false;
  #timeMs = 0;
  #energyWh: number;
  #intendedAt = 0;
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

  /** Resolves when the flood has ended and nothing is in flight. */
  run(): Promise<void> {
    this.#next();
    return this.#done.promise;
  }

  due(intendedAt: number): void {
    this.#backlog.push(intendedAt);
    if (!this.#isBusy) this.#next();
  }

  end(): void {
    this.#hasEnded = true;
    this.#flood.result.unsent += this.#backlog.length;
    if (!this.#isBusy) this.#done.resolve();
  }

  settle(outcome: Outcome): void {
    const { result, options } = this.#flood;
    if (!('error' in outcome)) {
      this.#acknowledge();
      this.#next();
      return;
    }
    if (outcome.error instanceof CallError) {
      result.errors++;
      if (options.repeatRefusedMs === undefined) this.#next();
      else setTimeout(() => this.#repeatUnlessEnded(), options.repeatRefusedMs);
      return;
    }
    result.repeated++;
    this.#repeat().catch((error: unknown) => this.#done.reject(error));
  }

  #next(): void {
    this.#isBusy = false;
    const flood = this.#flood;
    if (this.#hasEnded || flood.left <= 0 || flood.options.signal?.aborted === true) {
      this.#done.resolve();
      return;
    }
    const now = Date.now();
    if (!flood.isClosedLoop && this.#backlog.length === 0) return;
    this.#isBusy = true;
    if (this.#timeMs > now + aheadMs) {
      setTimeout(() => this.#next(), this.#timeMs - now);
      return;
    }
    flood.left--;
    for (const reading of this.#readings) this.#measure(reading, now);
    this.#message.write(this.#readings, this.#station.noteReadings(this.#session, this.#readings));
    this.#intendedAt = this.#backlog.shift() ?? performance.now();
    this.#send();
  }

  #repeatUnlessEnded(): void {
    if (this.#hasEnded) this.#next();
    else this.#send();
  }

  /** The same frame again, when the station is back. */
  async #repeat(): Promise<void> {
    await this.#station.ready();
    this.#send();
  }

  #send(): void {
    const { rpc } = this.#station;
    this.#sentAt = performance.now();
    if (rpc !== undefined) rpc.send(this);
    else this.#repeat().catch((error: unknown) => this.#done.reject(error));
  }

  /** Values that move as a charging car's do, so that a store compresses them no better than real ones. */
  #measure(reading: Reading & { powerW: number }, now: number): void {
    const { random } = this.#flood;
    this.#timeMs = Math.max(this.#timeMs + 1, now);
    reading.time.setTime(this.#timeMs);
    this.#energyWh += 1 + Math.floor(random() * 3);
    reading.energyWh = this.#energyWh;
    reading.voltageV = 226 + random() * 8;
    reading.currentA = 15 + random();
    reading.powerW = reading.voltageV * reading.currentA * 3;
    reading.socPercent = 20 + ((this.#energyWh / 1000) % 60);
    reading.temperatureC = 30 + random() * 4;
  }

  #acknowledge(): void {
    const { result, options } = this.#flood;
    if (isMeasured(options.measured)) {
      const now = performance.now();
      result.messages++;
      result.samples += this.#readings.length;
      result.latency.record(now - this.#intendedAt);
      if (!this.#flood.isClosedLoop) result.sentLatency.record(now - this.#sentAt);
    }
    if (options.onAcknowledged === undefined) return;
    for (const reading of this.#readings) {
      options.onAcknowledged(this.#station.uid, {
        connector: this.#session.connector,
        transactionId: this.#session.transactionId,
        timeMs: reading.time.getTime(),
        energyWh: reading.energyWh,
      });
    }
  }
}

function isMeasured(period: { fromMs: number; untilMs: number } | undefined): boolean {
  if (period === undefined) return true;
  const now = Date.now();
  return now >= period.fromMs && now <= period.untilMs;
}
