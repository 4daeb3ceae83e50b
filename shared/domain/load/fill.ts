import { fits, linesByConnector, worstAmps } from './line-loads.ts';
import type { Line } from './lines.ts';

/** Limits of all connectors, and the line that keeps each of them from its cap. */
export interface Filling {
  amps: Float64Array;
  /** Null: the connector has its cap. */
  boundBy: (Line | null)[];
}

/** Steps of a bisection: 32 A to less than a millionth. */
const steps = 26;

/** Current in ampere by which a connector is raised to learn whether it has room. */
const probe = 1e-4;

/**
 * Weighted max-min fairness by water filling: raises all connectors from `from` in proportion to their weights until a line is full,
 * keeps those on that line, and continues with the others. No connector can get more without a loss for one that has less.
 * A connector of weight 0 keeps its value.
 */
export function fill(
  lines: readonly Line[],
  from: ArrayLike<number>,
  caps: ArrayLike<number>,
  weights: ArrayLike<number>,
): Filling {
  const count = from.length;
  const amps = Float64Array.from(from);
  const boundBy: (Line | null)[] = Array.from({ length: count }, () => null);
  let open = indexes(count).filter((i) => at(weights, i) > 0 && at(caps, i) > at(amps, i));
  if (open.length === 0) return { amps, boundBy };
  const ownLines = linesByConnector(lines, count);
  while (open.length > 0) {
    const base = Float64Array.from(amps);
    const affected = [...new Set(open.flatMap((i) => ownLines[i] ?? []))];
    const raise = (level: number): void => {
      for (const i of open) amps[i] = Math.min(at(caps, i), at(base, i) + at(weights, i) * level);
    };
    let high = Math.max(...open.map((i) => (at(caps, i) - at(base, i)) / at(weights, i)));
    raise(high);
    if (affected.every((line) => fits(line, amps))) return { amps, boundBy };
    let low = 0;
    for (let step = 0; step < steps; step += 1) {
      const level = (low + high) / 2;
      raise(level);
      if (affected.every((line) => fits(line, amps))) low = level;
      else high = level;
    }
    raise(low);
    const stillOpen: number[] = [];
    for (const i of open) {
      if (at(amps, i) >= at(caps, i)) continue;
      const own = amps[i] ?? 0;
      amps[i] = own + probe;
      const full = ownLines[i]?.find((line) => !fits(line, amps)) ?? null;
      amps[i] = own;
      if (full === null) stillOpen.push(i);
      else boundBy[i] = full;
    }
    // The level is found to a fraction: without a connector that stops, all of the fullest line do.
    if (stillOpen.length === open.length) {
      const full = fullest(affected, amps);
      for (const i of open) if (ownLines[i]?.includes(full) === true) boundBy[i] = full;
      open = open.filter((i) => boundBy[i] === null);
    } else open = stillOpen;
  }
  return { amps, boundBy };
}

/** Gives each connector in turn as much as fits. */
export function fillInOrder(
  lines: readonly Line[],
  from: ArrayLike<number>,
  caps: ArrayLike<number>,
  order: readonly number[],
): Filling {
  const amps = Float64Array.from(from);
  const boundBy: (Line | null)[] = Array.from({ length: amps.length }, () => null);
  const ownLines = linesByConnector(lines, amps.length);
  for (const i of order) {
    let low = at(amps, i);
    let high = at(caps, i);
    const own = ownLines[i] ?? [];
    const isRoomFor = (value: number): boolean => {
      amps[i] = value;
      return own.every((line) => fits(line, amps));
    };
    if (high <= low || isRoomFor(high)) continue;
    for (let step = 0; step < steps; step += 1) {
      const middle = (low + high) / 2;
      if (isRoomFor(middle)) low = middle;
      else high = middle;
    }
    amps[i] = low + probe;
    boundBy[i] = own.find((line) => !fits(line, amps)) ?? null;
    amps[i] = low;
  }
  return { amps, boundBy };
}

function fullest(lines: readonly Line[], amps: Float64Array): Line {
  const [first, ...rest] = lines;
  if (first === undefined) throw new RangeError('Connectors stop at a line.');
  const room = (line: Line): number => line.amps - worstAmps(line, amps);
  return rest.reduce((best, line) => (room(line) < room(best) ? line : best), first);
}

const at = (values: ArrayLike<number>, index: number): number => values[index] ?? 0;

const indexes = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
