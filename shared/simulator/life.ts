import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChargingModel, type Supply, supplies } from './charging-model.ts';
import { between, type Random } from './random.ts';
import { CallError } from './rpc.ts';
import { ConnectorState, NotAuthorized, type Session, type Station } from './station.ts';

export interface LifeOptions {
  /** The tokens of the drivers that come by. */
  tokens: readonly string[];
  /** Simulated seconds per real second: at 60 a charge of an hour takes a minute. Times sent are real. */
  timeScale: number;
  /** Ends the life; sessions stay as they are, as in a power cut, unless the caller stops them. */
  signal: AbortSignal;
  random: Random;
  /** Supply of the station's connectors; by default 11 kW AC. */
  supply?: Supply;
  /** Real time between two meter value messages; 10 s. */
  meterIntervalMs?: number;
  /** Simulated minutes a connector stays free, from and to; 3 to 40. */
  idleMinutes?: readonly [number, number];
  /** Minutes since the arrival of the driver who stands at a connector when the life begins; undefined: it is free. */
  arrivedMinutesAgo?: (connector: number) => number | undefined;
  /** Simulated minutes a driver means to stay, from and to; 15 to 120 at DC, 40 to 420 at AC. */
  stayMinutes?: readonly [number, number];
}

/** Time between two readings of what a car charged before the life began. */
const catchUpSeconds = 300;

/** Cars by the size of their batteries, in kWh. */
const batteriesKwh = [36, 44, 52, 58, 64, 77, 82, 95, 108];

/** A car that comes by, at a connector that delivers `supply`. */
export function randomCar(supply: Supply, random: Random): ChargingModel {
  const kwh = batteriesKwh[Math.floor(random() * batteriesKwh.length)] ?? 60;
  return new ChargingModel({
    supply,
    batteryWh: kwh * 1000,
    initialSocPercent: between(random, 8, 65),
    vehicleLimitW: supply.kind === 'ac' ? between(random, 7_000, 22_000) : between(random, 90_000, 250_000),
    random,
  });
}

/** Minutes that drivers stay, from and to. */
export function usualStay({ kind }: Supply): readonly [number, number] {
  return kind === 'ac' ? [40, 420] : [15, 120];
}

/**
 * Lets drivers come and go on every connector of a booted station until the signal is aborted, and charges what
 * the back end starts. First arrivals are spread over the idle time. Trouble with one session ends that session:
 * NotAuthorized and refused messages are counted by the station. What waits for a lost connection at the end
 * is released by closing the station.
 */
export async function runLife(station: Station, options: LifeOptions): Promise<void> {
  const life = new Life(station, options);
  const charged: Promise<void>[] = [];
  station.onRemoteStart = (session) => charged.push(life.attempt(() => life.charge(session)));
  const connectors = Array.from({ length: station.connectors }, (_, index) => life.connector(index + 1));
  await Promise.all(connectors);
  station.onRemoteStart = undefined;
  await Promise.all(charged);
}

/**
 * Lets no drivers come, but charges what the back end starts, one session after the other, until the signal is aborted.
 */
export async function runObedience(
  station: Station,
  options: Omit<LifeOptions, 'tokens' | 'idleMinutes'>,
): Promise<void> {
  const life = new Life(station, { ...options, tokens: [] });
  const charged: Promise<void>[] = [];
  station.onRemoteStart = (session) => charged.push(life.attempt(() => life.charge(session)));
  if (!options.signal.aborted) await once(options.signal, 'abort');
  station.onRemoteStart = undefined;
  await Promise.all(charged);
}

class Life {
  readonly #station: Station;
  readonly #options: LifeOptions;
  readonly #supply: Supply;

  constructor(station: Station, options: LifeOptions) {
    this.#station = station;
    this.#options = options;
    this.#supply = options.supply ?? supplies.ac11;
  }

