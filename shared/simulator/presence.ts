import { setTimeout as sleep } from 'node:timers/promises';
import type { FleetCounters } from './counters.ts';
import type { BootReason, Dialect } from './dialect.ts';
import { Link, StationClosed } from './link.ts';
import { number, type Payload } from './payload.ts';
import {
  type Call,
  CallError,
  type CallHandler,
  CallTimeout,
  ConnectionLost,
  type RpcConnection,
} from './rpc.ts';
import type { StationOptions } from './station.ts';

interface PresenceListener {
  onCall: CallHandler;
  /** Tells the back end the state of every connector; awaited before the station counts as ready. */
  announce(): Promise<void>;
}

/** Asked of a back end whose interval is 0: the station chooses. */
const defaultIntervalSeconds = 300;

/** A station's standing with the back end: connected, booted, heard from by heartbeats. */
export class Presence {
  readonly #options: StationOptions;
  readonly #dialect: Dialect;
  readonly #counters: FleetCounters;
  readonly #listener: PresenceListener;
  readonly #link: Link;
  #gate = openableGate();
  #online = false;
  #closed = false;
  #wantsBoot = false;
  #accepted = false;
  #restarting = false;
  #bootReason: BootReason = 'powerUp';
  #heartbeatSeconds = defaultIntervalSeconds;
  #heartbeat: NodeJS.Timeout | undefined;
  /** Aborted when the connection it was made for is gone. */
  #up = new AbortController();

  constructor(
    options: StationOptions,
    dialect: Dialect,
    counters: FleetCounters,
    listener: PresenceListener,
  ) {
    this.#options = options;
    this.#dialect = dialect;
    this.#counters = counters;
    this.#listener = listener;
    this.#link = new Link(
      {
        url: `${options.ocppUrl}/${encodeURIComponent(options.uid)}`,
        protocol: dialect.protocol,
        username: options.uid,
        password: options.password,
        localAddress: options.localAddress,
        offersCompression: options.offersCompression,
        deadlineMs: options.callDeadlineMs ?? 30_000,
        backoff: options.backoff ?? { baseMs: 1000, maxMs: 60_000 },
        random: options.random ?? Math.random,
      },
      {
        onCall: listener.onCall,
        onAnswered: (ms, { data }) => {
          counters.commands++;
          counters.commandAnswers?.push({ uid: options.uid, ms, ...(typeof data === 'string' && { data }) });
        },
        onUp: () => this.#onUp(),
        onDown: () => this.#onDown(),
      },
    );
  }

  get rpc(): RpcConnection | undefined {
    return this.#link.rpc;
  }

  /** Connected, accepted and announced. */
  get online(): boolean {
    return this.#online;
  }

  /** See Station.connect. */
  connect(attempts: number): Promise<void> {
    return this.#link.connect(attempts);
  }

  /** See Station.boot. */
  boot(): Promise<void> {
    if (!this.#wantsBoot) {
      this.#wantsBoot = true;
      if (this.rpc !== undefined) void this.#prepare();
    }
    return this.ready();
  }

  /** See Station.ready. */
  ready(): Promise<void> {
    return this.#gate.promise;
  }

  /** One call; rejects as RpcConnection.call does, at once when there is no connection. */
  async call(call: Call): Promise<Payload> {
    if (this.rpc === undefined) throw new ConnectionLost('not connected');
    try {
      return await this.rpc.call(call);
    } catch (error) {
      if (error instanceof CallError || error instanceof CallTimeout) this.#counters.errors++;
      throw error;
    }
  }

  /** One call whose answer changes nothing: a failure is counted as an error and the station goes on. */
  async attempt(call: Call): Promise<void> {
    try {
      await this.call(call);
    } catch {
      // Counted by call().
    }
  }

  /** Sends one BootNotification now and takes its interval. */
  async sendBoot(reason: BootReason): Promise<Payload> {
    const answer = await this.call(this.#dialect.boot(this.#options, reason));
    this.#counters.boots++;
    return answer;
  }

  /** Disconnects; the link comes back by itself and boots, because of a reset. */
  async restart(): Promise<void> {
    this.#accepted = false;
    this.#restarting = true;
    this.#bootReason = 'remoteReset';
    await this.rpc?.close();
  }

  /** Heartbeats every that many seconds from now on. */
  heartbeatEvery(seconds: number): void {
    this.#heartbeatSeconds = seconds > 0 ? seconds : defaultIntervalSeconds;
    clearInterval(this.#heartbeat);
    if (this.rpc === undefined) return;
    this.#heartbeat = setInterval(() => void this.#beat(), this.#heartbeatSeconds * 1000);
  }

  /** See Station.close. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#link.close();
    this.#shut();
  }

  #onUp(): void {
    this.#counters.connected++;
    this.#restarting = false;
    this.#up = new AbortController();
    if (this.#wantsBoot) void this.#prepare();
  }

  #onDown(): void {
    this.#counters.connected--;
    if (!this.#closed) this.#counters.connectionsLost++;
    if (this.#options.bootsOnReconnect === true) this.#accepted = false;
    clearInterval(this.#heartbeat);
    this.#up.abort();
    this.#shut();
    const { onLost } = this.#options;
    if (onLost === undefined || this.#closed || this.#restarting) return;
    void this.close();
    onLost();
  }

  #shut(): void {
    if (this.#online) this.#gate = openableGate();
    this.#online = false;
    if (this.#closed) this.#gate.reject(new StationClosed('the station was closed'));
  }

  /** Boots if need be and announces the connectors. A lost connection ends it; the next one begins it again. */
  async #prepare(): Promise<void> {
    const { signal } = this.#up;
    try {
      while (!this.#accepted) {
        const waitSeconds = await this.#bootOnce();
        if (waitSeconds > 0) await sleep(waitSeconds * 1000, undefined, { signal });
      }
      this.heartbeatEvery(this.#heartbeatSeconds);
      await this.#listener.announce();
      if (signal.aborted) return;
      this.#online = true;
      this.#gate.resolve();
    } catch {
      // Nothing was heard in time: what is left of the connection goes, the link makes another one.
      if (!signal.aborted) await this.rpc?.terminate();
    }
  }

  /** Returns how long to wait before the next BootNotification, in s; 0 when this one was accepted. */
  async #bootOnce(): Promise<number> {
    try {
      const answer = await this.sendBoot(this.#bootReason);
      const interval = number(answer, 'interval') ?? 0;
      if (answer.status !== 'Accepted') return interval > 0 ? interval : defaultIntervalSeconds;
      this.#accepted = true;
      this.#heartbeatSeconds = interval > 0 ? interval : defaultIntervalSeconds;
      return 0;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      return (this.#options.retryMs ?? 10_000) / 1000;
    }
  }

  async #beat(): Promise<void> {
    const { rpc } = this;
    try {
      await this.call({ action: 'Heartbeat', payload: {} });
    } catch (error) {
      // The connection is half open: only a new one helps.
      if (error instanceof CallTimeout) await rpc?.terminate();
    }
  }
}

function openableGate(): PromiseWithResolvers<void> {
  const gate = Promise.withResolvers<void>();
  // A station may be closed while no caller waits for it.
  gate.promise.catch(() => undefined);
  return gate;
}
