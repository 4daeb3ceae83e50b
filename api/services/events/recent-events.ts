import type { PublicEvent } from '#shared/domain/events/event-types.ts';
import { type CloudEvent, cloudEventOf } from './cloud-event.ts';
import { eventCursor } from './event-cursors.ts';

/** Event that is sent to many subscribers: its text is made once. */
export class SharedEvent {
  readonly event: PublicEvent;
  readonly #publicUrl: string;
  #text: string | null = null;

  constructor(event: PublicEvent, publicUrl: string) {
    this.event = event;
    this.#publicUrl = publicUrl;
  }

  /** The event as a server-sent event. */
  get text(): string {
    this.#text ??= serverSentEvent(cloudEventOf(this.event, this.#publicUrl), this.event.position);
    return this.#text;
  }
}

/** Returns an event in the format of server-sent events. JSON has no line break, so the data is one line. */
function serverSentEvent(event: CloudEvent, position: bigint): string {
  return `id: ${eventCursor(position)}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Newest events of the log, all after one position. A subscriber that is a little late reads them here instead of in the store. */
export class RecentEvents {
  readonly #max: number;
  #events: SharedEvent[] = [];
  #from: bigint;

  /** @param from position after which every event will be added. */
  constructor(from: bigint, max: number) {
    this.#from = from;
    this.#max = max;
  }

  /** Returns true when every event after a position is here. */
  covers(position: bigint): boolean {
    return position >= this.#from;
  }

  add(event: SharedEvent): void {
    this.#events.push(event);
  }

  /** Removes the oldest events above the maximum. */
  trim(): void {
    const excess = this.#events.length - this.#max;
    // In large steps, since each moves the whole list.
    if (excess < this.#max / 2) return;
    const [last] = this.#events.splice(0, excess).slice(-1);
    if (last !== undefined) this.#from = last.event.position;
  }

  /** Yields the events after a position, oldest first. */
  *after(position: bigint): Generator<SharedEvent> {
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.event.position ?? 0n) > position) high = middle;
      else low = middle + 1;
    }
    for (let index = low; index < this.#events.length; index += 1) yield this.#events[index]!;
  }
}
