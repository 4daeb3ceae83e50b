import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from '#api/services/access/authentication.ts';
import { type Caller, requireScope } from '#api/services/access/callers.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { Scope } from '#shared/domain/access/scopes.ts';
import type { App } from './app-instance.ts';
import { callerOf, credentialsOf } from './auth.ts';
import { EventStream, eventStreamHeaders } from './event-stream.ts';

/** Name of the last event of a stream that the server ends. */
const endedEvent = 'stream.ended';

/** Time in ms in which the last event of a stream is to be read when the server stops. */
const endWithinMs = 2000;

export interface StreamLimits {
  /** Streams of one key or operator at this process. */
  perCaller: number;
  /** Streams of this process. */
  perProcess: number;
  /** Interval of keep-alives in ms: well below the 60 s of proxies and the 75 s of this server. */
  keepAliveMs: number;
  /** Interval in ms at which the authority of all callers is verified again. */
  verifyMs: number;
}

export const streamLimits: StreamLimits = {
  perCaller: 100,
  perProcess: 1500,
  keepAliveMs: 15_000,
  verifyMs: 3000,
};

interface OpenStream {
  stream: EventStream;
  caller: Caller;
  scope: Scope;
  credentials: Parameters<Authenticate>[0];
}

/** Dependencies of routes that open a stream. */
export interface StreamDeps {
  streams: EventStreams;
}

/**
 * Streams of server-sent events of this process: limits their number, keeps them open through proxies, ends those whose
 * caller lost its authority, and ends all at shutdown.
 */
export class EventStreams {
  readonly #authenticate: Authenticate;
  readonly #limits: StreamLimits;
  readonly #open = new Set<OpenStream>();
  readonly #ofCaller = new Map<string, number>();
  readonly #timers: NodeJS.Timeout[];
  #isVerifying = false;
  #isClosing = false;

  constructor(app: App, authenticate: Authenticate, limits: StreamLimits) {
    this.#authenticate = authenticate;
    this.#limits = limits;
    this.#timers = [
      setInterval(() => this.#keepAlive(), limits.keepAliveMs),
      setInterval(() => void this.#verifyAll(), limits.verifyMs),
    ];
    for (const timer of this.#timers) timer.unref();
    // Before the server waits for open requests.
    app.addHook('preClose', async () => this.#close());
  }

  /** Number of open streams. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Opens the stream of a request, which the handler sends with `send`.
   * @throws {DomainError} STREAMS_EXCEEDED, STREAMS_UNAVAILABLE.
   */
  open(request: FastifyRequest, scope: Scope): EventStream {
    const caller = callerOf(request);
    const key = `${caller.who.kind}:${caller.who.id}`;
    const { perCaller, perProcess } = this.#limits;
    const held = this.#ofCaller.get(key) ?? 0;
    if (held >= perCaller) {
      throw new DomainError(
        'STREAMS_EXCEEDED',
        `This caller has ${perCaller} open streams, the maximum. Close one, or follow several objects with one stream.`,
      );
    }
    if (this.#isClosing || this.#open.size >= perProcess) {
      throw new DomainError(
        'STREAMS_UNAVAILABLE',
        'This process takes no more streams now; try again shortly.',
      );
    }
    const stream = new EventStream();
    const opened = { stream, caller, scope, credentials: credentialsOf(request) };
    this.#open.add(opened);
    this.#ofCaller.set(key, held + 1);
    stream.once('close', () => {
      this.#open.delete(opened);
      const left = (this.#ofCaller.get(key) ?? 1) - 1;
      if (left > 0) this.#ofCaller.set(key, left);
      else this.#ofCaller.delete(key);
    });
    return stream;
  }

  #keepAlive(): void {
    for (const { stream } of this.#open) stream.keepAlive();
  }

  /** Ends the streams whose caller is no longer authorized as it was. Streams with the same credentials share a look-up. */
  async #verifyAll(): Promise<void> {
    if (this.#isVerifying || this.#open.size === 0) return;
    this.#isVerifying = true;
    const byCredentials = Map.groupBy(this.#open, ({ credentials }) => JSON.stringify(credentials));
    // Look-ups that begin together share a statement.
    await Promise.all([...byCredentials.values()].map((streams) => this.#verify(streams)));
    this.#isVerifying = false;
  }

  async #verify(streams: readonly OpenStream[]): Promise<void> {
    const [first] = streams;
    if (first === undefined) return;
    let now: Caller | DomainError;
    try {
      now = await this.#authenticate(first.credentials);
    } catch (error) {
      // An unavailable store proves nothing; the next round decides.
      if (!(error instanceof DomainError) || error.status >= 500) return;
      now = error;
    }
    for (const { stream, caller, scope } of streams) {
      const lost = now instanceof DomainError ? now : lostAuthority(now, caller, scope);
      if (lost !== null) stream.finish(endedEvent, { code: lost.code, message: lost.message });
    }
  }

  #close(): void {
    this.#isClosing = true;
    for (const timer of this.#timers) clearInterval(timer);
    const message = 'The server stops. Connect again: another process continues at the last id.';
    for (const { stream } of this.#open) stream.finish(endedEvent, { code: 'STREAMS_UNAVAILABLE', message });
    // Those whose client reads nothing would not end.
    setTimeout(() => {
      for (const { stream } of this.#open) stream.destroy();
    }, endWithinMs).unref();
  }
}

/** Sends a stream as the response of a request. */
export function sendStream(reply: FastifyReply, stream: EventStream): FastifyReply {
  // A connection is not used again after a stream that the server ends.
  return reply.headers({ ...eventStreamHeaders, connection: 'close' }).send(stream);
}

/** Ends a stream because of an error. */
export function failStream(stream: EventStream, { code, message }: DomainError): void {
  stream.finish(endedEvent, { code, message });
}

/** Returns the error of a caller that lost a scope, or whose networks changed; null when it may read on. */
function lostAuthority(now: Caller, before: Caller, scope: Scope): DomainError | null {
  try {
    requireScope(now, scope);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  const hasSameNetworks = JSON.stringify(now.networks) === JSON.stringify(before.networks);
  if (hasSameNetworks) return null;
  return new DomainError('NETWORK_NOT_ALLOWED', 'The networks of this caller changed. Connect again.');
}

/** Returns true when a client accepts server-sent events by name. `*`, as in the default of most clients, means JSON. */
export function acceptsEvents({ method, headers }: FastifyRequest): boolean {
  if (method !== 'GET') return false;
  return (headers.accept ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/event-stream' && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}
