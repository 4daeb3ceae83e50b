import { type Circuit, type Connector, type PhaseAmps, type Site, ampsAt, noAmps } from './site.ts';

/** Connectors whose currents have the same angle in a line. Their currents add up. */
interface LineGroup {
  /** Current in the line for each ampere of a member, as a complex number. */
  re: number;
  im: number;
  /** Indexes of connectors in the site. */
  members: number[];
}

/** One phase of one circuit. Its current is the sum of the phasors of its groups. */
export interface Line {
  circuitId: string;
  /** 0 to 2: L1 to L3. */
  phase: number;
  /** Ampere that charging may use. Negative while other loads exceed the limit. */
  amps: number;
  groups: LineGroup[];
  /** True if the current of one group can cancel a part of another group's: the worst case is a subset of the groups. */
  cancels: boolean;
}

/** Number of phases that a car draws from, counted from the first pin. Null: unknown. */
export type DrawnPhases = 1 | 2 | 3 | null;

/** Current in ampere above which a phase counts as used. */
const usedAmps = 1;

/**
 * Returns the number of phases with a current. Null unless they are the first pin, the first two or all: a car that draws only from
 * another one is counted on all phases.
 * @param amps currents of the pins in their order. Null: not reported.
 */
export function drawnPhasesOf(amps: readonly (number | null)[]): DrawnPhases {
  if (amps.includes(null)) return null;
  const used = amps.map((own) => (own ?? 0) > usedAmps);
  const count = used.filter(Boolean).length;
  const isFromFirst = count > 0 && used.slice(0, count).every(Boolean);
  return isFromFirst ? (count as DrawnPhases) : null;
}

/** Values that change the lines of a site. */
export interface LineInputs {
  localMinute: number;
  /** Load that is not charging, at each circuit itself. Includes everything below it for a circuit with a meter of the total. */
  otherAmps: ReadonlyMap<string, PhaseAmps>;
  /** Phases that the car at each connector draws from, in the order of the site's connectors. */
  drawnPhases: readonly DrawnPhases[];
}

/** Angle and factor of a connector's current in a line, relative to the voltage of the line's phase. */
interface Term {
  degrees: number;
  factor: number;
}

/** Returns the lines of a site, three for each circuit. */
export function linesOf(site: Site, inputs: LineInputs): Line[] {
  const other = otherLoads(site, inputs.otherAmps);
  const circuits = new Map(site.circuits.map((circuit) => [circuit.id, circuit]));
  const lines = new Map(
    site.circuits.map((circuit) => {
      const limits = ampsAt(circuit, inputs.localMinute);
      const load = other.get(circuit.id) ?? noAmps;
      return [
        circuit.id,
        [0, 1, 2].map((phase) => newLine(circuit.id, phase, (limits[phase] ?? 0) - (load[phase] ?? 0))),
      ];
    }),
  );
  for (const [index, connector] of site.connectors.entries()) {
    const terms = connectorTerms(connector, inputs.drawnPhases[index] ?? null);
    let below = terms;
    for (const circuit of pathOf(circuits, connector.circuitId)) {
      if (circuit.transformerRatio !== null) below = primaryTerms(below, circuit.transformerRatio);
      for (const line of lines.get(circuit.id) ?? []) addMember(line, below[line.phase] ?? [], index);
    }
  }
  const all = [...lines.values()].flat();
  for (const line of all) line.cancels = hasCancellation(line.groups);
  return all;
}

function newLine(circuitId: string, phase: number, amps: number): Line {
  return { circuitId, phase, amps, groups: [], cancels: false };
}

/** Returns a circuit and all circuits above it. */
function pathOf(circuits: ReadonlyMap<string, Circuit>, id: string): Circuit[] {
  const path: Circuit[] = [];
  for (let circuit = circuits.get(id); circuit !== undefined;) {
    path.push(circuit);
    circuit = circuit.parentId === null ? undefined : circuits.get(circuit.parentId);
  }
  return path;
}

