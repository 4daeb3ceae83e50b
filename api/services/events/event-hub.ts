import type { EventQuery } from './event-query.ts';
import { pause } from '#shared/domain/kernel/system-clock.ts';
import { readEventLog } from '#shared/postgres/events/event-log.ts';
import { readLogBounds } from '#shared/postgres/events/log-positions.ts';
import { requireKept } from './event-cursors.ts';
import { EventFeed, type FeedDeps } from './event-feed.ts';
import { type EventSink, EventSubscription, type SubscriberPage } from './event-subscription.ts';
import { SharedEvent } from './recent-events.ts';

/** Events of a page that one subscriber reads from the log. */
const eventsPerPage = 500;

/** Pages that are read at a time, so that a thousand streams that reconnect leave connections of the pool to requests. */
const pagesAtOnce = 3;

/** Pause in ms before a feed that could not start is started again. */
const retryMs = 1000;

/** Dependency of services that follow events. */
export interface EventDeps {
  eventHub: EventHub;
}

/** Subscriptions to events of one API process. */
export class EventHub {
  readonly #deps: FeedDeps;
  #feed: EventFeed | null = null;
  readonly #subscriptions = new Set<EventSubscription>();
  /** Feeds that end. */
  readonly #ending = new Set<Promise<void>>();
  #reads = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(deps: FeedDeps) {
    this.#deps = deps;
  }

  /** Number of subscriptions. */
  get size(): number {
    return this.#subscriptions.size;
  }

  /** Subscribes to the events after a position; `end` of the result ends it. */
  subscribe(query: EventQuery, after: bigint, sink: EventSink): EventSubscription {
    const feed = this.#feed ?? this.#startFeed();
    const subscription = new EventSubscription({
      query,
      after,
      feed,
      sink,
      readPage: (of, position) => this.#inTurn(() => this.#readPage(of, position)),
    });
    this.#subscriptions.add(subscription);
    subscription.resume();
    return subscription;
  }

  unsubscribe(subscription: EventSubscription): void {
    subscription.end();
    if (!this.#subscriptions.delete(subscription) || this.#subscriptions.size > 0) return;
    this.#stopFeed();
  }

  async close(): Promise<void> {
    for (const subscription of this.#subscriptions) subscription.end();
    this.#subscriptions.clear();
    this.#stopFeed();
    await Promise.all(this.#ending);
  }

  #startFeed(): EventFeed {
    const feed = new EventFeed(this.#deps);
    this.#feed = feed;
    void this.#begin(feed);
    return feed;
  }

  /** Starts a feed, with pauses while the store is unavailable; subscribers read pages meanwhile, which fail as well. */
  async #begin(feed: EventFeed): Promise<void> {
    while (this.#feed === feed) {
      try {
        await feed.start();
        return;
      } catch (error) {
        this.#deps.feedOutages.failed(error);
        await pause(this.#deps.clock, retryMs);
      }
    }
  }

  #stopFeed(): void {
    const feed = this.#feed;
    if (feed === null) return;
    this.#feed = null;
    const ending = feed.stop().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  async #readPage(query: EventQuery, after: bigint): Promise<SubscriberPage> {
    const { sql, settings } = this.#deps;
    // Read before the page: what is visible now up to the newest position is in the page, or is not for this subscriber.
    const bounds = await readLogBounds(sql);
    requireKept(after, bounds);
    const page = await readEventLog(sql, query.scope, query.filter, after, eventsPerPage);
    const events = page.events.map((event) => new SharedEvent(event, settings.publicUrl));
    return { events, upTo: page.hasMore || page.upTo > bounds.newest ? page.upTo : bounds.newest };
  }

  async #inTurn<T>(read: () => Promise<T>): Promise<T> {
    if (this.#reads >= pagesAtOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#reads += 1;
    try {
      return await read();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#reads -= 1;
      else next();
    }
  }
}
