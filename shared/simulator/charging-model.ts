import { between, type Random } from './random.ts';
import type { Reading } from './station.ts';

/** Supply of a charger. Voltage of AC is the phase's; a DC charger takes the battery's. */
export interface Supply {
  kind: 'ac' | 'dc';
  maxPowerW: number;
  phases: 1 | 3;
  /** AC: phase voltage. DC: the battery's at half charge. */
  nominalV: number;
}

/** The common sizes of chargers. */
export const supplies = {
  ac7: { kind: 'ac', maxPowerW: 7_360, phases: 1, nominalV: 230 },
  ac11: { kind: 'ac', maxPowerW: 11_040, phases: 3, nominalV: 230 },
  ac22: { kind: 'ac', maxPowerW: 22_080, phases: 3, nominalV: 230 },
  dc50: { kind: 'dc', maxPowerW: 50_000, phases: 1, nominalV: 380 },
  dc150: { kind: 'dc', maxPowerW: 150_000, phases: 1, nominalV: 390 },
  dc300: { kind: 'dc', maxPowerW: 300_000, phases: 1, nominalV: 780 },
} as const satisfies Record<string, Supply>;

interface ChargingOptions {
  supply: Supply;
  batteryWh: number;
  initialSocPercent: number;
  /** Limit of the car, in W; by default as much as the charger has. */
  vehicleLimitW?: number;
  random: Random;
}

/** Power at one moment, and energy since the start. */
export type ChargingState = Required<Omit<Reading, 'time'>>;

const efficiency = { ac: 0.9, dc: 0.96 };
const rampSeconds = { ac: 10, dc: 40 };
const taperFromPercent = 80;
const stepSeconds = 5;
const ambientC = 19;

/**
 * A car that charges: power rises, stays, and falls above 80 %. Energy is the integral of the power, and
 * current is power by voltage and phases. The same random source gives the same curve. Knows no clock.
 */
export class ChargingModel {
  readonly #supply: Supply;
  readonly #batteryWh: number;
  readonly #limitW: number;
  readonly #random: Random;
  #seconds = 0;
  #storedWh: number;
  #energyWh = 0;
  #powerW = 0;
  #allowedW = Number.POSITIVE_INFINITY;
  #temperatureC: number;

  constructor(options: ChargingOptions) {
    this.#supply = options.supply;
    this.#batteryWh = options.batteryWh;
    this.#random = options.random;
    // A car takes at most about 2.5 times its capacity in an hour.
    this.#limitW = Math.min(
      options.supply.maxPowerW,
      options.vehicleLimitW ?? Number.POSITIVE_INFINITY,
      options.batteryWh * 2.5,
    );
    this.#storedWh = (options.batteryWh * options.initialSocPercent) / 100;
    this.#temperatureC = between(options.random, ambientC, ambientC + 4);
  }

  /** Limits the power in W from now on; null: not. */
  limit(powerW: number | null): void {
    this.#allowedW = powerW ?? Number.POSITIVE_INFINITY;
  }

  /** Lets that many seconds pass and returns the state at their end; energyWh counts from the start. */
  advance(seconds: number): ChargingState {
    for (let left = seconds; left > 0; left -= stepSeconds) this.#step(Math.min(left, stepSeconds));
    return this.#state();
  }

  /** The battery has reached what it takes: 100 %. */
  get full(): boolean {
    return this.#storedWh >= this.#batteryWh * 0.9995;
  }

  #step(seconds: number): void {
    const { kind, maxPowerW } = this.#supply;
    const before = this.#powerW;
    this.#seconds += seconds;
    this.#powerW = this.full ? 0 : this.#target();
    const room = (this.#batteryWh - this.#storedWh) / efficiency[kind];
    const deliveredWh = Math.min((((before + this.#powerW) / 2) * seconds) / 3600, room);
    this.#energyWh += deliveredWh;
    this.#storedWh += deliveredWh * efficiency[kind];
    const warmC = ambientC + (28 * this.#powerW) / maxPowerW;
    this.#temperatureC += (warmC - this.#temperatureC) * Math.min(1, seconds / 600);
  }

  #target(): number {
    const ramp = Math.min(1, this.#seconds / rampSeconds[this.#supply.kind]);
    const over = Math.max(0, this.#socPercent() - taperFromPercent) / (100 - taperFromPercent);
    const taper = 1 - 0.92 * over;
    return Math.min(this.#allowedW, this.#limitW * ramp * taper) * between(this.#random, 0.985, 1);
  }

  #socPercent(): number {
    return Math.min(100, (this.#storedWh / this.#batteryWh) * 100);
  }

  #state(): ChargingState {
    const { kind, phases, nominalV } = this.#supply;
    const soc = this.#socPercent();
    // A grid wavers, a battery's voltage rises with its charge.
    const sway = kind === 'ac' ? between(this.#random, 0.985, 1.015) : 0.88 + 0.24 * (soc / 100);
    const voltageV = nominalV * sway;
    return {
      energyWh: this.#energyWh,
      powerW: this.#powerW,
      currentA: this.#powerW / (voltageV * phases),
      voltageV,
      socPercent: soc,
      temperatureC: this.#temperatureC,
    };
  }
}
