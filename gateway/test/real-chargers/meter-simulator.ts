import * as fc from 'fast-check';
import { noteLive } from '#gateway/handlers/session-live.ts';
import type { Context } from '#gateway/handlers/context.ts';
import { type SampledValue, type MeterSample, toMeterSamples } from '#shared/domain/charging/meter-sample.ts';
import { registerOrigin } from '#shared/domain/charging/register-origin.ts';
import { energySoFar, noReadings } from '#shared/domain/charging/session-meter.ts';
import type { LiveRecord } from '#shared/postgres/charging/session-writes/live-values.ts';
import type { RunningSession } from '#shared/postgres/charging/running-sessions.statements.ts';
import { nextPrice, type PriceState } from '#shared/pricing/price-state.ts';
import { usageReadings } from '#shared/pricing/readings.ts';
import { settleSession } from '#shared/pricing/settle-session.ts';
import type { Tariff } from '#shared/pricing/tariff.ts';

/** Faults of a charger. */
export const faults = [
  'missing readings',
  'repeated readings',
  'late readings',
  'another location',
  'second meter at the inlet',
  'values per phase',
  'kilowatt-hours',
  'unit left out',
  'register reset',
  'second register without the transaction',
  'no transaction id',
  'stop without register',
  'stop of another register',
  'stop of 0',
  'no stop',
  'start without register',
  'one wrong zero',
  'one wrong leap',
  'unreadable values',
  'intervals',
  'power only',
  'clock offset',
] as const;
export type Fault = (typeof faults)[number];

/** Session as the meter truly measures it. */
export interface TrueSession {
  ratedPowerW: number;
  intervalMinutes: number;
  /** Power as a share of the rating, by reading interval. */
  shares: number[];
  lifetimeWh: number;
  /** Decides where faults strike. */
  seed: number;
  faults: Fault[];
}

/** Arbitrary of sessions with this number of faults. */
export function sessions(count: { min: number; max: number }): fc.Arbitrary<TrueSession> {
  return fc.record({
    ratedPowerW: fc.constantFrom(3700, 7400, 11_000, 22_000, 50_000, 150_000),
    intervalMinutes: fc.constantFrom(1, 5, 10, 15),
    shares: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 3, maxLength: 40 }),
    lifetimeWh: fc.constantFrom(0, 1000, 843_000, 40_000_000),
    seed: fc.integer({ min: 0, max: 2 ** 31 }),
    faults: fc.uniqueArray(fc.constantFrom(...faults), { minLength: count.min, maxLength: count.max }),
  });
}

/** Bill of a session, with what was true. */
export interface Bill {
  energyWh: number;
  trueWh: number;
  /** Energy that the connector can deliver between two readings, Wh. */
  stepWh: number;
  priceState: PriceState;
  flags: string[];
  /** Energy of the last readings, counted one by one and all at once. */
  live: number | null;
  priced: number | null;
}

const minuteMs = 60_000;
const beginMs = Date.UTC(2026, 10, 20);

const tariff: Tariff = {
  uuid: 'tariff',
  name: 'By energy',
  currency: 'EUR',
  elements: [{ price_components: [{ type: 'ENERGY', price: '0.40', step_size: 1 }] }],
};

/** One reading before faults. */
interface Reading {
  minute: number;
  wh: number;
  powerW: number;
  isNamed: boolean;
  location?: string;
  /** Of another meter. */
  isForeign: boolean;
}

