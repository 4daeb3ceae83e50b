import { allocate, type Share } from './allocate.ts';
import type { Demand, PauseTimes, Strategy } from './demand.ts';
import { fits, linesByConnector, worstAmps } from './line-loads.ts';
import { type DrawnPhases, type Line, linesOf } from './lines.ts';
import { type MeterReading, otherLoadsOf } from './other-loads.ts';
import type { BoundSource, Connector, ExternalBound, Site } from './site.ts';
import { boundOf, exceedsLimit, freshAmps, isFresh, refusesControl, type Standing } from './standing.ts';

/** State of one connector. Times are milliseconds of one clock. */
export interface ConnectorState {
  isOnline: boolean;
  /** Null: no session that wants to charge. */
  demand: Demand | null;
  standing: Standing;
  /** Phases that the car draws from. Null: unknown. */
  drawnPhases: DrawnPhases;
  /** Time of the last limit that differed from the one before. Null: none. */
  changedAt: number | null;
}

export interface SiteState {
  now: number;
  localMinute: number;
  /** In the order of the site's connectors. */
  connectors: readonly ConnectorState[];
  /** Newest reading of each circuit's meter. */
  meters: ReadonlyMap<string, MeterReading>;
  /** From the plan before. Empty after a restart. */
  otherHistory: ReadonlyMap<string, readonly MeterReading[]>;
  bounds: readonly ExternalBound[];
}

export interface SiteSettings {
  strategy: Strategy;
  times: PauseTimes;
  /** Seconds between two raises of one connector, which are at most `rampAmps` each: load returns slowly. */
  raiseEvery: number;
  rampAmps: number;
  /** Seconds after which a limit is lowered only to share more fairly. A full circuit lowers it at once. */
  rebalanceEvery: number;
}

export const defaultSettings: SiteSettings = {
  strategy: 'equal',
  times: { minOn: 300, turn: 900 },
  raiseEvery: 10,
  rampAmps: 8,
  rebalanceEvery: 30,
};

/** Reason of a limit. */
export type LimitReason =
  | { kind: 'full' | 'idle' | 'offline' | 'set-aside' | 'uncontrolled' | 'unconfirmed' | 'waiting' }
  | { kind: 'circuit' | 'paused'; circuitId: string; phase: number }
  | { kind: 'bound'; source: BoundSource };

/** Kinds of reasons. */
export const limitReasons = [
  'full',
  'idle',
  'circuit',
  'paused',
  'bound',
  'waiting',
  'offline',
  'unconfirmed',
  'set-aside',
  'uncontrolled',
] as const satisfies LimitReason['kind'][];

/** Limit of one connector. */
export interface Decision {
  connectorId: string;
  /** Limit that the station has or gets now, in ampere. */
  amps: number;
  /** Limit that it gets when others have reduced. */
  targetAmps: number;
  /** Highest current that it may draw now. */
  boundAmps: number;
  send: boolean;
  reason: LimitReason;
}

/** Load of one phase of a circuit. */
export interface LineState {
  circuitId: string;
  phase: number;
  /** Current that is left for charging. */
  amps: number;
  /** Highest current that the stations may draw now. */
  boundAmps: number;
  /** Current that the stations draw by their readings; a car without a fresh one counts with its bound. */
  drawnAmps: number;
}

export interface Plan {
  decisions: Decision[];
  lines: LineState[];
  /** Circuits whose meter is lost. The worst load is assumed. */
  lostMeters: string[];
  /** For the next plan of the site. */
  otherHistory: ReadonlyMap<string, readonly MeterReading[]>;
}

/** Seconds without an answer after which other stations make room. */
const answerSeconds = 1;

/** Smallest change of a limit that is worth a message, in ampere. */
const smallestChange = 1;

/**
 * Plans the limits of a site. Reductions are sent at once. A limit is raised only as far as all circuits carry everything that any
 * station may draw now, whatever is lost or ignored from here on.
 */
