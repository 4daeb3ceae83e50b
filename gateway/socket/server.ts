import {
  App,
  type HttpRequest,
  type HttpResponse,
  us_listen_socket_close,
  type us_socket_context_t,
  type WebSocket,
  type WebSocketBehavior,
} from 'uWebSockets.js';
import type { Logger } from '#shared/log/log.ts';
import { OutageLog } from '#shared/log/outage-log.ts';
import { offersCompression } from './compression.ts';
import { offeredProtocols, parseBasic, type BasicCredentials } from './credentials.ts';
import { identityIn } from './charger-path.ts';
import type { Socket } from './connection.ts';
import { RequestClock } from './request-clock.ts';
import { type ProxyTrust, type Transport, transportReader } from './trusted-proxy.ts';
import { TimeSlicedQueue } from './time-sliced-queue.ts';
import { openUpgradeCork, type UpgradeCork } from './upgrade-cork.ts';

/** Request for an OCPP socket at `/ocpp/{uid}`. */
export interface UpgradeRequest {
  uid: string;
  basic: BasicCredentials | null;
  /** Sub-protocols in the charger's order of preference. */
  protocols: string[];
  transport: Transport;
  /**
   * Time of the request (ms since 1970, with a fraction that orders the requests of a millisecond). Its authentication may take
   * longer than that of a later request, here or on another shard.
   */
  requestedAt: number;
}

/** Result of a handshake: accepted, or refused with an HTTP status. */
export type HandshakeResult<Identity> =
  | { accepted: true; protocol: string; identity: Identity }
  /** No common version: the handshake is completed without a sub-protocol, then the socket is closed. */
  | { accepted: true; protocol: null }
  | HandshakeRefusal;

export interface HandshakeRefusal {
  accepted: false;
  /** HTTP status line. */
  status: string;
  headers?: Record<string, string>;
  /** Reason for the log; it is not sent to the charger. */
  reason?: string;
}

/** Receiver of the socket events of a connected charger. */
export interface Peer {
  receive(text: string): void;
  closed(): void;
}

export interface SocketServerOptions<Identity> {
  host: string;
  port: number;
  /**
   * Maximum size of a message, decompressed; a larger one closes the socket (1009). At twice the size uWebSockets.js stops
   * reading and closes it without a code.
   */
  maxMessageBytes: number;
  /** Seconds without data after which a socket is closed; pings are sent before. */
  idleTimeoutSeconds: number;
  /** Proxies whose headers on TLS, client certificates and addresses are trusted. */
  trust: ProxyTrust;
  /** Returns the time in ms since 1970. Defaults to the machine's clock. */
  now?: () => number;
  /** Authenticates a request; synchronously where possible: a deferred upgrade writes each header by itself. */
  authenticate(request: UpgradeRequest): HandshakeResult<Identity> | Promise<HandshakeResult<Identity>>;
  open(identity: Identity, socket: Socket): Peer;
  log: Logger;
}

export interface SocketServer {
  /** Stops accepting connections; open sockets stay. */
  stopListening(): void;
  /** Closes everything, once. uWebSockets.js aborts the process when a thread ends with an open app. */
  close(): void;
}

interface UserData<Identity> {
  identity: Identity | null;
  peer: Peer | null;
  isClosed: boolean;
}

/** Time in ms that one event loop turn serves chargers, in addition to its other work. */
const turnMs = 4;

/** Reason of a closed socket whose charger offers no sub-protocol of this server. */
const noCommonVersion = 'no common OCPP version';

/** Length of the shortest text that is compressed: shorter ones, such as the answer to a heartbeat, hardly shrink. */
const minCompressedLength = 200;

/** `SHARED_COMPRESSOR | SHARED_DECOMPRESSOR`, which the types of `uws-pack` declare without their values. */
const sharedCompression = 1 | 256;

/** Maximum unsent bytes of a slow reader before its socket is closed. */
const maxUnsentBytes = 1024 * 1024;

/**
 * Listens for chargers. Threads that listen on the same port share it (SO_REUSEPORT). Every callback is guarded: an
 * exception in a callback of uWebSockets.js ends the process.
 * @throws {Error} when the port is not available.
 */
