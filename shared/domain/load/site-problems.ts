import { worstAmps } from './line-loads.ts';
import { linesOf } from './lines.ts';
import { endsWithSession } from './profiles.ts';
import type { StationQuirk } from './quirks.ts';
import type { Circuit, Connector, OtherLoad, PhaseAmps, Site } from './site.ts';

/** Kinds of defects of a site. */
export const siteProblemKinds = [
  'no-grid-connection',
  'several-grid-connections',
  'duplicate-circuit',
  'unknown-parent',
  'cycle',
  'invalid-limit',
  'unknown-circuit',
  'other-site',
  'invalid-connector',
  'direct-current',
  'more-phases',
  'shared-station',
  'shared-evse',
  'fallbacks-exceed-limit',
] as const;

/** Defect of a site, with the circuit or connector that has it. */
export interface SiteProblem {
  kind: (typeof siteProblemKinds)[number];
  circuitId: string | null;
  connectorId: string | null;
  /** Sentence for the operator. */
  message: string;
}

/** Station of a connector, as far as the checks depend on it. */
export interface SiteStation {
  chargerId: number;
  /** Number of the connector's EVSE at the charger. */
  evse: number;
  /** Kind of current (OCPI `power_type`). Null: unknown. */
  powerType: string | null;
  quirks: readonly StationQuirk[];
}

/** Phases of a load by its power type (OCPI). Others are not known. */
const phasesOfType = new Map([
  ['AC_1_PHASE', 1],
  ['AC_2_PHASE', 2],
  ['AC_2_PHASE_SPLIT', 2],
  ['AC_3_PHASE', 3],
]);

const phases = ['L1', 'L2', 'L3'];

/**
 * Returns the defects of a site, or none. Limits must carry the sum of all fallbacks and the worst other load at any time of day,
 * because no controller is there when the connection to all stations is lost.
 *
 * @param stations in the order of the site's connectors. Without them the defects of stations are not found.
 */
export function siteProblems(site: Site, stations: readonly SiteStation[] = []): SiteProblem[] {
  const problems = [
    ...treeProblems(site.circuits),
    ...connectorProblems(site),
    ...stationProblems(site, stations),
  ];
  return problems.length > 0 ? problems : fallbackProblems(site, stations);
}

/**
 * Returns a stored site as it may be controlled, with the defects that its stations have shown since it was stored. A connector that
 * profiles cannot limit counts at its maximum, and one whose station has more phases than its wiring counts on all phases.
 *
 * @param stations in the order of the site's connectors.
 */
export function checkedSite(
  site: Site,
  stations: readonly SiteStation[],
): { site: Site; problems: SiteProblem[] } {
  const found = stationProblems(site, stations);
  const connectors = site.connectors.map((connector): Connector => {
    const kinds = found.filter(({ connectorId }) => connectorId === connector.id).map(({ kind }) => kind);
    return {
      ...connector,
      ...(kinds.includes('more-phases') && { rotation: null, connection: 'star' }),
      ...(kinds.some((kind) => kind !== 'more-phases') && { control: 'none' }),
    };
  });
  const checked = { ...site, connectors };
  return { site: checked, problems: [...found, ...fallbackProblems(checked, stations)] };
}

