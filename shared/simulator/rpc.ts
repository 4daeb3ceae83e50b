import { encodeFrame, opcode } from './frames.ts';
import { isRecord, type Payload } from './payload.ts';
import { connectWebSocket, type WebSocketConnection, type WebSocketOptions } from './websocket.ts';

/** An action with its payload, in either direction. */
export interface Call {
  action: string;
  payload: Payload;
}

/** Answer of a handler; `after` runs when the answer is on the wire ("Accepted", then the effect). */
export interface Answer {
  payload: Payload;
  after?: (() => void) | undefined;
}

/** Answers the back end's calls; a thrown CallError goes back as CALLERROR, anything else as InternalError. */
export type CallHandler = (call: Call) => Answer | Promise<Answer>;

/** A CALLERROR, received or to be sent. */
export class CallError extends Error {
  override name = 'CallError';
  readonly code: string;
  readonly details: Payload;
  constructor(code: string, description = '', details: Payload = {}) {
    super(description === '' ? code : `${code}: ${description}`);
    this.code = code;
    this.details = details;
  }
}

/** The back end left a call without an answer until its deadline. */
export class CallTimeout extends Error {
  override name = 'CallTimeout';
}

/** The connection went away before the answer came, or does not exist. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';
}

/** Outcome of a call: the payload of its CALLRESULT (not read for prepared calls) or an error. */
export type Outcome = { payload: Payload } | { error: CallError | CallTimeout | ConnectionLost };

/** A call whose frame is finished, for the load bench: its answer is recognised by the id and not parsed. */
export interface PreparedCall {
  readonly id: string;
  readonly frame: Buffer;
  readonly prepared: boolean;
  settle(outcome: Outcome): void;
}

export interface RpcOptions extends WebSocketOptions {
  /** Until a call must be answered, in ms. */
  deadlineMs: number;
  /** Message ids that no other call of this station had (OCPP-J 2.0.1, 4.1.4). */
  nextId: () => string;
  /** Called after each answer to the back end, with the time since its call was received, in ms. */
  onAnswered?: ((ms: number, payload: Payload) => void) | undefined;
}

const acknowledged: Outcome = { payload: {} };

/** OCPP-J over one connection: one CALL of ours in flight, the others queue; the back end's calls are independent of it. */
export class RpcConnection {
  readonly #options: RpcOptions;
  readonly #handler: CallHandler;
  readonly #onClose: (code: number, reason: string) => void;
  #socket: WebSocketConnection | undefined;
  readonly #queue: PreparedCall[] = [];
  #inFlight: PreparedCall | undefined;
  #gone = false;
  #deadline: NodeJS.Timeout | undefined;

  private constructor(
    options: RpcOptions,
    handler: CallHandler,
    onClose: (code: number, reason: string) => void,
  ) {
    this.#options = options;
    this.#handler = handler;
    this.#onClose = onClose;
  }

