import { encodeCall } from '#gateway/frame/encode.ts';
import { CallRefused, CallTimeout, SocketClosed } from '#gateway/frame/errors.ts';
import type { BrokenFrame, CallFrame, ErrorFrame, ResultFrame } from '#gateway/frame/frame.ts';
import { parseFrame } from '#gateway/frame/parse.ts';
import { type FrameObserver, observedAnswer, observedCall } from './frame-observer.ts';

/** What a connection needs of its socket; `send` is false when the socket is gone or cannot keep up. */
export interface Socket {
  send(text: string): boolean;
  close(code: number, reason: string): void;
}

/** Who serves what a charger sends. */
export interface FrameServer {
  /** Answers a CALL with the text of its CALLRESULT or CALLERROR; never rejects. */
  serveCall(call: CallFrame): Promise<string>;
  /** The text that answers a broken frame. */
  refuseBroken(frame: BrokenFrame): string;
}

/**
 * Calls that a charger may have waiting here. The standard allows it one (1.6J §4.1.1, 2.0.1 part 4 §4.1.1), yet
 * some send all that they kept while offline at once.
 */
const maxWaitingCalls = 256;

/** What these calls may hold together, in characters of text. */
const maxWaitingText = 2 * 1024 * 1024;

interface PendingCall {
  id: string;
  action: string;
  text: string;
  timer: NodeJS.Timeout;
  /** When it left (ms, `performance.now`); 0 while it waits for its turn. */
  sentAt: number;
  resolve(payload: unknown): void;
  reject(error: Error): void;
}

interface WaitingCall {
  frame: CallFrame;
  length: number;
  /** In ms, of `performance.now`. */
  receivedAt: number;
}

/**
 * One charger's socket. Its calls are served in order, ours are sent one at a time, and the two directions do
 * not wait for each other (rule 5 of the architecture; crossing calls are legal).
 */
export class Connection {
  readonly id: string;
  readonly #socket: Socket;
  readonly #server: FrameServer;
  readonly #observe: FrameObserver;
  #waiting: WaitingCall[] = [];
  #waitingText = 0;
  /** Settles when the call that is being served now is answered; null: none is. */
  #serving: Promise<void> | null = null;
  #pending: PendingCall | null = null;
  #queued: PendingCall[] = [];
  #lastCallId = 0;
  #closed = false;
  /** How the socket is closed when nothing is under way any more; null: it is not to be closed. */
  #ending: { code: number; reason: string } | null = null;

  constructor(id: string, socket: Socket, server: FrameServer, observe: FrameObserver) {
    this.id = id;
    this.#socket = socket;
    this.#server = server;
    this.#observe = observe;
  }

  /** Takes one text message from the socket. */
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
   * Sends a CALL once those before it are answered and resolves to the payload of its CALLRESULT.
   * @throws {CallRefused} the charger answered with a CALLERROR.
   * @throws {CallTimeout} no answer within `timeoutMs` from now, the wait for its turn included.
   * @throws {SocketClosed} the socket closed first.
   */
  call(action: string, payload: unknown, timeoutMs: number): Promise<unknown> {
    if (this.#closed || this.#ending !== null) return Promise.reject(new SocketClosed());
    this.#lastCallId += 1;
    // The connection's id keeps ids apart over reconnects: an answer to an old call is never taken for a new one.
    const id = `${this.id.slice(0, 23)}-${this.#lastCallId}`;
    const text = encodeCall(id, action, payload);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#expire(call, timeoutMs), timeoutMs);
      const call: PendingCall = { id, action, text, timer, sentAt: 0, resolve, reject };
      if (this.#pending === null) this.#send(call);
      else this.#queued.push(call);
    });
  }

  /** Resolves when the call that is being served now, if there is one, is answered. */
  async answered(): Promise<void> {
    await this.#serving;
  }

  /** Closes the socket; `closed` follows. */
  close(code: number, reason: string): void {
    if (!this.#closed) this.#socket.close(code, reason);
  }

  /**
   * Closes the socket once the call that is being served is answered and ours that was sent has its answer. Calls
   * that come meanwhile are left without an answer: the charger repeats them wherever it connects next.
   */
  end(code: number, reason: string): void {
    this.#ending = { code, reason };
    this.#waiting = [];
    this.#waitingText = 0;
    for (const call of this.#queued.splice(0)) this.#finish(call, () => call.reject(new SocketClosed()));
    this.#closeIfIdle();
  }

  /** The socket is gone: fails every call that waits for an answer, and drops what was not served yet. */
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

  /** An answer that fits no pending call came too late, or was never asked for: nobody waits for it. */
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
