/**
 * Origin of a reading's energy: the meter's location and the kind of value, after `unnamed` where the charger did not name the
 * session's transaction. Example: `Outlet import`, `unnamed Body net`. Values of different origin are of different registers.
 */
export type RegisterOrigin = string;

/** Kinds of energy values by precedence. Import, net: a register. Interval: energy since the reading before. Power: in W. */
const registerKinds = ['import', 'net', 'interval', 'power'] as const;
export type RegisterKind = (typeof registerKinds)[number];

/** Locations of meters by precedence: the outlet is what the driver gets. A value without a location is of the outlet. */
export const meterLocations = ['Outlet', 'Cable', 'Inlet', 'Body', 'EV'] as const;

/** Origin that nearly all values have. */
const usualOrigin = 'Outlet import';

const unnamed = 'unnamed ';

export function registerOrigin(isNamed: boolean, location: string, kind: RegisterKind): RegisterOrigin {
  if (isNamed && kind === 'import' && location === 'Outlet') return usualOrigin;
  const origin = `${location} ${kind}`;
  return isNamed ? origin : unnamed + origin;
}

export function isNamed(origin: RegisterOrigin): boolean {
  return !origin.startsWith(unnamed);
}

export function kindOf(origin: RegisterOrigin): RegisterKind {
  if (origin === usualOrigin) return 'import';
  return registerKinds.find((kind) => origin.endsWith(` ${kind}`)) ?? 'import';
}

/** Returns true for a value that a meter counts up, unlike that of an interval. */
export const isRegister = (kind: RegisterKind) => kind === 'import' || kind === 'net';

/**
 * Rank of an origin, 0 for the one that counts first. The table of precedence, of which the first line that tells two origins apart
 * decides:
 *
 * | first | then | source |
 * |---|---|---|
 * | import register, net register, sum of intervals | power over time | power does not cover the time between two readings |
 * | values that name the transaction | values that do not | OCPP 1.6 errata 3.9 |
 * | `Outlet` | `Cable`, `Inlet`, `Body`, `EV`, others | OCPP 1.6 §7.21: what is not at the outlet includes losses |
 * | import register | net register, then the sum of intervals | OCPP 2.0.1 MeasurandEnumType |
 */
export function rankOf(origin: RegisterOrigin): number {
  const kind = kindOf(origin);
  const place = isNamed(origin) ? origin : origin.slice(unnamed.length);
  const location = meterLocations.findIndex((known) => place.startsWith(`${known} `));
  return (
    (kind === 'power' ? 1000 : 0) +
    (isNamed(origin) ? 0 : 100) +
    (location === -1 ? meterLocations.length : location) * 10 +
    registerKinds.indexOf(kind)
  );
}

/** Returns the name of `registers` whose origin counts, or null. */
export function firstOrigin(registers: Readonly<Record<RegisterOrigin, unknown>>): RegisterOrigin | null {
  let first: RegisterOrigin | null = null;
  for (const origin in registers) if (first === null || rankOf(origin) < rankOf(first)) first = origin;
  return first;
}
