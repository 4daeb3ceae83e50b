import type { Random } from '#bench/fleet/random.ts';
import type { Stores } from '#bench/system/stores.ts';
import type { Link, LinkState } from './link.ts';
import { productNames, storeNames, type Topology } from './topology.ts';

/** Links from the product to servers of others. */
export type Outside = Record<'partner' | 'webhook receiver', Link>;

/** Parts of a run that faults hit. */
export interface FaultSites {
  topology: Topology;
  outside: Outside;
}

/** Servers of the stores, where the run owns them. */
export type StoreServers = Pick<Stores, 'kill' | 'freeze'>;

export interface Fault {
  name: string;
  /** Process or store that it hits; a pair hits two of them. */
  target: string;
  /** False for a fault that is over when it was injected, such as a kill. */
  lasts: boolean;
  /** True for a fault that ends PostgreSQL without a flush. */
  crashesDatabase?: boolean;
  /** Injects the fault; returns the function that heals it. */
  inject(): () => void;
}

const slowMs = 150;
const slowBytesPerSecond = 50_000;

/** Returns the faults of a run; those of the servers of the stores only with `servers`. */
export function faultsOf({ topology, outside }: FaultSites, servers: StoreServers | null): Fault[] {
  const ofProducts = productNames.flatMap((name): Fault[] => {
    const product = topology.products[name];
    const kill = (): (() => void) => {
      product.kill();
      return () => undefined;
    };
    return [
      { name: `kill ${name}`, target: name, lasts: false, inject: kill },
      { name: `freeze ${name}`, target: name, lasts: true, inject: () => product.freeze() },
      linkFault(`cut clients from ${name}`, name, [topology.fronts[name]], { kind: 'cut' }),
      linkFault(`stall clients of ${name}`, name, [topology.fronts[name]], { kind: 'stalled' }),
      ...storeNames.map((store) =>
        linkFault(`cut ${name} from ${store}`, name, [topology.storeLinks[name][store]], { kind: 'cut' }),
      ),
    ];
  });
  const ofStores = storeNames.flatMap((store): Fault[] => {
    const links = productNames.map((name) => topology.storeLinks[name][store]);
    return [
      linkFault(`cut ${store}`, store, links, { kind: 'cut' }),
      linkFault(`stall ${store}`, store, links, { kind: 'stalled' }),
      linkFault(`delay ${store}`, store, links, { kind: 'delayed', ms: slowMs }),
      linkFault(`throttle ${store}`, store, links, { kind: 'throttled', bytesPerSecond: slowBytesPerSecond }),
    ];
  });
  const ofOutside = Object.entries(outside).flatMap(([name, link]): Fault[] => [
    linkFault(`cut ${name}`, name, [link], { kind: 'cut' }),
    linkFault(`stall ${name}`, name, [link], { kind: 'stalled' }),
  ]);
  return [...ofProducts, ...ofStores, ...ofOutside, ...(servers === null ? [] : serverFaults(servers))];
}

function serverFaults(servers: StoreServers): Fault[] {
  const kills = storeNames.map(
    (store): Fault => ({
      name: `kill ${store}`,
      target: store,
      lasts: false,
      crashesDatabase: store === 'PostgreSQL',
      inject() {
        servers.kill(store);
        return () => undefined;
      },
    }),
  );
  const freezes = (['ClickHouse', 'Redis'] as const).map(
    (store): Fault => ({
      name: `freeze ${store}`,
      target: store,
      lasts: true,
      inject: () => servers.freeze(store),
    }),
  );
  return [...kills, ...freezes];
}

function linkFault(name: string, target: string, links: readonly Link[], state: LinkState): Fault {
  const set = (next: LinkState): void => {
    for (const link of links) link.set(next);
  };
  const inject = (): (() => void) => {
    set(state);
    return () => set({ kind: 'open' });
  };
  return { name, target, lasts: true, inject };
}

/** Joins two faults that hit different targets. */
export function pairOf(one: Fault, other: Fault): Fault {
  return {
    name: `${one.name} + ${other.name}`,
    target: `${one.target} + ${other.target}`,
    lasts: one.lasts || other.lasts,
    crashesDatabase: one.crashesDatabase === true || other.crashesDatabase === true,
    inject() {
      const heals = [one.inject(), other.inject()];
      return () => {
        for (const heal of heals) heal();
      };
    },
  };
}

/** Chooses faults in a random order: each third one is a pair, and none comes again before all had their turn. */
export function chooseFaults(all: readonly Fault[], count: number, random: Random): Fault[] {
  const chosen: Fault[] = [];
  let left: Fault[] = [];
  const take = (accepts: (fault: Fault) => boolean): Fault => {
    if (!left.some(accepts)) left = [...all];
    const fitting = left.filter(accepts);
    const fault = fitting[Math.floor(random() * fitting.length)];
    if (fault === undefined) throw new Error('there is no such fault');
    left = left.filter((other) => other !== fault);
    return fault;
  };
  while (chosen.length < count) {
    const one = take(() => true);
    const isPair = chosen.length % 3 === 2;
    chosen.push(
      isPair
        ? pairOf(
            one,
            take(({ target }) => target !== one.target),
          )
        : one,
    );
  }
  return chosen;
}
