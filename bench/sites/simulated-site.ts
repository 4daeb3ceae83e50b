import type { StationQuirk } from '#shared/domain/load/quirks.ts';
import type { Connector, Site } from '#shared/domain/load/site.ts';
import type { WiredCircuit } from './electric-site.ts';

const quirkSets: readonly (readonly StationQuirk[])[] = [
  [],
  [],
  [],
  ['tx-default-only'],
  ['station-max-only'],
  ['tx-default-only', 'single-level'],
];

const rotations = [
  ['R', 'S', 'T'],
  ['S', 'T', 'R'],
  ['T', 'R', 'S'],
] as const;

/** Returns a site with a metered building, two boards and stations of each kind, as the product and as the electrical model have it. */
export function simulatedSite(stations: number): {
  site: Site;
  circuits: WiredCircuit[];
  quirks: (readonly StationQuirk[])[];
} {
  const grid = 40 + stations * 4;
  const circuits: WiredCircuit[] = [
    { id: 'grid', parent: null, limit: grid },
    { id: 'board-0', parent: 'grid', limit: 16 + stations * 4 },
    { id: 'board-1', parent: 'grid', limit: 16 + stations * 4 },
  ];
  const indexes = Array.from({ length: stations }, (_, index) => index);
  const quirks = indexes.map((index) => quirkSets[index % quirkSets.length] ?? []);
  const site: Site = {
    id: 'site',
    circuits: circuits.map(({ id, parent, limit }) => ({
      id,
      parentId: parent,
      amps: [limit, limit, limit],
      schedule: [],
      other:
        parent === null
          ? { kind: 'metered', measures: 'total', worstAmps: [36, 36, 36] }
          : { kind: 'fixed', amps: [0, 0, 0] },
      transformerRatio: null,
    })),
    connectors: indexes.map((index): Connector => ({
      id: `connector-${index}`,
      siteId: 'site',
      circuitId: `board-${index % 2}`,
      rotation: rotations[index % 3] ?? null,
      connection: 'star',
      voltage: 230,
      minAmps: 6,
      maxAmps: index % 4 === 3 ? 16 : 32,
      fallbackAmps: index % 5 === 4 ? 6 : 0,
      control: 'profiles',
    })),
  };
  return { site, circuits, quirks };
}
