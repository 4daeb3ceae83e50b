import { encodeCall } from '#gateway/frame/encode.ts';
import { type CallOutcome, CallRefused, CallTimeout, SocketClosed } from '#gateway/frame/errors.ts';
import type { BrokenFrame, CallFrame, ErrorFrame, ResultFrame } from '#gateway/frame/frame.ts';
import { parseFrame } from '#gateway/frame/parse.ts';
import { type CallRate, usedAfter } from './call-rate.ts';
import { errorCodeOf, type FrameLog } from './frame-log.ts';

/** Socket of a connection; `send` returns false when the socket is closed or over its backpressure limit. */
export interface Socket {
  send(text: string): boolean;
  close(code: number, reason: string): void;
}

/** Group commit of readings. */
export interface PendingCommit {
  /** Adds a waiter: one of its functions is called once. */
  join(waiter: { committed(): void; refused(error: Error): void }): void;
}

/** Reply to a CALL. */
export interface Reply {
  /** CALLRESULT or CALLERROR. */
  text: string;
  outcome: CallOutcome;
  /** Group commit after which it may be sent; null: now. */
  commit: PendingCommit | null;
}

/** Server of a charger's frames. */
export interface FrameServer {
  /** True when the version of the charger has SEND and CALLRESULTERROR. */
  readonly hasSend: boolean;
  /** Serves a CALL or a SEND; never throws and never rejects. */
  serveCall(call: CallFrame): Reply | Promise<Reply>;
  /** Returns the reply to a CALL whose commit failed. */
  refuse(call: CallFrame, error: Error): Reply;
  /** Observes that a reply was given, after `ms`. */
  answered(call: CallFrame, reply: Reply, ms: number): void;
  /** Observes that calls of the charger wait because of their rate. */
  slowed(): void;
  /** Returns the CALLRESULTERROR to a CALLRESULT that could not be read, with its code; null: none is sent. */
  refuseResult(id: string, error: unknown): { text: string; code: string } | null;
  /** Observes a CALLRESULTERROR: the charger could not read our answer to its call. */
  resultRefused(frame: ErrorFrame): void;
  /** Returns the answer to a malformed message. */
  refuseBroken(frame: BrokenFrame): string | null;
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
  /** Time of sending (ms, `performance.now`). */
  sentAt: number;
  /** False while the call is queued, or when the socket did not take it. */
  isSent: boolean;
  /** @throws {Error} when the payload of the answer is not valid. */
  check(payload: unknown): void;
  resolve(payload: unknown): void;
  reject(error: unknown): void;
}

/** CALL of the charger, until it is answered. */
interface ReceivedCall {
  frame: CallFrame;
  text: string;
  /** Time in ms, of `performance.now`. */
  receivedAt: number;
  /** Null while it is served. */
  reply: Reply | null;
}

/**
 * Socket of one charger. Its calls are served in order, ours are sent one at a time, and the two directions are
 * independent (rule 5 of the architecture; crossing calls are legal).
 */
export class Connection {
  readonly id: string;
  readonly #socket: Socket;
  readonly #server: FrameServer;
  readonly #log: FrameLog;
  readonly #rate: CallRate;
  /** Time (ms, `performance.now`) up to which its calls have used up their rate. */
  #usedUntil = 0;
  /** The same for malformed messages, and answers without a request. */
  #strayUntil = 0;
  /** Set while the next call waits because of the rate. */
  #slowing: NodeJS.Timeout | null = null;
  /** Calls that wait for the current one; null until the first: most chargers are idle. */
  #waiting: ReceivedCall[] | null = null;
  #waitingText = 0;
  /** CALL that is being served; null without one. */
  #current: ReceivedCall | null = null;
  /** Id of the last answered call. */
  #answeredId: string | null = null;
  /** Notified when it is answered. */
  #onAnswered: (() => void)[] | null = null;
  #pending: PendingCall | null = null;
  /** Our calls that wait for the pending one; null until the first. */
  #queued: PendingCall[] | null = null;
  #lastCallId = 0;
  #closed = false;
  /** Close code and reason once nothing is in progress; null while the connection stays open. */
  #ending: { code: number; reason: string } | null = null;

  constructor(id: string, socket: Socket, server: FrameServer, log: FrameLog, rate: CallRate) {
    this.id = id;
    this.#socket = socket;
    this.#server = server;
    this.#log = log;
    this.#rate = rate;
  }

