import { encodeCall } from '#gateway/frame/encode.ts';
import { CallRefused, CallTimeout, SocketClosed } from '#gateway/frame/errors.ts';
import type { BrokenFrame, CallFrame, ErrorFrame, ResultFrame } from '#gateway/frame/frame.ts';
import { parseFrame } from '#gateway/frame/parse.ts';
import { type FrameObserver, observedAnswer, observedCall } from './frame-observer.ts';

/** Socket of a connection; `send` returns false when the socket is closed or over its backpressure limit. */
export interface Socket {
  send(text: string): boolean;
  close(code: number, reason: string): void;
}

/** Server of a charger's frames. */
export interface FrameServer {
  /** Answers a CALL with the text of its CALLRESULT or CALLERROR; never rejects. */
  serveCall(call: CallFrame): Promise<string>;
  /** Returns the answer to a malformed message. */
  refuseBroken(frame: BrokenFrame): string;
}

/**
 * Maximum number of waiting calls of a charger. The standard allows one (1.6J §4.1.1, 2.0.1 part 4 §4.1.1), yet some
 * chargers send all their offline messages at once.
 */
const maxWaitingCalls = 256;

/** Maximum size of these calls together, in characters of text. */
const maxWaitingText = 2 * 1024 * 1024;

interface PendingCall {
  id: string;
  action: string;
  text: string;
  timer: NodeJS.Timeout;
  /** Time of sending (ms, `performance.now`); 0 while the call is queued. */
  sentAt: number;
  resolve(payload: unknown): void;
  reject(error: Error): void;
}

interface WaitingCall {
  frame: CallFrame;
  length: number;
  /** Time in ms, of `performance.now`. */
  receivedAt: number;
}

/**
 * Socket of one charger. Its calls are served in order, ours are sent one at a time, and the two directions are
 * independent (rule 5 of the architecture; crossing calls are legal).
 */
export class Connection {
  readonly id: string;
  readonly #socket: Socket;
  readonly #server: FrameServer;
  readonly #observe: FrameObserver;
  #waiting: WaitingCall[] = [];
  #waitingText = 0;
  /** Settles when the current call is answered; null without one. */
  #serving: Promise<void> | null = null;
  #pending: PendingCall | null = null;
  #queued: PendingCall[] = [];
  #lastCallId = 0;
  #closed = false;
  /** Close code and reason once nothing is in progress; null while the connection stays open. */
  #ending: { code: number; reason: string } | null = null;

  constructor(id: string, socket: Socket, server: FrameServer, observe: FrameObserver) {
    this.id = id;
    this.#socket = socket;
    this.#server = server;
    this.#observe = observe;
  }

  /** Processes one text message from the socket. */
  receive(text: string): void {
    const frame = parseFrame(text);
    switch (frame.kind) {
      case 'call':
        this.#observe(observedCall('in', frame, text));
        return this.#enqueue({ frame, length: text.length, receivedAt: performance.now() });
      case 'result':
      case 'error':
        this.#observeAnswer(frame, text);
        return this.#settle(frame);
      case 'broken':
        return this.#refuse(frame, text);
    }
  }

  /**
   * Sends a CALL after those before it are answered; resolves to the payload of its CALLRESULT.
   * @throws {CallRefused} when the charger answers with a CALLERROR.
   * @throws {CallTimeout} without an answer within `timeoutMs`, including the time in the queue.
   * @throws {SocketClosed} when the socket closes first.
   */
  call(action: string, payload: unknown, timeoutMs: number): Promise<unknown> {
    if (this.#closed || this.#ending !== null) return Promise.reject(new SocketClosed());
    this.#lastCallId += 1;
    // The connection id keeps ids distinct over reconnects: an answer to an earlier call never matches a later one.
    const id = `${this.id.slice(0, 23)}-${this.#lastCallId}`;
    const text = encodeCall(id, action, payload);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#expire(call, timeoutMs), timeoutMs);
      const call: PendingCall = { id, action, text, timer, sentAt: 0, resolve, reject };
      if (this.#pending === null) this.#send(call);
      else this.#queued.push(call);
    });
  }

  /** Resolves when the current call of the charger, if any, is answered. */
  async answered(): Promise<void> {
    await this.#serving;
  }

