import { type ConnectorState, planSite, type SiteSettings } from './plan.ts';
import { type PublishedPlan, publishedPlan } from './published-plan.ts';
import type { Connector, ExternalBound, PhaseAmps, Site } from './site.ts';
import { unknownStanding } from './standing.ts';

/** Assumed state of a connector. */
export interface AssumedConnector extends Pick<ConnectorState, 'isOnline' | 'demand' | 'drawnPhases'> {
  isSetAside: boolean;
  /** Limit that was confirmed last, in ampere. Null: the fallback. */
  lastAmps: number | null;
}

/** Assumed state of a site. */
interface AssumedSite {
  now: number;
  localMinute: number;
  /** In the order of the site's connectors. */
  connectors: readonly AssumedConnector[];
  /** Load that is not charging at each metered circuit itself. Without an entry the worst load is assumed. */
  otherAmps: ReadonlyMap<string, PhaseAmps>;
  bounds: readonly ExternalBound[];
}

/** Cycles after which limits no longer change: each raises every car by a step. */
const maxCycles = 100;

/**
 * Returns the plan that a site reaches when nothing changes any more: each station confirms its limits, and each car draws its limit.
 * Turns of paused cars do not rotate.
 */
export function settledPlan(site: Site, assumed: AssumedSite, settings: SiteSettings): PublishedPlan {
  const { now, localMinute, bounds } = assumed;
  const known: Site = {
    ...site,
    circuits: site.circuits.map((circuit) => withLoad(circuit, assumed.otherAmps)),
  };
  let connectors = assumed.connectors.map((own, index) => {
    const connector = known.connectors[index];
    if (connector === undefined) throw new RangeError('There are more states than connectors.');
    return settled(connector, own, own.lastAmps ?? connector.fallbackAmps, now);
  });
  for (let cycle = 0; ; cycle += 1) {
    const state = { now, localMinute, bounds, connectors, meters: new Map(), otherHistory: new Map() };
    const plan = planSite(known, state, settings);
    if (cycle === maxCycles || plan.decisions.every(({ send }) => !send))
      return publishedPlan(known, state, plan, []);
    connectors = connectors.map((own, index) => {
      const connector = known.connectors[index];
      const decision = plan.decisions[index];
      if (connector === undefined || decision?.send !== true) return own;
      return settled(connector, { ...own, isSetAside: own.standing.isSetAside }, decision.amps, now);
    });
  }
}

function withLoad(
  circuit: Site['circuits'][number],
  otherAmps: AssumedSite['otherAmps'],
): Site['circuits'][number] {
  if (circuit.other.kind === 'fixed') return circuit;
  return { ...circuit, other: { kind: 'fixed', amps: otherAmps.get(circuit.id) ?? circuit.other.worstAmps } };
}

/** Returns the state of a connector whose station confirmed a limit. Its car draws the limit, or the maximum if it was set aside. */
function settled(
  { maxAmps, fallbackAmps }: Connector,
  own: Pick<AssumedConnector, 'isOnline' | 'demand' | 'drawnPhases' | 'isSetAside'>,
  amps: number,
  now: number,
): ConnectorState {
  const { isOnline, demand, drawnPhases, isSetAside } = own;
  const drawn = isSetAside ? maxAmps : demand === null ? 0 : amps;
  return {
    isOnline,
    demand,
    drawnPhases,
    changedAt: null,
    standing: {
      ...unknownStanding,
      inForce: amps,
      accepted: { amps, at: now },
      fallback: fallbackAmps,
      reading: isOnline ? { amps: drawn, at: now } : null,
      isSetAside,
    },
  };
}
