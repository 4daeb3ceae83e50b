import { allNetworks } from '#shared/domain/access/tenancy.ts';
import type { Timer } from '#shared/domain/kernel/system-clock.ts';
import { readEventLog } from '#shared/postgres/events/event-log.ts';
import { readLogBounds } from '#shared/postgres/events/log-positions.ts';
import { EventRelay, type OutageReport, type RelayDeps, relayPace } from './event-relay.ts';
import type { EventSubscription } from './event-subscription.ts';
import { RecentEvents, SharedEvent } from './recent-events.ts';
import { SubscriptionIndex } from './subscription-index.ts';

/** Events of one read. A read looks at no more than 10,000. */
const eventsPerRead = 2000;

/** Newest events that are kept for subscribers that are a little late: a second of the highest load, some 10 MB. */
const maxRecent = 10_000;

export interface FeedDeps extends RelayDeps {
  settings: { publicUrl: string };
  /** Receives failures to read events. */
  feedOutages: OutageReport;
}

/** Interval in ms of reads without a hint: a hint may be lost. */
const sweepMs = 5000;

/**
 * Reads the log once for all subscribers of this process, from the newest position at its start on, and hands each event to
 * those that take it. It runs while there are subscribers.
 */
export class EventFeed {
  readonly #deps: FeedDeps;
  readonly #relay: EventRelay;
  readonly #live = new SubscriptionIndex<EventSubscription>();
  #recent = new RecentEvents(0n, maxRecent);
  /** Position up to which the log was read. Null until the feed has begun. */
  #position: bigint | null = null;
  #sweep: Timer | null = null;
  #reading: Promise<void> | null = null;
  #isReadAgain = false;
  #isStopped = false;
  readonly #started = Promise.withResolvers<void>();

  constructor(deps: FeedDeps, pace = relayPace) {
    this.#deps = deps;
    this.#relay = new EventRelay(deps, () => this.#read(), pace);
  }

  /** Position up to which live subscribers have received all their events. */
  get position(): bigint | null {
    return this.#position;
  }

  /** Resolves when the feed has begun: what is read before that may be too little to join it. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  /** Begins at the newest position. */
  async start(): Promise<void> {
    const { newest } = await readLogBounds(this.#deps.sql);
    if (this.#isStopped) return;
    this.#recent = new RecentEvents(newest, maxRecent);
    this.#position = newest;
    this.#sweep = this.#deps.clock.every(sweepMs, () => this.#read());
    this.#started.resolve();
    await this.#relay.start(newest);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#sweep?.cancel();
    await this.#relay.stop();
    await this.#reading;
  }

  /** Returns the newest events when they include all after a position; null when the log must be read. */
  recentAfter(position: bigint): Iterable<SharedEvent> | null {
    return this.#position !== null && this.#recent.covers(position) ? this.#recent.after(position) : null;
  }

  /** Adds a subscriber that has received everything up to the position of the feed. */
  join(subscription: EventSubscription): void {
    this.#live.add(subscription);
  }

  leave(subscription: EventSubscription): void {
    this.#live.remove(subscription);
  }

  /** Reads what is new, now or once more after the read in progress. Never fails: the next hint or sweep repeats it. */
  #read(): void {
    if (this.#isStopped || this.#position === null) return;
    if (this.#reading !== null) {
      this.#isReadAgain = true;
      return;
    }
    this.#reading = this.#readAll(this.#position)
      .then(
        () => this.#deps.feedOutages.recovered(),
        (error: unknown) => {
          if (!this.#isStopped) this.#deps.feedOutages.failed(error);
        },
      )
      .finally(() => {
        this.#reading = null;
        if (this.#isReadAgain) {
          this.#isReadAgain = false;
          this.#read();
        }
      });
  }

  async #readAll(after: bigint): Promise<void> {
    let position = after;
    let hasMore: boolean;
    do {
      const page = await readEventLog(this.#deps.sql, allNetworks, {}, position, eventsPerRead);
      if (this.#isStopped) return;
      this.#dispatch(page.events.map((event) => new SharedEvent(event, this.#deps.settings.publicUrl)));
      ({ upTo: position, hasMore } = page);
      this.#position = position;
    } while (hasMore);
  }

  #dispatch(events: readonly SharedEvent[]): void {
    const receivers = new Set<EventSubscription>();
    for (const shared of events) {
      this.#recent.add(shared);
      this.#live.each(shared.event, (subscription) => {
        if (subscription.offer(shared)) receivers.add(subscription);
      });
    }
    for (const receiver of receivers) receiver.flush();
    this.#recent.trim();
  }
}
