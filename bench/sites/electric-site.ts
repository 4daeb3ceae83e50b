import type { ProfilePurpose } from '#shared/domain/charging/charging-profile.ts';
import { between, type Random } from '#shared/simulator/random.ts';

/**
 * Electrical model of a site: circuits, wires, stations and cars, in steps of one second. It is unrelated to the calculations of the
 * product, and knows the profiles of a station as OCPP defines them.
 */

/** Circuit with one limit for its three phases, in ampere. */
export interface WiredCircuit {
  id: string;
  parent: string | null;
  limit: number;
}

/** Charging profile as a station stores it. */
export interface StoredProfile {
  purpose: ProfilePurpose;
  level: number;
  amps: number;
  /** By the clock of the station, in ms. Null: no end. */
  validTo: number | null;
  transaction: string | null;
}

/** Car: what it draws from the pilot's current. */
export interface WiredCar {
  transaction: string;
  phases: 1 | 2 | 3;
  maxAmps: number;
  leavesAt: number;
  /** Seconds by which it follows the pilot. */
  lag: number;
}

/** Station with one outlet. */
export interface WiredStation {
  circuit: string;
  /** Phases behind the pins of the outlet, 0 to 2. */
  pins: readonly number[];
  maxAmps: number;
  /** Error of its clock in ms. */
  clockError: number;
  profiles: StoredProfile[];
  isOnline: boolean;
  /** Draws what the car takes, whatever its profiles are. */
  ignores: boolean;
  car: WiredCar | null;
  /** Currents that the pilot allowed in the last seconds, the newest last. */
  pilots: number[];
  drawn: number;
}

/** Stores a profile as OCPP defines it: it replaces a profile of the same purpose and level. Returns false if it is rejected. */
export function storeProfile(station: WiredStation, profile: StoredProfile): boolean {
  const isOfOther = profile.purpose === 'Tx' && profile.transaction !== station.car?.transaction;
  if (isOfOther) return false;
  station.profiles = station.profiles.filter(
    ({ purpose, level }) => purpose !== profile.purpose || level !== profile.level,
  );
  station.profiles.push(profile);
  return true;
}

/** Forgets the profiles of these purposes. */
export function clearProfiles(station: WiredStation, purposes: readonly (ProfilePurpose | null)[]): void {
  station.profiles = station.profiles.filter(({ purpose }) => !purposes.includes(purpose));
}

/** Ends a session: the car is gone, and profiles of its transaction with it. */
export function endSession(station: WiredStation): void {
  station.car = null;
  station.profiles = station.profiles.filter(({ purpose }) => purpose !== 'Tx');
}

/** Restarts a station: profiles of transactions may be lost, the others are kept (1.6 §3.13.3). */
export function restart(station: WiredStation): void {
  station.profiles = station.profiles.filter(({ purpose }) => purpose !== 'Tx');
}

/** Returns the current that the profiles of a station allow. */
export function allowedAmps({ profiles, clockError, maxAmps }: WiredStation, now: number): number {
  const clock = now + clockError;
  const highest = (purpose: StoredProfile['purpose']): number | null =>
    profiles
      .filter((one) => one.purpose === purpose && (one.validTo === null || clock < one.validTo))
      .toSorted((one, two) => two.level - one.level)[0]?.amps ?? null;
  const session = highest('Tx') ?? highest('TxDefault') ?? maxAmps;
  return Math.min(maxAmps, session, highest('StationMax') ?? maxAmps);
}

/** Lets a second pass at a station: the car follows the pilot of some seconds ago. */
export function advance(station: WiredStation, now: number, random: Random): void {
  const { car, ignores, maxAmps, pilots } = station;
  pilots.push(ignores ? maxAmps : allowedAmps(station, now));
  if (pilots.length > 6) pilots.shift();
  if (car === null) {
    station.drawn = 0;
    return;
  }
  const seen = pilots[Math.max(0, pilots.length - 1 - car.lag)] ?? 0;
  // Below 6 A a car does not charge (IEC 61851).
  station.drawn = seen < 6 ? 0 : Math.min(seen, car.maxAmps) * between(random, 0.99, 1);
}

/** Returns the currents of the three phases of each circuit. Loads are star-connected, so that currents of a phase add up. */
export function currentsOf(
  circuits: readonly WiredCircuit[],
  stations: readonly WiredStation[],
  other: ReadonlyMap<string, readonly number[]>,
): Map<string, number[]> {
  const currents = new Map(circuits.map(({ id }) => [id, [0, 0, 0]]));
  const parents = new Map(circuits.map(({ id, parent }) => [id, parent]));
  const add = (circuit: string, phase: number, amps: number): void => {
    for (let id: string | null | undefined = circuit; id !== null && id !== undefined; id = parents.get(id)) {
      const own = currents.get(id);
      if (own !== undefined) own[phase] = (own[phase] ?? 0) + amps;
    }
  };
  for (const { circuit, pins, car, drawn } of stations) {
    for (const phase of pins.slice(0, car?.phases ?? 0)) add(circuit, phase, drawn);
  }
  for (const [circuit, amps] of other) for (const [phase, own] of amps.entries()) add(circuit, phase, own);
  return currents;
}
