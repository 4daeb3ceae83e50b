import { indexAt } from '#shared/domain/kernel/intervals.ts';
import { localClock } from './local-clock.ts';
import {
  energyBorders,
  isOpen,
  isWithinLimits,
  looksAtCurrent,
  looksAtFlow,
  timeBorders,
} from './restrictions.ts';
import { isCharging, isOfReservation, reservationAsSession } from './reservation.ts';
import type { PriceComponent, PriceDimension, Tariff, TariffElement } from './tariff.ts';
import { type Activity, type SessionUsage, type Stretch, stretchesOf } from './usage.ts';

/** A part of a session in which the same components price it (OCPI: a charging period). */
export interface RatedPeriod {
  from: Date;
  to: Date;
  energyWh: number;
  activity: Activity | 'reserved';
  /** One for each dimension that is priced then. */
  components: readonly PriceComponent[];
}

/** Dimension of the session, or of the reservation with which it began. */
export type RatedDimension = PriceDimension | 'RESERVATION_TIME' | 'RESERVATION_FLAT';

/** Billed quantity of a component: mWh, ms, or times. */
interface RatedVolume {
  component: PriceComponent;
  volume: bigint;
  type: RatedDimension;
}

/** Rated lines of a session in the order of the tariff, and the parts of the tariff that could not be applied. */
interface Rating {
  volumes: RatedVolume[];
  notes: CostNote[];
}

/**
 * Notes on a price: elements were omitted, since they price a current that was not measured; or energy was assumed to flow
 * evenly, because the tariff needs readings and none exist. RESERVATION_IGNORED is a note of prices from before reservations had one.
 */
export const costNotes = ['RESERVATION_IGNORED', 'CURRENT_NOT_MEASURED', 'ENERGY_SPREAD_EVENLY'] as const;
export type CostNote = (typeof costNotes)[number];

/**
 * Returns true when a session cannot be priced without its readings: an element depends on power or current, or begins
 * or ends during the session.
 */
export function needsReadings(tariff: Tariff, usage: Omit<SessionUsage, 'readings'>): boolean {
  if (!isCharging(usage)) return false;
  const elements = tariff.elements.filter((element) => !isOfReservation(element));
  if (elements.every(({ restrictions }) => restrictions === undefined)) return false;
  if (looksAtFlow(elements)) return true;
  const looksAtEnergy = energyBorders(elements).length > 0;
  if (looksAtEnergy && (prices(elements, 'TIME') || prices(elements, 'PARKING_TIME'))) return true;
  return (looksAtEnergy || prices(elements, 'ENERGY')) && bordersOf(tariff, usage).length > 0;
}

function prices(elements: readonly TariffElement[], type: PriceDimension): boolean {
  return elements.some((element) => element.price_components.some((component) => component.type === type));
}

function bordersOf(
  { elements, time_zone }: Tariff,
  { startedAt, endedAt }: Omit<SessionUsage, 'readings'>,
): number[] {
  const session = { from: startedAt.getTime(), to: endedAt.getTime() };
  return timeBorders(elements, localClock(time_zone ?? 'UTC'), session);
}

interface RatedStretch extends Stretch {
  components: ReadonlyMap<PriceDimension, PriceComponent>;
}

/**
 * Cuts a session where elements begin or end to be active, and finds for each part and dimension the first component
 * in the order of the tariff whose element is active (OCPI 2.2.1 §11.3.1). A session that did not begin to charge has no parts.
 */
function rate(tariff: Tariff, usage: SessionUsage): RatedStretch[] {
  if (!isCharging(usage)) return [];
  const { elements } = tariff;
  const session = { from: usage.startedAt.getTime(), clock: localClock(tariff.time_zone ?? 'UTC') };
  const borders = bordersOf(tariff, usage);
  // Evaluated once between two borders, not for each stretch: there is one stretch per reading.
  const open = [session.from, ...borders].map((from) => ({
    from,
    elements: elements.filter((element) => isOpen(element, from, session)),
  }));
  const cuts = { instants: borders, energies: energyBorders(elements) };
  return stretchesOf(usage, cuts).map((stretch) => {
    const components = new Map<PriceDimension, PriceComponent>();
    for (const element of open[indexAt(open, stretch.from)]?.elements ?? []) {
      if (!isWithinLimits(element, stretch)) continue;
      for (const component of element.price_components) {
        if (!components.has(component.type)) components.set(component.type, component);
      }
    }
    return { ...stretch, components };
  });
}

/**
 * The charging periods of a session, as a CDR lists them, after those of its reservation: a new one begins where a component or
 * the activity changes.
 */
export function ratedPeriods(tariff: Tariff, usage: SessionUsage): RatedPeriod[] {
  const periods = reservedPeriods(tariff, usage);
  for (const { from, to, fromMwh, toMwh, activity, components } of rate(tariff, usage)) {
    const energyWh = (toMwh - fromMwh) / 1000;
    const active = [...components.values()];
    const last = periods.at(-1);
    if (last?.activity === activity && isSame(last.components, active)) {
      last.to = new Date(to);
      last.energyWh += energyWh;
    } else {
      periods.push({ from: new Date(from), to: new Date(to), energyWh, activity, components: active });
    }
  }
  return periods;
}

function reservedPeriods(tariff: Tariff, { reservation }: SessionUsage): RatedPeriod[] {
  if (reservation === undefined) return [];
  const reserved = reservationAsSession(tariff, reservation);
  return ratedPeriods(reserved.tariff, reserved.usage).map((period) => ({ ...period, activity: 'reserved' }));
}

function isSame(one: readonly PriceComponent[], other: readonly PriceComponent[]): boolean {
  return one.length === other.length && one.every((component) => other.includes(component));
}

