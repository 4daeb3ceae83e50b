import { type Circuit, type PhaseAmps, type Site, noAmps } from './site.ts';
import type { ConnectorState, SiteState } from './plan.ts';
import { readingTolerance } from './standing.ts';

/** Reading of a circuit's meter. */
export interface MeterReading {
  amps: PhaseAmps;
  at: number;
}

/** Seconds after which a meter without a new reading is lost. */
export const meterTimeoutSeconds = 10;

/** Current above which a reading is not credible, as a multiple of the circuit's limit: W instead of A, or a fault. */
const incredibleFactor = 5;

/**
 * Seconds for which the highest measured load is held. A single low reading may be a fault of the meter, and a station's reading may be
 * older than a change of its car, which then looks like a change of the other load.
 */
const holdSeconds = 15;

/** Load that is not charging, at each circuit. */
interface OtherLoads {
  amps: Map<string, PhaseAmps>;
  /** Measured loads of the last seconds. Those before the loss of a meter are kept until it returns. */
  history: Map<string, readonly MeterReading[]>;
  /** Circuits whose meter is lost or not credible. */
  lost: string[];
}

/**
 * Returns the load of each circuit that is not charging. A lost meter, or a reading that cannot be true, counts as the worst load: the
 * highest one that was entered, or the last ones if they were higher.
 */
export function otherLoadsOf(site: Site, state: SiteState): OtherLoads {
  const amps = new Map<string, PhaseAmps>();
  const history = new Map<string, readonly MeterReading[]>();
  const lost: string[] = [];
  for (const circuit of site.circuits) {
    const { other } = circuit;
    if (other.kind === 'fixed') {
      amps.set(circuit.id, other.amps);
      continue;
    }
    const before = state.otherHistory.get(circuit.id) ?? [];
    const reading = state.meters.get(circuit.id);
    if (reading === undefined || !isUsable(circuit, reading, state.now)) {
      lost.push(circuit.id);
      history.set(circuit.id, before);
      amps.set(circuit.id, highest([...before, { amps: other.worstAmps, at: state.now }]));
      continue;
    }
    const charging = other.measures === 'total' ? measuredCharging(site, circuit, state) : noAmps;
    const recent = before.filter(({ at }) => state.now - at <= holdSeconds * 1000);
    const held = [...recent, { amps: subtract(reading.amps, charging), at: state.now }];
    history.set(circuit.id, held);
    amps.set(circuit.id, highest(held));
  }
  return { amps, history, lost };
}

function isUsable(circuit: Circuit, { amps, at }: MeterReading, now: number): boolean {
  return now - at <= meterTimeoutSeconds * 1000 && isCredible(circuit, amps);
}

/** Returns false for currents that a circuit cannot have, such as W that were sent as A. */
export function isCredible(circuit: Circuit, amps: PhaseAmps): boolean {
  const highest = Math.max(...circuit.amps) * incredibleFactor;
  return amps.every((value) => Number.isFinite(value) && Math.abs(value) <= highest);
}

/**
 * Returns the charging that a meter of the total certainly includes: fresh readings of cars whose phases are known. All else counts
 * as other load, and once more as charging, which is safe.
 */
function measuredCharging(site: Site, circuit: Circuit, { connectors, now }: SiteState): PhaseAmps {
  const inside = circuitsBelow(site, circuit.id);
  const sum: [number, number, number] = [0, 0, 0];
  for (const [index, { circuitId, rotation, connection }] of site.connectors.entries()) {
    const state = connectors[index];
    if (state === undefined || !inside.has(circuitId) || connection !== 'star' || rotation === null) continue;
    const amps = certainAmps(state, now);
    for (const letter of rotation.slice(0, state.drawnPhases ?? 0)) {
      const phase = 'RST'.indexOf(letter);
      sum[phase] = (sum[phase] ?? 0) + amps;
    }
  }
  return sum;
}

function certainAmps({ standing: { reading } }: ConnectorState, now: number): number {
  if (reading === null || now - reading.at > meterTimeoutSeconds * 1000) return 0;
  return Math.max(0, reading.amps - readingTolerance);
}

/** Returns a circuit and those below it that no transformer separates. */
function circuitsBelow(site: Site, id: string): Set<string> {
  const inside = new Set([id]);
  for (let size = 0; size !== inside.size;) {
    size = inside.size;
    for (const { id: child, parentId, transformerRatio } of site.circuits) {
      if (parentId !== null && inside.has(parentId) && transformerRatio === null) inside.add(child);
    }
  }
  return inside;
}

function highest(readings: readonly MeterReading[]): PhaseAmps {
  const on = (phase: 0 | 1 | 2): number => Math.max(...readings.map(({ amps }) => amps[phase]));
  return [on(0), on(1), on(2)];
}

/** Export does not carry charging: it can end within a second. */
function subtract(total: PhaseAmps, part: PhaseAmps): PhaseAmps {
  return [Math.max(0, total[0] - part[0]), Math.max(0, total[1] - part[1]), Math.max(0, total[2] - part[2])];
}
