import type { Bus, Unsubscribe } from '#shared/bus/contract.ts';
import {
  liveChannel,
  type LiveUpdate,
  liveWatchChannel,
  type LiveWatchRequest,
} from '#shared/domain/charging/live.ts';
import type { Clock, Timer } from '#shared/domain/kernel/system-clock.ts';
import { readLiveStates } from '#shared/postgres/charging/live-states.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { LiveState } from './live-state.ts';

/** Dependency of services that show live values. */
export interface LiveDeps {
  liveWatches: LiveWatches;
}

/** Time in ms for which shards keep a watch that is not renewed. */
const leaseMs = 30_000;

/** Interval in ms at which watches are renewed, and the stored state is read in case an update was lost. */
const renewMs = 10_000;

/** Chargers in one request to the shards. */
const chargersPerRequest = 1000;

/** Time in ms for which a published connection state counts more than presence, which is stored a little later. */
const connectionCountsMs = 2000;

/** Charger as the bus and the stores know it. */
export interface WatchedCharger {
  id: number;
  uid: string;
}

type Listener = (state: LiveState) => void;

interface Watch {
  charger: WatchedCharger;
  state: LiveState;
  listeners: Set<Listener>;
  /** Resolves when updates are received and the state is complete. */
  opened: Promise<Unsubscribe>;
  connectionAt: number;
}

interface LiveWatchDeps {
  sql: Sql;
  bus: Bus;
  clock: Clock;
  /** Receives failures to renew watches. */
  outages: { failed(error: unknown): void; recovered(): void };
}

/**
 * Chargers whose live values streams of this process show. Streams of one charger share a watch. Its gateway publishes updates while
 * the watch is renewed; presence and the stored state tell what no gateway can, such as that its process died.
 */
export class LiveWatches {
  readonly #deps: LiveWatchDeps;
  readonly #watches = new Map<number, Watch>();
  #timer: Timer | null = null;
  #renewing: Promise<void> | null = null;

  constructor(deps: LiveWatchDeps) {
    this.#deps = deps;
  }

  /** Number of watched chargers. */
  get size(): number {
    return this.#watches.size;
  }

  /**
   * Watches a charger: `listener` receives its state now, and after each update, at most once a second as a rule. The
   * result ends the watch.
   */
  async watch(charger: WatchedCharger, listener: Listener): Promise<() => void> {
    const watch = this.#watches.get(charger.id) ?? this.#open(charger);
    const leave = () => this.#leave(watch, listener);
    watch.listeners.add(listener);
    try {
      await watch.opened;
    } catch (error) {
      leave();
      throw error;
    }
    if (watch.listeners.has(listener)) listener(watch.state);
    return leave;
  }

  async close(): Promise<void> {
    this.#timer?.cancel();
    const watches = [...this.#watches.values()];
    this.#watches.clear();
    await Promise.all(watches.map((watch) => this.#end(watch)));
    await this.#renewing;
  }

  #open(charger: WatchedCharger): Watch {
    const state = new LiveState();
    const watch: Watch = {
      charger,
      state,
      listeners: new Set(),
      opened: Promise.resolve(async () => undefined),
      connectionAt: Number.NEGATIVE_INFINITY,
    };
    this.#watches.set(charger.id, watch);
    this.#timer ??= this.#deps.clock.every(renewMs, () => {
      this.#renewing ??= this.#renew().finally(() => (this.#renewing = null));
    });
    watch.opened = this.#begin(watch);
    return watch;
  }

  async #begin(watch: Watch): Promise<Unsubscribe> {
    const { bus } = this.#deps;
    const { id } = watch.charger;
    // Updates first: none that follows the stored state is missed.
    const early: LiveUpdate[] = [];
    let take: (update: LiveUpdate) => void = (update) => early.push(update);
    const unsubscribe = await bus.subscribe(liveChannel(id), (message) => take(message as LiveUpdate));
    try {
      await this.#request([id]);
      await this.#load([watch]);
    } catch (error) {
      await unsubscribe().catch(() => undefined);
      throw error;
    }
    take = (update) => this.#update(watch, update);
    for (const update of early) take(update);
    return unsubscribe;
  }

  #update(watch: Watch, update: LiveUpdate): void {
    if (update.isOnline !== undefined) watch.connectionAt = this.#deps.clock.steady();
    const isKnown = watch.state.update(update);
    if (isKnown) {
      notify(watch);
      return;
    }
    // A connector that reported for the first time was stored before its report was answered, or will be in a moment.
    void this.#loadUnknown(watch, update);
  }

  async #loadUnknown(watch: Watch, update: LiveUpdate): Promise<void> {
    try {
      await this.#load([watch]);
      watch.state.update(update);
      notify(watch);
    } catch (error) {
      this.#deps.outages.failed(error);
    }
  }

  /** Renews all watches, and takes what is stored. */
  async #renew(): Promise<void> {
    const watches = [...this.#watches.values()];
    try {
      for (let first = 0; first < watches.length; first += chargersPerRequest) {
        const some = watches.slice(first, first + chargersPerRequest);
        await this.#request(some.map(({ charger }) => charger.id));
        const before = some.map(({ state }) => contentsOf(state));
        await this.#load(some);
        for (const [index, watch] of some.entries())
          if (contentsOf(watch.state) !== before[index]) notify(watch);
      }
      this.#deps.outages.recovered();
    } catch (error) {
      this.#deps.outages.failed(error);
    }
  }

  async #request(chargerIds: number[]): Promise<void> {
    const request: LiveWatchRequest = { chargerIds, leaseMs };
    await this.#deps.bus.publish(liveWatchChannel, request);
  }

  async #load(watches: readonly Watch[]): Promise<void> {
    const { sql, bus } = this.#deps;
    const [rows, held] = await Promise.all([
      readLiveStates(
        sql,
        watches.map(({ charger }) => charger.id),
      ),
      Promise.all(watches.map(({ charger }) => bus.presence.lookup(charger.uid))),
    ]);
    const byCharger = Map.groupBy(rows, ({ chargerId }) => chargerId);
    for (const [index, watch] of watches.entries()) {
      watch.state.load(byCharger.get(watch.charger.id) ?? []);
      const isSettled = this.#deps.clock.steady() - watch.connectionAt > connectionCountsMs;
      if (isSettled) watch.state.isOnline = held[index] !== null;
    }
  }

  #leave(watch: Watch, listener: Listener): void {
    if (!watch.listeners.delete(listener) || watch.listeners.size > 0) return;
    if (this.#watches.get(watch.charger.id) === watch) this.#watches.delete(watch.charger.id);
    void this.#end(watch);
    if (this.#watches.size > 0) return;
    this.#timer?.cancel();
    this.#timer = null;
  }

  async #end({ opened }: Watch): Promise<void> {
    // One that did not open has nothing to end.
    await opened.then((unsubscribe) => unsubscribe()).catch(() => undefined);
  }
}

function notify({ listeners, state }: Watch): void {
  for (const listener of listeners) listener(state);
}

/** Returns the contents of a state, to detect changes. */
function contentsOf({ isOnline, connectors }: LiveState): string {
  return JSON.stringify([isOnline, connectors]);
}
