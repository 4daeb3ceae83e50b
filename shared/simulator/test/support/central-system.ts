import { createRequire } from 'node:module';
import { ocpp21Validator } from '#shared/testing/ocpp21-validator.ts';
import type { AddressInfo, Server } from 'node:net';

/** Part of ocpp-rpc that the tests use; its own types do not describe the objects that handlers receive. */
export interface Peer {
  identity: string;
  protocol: string;
  handshake: { password: Buffer | undefined };
  handle(handler: (call: { method: string; params: Record<string, unknown> }) => unknown): void;
  call(method: string, params: unknown): Promise<Record<string, unknown>>;
  close(options: { code?: number; force?: boolean }): Promise<unknown>;
}

interface RpcServer {
  auth(
    callback: (
      accept: (session?: object) => void,
      reject: (code: number, message: string) => void,
      handshake: { identity: string; password: Buffer | undefined },
    ) => void,
  ): void;
  on(event: 'client', listener: (peer: Peer) => void): void;
  listen(port: number, host: string): Promise<Server>;
  close(options: { force: boolean }): Promise<void>;
}

interface OcppRpc {
  RPCServer: new (options: object) => RpcServer;
  createRPCError: (code: string, message: string) => Error;
}

const ocppRpc = createRequire(import.meta.url)('ocpp-rpc') as OcppRpc;

/** A CALLERROR for a handler to throw. */
export const rpcError = ocppRpc.createRPCError;

export interface Received {
  identity: string;
  method: string;
  params: Record<string, unknown>;
}

type Respond = (received: Received, peer: Peer) => unknown;

/**
 * An independent central system: ocpp-rpc, which checks every message against the standard's schemas and
 * answers what does not fit with a CALLERROR. It keeps what it received, in order.
 */
export class CentralSystem {
  readonly received: Received[] = [];
  readonly passwords: (string | undefined)[] = [];
  peer: Peer | undefined;
  connections = 0;
  url = '';
  /** Answers instead of the default when it returns something. */
  respond: Respond = () => undefined;
  readonly #server: RpcServer;
  #waiting: { test: (received: Received) => boolean; resolve: (received: Received) => void }[] = [];
  #transactions = 100;

  private constructor(protocols: string[]) {
    this.#server = new ocppRpc.RPCServer({
      protocols,
      strictMode: protocols,
      strictModeValidators: [ocpp21Validator()],
    });
  }

  static async listen(protocols = ['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1']): Promise<CentralSystem> {
    const central = new CentralSystem(protocols);
    central.#server.auth((accept, reject, { identity, password }) => {
      central.passwords.push(password?.toString());
      if (identity === 'unknown') reject(404, 'Not found');
      else if (identity === 'wrong') reject(401, 'Unauthorized');
      else accept({});
    });
    central.#server.on('client', (peer) => central.#onPeer(peer));
    const server = await central.#server.listen(0, '127.0.0.1');
    central.url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ocpp`;
    return central;
  }

  async close(): Promise<void> {
    await this.#server.close({ force: true });
  }

  /** Calls the station that connected last. */
  call(method: string, params: unknown): Promise<Record<string, unknown>> {
    if (this.peer === undefined) throw new Error('no station is connected');
    return this.peer.call(method, params);
  }

  /** The next message of that kind from now on. */
  next(method: string, test: (params: Record<string, unknown>) => boolean = () => true): Promise<Received> {
    return new Promise((resolve) => {
      this.#waiting.push({ test: (got) => got.method === method && test(got.params), resolve });
    });
  }

  /** Returns the received messages of one kind. */
  all(method: string): Record<string, unknown>[] {
    return this.received.filter((got) => got.method === method).map((got) => got.params);
  }

  #onPeer(peer: Peer): void {
    this.peer = peer;
    this.connections++;
    peer.handle(({ method, params }) => {
      const received = { identity: peer.identity, method, params };
      this.received.push(received);
      const answer = this.respond(received, peer) ?? this.#answer(method, peer.protocol, params);
      // Told when the answer is on its way.
      setImmediate(() => this.#tell(received));
      return answer;
    });
  }

  #tell(received: Received): void {
    const matching = this.#waiting.filter(({ test }) => test(received));
    this.#waiting = this.#waiting.filter((waiting) => !matching.includes(waiting));
    for (const { resolve } of matching) resolve(received);
  }

  #answer(method: string, protocol: string, params: Record<string, unknown>): unknown {
    const currentTime = new Date().toISOString();
    const status = { status: 'Accepted' };
    if (method === 'BootNotification') return { currentTime, interval: 300, ...status };
    if (method === 'Heartbeat') return { currentTime };
    if (method === 'Authorize')
      return protocol === 'ocpp1.6' ? { idTagInfo: status } : { idTokenInfo: status };
    if (method === 'StartTransaction') return { transactionId: ++this.#transactions, idTagInfo: status };
    if (method === 'TransactionEvent' && params.idToken !== undefined) return { idTokenInfo: status };
    return {};
  }
}
