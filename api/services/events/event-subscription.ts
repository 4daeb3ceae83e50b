import { type EventQuery, receivesEvent } from './event-query.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { EventFeed } from './event-feed.ts';
import type { SharedEvent } from './recent-events.ts';

/** Receiver of the text of events. */
export interface EventSink {
  /** Takes a text. Returns false when it is full: `resume` of the subscription follows once it has room. */
  write(text: string): boolean;
  /** The subscription ended because of this error. */
  fail(error: DomainError): void;
}

/** Page of the log for one subscriber. */
export interface SubscriberPage {
  events: Iterable<SharedEvent>;
  /** Position up to which the subscriber has then received everything. */
  upTo: bigint;
}

/** Characters that are handed to a sink at once: the memory of a slow reader. */
const maxPending = 64 * 1024;

/** Pause after a failed page, in ms. */
const retryMs = 1000;

/**
 * Subscriber of events. It pages through the log until it has caught up with the feed, and then receives what the feed reads. When
 * its sink is full it leaves the feed, and continues from its position: a slow reader has a bounded text in memory.
 */
export class EventSubscription {
  readonly query: EventQuery;
  readonly #feed: EventFeed;
  readonly #sink: EventSink;
  readonly #readPage: (query: EventQuery, after: bigint) => Promise<SubscriberPage>;
  /** Position up to which it has received everything; while it is live, that of the feed counts if higher. */
  #position: bigint;
  #isLive = false;
  #isFull = false;
  #isPaging = false;
  #isEnded = false;
  #pending = '';

  constructor(options: {
    query: EventQuery;
    after: bigint;
    feed: EventFeed;
    sink: EventSink;
    /** Reads the log; rejects with a DomainError when the position is no longer there. */
    readPage: (query: EventQuery, after: bigint) => Promise<SubscriberPage>;
  }) {
    this.query = options.query;
    this.#position = options.after;
    this.#feed = options.feed;
    this.#sink = options.sink;
    this.#readPage = options.readPage;
  }

  /** Position up to which every event was written. */
  get position(): bigint {
    const fed = this.#feed.position;
    return this.#isLive && fed !== null && fed > this.#position ? fed : this.#position;
  }

  /** Continues after the sink had no room; also begins. */
  resume(): void {
    this.#isFull = false;
    if (!this.#isLive && !this.#isPaging && !this.#isEnded) void this.#catchUp();
  }

  /** Ends the subscription. Nothing is written afterwards. */
  end(): void {
    this.#isEnded = true;
    this.#leave();
  }

  /** Takes an event of the feed. Returns true when `flush` must follow. */
  offer(shared: SharedEvent): boolean {
    const { event } = shared;
    if (!this.#isLive || event.position <= this.#position || !receivesEvent(this.query, event)) return false;
    this.#add(shared);
    if (this.#isFull) this.#leave();
    return true;
  }

  /** Writes what was offered. */
  flush(): void {
    this.#write();
    if (this.#isFull) this.#leave();
  }

  async #catchUp(): Promise<void> {
    this.#isPaging = true;
    await this.#feed.started;
    while (!this.#isFull && !this.#isEnded && !this.#joins()) {
      try {
        const page = await this.#readPage(this.query, this.#position);
        if (this.#isEnded) break;
        if (this.#take(page.events) && page.upTo > this.#position) this.#position = page.upTo;
        this.#write();
      } catch (error) {
        if (error instanceof DomainError) {
          this.end();
          this.#sink.fail(error);
          break;
        }
        await new Promise((resolve) => setTimeout(resolve, retryMs).unref());
      }
    }
    this.#isPaging = false;
  }

  /** Takes the rest from the newest events of the feed and joins it; returns false when the log must be read before. */
  #joins(): boolean {
    const recent = this.#feed.recentAfter(this.#position);
    if (recent === null) return false;
    const isAll = this.#take(recent);
    this.#write();
    if (isAll && !this.#isFull) {
      // No other code ran since the newest events were complete: the feed continues exactly here.
      this.#isLive = true;
      this.#feed.join(this);
    }
    return true;
  }

  /** Adds events until the sink is full; returns true when all were added. */
  #take(events: Iterable<SharedEvent>): boolean {
    for (const shared of events) {
      if (this.#isFull) return false;
      if (shared.event.position <= this.#position) continue;
      if (receivesEvent(this.query, shared.event)) this.#add(shared);
      else this.#position = shared.event.position;
    }
    return true;
  }

  #add(shared: SharedEvent): void {
    this.#pending += shared.text;
    this.#position = shared.event.position;
    if (this.#pending.length >= maxPending) this.#write();
  }

  #write(): void {
    if (this.#pending === '' || this.#isEnded) return;
    const text = this.#pending;
    this.#pending = '';
    if (!this.#sink.write(text)) this.#isFull = true;
  }

  #leave(): void {
    if (!this.#isLive) return;
    this.#position = this.position;
    this.#isLive = false;
    this.#feed.leave(this);
  }
}
