import { type Connector, wattsPerAmp } from './site.ts';

/** Order or weights by which cars share a limit. */
export const strategies = [
  'equal',
  'priority',
  'first-come',
  'earliest-deadline',
  'least-laxity',
  'energy-need',
] as const;
export type Strategy = (typeof strategies)[number];

/** Car at a connector that wants to charge. Times are milliseconds of one clock. */
export interface Demand {
  arrivedAt: number;
  /** Weight of the strategy `priority`, above 0. */
  priority: number;
  /** Null: unknown. */
  departsAt: number | null;
  /** Energy that the car still needs. Null: unknown. */
  neededWh: number | null;
  /** Start of the current pause or of the current charging. */
  mode: { kind: 'charging' | 'paused'; since: number };
}

/** Durations in seconds that protect contactors and rotate pauses. */
export interface PauseTimes {
  /** Time that a car charges at least before it may pause. */
  minOn: number;
  /** Time after which a charging car gives its turn to a paused one. */
  turn: number;
}

/** Energy in Wh of a car whose need is unknown. */
const unknownNeedWh = 20_000;

/** Time in ms to the departure of a car whose departure is unknown, and the least time that is assumed. */
const unknownStay = { fromArrival: 8 * 3_600_000, atLeast: 3_600_000 };

/** Shortest time to a departure that is calculated with, in ms. */
const minTimeLeft = 60_000;

/** Returns the time to a departure in ms; for an unknown one an estimate from the time since the arrival. */
function timeLeft({ departsAt, arrivedAt }: Demand, now: number): number {
  if (departsAt !== null) return Math.max(minTimeLeft, departsAt - now);
  return Math.max(unknownStay.atLeast, arrivedAt + unknownStay.fromArrival - now);
}

/** Returns the average power in W that a car needs until it departs. */
export function neededWatts(demand: Demand, now: number): number {
  return ((demand.neededWh ?? unknownNeedWh) * 3_600_000) / timeLeft(demand, now);
}

/** Returns the time in ms that a car could wait and still get its energy at full power. */
function laxity(demand: Demand, connector: Connector, now: number): number {
  const watts = connector.maxAmps * wattsPerAmp(connector);
  return timeLeft(demand, now) - ((demand.neededWh ?? unknownNeedWh) / watts) * 3_600_000;
}

type Rank = (demand: Demand, connector: Connector, now: number) => number;

/** Ranks of the strategies: the lowest rank is served first. */
const ranks: Record<Strategy, Rank> = {
  equal: () => 0,
  priority: ({ priority }) => -priority,
  'first-come': ({ arrivedAt }) => arrivedAt,
  'earliest-deadline': (demand, _, now) => timeLeft(demand, now),
  'least-laxity': laxity,
  'energy-need': (demand, _, now) => (demand.departsAt === null ? 0 : -neededWatts(demand, now)),
};

/** Strategies that serve one car after the other. The others share by weights. */
export const isSequential: Record<Strategy, boolean> = {
  equal: false,
  priority: false,
  'first-come': true,
  'earliest-deadline': true,
  'least-laxity': true,
  'energy-need': false,
};

/**
 * Compares cars for the places at the minimum current. A car keeps its place for the minimum on-time. Then the strategy decides;
 * among equal ranks a car in its turn comes first, then the car that has paused the longest.
 */
export function comparePlaces(
  strategy: Strategy,
  now: number,
  times: PauseTimes,
): (one: Candidate, two: Candidate) => number {
  const stage = ({ demand: { mode } }: Candidate): number => {
    const seconds = (now - mode.since) / 1000;
    if (mode.kind === 'paused') return 1;
    return seconds < times.turn ? 0 : 2;
  };
  const mustStay = ({ demand: { mode } }: Candidate): number =>
    mode.kind === 'charging' && now - mode.since < times.minOn * 1000 ? 0 : 1;
  const rank = ({ demand, connector }: Candidate): number => ranks[strategy](demand, connector, now);
  return (one, two) =>
    mustStay(one) - mustStay(two) ||
    rank(one) - rank(two) ||
    stage(one) - stage(two) ||
    one.demand.mode.since - two.demand.mode.since ||
    one.index - two.index;
}

/** Connector with a car. */
export interface Candidate {
  index: number;
  connector: Connector;
  demand: Demand;
}
