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
import { offeredProtocols, parseBasic, type BasicCredentials } from './credentials.ts';
import type { Socket } from './connection.ts';
import { type ProxyTrust, type Transport, transportReader } from './trusted-proxy.ts';
import { TimeSlicedQueue } from './time-sliced-queue.ts';

/** A request for an OCPP socket at `/ocpp/{uid}`. */
export interface UpgradeRequest {
  uid: string;
  basic: BasicCredentials | null;
  /** Sub-protocols in the charger's order of preference. */
  protocols: string[];
  transport: Transport;
  /** When it was read (ms since 1970). To let it in may take longer than one that comes later, here or on another shard. */
  requestedAt: number;
}

/** How an upgrade request is answered: let in, or refused with an HTTP status. */
export type HandshakeResult<Identity> =
  | { accepted: true; protocol: string; identity: Identity }
  /** Neither side speaks the other's versions: the handshake is finished without a protocol, then closed. */
  | { accepted: true; protocol: null }
  | HandshakeRefusal;

export interface HandshakeRefusal {
  accepted: false;
  /** The HTTP status line. */
  status: string;
  headers?: Record<string, string>;
  /** What the log says of it; the charger is not told. */
  reason?: string;
}

/** A charger that was let in, as its socket events reach the shard. */
export interface Peer {
  receive(text: string): void;
  closed(): void;
}

export interface SocketServerOptions<Identity> {
  host: string;
  port: number;
  /** Frames over this close the socket of their sender (1009). */
  maxFrameBytes: number;
  /** Seconds of silence after which a socket is taken for dead; pings are sent before. */
  idleTimeoutSeconds: number;
  /** Whose word counts on TLS, client certificates and addresses. */
  trust: ProxyTrust;
  /** Answered at once where it can be: an upgrade that is answered later costs more (see `upgrade`). */
  authenticate(request: UpgradeRequest): HandshakeResult<Identity> | Promise<HandshakeResult<Identity>>;
  open(identity: Identity, socket: Socket): Peer;
  log: Logger;
}

export interface SocketServer {
  /** Stops accepting; sockets that are open live on. */
  stopListening(): void;
  /** Closes everything. uWebSockets.js aborts the process when a thread ends with an open app. */
  close(): void;
}

interface UserData<Identity> {
  identity: Identity | null;
  peer: Peer | null;
  isClosed: boolean;
}

/** How long (ms) one turn of the event loop serves chargers; what else it does comes on top. */
const turnMs = 4;

/** What a slow reader may have unsent before its socket is closed, in bytes. */
const maxUnsentBytes = 1024 * 1024;

/**
 * Listens for chargers. Threads that listen on the same port share it (SO_REUSEPORT).
 * A throw inside a callback of uWebSockets.js ends the process, so every callback is guarded.
 * @throws {Error} when the port cannot be had.
 */
export function listen<Identity>(options: SocketServerOptions<Identity>): Promise<SocketServer> {
  const { log } = options;
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      log.error({ err: error }, 'a socket callback failed');
    }
  };
  // A charger that is known is admitted without a store: nothing tells the end of the outage here.
  const outages = new OutageLog(log, { failed: 'chargers could not be admitted' });
  const queue = new TimeSlicedQueue(turnMs);
  const inTurn = (work: () => void, length = 0): void => {
    if (queue.hasTime()) guarded(work);
    else queue.enqueue(() => guarded(work), length);
  };
  const transportOf = transportReader(options.trust);
  const app = App();
  const chargers: WebSocketBehavior<UserData<Identity>> = {
    maxPayloadLength: options.maxFrameBytes,
    idleTimeout: options.idleTimeoutSeconds,
    sendPingsAutomatically: true,
    maxBackpressure: maxUnsentBytes,
    closeOnBackpressureLimit: true,
    upgrade: (response, request, context) =>
      guarded(() => upgrade({ ...options, transportOf, outages }, response, request, context)),
    open: (ws) => {
      const data = ws.getUserData();
      const { identity } = data;
      // 1.6J §3.2: without a common sub-protocol the handshake is completed, and the socket closed at once.
      if (identity === null) guarded(() => ws.end(1002, 'no common OCPP version'));
      else {
        inTurn(() => {
          data.peer = options.open(identity, new ChargerSocket(ws));
          // uWebSockets.js tells of a close before `end` returns: of one as it opened there was nobody to tell.
          if (data.isClosed) data.peer.closed();
        });
      }
    },
    message: (ws, message, isBinary) => {
      if (isBinary) return guarded(() => ws.end(1003, 'OCPP-J is text'));
      const data = ws.getUserData();
      // The bytes are gone when this returns.
      const text = Buffer.from(message).toString('utf8');
      inTurn(() => data.peer?.receive(text), text.length);
    },
    close: (ws) => {
      const data = ws.getUserData();
      inTurn(() => {
        data.isClosed = true;
        data.peer?.closed();
      });
    },
  };
  app.ws('/ocpp/:uid', chargers);
  // A person who types the address may end it with a slash.
  app.ws('/ocpp/:uid/', chargers);
  app.any('/*', (response) => {
    response.writeStatus('404 Not Found').end('chargers connect to /ocpp/{uid}');
  });
  return new Promise((resolve, reject) => {
    app.listen(options.host, options.port, (listening) => {
      if (listening === false) {
        app.close();
        reject(new Error(`port ${options.port} on ${options.host} is in use or may not be used (OCPP_PORT)`));
        return;
      }
      resolve({
        stopListening: () => us_listen_socket_close(listening),
        close() {
          app.close();
          queue.flush();
        },
      });
    });
  });
}

