import type { Random } from '#shared/simulator/random.ts';
import type { Link, LinkState } from './link.ts';
import { fillDisk } from '#shared/testing/small-disk.ts';
import { storeNames, type StoreName } from './store-links.ts';
import { productNames, type Topology } from './topology.ts';

/** Links from the product to servers of others. */
type Outside = Record<'partner' | 'webhook receiver', Link>;

/** Parts of a run that faults hit. */
export interface FaultSites {
  topology: Topology;
  outside: Outside;
}

/** Servers of the stores, where the run owns them. */
export interface StoreServers {
  /** Kills the server that accepts writes (SIGKILL). It is started again; Redis is replaced by its replica before. */
  kill(store: StoreName): void;
  /** Freezes a server (SIGSTOP) until the returned function is called. */
  freeze(store: 'ClickHouse' | 'Redis'): () => void;
  /** Kills the primary of PostgreSQL for good and promotes its standby. */
  failOver(): void;
}

export interface Fault {
  name: string;
  /** Process or store that it hits; a pair hits two of them. */
  target: string;
  isPair?: boolean;
  /** True for a fault that a run can inject once. */
  isOnce?: boolean;
  /** False for a fault that is over when it was injected, such as a kill. */
  lasts: boolean;
  /** True for a fault that ends PostgreSQL without a flush. */
  crashesDatabase?: boolean;
  /** Injects the fault; returns the function that heals it. A promise resolves when the fault is over. */
  inject(): (() => void) | Promise<() => void>;
}

/** Chargers' times count as wrong when they are more than 5 minutes ahead of the gateway's clock (shared/domain/kernel/clock.ts). */
const clockSteps = { forward: 60 * 60_000, back: -4 * 60_000 };
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
      ...Object.entries(clockSteps).map(([way, aheadMs]): Fault => ({
        name: `step the clock of ${name} ${way}`,
        target: name,
        lasts: true,
        inject() {
          product.stepClock(aheadMs);
          return () => product.stepClock(0);
        },
      })),
      ...storeNames.map((store) =>
        linkFault(`cut ${name} from ${store}`, name, topology.storeLinks[name][store].links, { kind: 'cut' }),
      ),
    ];
  });
  const ofStores = storeNames.flatMap((store): Fault[] => {
    const links = productNames.flatMap((name) => topology.storeLinks[name][store].links);
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
  return [
    ...ofProducts,
    ...ofStores,
    ...ofOutside,
    ...diskFaults(topology),
    ...(servers === null ? [] : serverFaults(servers)),
  ];
}

/** Returns the fault of a full disk; none where no small disk could be mounted. */
function diskFaults({ disk }: Topology): Fault[] {
  if ('refusal' in disk) return [];
  const { path } = disk;
  return [
    { name: 'fill the disk of gateway-1', target: 'gateway-1', lasts: true, inject: () => fillDisk(path) },
  ];
}

function serverFaults(servers: StoreServers): Fault[] {
  const kills = storeNames.map((store): Fault => ({
    name: `kill ${store}`,
    target: store,
    lasts: false,
    crashesDatabase: store === 'PostgreSQL',
    inject() {
      servers.kill(store);
      return () => undefined;
    },
  }));
  const freezes = (['ClickHouse', 'Redis'] as const).map((store): Fault => ({
    name: `freeze ${store}`,
    target: store,
    lasts: true,
    inject: () => servers.freeze(store),
  }));
  const failOver: Fault = {
    name: 'fail over PostgreSQL',
    target: 'PostgreSQL',
    lasts: false,
    isOnce: true,
    crashesDatabase: true,
    inject() {
      servers.failOver();
      return () => undefined;
    },
  };
  return [...kills, ...freezes, failOver];
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

/** Returns the migration of the stores, and an upgrade of each process to the present version, one process after the other. */
export function upgradesOf({ topology }: FaultSites, migrate: () => Promise<void>): Fault[] {
  const migration: Fault = {
    name: 'migrate the stores',
    target: 'stores',
    lasts: false,
    async inject() {
      await migrate();
      return () => undefined;
    },
  };
  const upgrades = productNames.map((name): Fault => ({
    name: `upgrade ${name}`,
    target: name,
    lasts: false,
    inject() {
      topology.products[name].upgrade();
      return () => undefined;
    },
  }));
  return [migration, ...upgrades];
}

/** Joins two faults that hit different targets. */
export function pairOf(one: Fault, other: Fault): Fault {
  return {
    name: `${one.name} + ${other.name}`,
    target: `${one.target} + ${other.target}`,
    isPair: true,
    lasts: one.lasts || other.lasts,
    crashesDatabase: one.crashesDatabase === true || other.crashesDatabase === true,
    async inject() {
      const heals = await Promise.all([one.inject(), other.inject()]);
      return () => {
        for (const heal of heals) heal();
      };
    },
  };
}

/**
 * Chooses up to `count` faults in a random order: each third one is a pair, and none comes again before all had their turn.
 * There are fewer when only faults are left that a run can inject once.
 */
export function chooseFaults(all: readonly Fault[], count: number, random: Random): Fault[] {
  const chosen: Fault[] = [];
  let left = [...all];
  const take = (accepts: (fault: Fault) => boolean): Fault | undefined => {
    if (!left.some(accepts)) left = all.filter(({ isOnce }) => isOnce !== true);
    const fitting = left.filter(accepts);
    const fault = fitting[Math.floor(random() * fitting.length)];
    left = left.filter((other) => other !== fault);
    return fault;
  };
  while (chosen.length < count) {
    const one = take(() => true);
    if (one === undefined) return chosen;
    const isPair = chosen.length % 3 === 2;
    const other = isPair ? take(({ target }) => target !== one.target) : undefined;
    chosen.push(other === undefined ? one : pairOf(one, other));
  }
  return chosen;
}