function treeProblems(circuits: readonly Circuit[]): SiteProblem[] {
  const problems: SiteProblem[] = [];
  const byId = new Map(circuits.map((circuit) => [circuit.id, circuit]));
  const roots = circuits.filter(({ parentId }) => parentId === null);
  if (roots.length === 0) {
    problems.push(problem('no-grid-connection', null, 'A site needs one circuit without a parent.'));
  }
  for (const { id } of roots.slice(1)) {
    const message = `Circuit ${id} has no parent, and the site has another grid connection.`;
    problems.push(problem('several-grid-connections', id, message));
  }
  for (const [index, circuit] of circuits.entries()) {
    const { id, parentId } = circuit;
    if (circuits.findIndex((other) => other.id === id) !== index) {
      problems.push(problem('duplicate-circuit', id, `Circuit ${id} exists twice.`));
    }
    if (parentId !== null && !byId.has(parentId)) {
      problems.push(problem('unknown-parent', id, `The parent ${parentId} of circuit ${id} does not exist.`));
    }
    if (isInCycle(byId, circuit)) {
      problems.push(problem('cycle', id, `Circuit ${id} is below itself.`));
    }
    if (!areLimitsValid(circuit)) {
      const message = `Limits and loads of circuit ${id} must be 0 A or more, a transformer ratio above 0, and parts of a day not empty.`;
      problems.push(problem('invalid-limit', id, message));
    }
  }
  return problems;
}

function isInCycle(byId: ReadonlyMap<string, Circuit>, circuit: Circuit): boolean {
  const seen = new Set<string>();
  for (let parentId = circuit.parentId; parentId !== null;) {
    if (parentId === circuit.id) return true;
    // The cycle is above: it is reported for its own circuits.
    if (seen.has(parentId)) return false;
    seen.add(parentId);
    parentId = byId.get(parentId)?.parentId ?? null;
  }
  return false;
}

function areLimitsValid({ amps, schedule, other, transformerRatio }: Circuit): boolean {
  const limits = [amps, worstOther(other), ...schedule.map((part) => part.amps)].flat();
  const minutes = schedule.flatMap(({ fromMinute, toMinute }) => [fromMinute, toMinute]);
  return (
    limits.every((value) => Number.isFinite(value) && value >= 0) &&
    minutes.every((minute) => Number.isInteger(minute) && minute >= 0 && minute <= 1440) &&
    schedule.every(
      ({ fromMinute, toMinute }) => fromMinute < toMinute || fromMinute % 1440 !== toMinute % 1440,
    ) &&
    (transformerRatio === null || (Number.isFinite(transformerRatio) && transformerRatio > 0))
  );
}

function connectorProblems(site: Site): SiteProblem[] {
  const ids = new Set(site.circuits.map(({ id }) => id));
  return site.connectors.flatMap((connector) => {
    const { id, circuitId, siteId, rotation, connection, minAmps, maxAmps, fallbackAmps } = connector;
    const report = (kind: SiteProblem['kind'], message: string): SiteProblem => ({
      kind,
      circuitId,
      connectorId: id,
      message,
    });
    const problems: SiteProblem[] = [];
    if (!ids.has(circuitId)) {
      problems.push(report('unknown-circuit', `Circuit ${circuitId} of connector ${id} does not exist.`));
    }
    if (siteId !== site.id) {
      problems.push(report('other-site', `Circuit ${circuitId} contains connector ${id} of another site.`));
    }
    const hasDistinctPhases = rotation === null || new Set(rotation).size === rotation.length;
    const hasPhaseCount =
      rotation === null || (connection === 'star' ? rotation.length > 0 : rotation.length === 2);
    const hasCurrents =
      minAmps >= 0 &&
      minAmps <= maxAmps &&
      (fallbackAmps === 0 || (fallbackAmps >= minAmps && fallbackAmps <= maxAmps));
    if (!hasDistinctPhases || !hasPhaseCount || !hasCurrents) {
      const message =
        `Connector ${id} of circuit ${circuitId} needs distinct phases (two for line-to-line), ` +
        'minimum <= maximum, and a fallback of 0 A or between them.';
      problems.push(report('invalid-connector', message));
    }
    return problems;
  });
}

/** Finds connectors that charging profiles cannot limit one by one, or not in A of the supply, or that have unwired phases. */
function stationProblems(site: Site, stations: readonly SiteStation[]): SiteProblem[] {
  return [...controlProblems(site, stations), ...phaseProblems(site, stations)];
}