/** Returns the terms of one connector in each of the three lines of its circuit. */
function connectorTerms({ rotation, connection }: Connector, drawn: DrawnPhases): Term[][] {
  const full: Term = { degrees: 0, factor: 1 };
  if (rotation === null) return [[full], [full], [full]];
  const phases = rotation.map((letter) => 'RST'.indexOf(letter));
  const terms: Term[][] = [[], [], []];
  if (connection === 'line-to-line') {
    const [first = 0, second = 0] = phases;
    // The load between two phases leads the earlier phase by 30 degrees, and lags the later one by as much.
    const isForward = second === (first + 1) % 3;
    terms[first]?.push({ degrees: isForward ? 30 : -30, factor: 1 });
    terms[second]?.push({ degrees: isForward ? -30 : 30, factor: 1 });
    return terms;
  }
  for (const phase of phases.slice(0, drawn ?? phases.length)) terms[phase]?.push(full);
  return terms;
}

/** Returns the terms on the primary side of a delta-star transformer: line 1 carries the currents of windings 1 and 3. */
function primaryTerms(secondary: readonly Term[][], ratio: number): Term[][] {
  return [0, 1, 2].map((phase) => {
    const own = secondary[phase] ?? [];
    // Phase 3 lags phase 1 by 240 degrees. Seen from phase 1, its negated current is at -60 degrees.
    const previous = (secondary[(phase + 2) % 3] ?? []).map(({ degrees, factor }) => ({
      degrees: degrees - 60,
      factor,
    }));
    return [...own, ...previous].map(({ degrees, factor }) => ({ degrees, factor: factor / ratio }));
  });
}

/** Adds a connector to a line, in the group of its angle. */
function addMember(line: Line, terms: readonly Term[], index: number): void {
  let re = 0;
  let im = 0;
  for (const { degrees, factor } of terms) {
    re += factor * Math.cos((degrees * Math.PI) / 180);
    im += factor * Math.sin((degrees * Math.PI) / 180);
  }
  if (re === 0 && im === 0) return;
  const group = line.groups.find(
    (candidate) => Math.abs(candidate.re - re) < 1e-9 && Math.abs(candidate.im - im) < 1e-9,
  );
  if (group === undefined) line.groups.push({ re, im, members: [index] });
  else group.members.push(index);
}

function hasCancellation(groups: readonly LineGroup[]): boolean {
  return groups.some((one, i) => groups.some((two, k) => k > i && one.re * two.re + one.im * two.im < -1e-9));
}

/** Returns the load that is not charging on the lines of each circuit, including the circuits below it. */
function otherLoads(site: Site, own: ReadonlyMap<string, PhaseAmps>): Map<string, PhaseAmps> {
  const loads = new Map<string, PhaseAmps>();
  const children = Map.groupBy(site.circuits, ({ parentId }) => parentId);
  const visit = (circuit: Circuit): PhaseAmps => {
    const below = (children.get(circuit.id) ?? []).map(visit);
    const direct = own.get(circuit.id) ?? noAmps;
    const isTotal = circuit.other.kind === 'metered' && circuit.other.measures === 'total';
    const sum = below.reduce(addAmps, noAmps);
    const load = isTotal ? direct : addAmps(direct, onPrimary(sum, circuit.transformerRatio));
    loads.set(circuit.id, load);
    return load;
  };
  for (const root of children.get(null) ?? []) visit(root);
  return loads;
}

/** Returns an upper bound of the primary currents of a delta-star transformer. */
function onPrimary([l1, l2, l3]: PhaseAmps, ratio: number | null): PhaseAmps {
  if (ratio === null) return [l1, l2, l3];
  return [(l1 + l3) / ratio, (l2 + l1) / ratio, (l3 + l2) / ratio];
}

export function addAmps(one: PhaseAmps, two: PhaseAmps): PhaseAmps {
  return [one[0] + two[0], one[1] + two[1], one[2] + two[2]];
}