  /** Closes the socket; `closed` follows. */
  close(code: number, reason: string): void {
    if (!this.#closed) this.#socket.close(code, reason);
  }

  /**
   * Closes the socket once the current call and our sent call are answered. Calls that arrive meanwhile stay
   * unanswered: the charger repeats them on its next connection.
   */
  end(code: number, reason: string): void {
    this.#ending = { code, reason };
    this.#waiting = [];
    this.#waitingText = 0;
    for (const call of this.#queued.splice(0)) this.#finish(call, () => call.reject(new SocketClosed()));
    this.#closeIfIdle();
  }

  /** Handles the close of the socket: fails every pending call and drops calls that are not served yet. */
  closed(): void {
    this.#closed = true;
    this.#waiting = [];
    this.#waitingText = 0;
    const calls = this.#pending === null ? this.#queued : [this.#pending, ...this.#queued];
    this.#pending = null;
    this.#queued = [];
    for (const call of calls) this.#finish(call, () => call.reject(new SocketClosed()));
  }

  #closeIfIdle(): void {
    if (this.#ending === null || this.#serving !== null || this.#pending !== null) return;
    this.close(this.#ending.code, this.#ending.reason);
  }

  #enqueue(call: WaitingCall): void {
    if (this.#ending !== null) return;
    if (this.#serving === null) {
      void this.#serve(call);
      return;
    }
    this.#waitingText += call.length;
    if (this.#waiting.length >= maxWaitingCalls || this.#waitingText > maxWaitingText) {
      this.close(1008, 'too many calls at once');
      return;
    }
    this.#waiting.push(call);
  }

  async #serve(first: WaitingCall): Promise<void> {
    for (let call: WaitingCall | undefined = first; call !== undefined; call = this.#nextWaiting()) {
      this.#serving = this.#answer(call);
      await this.#serving;
    }
    this.#serving = null;
    this.#closeIfIdle();
  }

  async #answer({ frame, receivedAt }: WaitingCall): Promise<void> {
    const answer = await this.#server.serveCall(frame);
    if (!this.#closed && this.#socket.send(answer)) {
      this.#observe(observedAnswer(frame, answer, receivedAt));
    }
  }

  #nextWaiting(): WaitingCall | undefined {
    const next = this.#waiting.shift();
    this.#waitingText -= next?.length ?? 0;
    return next;
  }

  #refuse(frame: BrokenFrame, text: string): void {
    const receivedAt = performance.now();
    const what = { id: frame.id, action: null };
    this.#observe({ ...what, direction: 'in', kind: 'broken', text, errorCode: null, latencyMs: null });
    const answer = this.#server.refuseBroken(frame);
    if (this.#socket.send(answer)) this.#observe(observedAnswer(what, answer, receivedAt));
  }

  #send(call: PendingCall): void {
    this.#pending = call;
    call.sentAt = performance.now();
    if (this.#socket.send(call.text)) this.#observe(observedCall('out', call, call.text));
  }

  #expire(call: PendingCall, timeoutMs: number): void {
    this.#finish(call, () => call.reject(new CallTimeout(call.action, timeoutMs)));
    if (this.#pending === call) this.#next();
    else this.#queued = this.#queued.filter((queued) => queued !== call);
  }

  #observeAnswer(frame: ResultFrame | ErrorFrame, text: string): void {
    const call = this.#pending?.id === frame.id ? this.#pending : null;
    this.#observe({
      direction: 'in',
      kind: frame.kind,
      action: call?.action ?? null,
      id: frame.id,
      text,
      errorCode: frame.kind === 'error' ? frame.code : null,
      latencyMs: call === null ? null : performance.now() - call.sentAt,
    });
  }

  /** Settles the pending call. An answer without a pending call is late or unrequested, and is ignored. */
  #settle(frame: ResultFrame | ErrorFrame): void {
    const call = this.#pending;
    if (call === null || call.id !== frame.id) return;
    this.#finish(call, () => {
      if (frame.kind === 'result') call.resolve(frame.payload);
      else call.reject(new CallRefused(frame.code, frame.description));
    });
    this.#next();
  }

  #finish(call: PendingCall, settle: () => void): void {
    clearTimeout(call.timer);
    settle();
  }

  #next(): void {
    this.#pending = null;
    const next = this.#queued.shift();
    if (next !== undefined) this.#send(next);
    else this.#closeIfIdle();
  }
}