function phaseProblems({ connectors }: Site, stations: readonly SiteStation[]): SiteProblem[] {
  return connectors.flatMap(({ id, circuitId, rotation }, index): SiteProblem[] => {
    const type = stations[index]?.powerType ?? '';
    const count = phasesOfType.get(type);
    if (count === undefined || rotation === null || count <= rotation.length) return [];
    const message =
      `Connector ${id} of circuit ${circuitId} has ${count} phases by its power type ${type}, and ` +
      `${rotation.length} by its rotation.`;
    return [{ kind: 'more-phases', circuitId, connectorId: id, message }];
  });
}

function controlProblems({ connectors }: Site, stations: readonly SiteStation[]): SiteProblem[] {
  const controlled = stations.flatMap((station, index) => {
    const connector = connectors[index];
    return connector?.control === 'profiles' ? [{ ...station, connector }] : [];
  });
  return controlled.flatMap(({ chargerId, evse, powerType, quirks, connector }): SiteProblem[] => {
    const { id, circuitId } = connector;
    const report = (kind: SiteProblem['kind'], message: string): SiteProblem[] => [
      { kind, circuitId, connectorId: id, message },
    ];
    if (powerType === 'DC') {
      return report(
        'direct-current',
        `Connector ${id} of circuit ${circuitId} has direct current, which profiles cannot limit.`,
      );
    }
    const others = controlled.filter((one) => one.chargerId === chargerId && one.connector !== connector);
    if (quirks.includes('station-max-only') && others.length > 0) {
      const message = `Connector ${id} of circuit ${circuitId} shares the limit of its station with another connector of the site.`;
      return report('shared-station', message);
    }
    if (others.some((one) => one.evse === evse)) {
      const message = `Connector ${id} of circuit ${circuitId} shares the limit of its EVSE with another connector of the site.`;
      return report('shared-evse', message);
    }
    return [];
  });
}

/**
 * Compares fallbacks with limits. A connector without control is counted at its maximum, as is one whose limit replaces its fallback
 * and stays.
 */
function fallbackProblems(site: Site, stations: readonly SiteStation[]): SiteProblem[] {
  const amps = site.connectors.map(({ control, maxAmps, fallbackAmps }, index) => {
    const quirks = stations[index]?.quirks ?? [];
    const keepsLimit = quirks.includes('single-level') && !endsWithSession(quirks);
    return control === 'none' || keepsLimit ? maxAmps : fallbackAmps;
  });
  const otherAmps = new Map(site.circuits.map(({ id, other }) => [id, worstOther(other)]));
  const drawnPhases = site.connectors.map(() => null);
  const minutes = new Set([
    0,
    ...site.circuits.flatMap(({ schedule }) =>
      schedule.flatMap(({ fromMinute, toMinute }) => [fromMinute, toMinute % 1440]),
    ),
  ]);
  const byCircuit = new Map<string, SiteProblem>();
  for (const localMinute of minutes) {
    for (const line of linesOf(site, { localMinute, otherAmps, drawnPhases })) {
      const needed = worstAmps(line, amps);
      if (needed <= line.amps + 1e-6 || byCircuit.has(line.circuitId)) continue;
      const message =
        `Circuit ${line.circuitId} leaves ${format(Math.max(0, line.amps))} A on ${phases[line.phase]} for charging, ` +
        `less than the ${format(needed)} A that its stations use without a connection.`;
      byCircuit.set(line.circuitId, problem('fallbacks-exceed-limit', line.circuitId, message));
    }
  }
  return [...byCircuit.values()];
}

/** Returns the highest load that a circuit can have in addition to charging. */
export function worstOther(other: OtherLoad): PhaseAmps {
  return other.kind === 'fixed' ? other.amps : other.worstAmps;
}

function problem(kind: SiteProblem['kind'], circuitId: string | null, message: string): SiteProblem {
  return { kind, circuitId, connectorId: null, message };
}

const format = (amps: number): string => amps.toFixed(1);