/** Sends a session through its faults, as a charger of either version would, and settles it. */
export function billOf(session: TrueSession): Bill {
  const { intervalMinutes, shares, ratedPowerW } = session;
  const random = randomOf(session.seed);
  const has = (fault: Fault) => session.faults.includes(fault);
  // Nothing shows a reset after which a register passes its earlier value between two readings.
  const lifetimeWh = has('register reset') ? Math.max(session.lifetimeWh, 843_000) : session.lifetimeWh;
  const step = (ratedPowerW * intervalMinutes) / 60;
  let chargedWh = 0;
  let readings: Reading[] = shares.map((share, index) => {
    chargedWh += Math.round(share * step);
    const minute = (index + 1) * intervalMinutes;
    return {
      minute,
      wh: lifetimeWh + chargedWh,
      powerW: share * ratedPowerW,
      isNamed: true,
      isForeign: false,
    };
  });
  const endMinute = (shares.length + random()) * intervalMinutes;
  const trueWh =
    chargedWh + Math.round((shares.at(-1) ?? 0) * step * (endMinute / intervalMinutes - shares.length));
  let stopWh: number | null = lifetimeWh + trueWh;
  const offsetMs = has('clock offset') ? Math.round((random() - 0.5) * 4) * 60 * minuteMs : 0;

  if (has('register reset') && !has('intervals')) {
    const from = Math.floor(random() * shares.length);
    const lost = from === 0 ? lifetimeWh : (readings[from - 1]?.wh ?? lifetimeWh);
    readings = readings.map((reading, index) =>
      index < from ? reading : { ...reading, wh: reading.wh - lost },
    );
    stopWh -= lost;
  }
  const most = 1.2 * (step * (shares.length + 1) + ratedPowerW / 2) + 1000;
  if (has('one wrong zero') && !has('intervals')) strike(readings, random, most, () => 0);
  // In another unit a leap can be a value that the register could have.
  if (has('one wrong leap') && !has('intervals') && !has('unit left out'))
    strike(readings, random, most, (wh) => wh + 50_000_000);
  if (has('missing readings')) readings = readings.filter(() => random() > 0.3);
  if (has('second meter at the inlet')) {
    readings = readings.flatMap((reading) => [
      reading,
      {
        ...reading,
        minute: reading.minute + 0.1,
        wh: 5_000_000 + Math.round((reading.wh - lifetimeWh) * 1.03),
        location: 'Inlet',
        isForeign: true,
      },
    ]);
  }
  if (has('second register without the transaction') && !has('no transaction id')) {
    readings = readings.flatMap((reading) => [
      reading,
      {
        ...reading,
        minute: reading.minute + intervalMinutes / 2,
        wh: 21_500 + reading.minute * 150,
        isNamed: false,
        isForeign: true,
      },
    ]);
  }
  if (has('no transaction id')) readings = readings.map((reading) => ({ ...reading, isNamed: false }));
  if (has('another location'))
    readings = readings.map((reading) => ({ ...reading, location: reading.location ?? 'Body' }));
  if (has('repeated readings'))
    readings = readings.flatMap((reading) => (random() < 0.2 ? [reading, reading] : [reading]));
  if (has('late readings')) {
    readings = readings
      .map((reading) => ({ reading, at: reading.minute + (random() < 0.2 ? intervalMinutes * 2.5 : 0) }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ reading }) => reading);
  }

  const startedAt = new Date(beginMs + offsetMs);
  const startWh = has('start without register') ? null : lifetimeWh;
  const running: RunningSession = {
    uuid: 'session',
    transactionId: '1',
    position: { evse: 1, connector: 1 },
    startedAt,
    startWh,
    ratedPowerW,
    meter: noReadings,
    hasNamedPower: false,
    powerless: null,
    isFree: false,
    isFollowed: false,
    takesLimits: null,
  };
  const live = new Map<string, LiveRecord>();
  const context = { stores: { live } } as unknown as Context<'live'>;
  const stored: MeterSample[] = [];
  let before = lifetimeWh;
  for (const reading of readings) {
    const time = new Date(beginMs + offsetMs + reading.minute * minuteMs);
    const samples = toMeterSamples(
      valuesOf(reading, before, has, random, stored.length === 0 || reading.isForeign),
      { time, receivedAt: time, saidTime: null, flags: [] },
      [],
    );
    if (!reading.isForeign) before = reading.wh;
    if (!reading.isNamed) for (const sample of samples) sample.isNamed = false;
    noteLive(context, running, { position: running.position, transactionId: '1', samples, signed: [] });
    stored.push(...samples);
  }

  if (has('stop without register')) stopWh = null;
  if (has('stop of another register')) stopWh = 7_000_000 + Math.round(random() * 1e6);
  if (has('stop of 0')) stopWh = 0;
  const endedAt = new Date(beginMs + offsetMs + endMinute * minuteMs);
  const end = has('no stop') ? { endedAt, meterEndWh: null } : { endedAt, meterEndWh: stopWh };
  const result = settleSession(
    {
      startedAt,
      startWh,
      ratedPowerW,
      peakPowerW: live.get('session')?.peakPowerW ?? null,
      meter: running.meter,
      energyWh: 0,
      tariff,
      isStartMissing: false,
      isRefused: false,
      idlePeriods: [],
      idleStartedAt: null,
      idleCause: null,
      reservedAt: null,
      reservationEnd: null,
      hasMeterKey: false,
      signatureState: 'NONE',
      signedEnergyWh: null,
    },
    end,
  );
  const open = { priceState: 'OPEN', priceReadings: 'COMPLETE', priceDecision: null } as const;
  const priced = usageReadings(
    stored
      .map((sample) => ({
        atMs: sample.time.getTime(),
        origin: registerOrigin(sample.isNamed, sample.energyLocation, sample.energyKind),
        registerWh: sample.energyWh,
        intervalWh: sample.intervalWh,
        powerW: sample.powerW,
        currentA: null,
      }))
      .toSorted((a, b) => a.atMs - b.atMs),
    running,
  ).findLast(({ energyWh }) => energyWh !== null);
  return {
    energyWh: result.energyWh,
    trueWh,
    stepWh: (ratedPowerW * (Math.max(intervalMinutes, shortestStep(readings)) + 1)) / 60,
    priceState: nextPrice(open, 'ended', result).priceState,
    flags: result.flags,
    live: energySoFar(running.meter, running),
    priced: priced?.energyWh ?? null,
  };
}