export function planSite(site: Site, state: SiteState, settings: SiteSettings): Plan {
  const { now, connectors: states } = state;
  const other = otherLoadsOf(site, state);
  const drawnPhases = states.map((own) => own.drawnPhases);
  const circuitLines = linesOf(site, {
    localMinute: state.localMinute,
    otherAmps: other.amps,
    drawnPhases,
  });
  const lines = [...circuitLines, ...boundedLines(circuitLines, state.bounds)];
  const items = site.connectors.map((connector, index) => {
    const own = states[index];
    if (own === undefined) throw new RangeError(`Connector ${connector.id} has no state.`);
    return newItem(connector, own, state);
  });
  const bounds = items.map(({ bound }) => bound);
  const drawn = items.map(({ own, bound }) => {
    if (isFresh(own.standing, now)) return freshAmps(own.standing, now);
    return own.isOnline && own.demand === null ? 0 : bound;
  });
  const ownLines = linesByConnector(lines, items.length);
  const demands = items.map((item) => (item.isControlled ? item.own.demand : null));
  const shared = {
    connectors: site.connectors,
    lines,
    strategy: settings.strategy,
    now,
    times: settings.times,
  };
  const targets = allocate({
    ...shared,
    from: items.map((item) =>
      item.isControlled && !item.isSilent ? item.connector.fallbackAmps : item.bound,
    ),
    caps: items.map((item) => (item.isSilent ? item.bound : item.cap)),
    demands,
  });
  const isConfirmed = items.every((item) => !item.isControlled || item.own.standing.inForce !== null);
  const mayRaise = items.map(
    ({ own, isControlled, isSilent, current }, index) =>
      isConfirmed &&
      isControlled &&
      !isSilent &&
      own.standing.pending === null &&
      own.standing.accepted !== null &&
      tenths(targets[index]?.amps ?? 0) > current &&
      isDue(own.changedAt, settings.raiseEvery, now),
  );
  const raised = allocate({
    ...shared,
    from: bounds,
    caps: items.map(({ bound, current, connector }, index) => {
      if (mayRaise[index] !== true) return bound;
      const step = Math.max(current + settings.rampAmps, connector.minAmps);
      return Math.max(bound, Math.min(targets[index]?.amps ?? 0, step));
    }),
    demands: demands.map((demand, index) => (mayRaise[index] === true ? demand : null)),
  });
  const decisions = items.map((item, index): Decision => {
    const target = targets[index] ?? { amps: 0, boundBy: null };
    const isOver = ownLines[index]?.some((line) => !fits(line, bounds)) === true;
    const choice = choose(item, target, {
      isOver,
      grant: mayRaise[index] === true ? Math.min(raised[index]?.amps ?? 0, target.amps) : null,
      isRebalanceDue: isDue(item.own.changedAt, settings.rebalanceEvery, now),
    });
    return {
      connectorId: item.connector.id,
      targetAmps: tenths(target.amps),
      boundAmps: item.bound,
      ...choice,
      reason: reasonOf(item, target, choice.amps),
    };
  });
  return {
    decisions,
    lines: circuitLines.map((line) => ({
      circuitId: line.circuitId,
      phase: line.phase,
      amps: line.amps,
      boundAmps: worstAmps(line, bounds),
      drawnAmps: worstAmps(line, drawn),
    })),
    lostMeters: other.lost,
    otherHistory: other.history,
  };
}

/** Connector during the planning. */
interface Item {
  connector: Connector;
  own: ConnectorState;
  isControlled: boolean;
  /**
   * Has not answered its last limit, refused its fallback, or draws more than its limit. The others make room for it, until it confirms
   * both again.
   */
  isSilent: boolean;
  bound: number;
  /** Newest limit that was sent, or the highest that may be in force. */
  current: number;
  cap: number;
  capSource: BoundSource | null;
}

function newItem(connector: Connector, own: ConnectorState, { now, bounds }: SiteState): Item {
  const { standing, isOnline } = own;
  let cap = connector.maxAmps;
  let capSource: BoundSource | null = null;
  for (const { target, amps, source } of bounds) {
    if (!('connectorId' in target) || target.connectorId !== connector.id || Math.min(...amps) >= cap)
      continue;
    cap = Math.min(...amps);
    capSource = source;
  }
  return {
    connector,
    own,
    isControlled:
      isOnline && connector.control === 'profiles' && !standing.isSetAside && !refusesControl(standing),
    isSilent:
      standing.inForce !== null &&
      (standing.fallback === null || isSilentSince(standing, now) || exceedsLimit(standing, now)),
    bound: boundOf(standing, connector, now),
    current:
      standing.pending?.amps ??
      standing.accepted?.amps ??
      standing.inForce ??
      restartAmps(connector, own, now),
    cap: Math.max(cap, connector.fallbackAmps),
    capSource,
  };
}

