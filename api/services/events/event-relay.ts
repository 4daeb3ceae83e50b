import type { Bus } from '#shared/bus/contract.ts';
import type { Clock, Timer } from '#shared/domain/kernel/system-clock.ts';
import { lookForEvents } from '#shared/postgres/events/log-positions.ts';
import type { Sql } from '#shared/postgres/kernel/client.ts';
import { assignSomePositions } from '#shared/postgres/kernel/outbox.statements.ts';

/** Channel of hints: an event may have a position up to `upTo`. Hints may be lost; readers look by themselves as well. */
const hintChannel = 'event-positions';

interface Hint {
  /** Decimal digits, which any reader of msgpack reads exactly. */
  upTo: string;
  node: string;
}

/** Times between two looks in ms: while events come, and at most while none comes. */
interface RelayPace {
  busyMs: number;
  idleMs: number;
}

export const relayPace: RelayPace = { busyMs: 100, idleMs: 500 };

/** Report of an outage: of each failure, and of each success after it. */
export interface OutageReport {
  failed(error: unknown): void;
  recovered(): void;
}

export interface RelayDeps {
  sql: Sql;
  bus: Bus;
  clock: Clock;
  /** Receives failures to give positions to events. */
  relayOutages: OutageReport;
}

/**
 * Assigns positions to new events and announces them to all API processes. One look is one statement. Any number of processes
 * relay; one that hears another announce events looks rarely, so that a busy system is looked at ten times a second and
 * not ten times by each process.
 */
export class EventRelay {
  readonly #deps: RelayDeps;
  readonly #pace: RelayPace;
  readonly #announced: (upTo: bigint) => void;
  #known = 0n;
  #delayMs: number;
  #timer: Timer | null = null;
  #looking: Promise<void> | null = null;
  #unsubscribe: (() => Promise<void>) | null = null;
  #isStopped = false;

  /** @param announced is called with the highest position that is visible, here or by a hint of another process. */
  constructor(deps: RelayDeps, announced: (upTo: bigint) => void, pace = relayPace) {
    this.#deps = deps;
    this.#announced = announced;
    this.#pace = pace;
    this.#delayMs = pace.busyMs;
  }

  /** Begins to relay events after a position. Without the bus, other processes' hints are missing and nothing else. */
  async start(after: bigint): Promise<void> {
    this.#known = after;
    this.#lookIn(0);
    try {
      const unsubscribe = await this.#deps.bus.subscribe(hintChannel, (hint) => this.#heard(hint as Hint));
      if (this.#isStopped) await unsubscribe();
      else this.#unsubscribe = unsubscribe;
    } catch (error) {
      this.#deps.relayOutages.failed(error);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#unsubscribe?.().catch(() => undefined);
    await this.#looking;
  }

  #lookIn(delayMs: number): void {
    this.#timer?.cancel();
    if (this.#isStopped) return;
    this.#timer = this.#deps.clock.after(delayMs, () => {
      this.#looking = this.#look().finally(() => {
        this.#looking = null;
        this.#lookIn(this.#delayMs);
      });
    });
  }

  async #look(): Promise<void> {
    const { sql, bus, relayOutages } = this.#deps;
    const { busyMs, idleMs } = this.#pace;
    try {
      let found = await lookForEvents(sql);
      if (found.isAnyWaiting) {
        // A part at a time: readers need not wait for the rest of a backlog.
        await assignSomePositions(sql);
        found = await lookForEvents(sql);
      }
      relayOutages.recovered();
      const isNew = found.newest > this.#known;
      this.#delayMs = isNew || found.isAnyWaiting ? busyMs : Math.min(idleMs, this.#delayMs * 2);
      if (!isNew || this.#isStopped) return;
      this.#note(found.newest);
      const hint: Hint = { upTo: String(found.newest), node: bus.node };
      bus.publish(hintChannel, hint).catch(() => undefined);
    } catch (error) {
      this.#delayMs = idleMs;
      if (!this.#isStopped) relayOutages.failed(error);
    }
  }

  #heard({ upTo, node }: Hint): void {
    if (node === this.#deps.bus.node || this.#isStopped) return;
    this.#note(BigInt(upTo));
    // Another process looks at this moment. A look in progress sets the timer when it ends.
    this.#delayMs = this.#pace.idleMs;
    if (this.#looking === null) this.#lookIn(this.#delayMs);
  }

  #note(upTo: bigint): void {
    if (upTo <= this.#known) return;
    this.#known = upTo;
    this.#announced(upTo);
  }
}