  /** Drivers on one connector, one after the other. */
  async connector(connector: number): Promise<void> {
    const { signal, random, idleMinutes = [3, 40] } = this.#options;
    const minutesAgo = this.#options.arrivedMinutesAgo?.(connector);
    if (minutesAgo !== undefined) await this.attempt(() => this.#visit(connector, minutesAgo * 60));
    let earliest = 0;
    while (!signal.aborted) {
      await this.attempt(() => this.#minutes(between(random, earliest, idleMinutes[1])));
      earliest = idleMinutes[0];
      if (!signal.aborted && this.#station.session(connector) === undefined) {
        await this.attempt(() => this.#visit(connector));
      }
    }
  }

  /** Charges a running session until the driver leaves or another party ends it, then unplugs. */
  async charge(session: Session, elapsedSeconds = 0): Promise<void> {
    const { connector } = session;
    const model = this.#car();
    const baseWh = this.#station.registerWh(connector);
    const intervalMs = this.#options.meterIntervalMs ?? 10_000;
    const simulatedSeconds = (intervalMs / 1000) * this.#options.timeScale;
    let leftSeconds = this.#stayMinutes() * 60;
    let suspended = false;
    if (elapsedSeconds > 0) {
      const steps = Math.ceil(elapsedSeconds / catchUpSeconds);
      const readings = Array.from({ length: steps }, (_, step) => {
        const state = model.advance(elapsedSeconds / steps);
        const time = new Date(session.startedAt.getTime() + (elapsedSeconds / steps) * (step + 1) * 1000);
        return { ...state, energyWh: baseWh + state.energyWh, time };
      });
      await this.#report(() => this.#station.sendMeterValues(connector, ...readings));
    }
    while (leftSeconds > 0 && !session.ended) {
      await this.#wait(intervalMs);
      if (session.ended) break;
      leftSeconds -= simulatedSeconds;
      model.limit(this.#allowedW(connector));
      const state = model.advance(simulatedSeconds);
      if (model.full && !suspended) {
        suspended = true;
        await this.#report(() => this.#station.suspend(connector, true));
        if (session.ended) break;
      }
      const reading = { ...state, energyWh: baseWh + state.energyWh, time: new Date() };
      await this.#report(() => this.#station.sendMeterValues(connector, reading));
    }
    if (!session.ended) await this.#station.stopSession({ connector, reason: this.#reason() });
    await this.#minutes(between(this.#options.random, 0.5, 4));
    await this.#station.unplug(connector);
  }

  /** Catches the failure of one driver's session, so that the next one still starts. */
  async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.#options.signal.aborted || error instanceof ConnectorState || error instanceof NotAuthorized)
        return;
      // Refused by the back end (counted there), or the station was closed. A pause, so as not to spin.
      await this.#wait(1000).catch(() => undefined);
    }
  }

  async #visit(connector: number, elapsedSeconds = 0): Promise<void> {
    const { tokens, random } = this.#options;
    const idToken = tokens[Math.floor(random() * tokens.length)];
    if (idToken === undefined) throw new RangeError('a life needs tokens');
    const at = new Date(Date.now() - elapsedSeconds * 1000);
    await this.charge(await this.#station.startSession({ connector, idToken, at }), elapsedSeconds);
  }

  /** A message that the back end refuses (the station counts it) does not end the charge. */
  async #report(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
    }
  }

  /** Returns the power that charging profiles allow; null without one. Below 6 A a car of AC pauses (IEC 61851). */
  #allowedW(connector: number): number | null {
    const amps = this.#station.limitAmps(connector);
    const { kind, phases, nominalV } = this.#supply;
    if (amps === null || kind === 'dc') return null;
    return amps < 6 ? 0 : amps * phases * nominalV;
  }

  #car(): ChargingModel {
    return randomCar(this.#supply, this.#options.random);
  }

  #stayMinutes(): number {
    const [low, high] = this.#options.stayMinutes ?? usualStay(this.#supply);
    return between(this.#options.random, low, high);
  }

  #reason(): 'local' | 'evDisconnected' {
    return this.#options.random() < 0.7 ? 'local' : 'evDisconnected';
  }

  #minutes(simulated: number): Promise<void> {
    return this.#wait((simulated * 60_000) / this.#options.timeScale);
  }

  #wait(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#options.signal });
  }
}