/** Returns true if a station has not answered its last limit in time, or an answer is late. */
function isSilentSince({ pending, accepted }: Standing, now: number): boolean {
  return pending === null ? accepted === null : now - pending.at >= answerSeconds * 1000;
}

/**
 * Returns the limit that a station gets first after a restart, in ampere. It is not a raise: the car draws that much already, or the
 * station uses its fallback by itself.
 */
function restartAmps(
  { minAmps, maxAmps, fallbackAmps }: Connector,
  { standing, demand }: ConnectorState,
  now: number,
): number {
  const drawn = freshAmps(standing, now);
  const isCharging = demand !== null && drawn >= minAmps - 1;
  return isCharging ? tenths(Math.min(maxAmps, Math.max(drawn, minAmps, fallbackAmps))) : fallbackAmps;
}

/** Returns the lines that external bounds add: charging at a circuit is limited, whatever else it carries. */
function boundedLines(lines: readonly Line[], bounds: readonly ExternalBound[]): Line[] {
  return bounds.flatMap(({ target, amps }) =>
    'circuitId' in target
      ? lines
          .filter(({ circuitId }) => circuitId === target.circuitId)
          .map((line) => ({ ...line, amps: Math.min(line.amps, amps[line.phase] ?? 0) }))
      : [],
  );
}

/** Returns the limit of a connector, and whether it is sent. */
function choose(
  { own, connector, isControlled, isSilent, current, bound }: Item,
  target: Share,
  { isOver, grant, isRebalanceDue }: { isOver: boolean; grant: number | null; isRebalanceDue: boolean },
): { amps: number; send: boolean } {
  const isReachable = own.isOnline && connector.control === 'profiles';
  if (!isReachable) return { amps: bound, send: false };
  // A station that was set aside is counted at its maximum, but its limit is not raised. It and a silent one get the lowest limit
  // while a circuit is over.
  const lowest = own.demand === null || ((!isControlled || isSilent) && isOver);
  const wanted = lowest ? connector.fallbackAmps : isControlled ? tenths(target.amps) : current;
  const { pending, accepted } = own.standing;
  // A station has one limit in flight at a time, so that an answer belongs to one limit.
  if (pending !== null) return { amps: current, send: false };
  const repeats = accepted === null;
  if (wanted < current - 0.05) {
    const isNeeded = isOver || repeats || own.demand === null;
    if (isNeeded || (isRebalanceDue && current - wanted >= smallestChange))
      return { amps: wanted, send: true };
  }
  const granted = grant === null ? current : tenths(grant);
  const isWorthIt = granted - current >= smallestChange || (granted > current && granted >= wanted);
  if (grant !== null && isWorthIt && granted >= connector.minAmps) return { amps: granted, send: true };
  return { amps: current, send: repeats };
}

function reasonOf(
  { own, connector, isControlled, isSilent, cap, capSource }: Item,
  target: Share,
  amps: number,
): LimitReason {
  if (connector.control === 'none' || refusesControl(own.standing)) return { kind: 'uncontrolled' };
  if (own.standing.isSetAside) return { kind: 'set-aside' };
  if (!isControlled) return { kind: 'offline' };
  if (isSilent || own.standing.inForce === null) return { kind: 'unconfirmed' };
  if (own.demand === null) return { kind: 'idle' };
  if (amps < tenths(target.amps) - 0.05) return { kind: 'waiting' };
  if (target.boundBy !== null) {
    const { circuitId, phase } = target.boundBy;
    return { kind: target.amps < connector.minAmps ? 'paused' : 'circuit', circuitId, phase };
  }
  return capSource !== null && target.amps >= cap - 0.05
    ? { kind: 'bound', source: capSource }
    : { kind: 'full' };
}

function isDue(since: number | null, seconds: number, now: number): boolean {
  return since === null || now - since >= seconds * 1000;
}

/** Rounds down to the tenth that OCPP can express. */
function tenths(amps: number): number {
  return Math.floor(amps * 10 + 1e-6) / 10;
}