export async function listen<Identity>(options: SocketServerOptions<Identity>): Promise<SocketServer> {
  const { log } = options;
  const cork = await openUpgradeCork();
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      log.error({ err: error }, 'a socket callback failed');
    }
  };
  // A known charger is authenticated without a store, so nothing signals the end of the outage here.
  const outages = new OutageLog(log, { failed: 'chargers could not be admitted' });
  const queue = new TimeSlicedQueue(turnMs);
  const inTurn = (work: () => void, length = 0): void => {
    if (queue.hasTime()) guarded(work);
    else queue.enqueue(() => guarded(work), length);
  };
  const receive = (data: UserData<Identity>, text: string): void => {
    try {
      data.peer?.receive(text);
    } catch (error) {
      log.error({ err: error }, 'a message could not be received');
    }
  };
  const clock = new RequestClock();
  const upgrading = { ...options, transportOf: transportReader(options.trust), outages, cork, clock };
  const app = App();
  const chargers: WebSocketBehavior<UserData<Identity>> = {
    maxPayloadLength: 2 * options.maxMessageBytes,
    // Neither keeps memory for a connection; both share the buffers of the thread.
    compression: sharedCompression,
    idleTimeout: options.idleTimeoutSeconds,
    sendPingsAutomatically: true,
    maxBackpressure: maxUnsentBytes,
    closeOnBackpressureLimit: true,
    upgrade: (response, request, context) => guarded(() => upgrade(upgrading, response, request, context)),
    open: (ws) => {
      const data = ws.getUserData();
      const { identity } = data;
      // 1.6J §3.2: without a common sub-protocol the handshake is completed, and the socket closed at once.
      if (identity === null) guarded(() => ws.end(1002, noCommonVersion));
      else {
        inTurn(() => {
          data.peer = options.open(identity, new ChargerSocket(ws));
          // The peer keeps what it needs of it.
          data.identity = null;
          // uWebSockets.js emits the close before `end` returns: while the socket opened, no peer existed to receive
          // it.
          if (data.isClosed) data.peer.closed();
        });
      }
    },
    message: (ws, message, isBinary) => {
      if (isBinary) return guarded(() => ws.end(1003, 'OCPP-J is text'));
      if (message.byteLength > options.maxMessageBytes) {
        return guarded(() => ws.end(1009, `a message has at most ${options.maxMessageBytes} bytes`));
      }
      const data = ws.getUserData();
      // The bytes are invalid after this function returns.
      const text = Buffer.from(message).toString('utf8');
      if (queue.hasTime()) receive(data, text);
      else queue.enqueue(() => receive(data, text), text.length);
    },
    close: (ws) => {
      const data = ws.getUserData();
      inTurn(() => {
        data.isClosed = true;
        data.peer?.closed();
      });
    },
  };
  app.ws('/*', chargers);
  app.any('/*', answerNotFound);
  return new Promise((resolve, reject) => {
    app.listen(options.host, options.port, (listening) => {
      if (listening === false) {
        app.close();
        cork.close();
        reject(new Error(`port ${options.port} on ${options.host} is in use or may not be used (OCPP_PORT)`));
        return;
      }
      let isClosed = false;
      resolve({
        stopListening: () => us_listen_socket_close(listening),
        close() {
          if (isClosed) return;
          isClosed = true;
          app.close();
          cork.close();
          queue.flush();
        },
      });
    });
  });
}

/** Socket of a charger. A class instead of closures: there is one per charger. */
class ChargerSocket<Identity> implements Socket {
  readonly #ws: WebSocket<UserData<Identity>>;

  constructor(ws: WebSocket<UserData<Identity>>) {
    this.#ws = ws;
  }

  // uWebSockets.js throws on a closed socket: treated like a socket over its backpressure limit. It compresses for a
  // charger that negotiated it only.
  send(text: string): boolean {
    try {
      return this.#ws.send(text, false, text.length >= minCompressedLength) !== 2;
    } catch {
      return false;
    }
  }

  close(code: number, reason: string): void {
    try {
      this.#ws.end(code, reason);
    } catch {
      // Closed already.
    }
  }
}

/**
 * Upgrades a request. Headers and parameters are valid only until this function returns, so all are read before the
 * first await.
 */
function upgrade<Identity>(
  options: SocketServerOptions<Identity> & {
    transportOf: ReturnType<typeof transportReader>;
    outages: OutageLog;
    cork: UpgradeCork;
    clock: RequestClock;
  },
  response: HttpResponse,
  request: HttpRequest,
  context: us_socket_context_t,
): void {
  const uid = identityIn(request.getUrl());
  if (uid === null) {
    answerNotFound(response);
    return;
  }
  const key = request.getHeader('sec-websocket-key');
  const extensions = offersCompression(request.getHeader('sec-websocket-extensions'))
    ? 'permessage-deflate'
    : '';
  const asked: UpgradeRequest = {
    uid,
    basic: parseBasic(request.getHeader('authorization')),
    protocols: offeredProtocols(request.getHeader('sec-websocket-protocol')),
    transport: options.transportOf(
      Buffer.from(response.getRemoteAddressAsText()).toString('latin1'),
      (name) => request.getHeader(name),
    ),
    requestedAt: options.clock.next(options.now?.()),
  };
  const logRefusal = (reason: string): void =>
    options.log.info({ charger: asked.uid, from: asked.transport.remoteAddress, reason }, 'charger refused');
  const answer = (result: HandshakeResult<Identity>, isDeferred: boolean): void => {
    if (!result.accepted) {
      if (result.reason !== undefined) logRefusal(result.reason);
      refuse(response, result);
      return;
    }
    if (result.protocol === null) logRefusal(noCommonVersion);
    const identity = result.protocol === null ? null : result.identity;
    const data: UserData<Identity> = { identity, peer: null, isClosed: false };
    const complete = (): void => {
      response.upgrade(data, key, result.protocol ?? '', extensions, context);
    };
    if (isDeferred) options.cork.run(response, complete);
    else complete();
  };
  const result = options.authenticate(asked);
  if (!(result instanceof Promise)) {
    answer(result, false);
    return;
  }
  let isAborted = false;
  response.onAborted(() => {
    isAborted = true;
  });
  // In a turn of its own: an upgrade that runs below a callback of another socket would be taken for that socket's.
  const answerLater = (late: HandshakeResult<Identity>): void => {
    setImmediate(() => {
      if (!isAborted) answer(late, true);
    });
  };
  result.then(answerLater, (error: unknown) => {
    options.outages.failed(error, { charger: asked.uid });
    answerLater({ accepted: false, status: '503 Service Unavailable', headers: { 'Retry-After': '10' } });
  });
}

function answerNotFound(response: HttpResponse): void {
  response.writeStatus('404 Not Found').end('chargers connect to /ocpp/{uid}');
}

function refuse(response: HttpResponse, { status, headers = {} }: HandshakeRefusal): void {
  response.cork(() => {
    response.writeStatus(status);
    for (const [name, value] of Object.entries(headers)) response.writeHeader(name, value);
    response.end();
  });
}
