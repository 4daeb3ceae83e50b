import type { Demand } from './demand.ts';
import type { DrawnPhases } from './lines.ts';
import type { MeterReading } from './other-loads.ts';
import type { LimitReason, Plan, SiteState } from './plan.ts';
import type { SiteProblem } from './site-problems.ts';
import { ampsAt, type Site } from './site.ts';
import { freshAmps, isFresh } from './standing.ts';

/** Newest plan of a site, as its controller publishes it. Times are ms since 1970, currents are in ampere. */
export interface PublishedPlan {
  siteId: string;
  at: number;
  connectors: PublishedConnector[];
  lines: PublishedLine[];
  /** Newest readings of the circuits' meters. */
  meters: (MeterReading & { circuitId: string })[];
  /** Circuits whose meter is lost or not credible. The worst load is assumed. */
  lostMeters: string[];
  /** Defects that its stations have shown since the site was stored. The worst case counts. */
  problems: readonly SiteProblem[];
}

/** Limit of a connector, with the reason. */
export interface PublishedConnector {
  connectorId: string;
  /** Limit that the station has or gets now. */
  amps: number;
  /** Limit that it gets when others have reduced. */
  targetAmps: number;
  /** Highest current that it may draw now. */
  boundAmps: number;
  /** Highest current of a phase by the newest reading. Null: no reading of the last 30 s. */
  drawnAmps: number | null;
  reason: LimitReason;
  isOnline: boolean;
  /** True if the limit was accepted and is in force. */
  isConfirmed: boolean;
  drawnPhases: DrawnPhases;
  /** Null: no car that wants to charge. */
  demand: Demand | null;
}

/** One phase of one circuit. */
export interface PublishedLine {
  circuitId: string;
  /** 0 to 2: L1 to L3. */
  phase: number;
  limitAmps: number;
  /** Load that is not charging, as it is counted. */
  otherAmps: number;
  /** Other load, and charging by the readings. */
  loadAmps: number;
  /** Other load, and the highest current that the stations may draw now. */
  boundAmps: number;
}

/** Returns what is published of a plan. */
export function publishedPlan(
  site: Site,
  state: SiteState,
  plan: Plan,
  problems: readonly SiteProblem[],
): PublishedPlan {
  const circuits = new Map(site.circuits.map((circuit) => [circuit.id, circuit]));
  return {
    siteId: site.id,
    at: state.now,
    connectors: plan.decisions.map(({ connectorId, amps, targetAmps, boundAmps, reason }, index) => {
      const own = state.connectors[index];
      if (own === undefined) throw new RangeError(`Connector ${connectorId} has no state.`);
      const { standing, isOnline, drawnPhases, demand } = own;
      return {
        connectorId,
        amps,
        targetAmps,
        boundAmps,
        reason,
        drawnAmps: isFresh(standing, state.now) ? freshAmps(standing, state.now) : null,
        isOnline,
        isConfirmed: standing.accepted !== null && standing.pending === null,
        drawnPhases,
        demand,
      };
    }),
    lines: plan.lines.map(({ circuitId, phase, amps, boundAmps, drawnAmps }) => {
      const circuit = circuits.get(circuitId);
      if (circuit === undefined) throw new RangeError(`There is no circuit ${circuitId}.`);
      const limitAmps = ampsAt(circuit, state.localMinute)[phase] ?? 0;
      const otherAmps = limitAmps - amps;
      return {
        circuitId,
        phase,
        limitAmps,
        otherAmps,
        loadAmps: otherAmps + drawnAmps,
        boundAmps: otherAmps + boundAmps,
      };
    }),
    meters: [...state.meters].map(([circuitId, reading]) => ({ circuitId, ...reading })),
    lostMeters: plan.lostMeters,
    problems,
  };
}
