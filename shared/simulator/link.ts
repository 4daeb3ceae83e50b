import { setTimeout as sleep } from 'node:timers/promises';
import type { Payload } from './payload.ts';
import { between, type Random } from './random.ts';
import { type CallHandler, RpcConnection, type RpcOptions } from './rpc.ts';

/** Delays between attempts to connect. */
export interface Backoff {
  /** After the first failure, in ms; doubled with each further one. */
  baseMs: number;
  maxMs: number;
}

/** The server took the connection but not our OCPP version. */
class ProtocolNotAccepted extends Error {
  override name = 'ProtocolNotAccepted';
}

/** The station was closed while a caller waited for it. */
export class StationClosed extends Error {
  override name = 'StationClosed';
}

interface LinkOptions {
  url: string;
  protocol: string;
  username: string;
  password: string | Buffer | undefined;
  localAddress: string | undefined;
  offersCompression: boolean | undefined;
  deadlineMs: number;
  backoff: Backoff;
  random: Random;
}

interface LinkListener {
  /** The back end's calls. */
  onCall: CallHandler;
  /** An answer to the back end was sent; `ms` is the time since its call with this payload was received. */
  onAnswered(ms: number, payload: Payload): void;
  onUp(): void;
  /** The connection is gone; it is rebuilt unless the link was closed. */
  onDown(): void;
}

/** Keeps one station connected: reconnects with doubling, jittered delays until it is closed. */
export class Link {
  readonly #options: RpcOptions;
  readonly #protocol: string;
  readonly #backoff: Backoff;
  readonly #random: Random;
  readonly #listener: LinkListener;
  readonly #stop = new AbortController();
  #rpc: RpcConnection | undefined;
  #messages = 0;

  constructor(options: LinkOptions, listener: LinkListener) {
    const idPrefix = Date.now().toString(36);
    this.#options = {
      url: options.url,
      protocols: [options.protocol],
      username: options.password === undefined ? undefined : options.username,
      password: options.password,
      localAddress: options.localAddress,
      offersCompression: options.offersCompression,
      deadlineMs: options.deadlineMs,
      nextId: () => `${idPrefix}-${++this.#messages}`,
      onAnswered: (ms, payload) => this.#listener.onAnswered(ms, payload),
    };
    this.#protocol = options.protocol;
    this.#backoff = options.backoff;
    this.#random = options.random;
    this.#listener = listener;
  }

  /** The open connection, or undefined. */
  get rpc(): RpcConnection | undefined {
    return this.#rpc;
  }

  /**
   * Opens the first connection; tries that many times, then rejects with what the last attempt failed of
   * (UpgradeRefused, ProtocolNotAccepted, ECONNREFUSED, ...). Later losses are repaired without end.
   */
  async connect(attempts: number): Promise<void> {
    for (let failures = 1; ; failures++) {
      try {
        await this.#open();
        return;
      } catch (error) {
        if (failures >= attempts || this.#stop.signal.aborted) throw error;
        await this.#wait(failures);
      }
    }
  }

  /** Closes for good. */
  async close(): Promise<void> {
    this.#stop.abort(new StationClosed('the station was closed'));
    await this.#rpc?.close();
  }

  async #open(): Promise<void> {
    const rpc: RpcConnection = await RpcConnection.open(
      this.#options,
      (call) => this.#listener.onCall(call),
      () => {
        if (this.#rpc !== rpc) return;
        this.#rpc = undefined;
        this.#listener.onDown();
        if (!this.#stop.signal.aborted) void this.#reconnect();
      },
    );
    if (this.#stop.signal.aborted || rpc.protocol !== this.#protocol) {
      await rpc.close(this.#stop.signal.aborted ? 1000 : 1002);
      this.#stop.signal.throwIfAborted();
      throw new ProtocolNotAccepted(`${this.#protocol} was offered, the server chose '${rpc.protocol}'`);
    }
    this.#rpc = rpc;
    this.#listener.onUp();
  }

  async #reconnect(): Promise<void> {
    for (let failures = 1; !this.#stop.signal.aborted; failures++) {
      try {
        await this.#wait(failures);
        await this.#open();
        return;
      } catch {
        // Whatever it was, a charger tries again; close() ends the loop.
      }
    }
  }

  /** Between a half and the whole of the doubled delay, so that a fleet does not come back in one wave. */
  #wait(failures: number): Promise<void> {
    const delay = Math.min(this.#backoff.baseMs * 2 ** (failures - 1), this.#backoff.maxMs);
    return sleep(delay * between(this.#random, 0.5, 1), undefined, { signal: this.#stop.signal });
  }
}