  /** Connects. `onClose` is called before the pending calls fail. Rejects as connectWebSocket does. */
  static async open(
    options: RpcOptions,
    handler: CallHandler,
    onClose: (code: number, reason: string) => void,
  ): Promise<RpcConnection> {
    const rpc = new RpcConnection(options, handler, onClose);
    rpc.#socket = await connectWebSocket(options, {
      onText: (message) => rpc.#onText(message),
      onClose: (code, reason) => rpc.#onClosed(code, reason),
    });
    return rpc;
  }

  /** The sub-protocol the server chose, '' for none. */
  get protocol(): string {
    return this.#socket?.protocol ?? '';
  }

  /** Bytes that were received and sent so far. */
  get wireBytes(): { received: number; sent: number } {
    return this.#socket?.wireBytes ?? { received: 0, sent: 0 };
  }

  /** Rejects with CallError (the back end's CALLERROR), CallTimeout or ConnectionLost. */
  call(call: Call): Promise<Payload> {
    return new Promise((resolve, reject) => {
      const id = this.#options.nextId();
      this.send({
        id,
        frame: encodeFrame(opcode.text, JSON.stringify([2, id, call.action, call.payload])),
        prepared: false,
        settle: (outcome) => {
          if ('error' in outcome) reject(outcome.error);
          else resolve(outcome.payload);
        },
      });
    });
  }

  /** Sends a message that is never answered (OCPP 2.1 SEND), also while a call is in flight. */
  notify({ action, payload }: Call): void {
    this.#socket?.sendText(JSON.stringify([6, this.#options.nextId(), action, payload]));
  }

  /** Sends a finished call when its turn comes; it is settled exactly once. */
  send(call: PreparedCall): void {
    if (this.#inFlight !== undefined) this.#queue.push(call);
    else this.#write(call);
  }

  /** Close handshake; resolves when the socket is gone. */
  async close(code = 1000, reason = ''): Promise<void> {
    await this.#socket?.close(code, reason);
  }

  /** Cuts the connection without a close frame. */
  async terminate(): Promise<void> {
    await this.#socket?.terminate();
  }

  #write(call: PreparedCall): void {
    if (this.#gone) {
      call.settle({ error: new ConnectionLost('the connection is closed') });
      return;
    }
    if (this.#socket?.open !== true) {
      // Closing: it fails with the others when the socket is gone, not before the station knows of it.
      this.#queue.push(call);
      return;
    }
    this.#inFlight = call;
    this.#socket.sendFrame(call.frame);
    // One timer that moves on with every call is cheaper than one per call.
    if (this.#deadline === undefined) {
      this.#deadline = setTimeout(() => this.#onDeadline(), this.#options.deadlineMs);
    } else {
      this.#deadline.refresh();
    }
  }

  #settle(outcome: Outcome): void {
    const call = this.#inFlight;
    this.#inFlight = undefined;
    call?.settle(outcome);
    if (this.#inFlight !== undefined) return;
    const next = this.#queue.shift();
    if (next !== undefined) this.#write(next);
  }

  #onDeadline(): void {
    if (this.#inFlight === undefined) return;
    this.#settle({ error: new CallTimeout(`no answer within ${this.#options.deadlineMs} ms`) });
  }

  #onClosed(code: number, reason: string): void {
    this.#gone = true;
    clearTimeout(this.#deadline);
    this.#onClose(code, reason);
    const error = new ConnectionLost(`the connection closed with ${code} ${reason}`.trimEnd());
    const pending = this.#inFlight === undefined ? [] : [this.#inFlight];
    this.#inFlight = undefined;
    for (const call of [...pending, ...this.#queue.splice(0)]) call.settle({ error });
  }

  #onText(message: Buffer): void {
    const call = this.#inFlight;
    if (call?.prepared === true && isResultOf(message, call.id)) {
      this.#settle(acknowledged);
      return;
    }
    const frame = parseFrame(message);
    if (frame === undefined) return;
    const [type, id] = frame;
    if (type === 2) void this.#answer(String(id), frame);
    else if (id !== call?.id) return;
    else if (type === 3) this.#settle({ payload: isRecord(frame[2]) ? frame[2] : {} });
    else if (type === 4) this.#settle({ error: readCallError(frame) });
  }

  async #answer(id: string, frame: unknown[]): Promise<void> {
    const receivedAt = performance.now();
    let reply: unknown[];
    let after: (() => void) | undefined;
    const payload = isRecord(frame[3]) ? frame[3] : {};
    try {
      const answer = await this.#handler({ action: String(frame[2]), payload });
      reply = [3, id, answer.payload];
      after = answer.after;
    } catch (error) {
      const sent = error instanceof CallError ? error : new CallError('InternalError', String(error));
      reply = [4, id, sent.code, sent.message, sent.details];
    }
    this.#socket?.sendText(JSON.stringify(reply));
    this.#options.onAnswered?.(performance.now() - receivedAt, payload);
    after?.();
  }
}

/** Returns whether the message starts with `[3,"<id>"`; other notations are parsed. */
function isResultOf(message: Buffer, id: string): boolean {
  return (
    message[0] === 0x5b &&
    message[1] === 0x33 &&
    message[2] === 0x2c &&
    message[3] === 0x22 &&
    message[4 + id.length] === 0x22 &&
    message.toString('latin1', 4, 4 + id.length) === id
  );
}

/**
 * Parses a frame. Ignores any other message, as OCPP-J requires of a station; the call it may have answered
 * times out.
 */
function parseFrame(message: Buffer): unknown[] | undefined {
  try {
    const frame: unknown = JSON.parse(message.toString('utf8'));
    return Array.isArray(frame) ? frame : undefined;
  } catch {
    return undefined;
  }
}

function readCallError(frame: unknown[]): CallError {
  const description = typeof frame[3] === 'string' ? frame[3] : '';
  return new CallError(String(frame[2]), description, isRecord(frame[4]) ? frame[4] : {});
}