/**
 * The volumes that are billed, rounded up to the step of each dimension. FLAT is billed once: the first that is active. A
 * reservation is rounded up, and its FLAT is billed, apart from the session.
 */
export function rateSession(tariff: Tariff, usage: SessionUsage): Rating {
  const stretches = rate(tariff, usage);
  const reserved = reservedVolumes(tariff, usage);
  const used = { ENERGY: new Uses(), TIME: new Uses(), PARKING_TIME: new Uses() };
  for (const { from, to, fromMwh, toMwh, activity, components } of stretches) {
    used.ENERGY.add(components.get('ENERGY'), toMwh - fromMwh);
    if (activity === 'charging') used.TIME.add(components.get('TIME'), to - from);
    if (activity === 'parking') used.PARKING_TIME.add(components.get('PARKING_TIME'), to - from);
  }
  used.ENERGY.roundUp();
  // Once for both: parking is rounded where there is any, charging otherwise (OCPI 2.2.1 §10.3.1).
  if (used.PARKING_TIME.isEmpty) used.TIME.roundUp();
  else used.PARKING_TIME.roundUp();

  const flat = stretches.find(({ components }) => components.has('FLAT'))?.components.get('FLAT');
  const volumes = tariff.elements
    .flatMap((element) => element.price_components)
    .flatMap((component): RatedVolume[] => {
      const { type } = component;
      const ofReservation = reserved.get(component);
      if (ofReservation !== undefined) return [ofReservation];
      if (type === 'FLAT') return component === flat ? [{ component, volume: 1n, type }] : [];
      const volume = used[type].of(component);
      return volume === undefined ? [] : [{ component, volume: BigInt(volume), type }];
    });
  const notes = notesOf(tariff, stretches);
  const isSpread = usage.readings.every(({ energyWh }) => energyWh === null);
  if (isSpread && needsReadings(tariff, usage)) notes.push('ENERGY_SPREAD_EVENLY');
  return { volumes, notes };
}

function reservedVolumes(
  tariff: Tariff,
  { reservation }: SessionUsage,
): ReadonlyMap<PriceComponent, RatedVolume> {
  if (reservation === undefined) return new Map();
  const reserved = reservationAsSession(tariff, reservation);
  const { volumes } = rateSession(reserved.tariff, reserved.usage);
  return new Map(
    volumes.map(({ component, volume }) => [
      component,
      { component, volume, type: component.type === 'FLAT' ? 'RESERVATION_FLAT' : 'RESERVATION_TIME' },
    ]),
  );
}

/** Part of a session without a gap in which one component prices it; volume in mWh, ms, or times. */
export interface PricedPeriod {
  from: Date;
  to: Date;
  volume: bigint;
}

/** Returns the parts of a session and of its reservation that each component prices, in order, before rounding up to steps. */
export function pricedPeriods(
  tariff: Tariff,
  usage: SessionUsage,
): ReadonlyMap<PriceComponent, PricedPeriod[]> {
  const reserved = usage.reservation && reservationAsSession(tariff, usage.reservation);
  const periods = new Map<PriceComponent, PricedPeriod[]>(
    reserved && pricedPeriods(reserved.tariff, reserved.usage),
  );
  const flat = { isBilled: false };
  for (const stretch of rate(tariff, usage)) {
    const [from, to] = [new Date(stretch.from), new Date(stretch.to)];
    for (const component of stretch.components.values()) {
      const volume = volumeOf(component, stretch, flat);
      if (volume === 0) continue;
      const ofComponent = periods.get(component) ?? [];
      periods.set(component, ofComponent);
      const last = ofComponent.at(-1);
      if (last === undefined || last.to < from) ofComponent.push({ from, to, volume: BigInt(volume) });
      else ofComponent[ofComponent.length - 1] = { ...last, to, volume: last.volume + BigInt(volume) };
    }
  }
  return periods;
}

function volumeOf({ type }: PriceComponent, stretch: Stretch, flat: { isBilled: boolean }): number {
  const { from, to, fromMwh, toMwh, activity } = stretch;
  if (type === 'ENERGY') return toMwh - fromMwh;
  if (type === 'TIME') return activity === 'charging' ? to - from : 0;
  if (type === 'PARKING_TIME') return activity === 'parking' ? to - from : 0;
  if (flat.isBilled) return 0;
  flat.isBilled = true;
  return 1;
}

function notesOf({ elements }: Tariff, stretches: readonly Stretch[]): CostNote[] {
  const notes: CostNote[] = [];
  if (elements.some(looksAtCurrent) && stretches.some(({ currentA }) => currentA === null)) {
    notes.push('CURRENT_NOT_MEASURED');
  }
  return notes;
}

/** Returns the usage of one dimension, by the component that prices it; mWh or ms. */
class Uses {
  readonly #volumes = new Map<PriceComponent, number>();
  #last: PriceComponent | null = null;

  get isEmpty(): boolean {
    return this.#last === null;
  }

  of(component: PriceComponent): number | undefined {
    return this.#volumes.get(component);
  }

  add(component: PriceComponent | undefined, volume: number): void {
    if (component === undefined || volume <= 0) return;
    this.#volumes.set(component, (this.#volumes.get(component) ?? 0) + volume);
    this.#last = component;
  }

  /**
   * Rounds the total up to the step of the component that was used last, which takes what is added: "the step_size uses
   * the total amount of a certain unit used during a session, not only the last ChargingPeriod" (OCPI 2.2.1 §10.3.1).
   */
  roundUp(): void {
    if (this.#last === null) return;
    const total = [...this.#volumes.values()].reduce((sum, volume) => sum + volume, 0);
    const step = Math.max(1, this.#last.step_size) * 1000;
    this.add(this.#last, Math.ceil(total / step) * step - total);
  }
}