  /** Processes one text message from the socket. */
  receive(text: string): void {
    const frame = parseFrame(text, this.#server.hasSend);
    switch (frame.kind) {
      case 'call':
      case 'send':
        return this.#enqueue({ frame, text, receivedAt: performance.now(), reply: null });
      case 'result':
      case 'error':
        return this.#settle(frame, text);
      case 'result-error':
        return this.#resultRefused(frame, text);
      case 'broken':
        return this.#refuse(frame, text);
    }
  }

  /**
   * Sends a CALL after those before it are answered; resolves to the payload of its CALLRESULT. An answer for which `check`
   * throws rejects with that error, and is refused with a CALLRESULTERROR where the version has it.
   * @throws {CallRefused} when the charger answers with a CALLERROR.
   * @throws {CallTimeout} without an answer within `timeoutMs`, including the time in the queue.
   * @throws {SocketClosed} when the socket closes first.
   */
  call(
    action: string,
    payload: unknown,
    timeoutMs: number,
    check: (payload: unknown) => void,
  ): Promise<unknown> {
    if (this.#closed || this.#ending !== null) return Promise.reject(new SocketClosed());
    this.#lastCallId += 1;
    // The connection id keeps ids distinct over reconnects: an answer to an earlier call never matches a later one.
    const id = `${this.id.slice(0, 23)}-${this.#lastCallId}`;
    const text = encodeCall(id, action, payload);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#expire(call, timeoutMs), timeoutMs);
      const call: PendingCall = { id, action, text, timer, sentAt: 0, isSent: false, check, resolve, reject };
      if (this.#pending === null) this.#send(call);
      else (this.#queued ??= []).push(call);
    });
  }

  /** Resolves when the current call of the charger, if any, is answered. */
  answered(): Promise<void> {
    if (this.#current === null) return Promise.resolve();
    return new Promise((resolve) => (this.#onAnswered ??= []).push(resolve));
  }

  /** Sends the reply that waited for its commit. */
  committed(): void {
    const reply = this.#current?.reply;
    if (reply != null) this.#answer(reply);
  }

  /** Refuses the call whose commit failed; the charger repeats it. */
  refused(error: Error): void {
    if (this.#current !== null) this.#answer(this.#server.refuse(this.#current.frame, error));
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
    this.#dropWaiting();
    for (const call of this.#queued?.splice(0) ?? [])
      this.#finish(call, () => call.reject(new SocketClosed()));
    this.#closeIfIdle();
  }

  /** Handles the close of the socket: fails every pending call and drops calls that are not served yet. */
  closed(): void {
    this.#closed = true;
    this.#dropWaiting();
    if (this.#pending !== null) this.#logUnanswered(this.#pending);
    const queued = this.#queued ?? [];
    const calls = this.#pending === null ? queued : [this.#pending, ...queued];
    this.#pending = null;
    this.#queued = null;
    for (const call of calls) this.#finish(call, () => call.reject(new SocketClosed()));
  }

  #closeIfIdle(): void {
    if (this.#ending === null || this.#current !== null || this.#pending !== null) return;
    this.close(this.#ending.code, this.#ending.reason);
  }

  #enqueue(call: ReceivedCall): void {
    if (this.#ending !== null) return this.#logUnserved(call);
    if (this.#current === null && this.#slowing === null && this.#useRate(call.receivedAt)) {
      this.#serve(call);
      return;
    }
    this.#waitingText += call.text.length;
    const waiting = (this.#waiting ??= []);
    if (waiting.length >= maxWaitingCalls || this.#waitingText > maxWaitingText) {
      this.#logUnserved(call);
      this.close(1008, 'too many calls at once');
      return;
    }
    waiting.push(call);
    if (this.#current === null) this.#serveLater(call.receivedAt);
  }

  /** Counts a call, unless those before it have used up the rate; then it must wait. */
  #useRate(now: number): boolean {
    if (this.#usedUntil > now) return false;
    this.#usedUntil = usedAfter(this.#rate, this.#usedUntil, now);
    return true;
  }

  #useStrayRate(now: number): boolean {
    if (this.#strayUntil > now) return false;
    this.#strayUntil = usedAfter(this.#rate, this.#strayUntil, now);
    return true;
  }

  /** Serves the next waiting call when the rate allows it. */
  #serveLater(now: number): void {
    if (this.#slowing !== null) return;
    this.#server.slowed();
    this.#slowing = setTimeout(
      () => {
        this.#slowing = null;
        this.#serveNext(performance.now());
      },
      Math.ceil(this.#usedUntil - now),
    );
  }

  #serveNext(now: number): void {
    const next = this.#waiting?.[0];
    if (next === undefined) return this.#closeIfIdle();
    if (!this.#useRate(now)) return this.#serveLater(now);
    this.#waiting?.shift();
    this.#waitingText -= next.text.length;
    this.#serve(next);
  }

  #serve(call: ReceivedCall): void {
    this.#current = call;
    const reply = this.#server.serveCall(call.frame);
    if (reply instanceof Promise) void reply.then((late) => this.#answerAfterCommit(call, late));
    else this.#answerAfterCommit(call, reply);
  }

  #answerAfterCommit(call: ReceivedCall, reply: Reply): void {
    if (reply.commit === null) return this.#answer(reply);
    call.reply = reply;
    // Nothing that was served is kept while it waits for the disk: the garbage collector would move it.
    call.frame.payload = null;
    reply.commit.join(this);
  }

  /** Answers the current call and serves the next one. */
  #answer(reply: Reply): void {
    const call = this.#current;
    if (call === null) return;
    const isSent = call.frame.kind === 'call' && !this.#closed && this.#socket.send(reply.text);
    if (call.frame.kind === 'call') this.#answeredId = call.frame.id;
    const now = performance.now();
    const ms = now - call.receivedAt;
    if (isSent) this.#log.exchange('in', call.frame, call.text, reply.text, errorCodeOf(reply.text), ms);
    else this.#log.unanswered('in', call.frame, call.text, ms);
    this.#server.answered(call.frame, reply, ms);
    this.#current = null;
    for (const notify of this.#onAnswered?.splice(0) ?? []) notify();
    this.#serveNext(now);
  }

  #dropWaiting(): void {
    if (this.#slowing !== null) clearTimeout(this.#slowing);
    this.#slowing = null;
    for (const call of this.#waiting?.splice(0) ?? []) this.#logUnserved(call);
    this.#waitingText = 0;
  }

  #logUnserved({ frame, text, receivedAt }: ReceivedCall): void {
    this.#log.unanswered('in', frame, text, performance.now() - receivedAt);
  }

  #refuse(frame: BrokenFrame, text: string): void {
    const receivedAt = performance.now();
    if (!this.#useStrayRate(receivedAt)) return this.close(1008, 'too many malformed messages');
    const call = { id: frame.id, action: null };
    const answer = this.#server.refuseBroken(frame);
    const ms = performance.now() - receivedAt;
    if (answer !== null && this.#socket.send(answer))
      this.#log.exchange('in', call, text, answer, errorCodeOf(answer), ms);
    else this.#log.unanswered('in', call, text, ms);
  }

  #send(call: PendingCall): void {
    this.#pending = call;
    call.sentAt = performance.now();
    call.isSent = this.#socket.send(call.text);
  }

  #expire(call: PendingCall, timeoutMs: number): void {
    this.#finish(call, () => call.reject(new CallTimeout(call.action, timeoutMs)));
    if (this.#pending === call) {
      this.#logUnanswered(call);
      this.#next();
    } else this.#queued = this.#queued?.filter((queued) => queued !== call) ?? null;
  }

  #logUnanswered(call: PendingCall): void {
    if (call.isSent) this.#log.unanswered('out', call, call.text, performance.now() - call.sentAt);
  }

  /** Settles the pending call. An answer without a pending call is late or unrequested, and is ignored. */
  #settle(frame: ResultFrame | ErrorFrame, text: string): void {
    const call = this.#pending;
    const errorCode = frame.kind === 'error' ? frame.code : null;
    if (call === null || call.id !== frame.id) {
      this.#log.answerOnly('in', { id: frame.id, action: null }, text, errorCode);
      if (!this.#useStrayRate(performance.now())) this.close(1008, 'too many answers without a request');
      return;
    }
    this.#log.exchange('out', call, call.text, text, errorCode, performance.now() - call.sentAt);
    this.#finish(call, () => {
      if (frame.kind === 'result') this.#take(call, frame.payload);
      else call.reject(new CallRefused(frame.code, frame.description));
    });
    this.#next();
  }

  /** Resolves a call to its answer, or refuses the answer. */
  #take(call: PendingCall, payload: unknown): void {
    try {
      call.check(payload);
    } catch (error) {
      const refusal = this.#server.refuseResult(call.id, error);
      if (refusal !== null && this.#socket.send(refusal.text))
        this.#log.answerOnly('out', call, refusal.text, refusal.code);
      return call.reject(error);
    }
    call.resolve(payload);
  }

  /** Takes a CALLRESULTERROR. One to no answer of ours counts as an answer without a request. */
  #resultRefused(frame: ErrorFrame, text: string): void {
    this.#log.answerOnly('in', { id: frame.id, action: null }, text, frame.code);
    if (frame.id === this.#answeredId) return this.#server.resultRefused(frame);
    if (!this.#useStrayRate(performance.now())) this.close(1008, 'too many answers without a request');
  }

  #finish(call: PendingCall, settle: () => void): void {
    clearTimeout(call.timer);
    settle();
  }

  #next(): void {
    this.#pending = null;
    const next = this.#queued?.shift();
    if (next !== undefined) this.#send(next);
    else this.#closeIfIdle();
  }
}
