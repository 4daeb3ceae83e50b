import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Circuit, Connector, PhaseAmps, Rotation, Site } from '#shared/domain/load/site.ts';

/** Session of the month. Periods have five minutes. */
export interface ReplayedSession {
  arrival: number;
  departure: number;
  /** Index of the station's connector in the site. */
  connector: number;
  requestedKwh: number;
}

/** Minutes of a period. */
export const periodMinutes = 5;

/** Highest current of a car in ampere: 6.6 kW at 208 V. */
export const maxCarAmps = 6600 / 208;

/** Published share of the requested energy that is delivered, in percent: the mean of the ratings, and the tightest rating. */
export const published = [
  { name: 'first come, published', mean: 91.34, tightest: 34.65 },
  { name: 'round robin, published', mean: 92.29, tightest: 43.85 },
  { name: 'earliest deadline, published', mean: 93.1, tightest: 36.94 },
  { name: 'least laxity, published', mean: 93.21, tightest: 36.82 },
  { name: 'model predictive, published', mean: 95.06, tightest: 51.4 },
  { name: 'offline optimum, published', mean: 95.26, tightest: 52.09 },
];

/** Ratings of the transformer in kW. */
export const ratings = Array.from({ length: 27 }, (_, index) => 10 + index * 5);

interface Network {
  voltage: number;
  maxAmps: number;
  pairs: Record<'AB' | 'BC' | 'CA', { stations: string[] }>;
  pods: Record<string, { stations: string[]; limitAmps: number }>;
}

const directory = join(import.meta.dirname, 'acn');
const read = (name: string): unknown => JSON.parse(readFileSync(join(directory, name), 'utf8'));

const network = read('network.json') as Network;

const rotations: Record<keyof Network['pairs'], Rotation> = {
  AB: ['R', 'S'],
  BC: ['S', 'T'],
  CA: ['T', 'R'],
};

/** Names of the pairs, in the order of the phases. */
const pairs = ['AB', 'BC', 'CA'] as const;

const stations = pairs.flatMap((pair) => network.pairs[pair].stations.map((id) => ({ id, pair })));

const onAll = (amps: number): PhaseAmps => [amps, amps, amps];
const circuit = (id: string, parentId: string | null, amps: number): Circuit => ({
  id,
  parentId,
  amps: onAll(amps),
  schedule: [],
  other: { kind: 'fixed', amps: onAll(0) },
  transformerRatio: parentId === null ? 4 : null,
});

/** Returns the car park with a transformer of a rating in kW. */
export function acnSite(rating: number): Site {
  const pods = Object.entries(network.pods);
  return {
    id: 'acn',
    circuits: [
      circuit('primary', null, (rating * 1000) / 3 / 277),
      circuit('secondary', 'primary', (rating * 1000) / 3 / 120),
      ...pods.map(([id, { limitAmps }]) => circuit(id, 'secondary', limitAmps)),
    ],
    connectors: stations.map(({ id, pair }): Connector => ({
      id,
      siteId: 'acn',
      circuitId: pods.find(([, pod]) => pod.stations.includes(id))?.[0] ?? 'secondary',
      rotation: rotations[pair],
      connection: 'line-to-line',
      voltage: network.voltage,
      minAmps: 0,
      maxAmps: network.maxAmps,
      fallbackAmps: 0,
      control: 'profiles',
    })),
  };
}

/** Returns the sessions of the month in the order of their arrival. */
export function acnSessions(): ReplayedSession[] {
  const { sessions } = read('sessions-2019-03.json') as { sessions: [number, number, string, number][] };
  return sessions
    .map(([arrival, departure, station, requestedKwh]) => ({
      arrival,
      departure,
      connector: stations.findIndex(({ id }) => id === station),
      requestedKwh,
    }))
    .toSorted((one, two) => one.arrival - two.arrival);
}

/**
 * Returns the share of the most loaded part of the network, calculated from the definition of the network and not from the product's
 * lines: at most 1 if all limits hold.
 */
export function acnLoad(rating: number, amps: readonly number[]): number {
  const [ab = 0, bc = 0, ca = 0] = pairs.map((pair) =>
    stations.reduce((sum, station, index) => (station.pair === pair ? sum + (amps[index] ?? 0) : sum), 0),
  );
  // Currents of the pairs at 30, -90 and 150 degrees.
  const magnitude = (one: number, two: number, three: number): number => {
    const x = (one * ab - three * ca) * Math.cos(Math.PI / 6);
    const y = (one * ab + three * ca) * 0.5 - two * bc;
    return Math.hypot(x, y);
  };
  const secondary = [magnitude(1, 0, -1), magnitude(-1, 1, 0), magnitude(0, -1, 1)];
  const primary = [magnitude(1, 1, -2), magnitude(-2, 1, 1), magnitude(1, -2, 1)].map((value) => value / 4);
  const pods = Object.values(network.pods).map(({ stations: own, limitAmps }) => {
    const sum = stations.reduce(
      (all, { id }, index) => (own.includes(id) ? all + (amps[index] ?? 0) : all),
      0,
    );
    return sum / limitAmps;
  });
  return Math.max(
    ...secondary.map((value) => value / ((rating * 1000) / 3 / 120)),
    ...primary.map((value) => value / ((rating * 1000) / 3 / 277)),
    ...pods,
  );
}
