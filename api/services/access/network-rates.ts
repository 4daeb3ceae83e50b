import { BusUnavailableError } from '#shared/bus/contract.ts';
import type { NetworkScope } from '#shared/domain/access/tenancy.ts';
import { listNetworkLimits } from '#shared/postgres/fleet/networks.statements.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { countRate, type Rate } from '#api/services/kernel/rates.ts';

const minuteMs = 60_000;

/** Time in ms for which limits are used before they are read again. */
const limitsForMs = 5000;

/** Networks of a caller in which a request is counted at most, until one has requests left. */
const maxCounted = 3;

type NetworkRateDeps = Pick<ServiceDeps, 'sql' | 'bus'> & {
  settings: Pick<ServiceDeps['settings'], 'networkRequestsPerMinute'>;
};

/**
 * Counts the requests of all callers of a network together, over all processes, so that one network does not take the API from the
 * others. Callers of all networks are not counted.
 */
export class NetworkRates {
  readonly #deps: NetworkRateDeps;
  /** Limits of networks that have one of their own, as read last. */
  #limits = new Map<number, number>();
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  constructor(deps: NetworkRateDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the networks in which a request is counted, with their limits. Empty: it is not. Reads changed limits in the background, so
   * that no request waits for them.
   */
  limitsOf(networks: NetworkScope): readonly [networkId: number, limit: number][] {
    this.#refresh();
    const byDefault = this.#deps.settings.networkRequestsPerMinute;
    if (networks.all || (byDefault === null && this.#limits.size === 0)) return [];
    const limits: [number, number][] = [];
    for (const id of networks.networkIds) {
      const limit = this.#limits.get(id) ?? byDefault;
      // A network without a limit has requests left.
      if (limit === null) return [];
      limits.push([id, limit]);
    }
    return limits;
  }

  /**
   * Counts a request in the first of these networks that has requests left, and returns its rate; without any, that of the last one.
   * While the bus is unreachable nothing is counted and `unreachable` is returned, as for callers.
   */
  async count(limits: readonly [networkId: number, limit: number][]): Promise<Rate | 'unreachable' | null> {
    let rate: Rate | null = null;
    try {
      for (const [networkId, limit] of limits.slice(0, maxCounted)) {
        rate = await countRate(this.#deps, `network:${networkId}`, { limit, windowMs: minuteMs });
        if (!rate.isExceeded) break;
      }
      return rate;
    } catch (error) {
      if (error instanceof BusUnavailableError) return 'unreachable';
      throw error;
    }
  }

  /** Resolves when a read of limits in progress, if any, has ended. */
  async close(): Promise<void> {
    await this.#reading;
  }

  #refresh(): void {
    if (this.#reading !== null || performance.now() - this.#readAt < limitsForMs) return;
    this.#reading = this.#read();
  }

  async #read(): Promise<void> {
    try {
      const limits = await listNetworkLimits(this.#deps.sql);
      this.#limits = new Map(limits.map(({ id, limit }) => [id, limit]));
    } catch {
      // The limits that were read last hold until PostgreSQL is back.
    }
    this.#readAt = performance.now();
    this.#reading = null;
  }
}