/** Returns the shortest time in minutes between two readings of the session's meter, else that from the start to the only one. */
function shortestStep(readings: readonly Reading[]): number {
  const minutes = readings
    .filter(({ isForeign }) => !isForeign)
    .map(({ minute }) => minute)
    .toSorted((a, b) => a - b);
  const steps = minutes
    .slice(1)
    .map((minute, index) => minute - (minutes[index] ?? 0))
    .filter((step) => step > 0);
  return steps.length > 0 ? Math.min(...steps) : (minutes[0] ?? 0);
}

/** Changes the register of one reading by more than the connector delivers (`most`): other values are those of a register. */
function strike(
  readings: Reading[],
  random: () => number,
  most: number,
  change: (wh: number) => number,
): void {
  const index = Math.floor(random() * readings.length);
  const reading = readings[index];
  if (reading === undefined || Math.abs(change(reading.wh) - reading.wh) <= most) return;
  readings[index] = { ...reading, wh: change(reading.wh) };
}

/** Returns the values that a charger sends for a reading. */
function valuesOf(
  { wh, powerW, location }: Reading,
  before: number,
  has: (fault: Fault) => boolean,
  random: () => number,
  hasUnit: boolean,
): SampledValue[] {
  const value = (
    measurand: string,
    number: number,
    unit: string | undefined,
    phase?: string,
  ): SampledValue => ({
    value: has('unreadable values') && random() < 0.2 ? 'n/a' : String(number),
    measurand,
    unit,
    phase,
    location,
    context: 'Sample.Periodic',
  });
  const power = value('Power.Active.Import', powerW, 'W');
  if (has('power only')) return [power];
  if (has('intervals'))
    return [value('Energy.Active.Import.Interval', Math.max(0, wh - before), 'Wh'), power];
  const register = 'Energy.Active.Import.Register';
  const isKilo = has('kilowatt-hours') || has('unit left out');
  // The unit of the first reading is that of the register.
  const unit = has('unit left out') && !hasUnit && random() < 0.3 ? undefined : 'KWH';
  if (has('values per phase')) {
    return ['L1', 'L2-N', 'L3'].map((phase) =>
      value(register, isKilo ? wh / 3000 : wh / 3, isKilo ? unit : 'Wh', phase),
    );
  }
  return [isKilo ? value(register, wh / 1000, unit) : value(register, wh, undefined), power];
}

/** Random numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
