import { Readable } from 'node:stream';

/** Bytes that wait in a stream before its writer must pause; the socket has a buffer of the same size. */
const highWaterMark = 64 * 1024;

/** Time in ms after which a client connects again when a stream ends. */
const retryMs = 3000;

/** Headers of a stream of server-sent events: no cache and no proxy keeps parts of it back. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

/** Writer of an event stream. */
interface StreamSource {
  /** The stream has room again. It is also called when nothing was waiting. */
  resume(): void;
  /** Position that a client can resume at, for keep-alives. Null: the stream has none. */
  cursor(): string | null;
  /** The stream was closed by either side. */
  closed(): void;
}

/** Body of a response of server-sent events. */
export class EventStream extends Readable {
  #source: StreamSource | null = null;
  #isEnded = false;

  constructor() {
    super({ highWaterMark, encoding: 'utf8' });
    this.push(`retry: ${retryMs}\n\n`);
  }

  /** Names the writer of the stream. */
  attach(source: StreamSource): void {
    this.#source = source;
  }

  /** Writes events. Returns false when the writer must wait for `resume`. */
  write(text: string): boolean {
    return this.#isEnded || this.destroyed ? false : this.push(text);
  }

  /** Writes a comment that keeps the connection open, with the present position. Nothing is added to a full stream. */
  keepAlive(): void {
    if (this.#isEnded || this.destroyed || this.readableLength > 0) return;
    const cursor = this.#source?.cursor() ?? null;
    // An id without data changes the position that a client resumes at, and is no event for it.
    this.push(cursor === null ? ': keep-alive\n\n' : `: keep-alive\nid: ${cursor}\n\n`);
  }

  /** Ends the stream with a last event. */
  finish(event: string, data: object): void {
    if (this.#isEnded || this.destroyed) return;
    this.push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    this.#isEnded = true;
    this.push(null);
  }

  override _read(): void {
    this.#source?.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#isEnded = true;
    this.#source?.closed();
    done(error);
  }
}
