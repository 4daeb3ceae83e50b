import * as fc from 'fast-check';
import type { Demand } from '#shared/domain/load/demand.ts';
import type { ConnectorState } from '#shared/domain/load/plan.ts';
import type { Circuit, Connector, Rotation, Site } from '#shared/domain/load/site.ts';
import { unknownStanding } from '#shared/domain/load/standing.ts';

export function circuit(id: string, amps: number, changes: Partial<Circuit> = {}): Circuit {
  return {
    id,
    parentId: null,
    amps: [amps, amps, amps],
    schedule: [],
    other: { kind: 'fixed', amps: [0, 0, 0] },
    transformerRatio: null,
    ...changes,
  };
}

export function connector(id: string, changes: Partial<Connector> = {}): Connector {
  return {
    id,
    siteId: 'site',
    circuitId: 'grid',
    rotation: ['R', 'S', 'T'],
    connection: 'star',
    voltage: 230,
    minAmps: 6,
    maxAmps: 32,
    fallbackAmps: 0,
    control: 'profiles',
    ...changes,
  };
}

export function siteOf(connectors: readonly Connector[], ...circuits: readonly Circuit[]): Site {
  return { id: 'site', circuits, connectors };
}

export function demand(changes: Partial<Demand> = {}): Demand {
  return {
    arrivedAt: 0,
    priority: 1,
    departsAt: null,
    neededWh: null,
    mode: { kind: 'charging', since: 0 },
    ...changes,
  };
}

/** State of a connector with a car whose limit is confirmed. */
export function charging(amps: number, changes: Partial<ConnectorState> = {}): ConnectorState {
  return {
    isOnline: true,
    demand: demand(),
    standing: { ...unknownStanding, inForce: amps, accepted: { amps, at: 0 }, fallback: 0 },
    drawnPhases: 3,
    changedAt: null,
    ...changes,
  };
}

const rotations: Rotation[] = [
  ['R', 'S', 'T'],
  ['S', 'T', 'R'],
  ['T', 'R', 'S'],
  ['R'],
  ['S'],
  ['T'],
  ['R', 'S'],
];
const pairs: Rotation[] = [
  ['R', 'S'],
  ['S', 'T'],
  ['T', 'R'],
];

const wiring = fc.oneof(
  fc.record({ rotation: fc.constantFrom(...rotations, null), connection: fc.constant('star' as const) }),
  fc.record({ rotation: fc.constantFrom(...pairs), connection: fc.constant('line-to-line' as const) }),
);

/** Sites of a grid connection with up to three boards and ten connectors. */
export const sites: fc.Arbitrary<Site> = fc
  .record({
    grid: fc.integer({ min: 10, max: 200 }),
    boards: fc.array(fc.integer({ min: 6, max: 120 }), { minLength: 1, maxLength: 3 }),
    connectors: fc.array(
      fc.record({ wiring, board: fc.nat(2), minAmps: fc.constantFrom(0, 6), isControlled: fc.boolean() }),
      { minLength: 1, maxLength: 10 },
    ),
    other: fc.integer({ min: 0, max: 20 }),
    transformerRatio: fc.constantFrom(null, null, 4),
  })
  .map(({ grid, boards, connectors, other, transformerRatio }) =>
    siteOf(
      connectors.map(({ wiring, board, minAmps, isControlled }, index) =>
        connector(`connector-${index}`, {
          ...wiring,
          circuitId: `board-${board % boards.length}`,
          minAmps,
          control: isControlled || index > 0 ? 'profiles' : 'none',
        }),
      ),
      circuit('grid', grid, { other: { kind: 'fixed', amps: [other, 0, other] }, transformerRatio }),
      ...boards.map((amps, index) => circuit(`board-${index}`, amps, { parentId: 'grid' })),
    ),
  );

interface Phasor {
  x: number;
  y: number;
}

/** Unrelated calculation of a circuit's currents from phasors: what a clamp meter would show on its three lines. */
export function measuredAmps(site: Site, circuitId: string, amps: readonly number[]): number[] {
  return phasorsOf(site, circuitId, amps).map(({ x, y }) => Math.hypot(x, y));
}

function phasorsOf(site: Site, circuitId: string, amps: readonly number[]): Phasor[] {
  const sum: Phasor[] = [0, 1, 2].map(() => ({ x: 0, y: 0 }));
  const add = (phase: number, size: number, degrees: number): void => {
    const line = sum[phase];
    if (line === undefined) return;
    line.x += size * Math.cos((degrees * Math.PI) / 180);
    line.y += size * Math.sin((degrees * Math.PI) / 180);
  };
  for (const [index, { rotation, connection, circuitId: own }] of site.connectors.entries()) {
    if (own !== circuitId) continue;
    const phases = (rotation ?? ['R', 'S', 'T']).map((letter) => 'RST'.indexOf(letter));
    const size = amps[index] ?? 0;
    if (connection === 'star') for (const phase of phases) add(phase, size, phase * -120);
    else {
      const [from = 0, to = 0] = phases;
      const degrees = [30, -90, 150][from] ?? 0;
      add(from, size, degrees);
      add(to, size, degrees + 180);
    }
  }
  for (const { id } of site.circuits.filter(({ parentId }) => parentId === circuitId)) {
    for (const [phase, { x, y }] of phasorsOf(site, id, amps).entries()) {
      add(phase, Math.hypot(x, y), (Math.atan2(y, x) * 180) / Math.PI);
    }
  }
  const ratio = site.circuits.find(({ id }) => id === circuitId)?.transformerRatio ?? null;
  if (ratio === null) return sum;
  return sum.map(({ x, y }, phase) => {
    const previous = sum[(phase + 2) % 3] ?? { x: 0, y: 0 };
    return { x: (x - previous.x) / ratio, y: (y - previous.y) / ratio };
  });
}
