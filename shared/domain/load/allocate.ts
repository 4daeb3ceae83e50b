import {
  type Candidate,
  comparePlaces,
  type Demand,
  isSequential,
  neededWatts,
  type PauseTimes,
  type Strategy,
} from './demand.ts';
import { fill, fillInOrder, type Filling } from './fill.ts';
import { fits, linesByConnector } from './line-loads.ts';
import type { Line } from './lines.ts';
import { type Connector, wattsPerAmp } from './site.ts';

/** Share of one connector. */
export interface Share {
  amps: number;
  /** Line that keeps the connector from its cap. Null: it has its cap, or no car. */
  boundBy: Line | null;
}

/** Values of an allocation, in the order of the site's connectors. */
export interface AllocationInputs {
  connectors: readonly Connector[];
  lines: readonly Line[];
  /** Current in ampere that a connector has in any case. */
  from: readonly number[];
  /** Most that a connector may get. */
  caps: readonly number[];
  /** Null: no car that wants to charge. */
  demands: readonly (Demand | null)[];
  strategy: Strategy;
  now: number;
  times: PauseTimes;
}

/**
 * Shares the lines of a site among its cars. Each car gets at least its minimum current or pauses. Cars beyond the first full line
 * pause in turn.
 */
export function allocate(inputs: AllocationInputs): Share[] {
  const { connectors, from, demands } = inputs;
  const candidates: Candidate[] = connectors.flatMap((connector, index) => {
    const demand = demands[index] ?? null;
    return demand === null ? [] : [{ index, connector, demand }];
  });
  const { amps, served, refusedBy } = placeMinimums(inputs, candidates);
  const result = serve(amps, served, inputs);
  return connectors.map((_, index) => ({
    amps: result.amps[index] ?? from[index] ?? 0,
    boundBy: refusedBy[index] ?? result.boundBy[index] ?? null,
  }));
}

/** Gives each car its minimum current while there is room, in the order of the strategy. The others pause. */
function placeMinimums(
  { lines, from, caps, strategy, now, times }: AllocationInputs,
  candidates: readonly Candidate[],
): { amps: number[]; served: Candidate[]; refusedBy: (Line | null)[] } {
  const amps = [...from];
  const refusedBy: (Line | null)[] = from.map(() => null);
  const ownLines = linesByConnector(lines, from.length);
  const served = candidates.toSorted(comparePlaces(strategy, now, times)).filter(({ index, connector }) => {
    const before = amps[index] ?? 0;
    if (before >= connector.minAmps) return true;
    if ((caps[index] ?? 0) < connector.minAmps) return false;
    amps[index] = connector.minAmps;
    const full = ownLines[index]?.find((line) => !fits(line, amps));
    if (full === undefined) return true;
    amps[index] = before;
    refusedBy[index] = full;
    return false;
  });
  return { amps, served, refusedBy };
}

/** Shares what is left among the cars that charge. */
function serve(
  from: readonly number[],
  served: readonly Candidate[],
  { lines, caps, strategy, now }: AllocationInputs,
): Filling {
  if (isSequential[strategy]) {
    const order = served.map(({ index }) => index);
    return fillInOrder(lines, from, caps, order);
  }
  if (strategy === 'energy-need') return serveNeeds(lines, from, caps, served, now);
  const weights = from.map(() => 0);
  for (const { index, demand } of served) weights[index] = strategy === 'priority' ? demand.priority : 1;
  return fill(lines, from, caps, weights);
}

/**
 * Shares by need, and keeps the phases balanced: a full phase with an empty one next to it wastes a part of the limit.
 * Cars with a known departure first get the average current that they need until then. The rest goes to the most urgent.
 */
function serveNeeds(
  lines: readonly Line[],
  from: readonly number[],
  caps: readonly number[],
  served: readonly Candidate[],
  now: number,
): Filling {
  const weights = from.map(() => 0);
  const firstCaps = [...caps];
  for (const { index, connector, demand } of served) {
    const watts = neededWatts(demand, now);
    // Urgency counts twice where it is known, once where it is estimated.
    weights[index] = demand.departsAt === null ? watts / 1000 : (watts / 1000) ** 2;
    if (demand.departsAt === null) continue;
    firstCaps[index] = Math.min(caps[index] ?? 0, watts / wattsPerAmp(connector));
  }
  const balanced = balance(weights, served);
  const first = fill(lines, from, firstCaps, balanced);
  return fill(lines, first.amps, caps, balanced);
}

const phasesOf = ({ connector }: Candidate): string => [...(connector.rotation ?? [])].toSorted().join('');

/** Scales weights so that cars on each combination of phases have the same sum. */
function balance(weights: readonly number[], served: readonly Candidate[]): number[] {
  const sums = new Map<string, number>();
  for (const candidate of served) {
    const key = phasesOf(candidate);
    sums.set(key, (sums.get(key) ?? 0) + (weights[candidate.index] ?? 0));
  }
  const balanced = weights.map(() => 0);
  for (const candidate of served) {
    const sum = sums.get(phasesOf(candidate)) ?? 1;
    balanced[candidate.index] = (weights[candidate.index] ?? 0) / sum;
  }
  return balanced;
}
