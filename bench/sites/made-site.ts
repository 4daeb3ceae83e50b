import type { ConnectorState } from '#shared/domain/load/plan.ts';
import type { Circuit, Connector, Rotation, Site } from '#shared/domain/load/site.ts';
import { unknownStanding } from '#shared/domain/load/standing.ts';

const rotations: Rotation[] = [
  ['R', 'S', 'T'],
  ['S', 'T', 'R'],
  ['T', 'R', 'S'],
];

const circuit = (name: string, parentId: string | null, amps: number): Circuit => ({
  id: name,
  parentId,
  amps: [amps, amps, amps],
  schedule: [],
  other:
    parentId === null
      ? { kind: 'metered', measures: 'other', worstAmps: [60, 60, 60] }
      : { kind: 'fixed', amps: [0, 0, 0] },
  transformerRatio: null,
});

/** Returns a site with a grid connection, a board for each ten connectors, and a metered building. */
export function madeSite(id: string, connectors: number): Site {
  const boards = Math.ceil(connectors / 10);
  return {
    id,
    circuits: [
      circuit('grid', null, 60 + connectors * 6),
      ...Array.from({ length: boards }, (_, index) => circuit(`board-${index}`, 'grid', 125)),
    ],
    connectors: Array.from({ length: connectors }, (_, index): Connector => ({
      id: `connector-${index}`,
      siteId: id,
      circuitId: `board-${index % boards}`,
      rotation: rotations[index % 3] ?? null,
      connection: 'star',
      voltage: 230,
      minAmps: 6,
      maxAmps: 32,
      fallbackAmps: 0,
      control: 'profiles',
    })),
  };
}

/** Returns the state of a connector of a busy site: most have a car, with a limit of its own. */
export function busyState(index: number, now: number): ConnectorState {
  const amps = index % 5 === 0 ? 0 : 6 + (index % 20);
  return {
    isOnline: index % 17 !== 0,
    demand:
      index % 5 === 0
        ? null
        : {
            arrivedAt: now - index * 60_000,
            priority: 1 + (index % 3),
            departsAt: index % 2 === 0 ? now + (1 + (index % 9)) * 3_600_000 : null,
            neededWh: 5000 + index * 800,
            mode: { kind: 'charging', since: now - index * 30_000 },
          },
    standing: {
      ...unknownStanding,
      inForce: amps,
      accepted: { amps, at: now - 60_000 },
      fallback: 0,
      reading: { amps: Math.max(0, amps - (index % 4)), at: now - 2000 },
    },
    drawnPhases: ([1, 3, 3, null] as const)[index % 4] ?? null,
    changedAt: now - 60_000,
  };
}