/** A class and not closures: there is one for every charger. */
class ChargerSocket<Identity> implements Socket {
  readonly #ws: WebSocket<UserData<Identity>>;

  constructor(ws: WebSocket<UserData<Identity>>) {
    this.#ws = ws;
  }

  // uWebSockets.js throws on a socket that is gone: the same as one that cannot keep up.
  send(text: string): boolean {
    try {
      return this.#ws.send(text, false) !== 2;
    } catch {
      return false;
    }
  }

  close(code: number, reason: string): void {
    try {
      this.#ws.end(code, reason);
    } catch {
      // Gone already.
    }
  }
}

/** Headers and parameters are valid only until this returns, so all are read before the first await. */
function upgrade<Identity>(
  options: SocketServerOptions<Identity> & {
    transportOf: ReturnType<typeof transportReader>;
    outages: OutageLog;
  },
  response: HttpResponse,
  request: HttpRequest,
  context: us_socket_context_t,
): void {
  const key = request.getHeader('sec-websocket-key');
  const extensions = request.getHeader('sec-websocket-extensions');
  const asked: UpgradeRequest = {
    uid: decodeUid(request.getParameter(0) ?? ''),
    basic: parseBasic(request.getHeader('authorization')),
    protocols: offeredProtocols(request.getHeader('sec-websocket-protocol')),
    transport: options.transportOf(
      Buffer.from(response.getRemoteAddressAsText()).toString('latin1'),
      (name) => request.getHeader(name),
    ),
    requestedAt: Date.now(),
  };
  let aborted = false;
  const answer = (result: HandshakeResult<Identity>): void => {
    if (aborted) return;
    if (!result.accepted) {
      const { reason } = result;
      if (reason !== undefined) {
        options.log.info({ uid: asked.uid, from: asked.transport.remoteAddress, reason }, 'charger refused');
      }
      refuse(response, result);
      return;
    }
    const identity = result.protocol === null ? null : result.identity;
    const data: UserData<Identity> = { identity, peer: null, isClosed: false };
    // Answered later it is not corked, for which uWebSockets.js warns on standard error: `cork` takes the socket for an
    // HTTP response still when the upgrade leaves it where it was in memory, and at random closes it (seen as 1006
    // right after the handshake, most of all in bursts).
    response.upgrade(data, key, result.protocol ?? '', extensions, context);
  };
  const result = options.authenticate(asked);
  if (!(result instanceof Promise)) {
    answer(result);
    return;
  }
  response.onAborted(() => {
    aborted = true;
  });
  result.then(answer, (error: unknown) => {
    options.outages.failed(error, { uid: asked.uid });
    answer({ accepted: false, status: '503 Service Unavailable', headers: { 'Retry-After': '10' } });
  });
}

function refuse(response: HttpResponse, { status, headers = {} }: HandshakeRefusal): void {
  response.cork(() => {
    response.writeStatus(status);
    for (const [name, value] of Object.entries(headers)) response.writeHeader(name, value);
    response.end();
  });
}

/** A uid may be percent-encoded in the URL; what cannot be decoded is taken as it is. */
function decodeUid(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
