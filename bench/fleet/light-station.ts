import { connect, type Socket } from 'node:net';
import { offeredCompression } from '#shared/simulator/deflate.ts';
import { encodeFrame, FrameParser, opcode } from '#shared/simulator/frames.ts';
import { createUpgradeKey, encodeUpgradeRequest } from '#shared/simulator/handshake.ts';

export interface LightStationOptions {
  /** ws://host:port/ocpp; the identity is appended. */
  ocppUrl: string;
  uid: string;
  password: string;
  protocol: 'ocpp1.6' | 'ocpp2.0.1';
  localAddress: string;
  offersCompression: boolean;
  /** False: the station stays silent after the upgrade. */
  boots: boolean;
}

/** Times at which a station reached a step last, in ms since 1970; 0: not yet. */
export interface Milestones {
  upgradedAt: number;
  /** Its BootNotification was accepted. */
  bootedAt: number;
  /** The status of its connector was acknowledged. */
  reportedAt: number;
}

/** Receiver of a light station's events. */
export interface LightStationListener {
  /** The attempt to connect ended, with an upgrade or without. */
  attempted(station: LightStation, isUpgraded: boolean): void;
  /** The station is upgraded and, where it boots, booted and reported. */
  finished(station: LightStation): void;
  /** An upgraded socket closed. */
  lost(station: LightStation, wasFinished: boolean): void;
}

type State = 'idle' | 'upgrading' | 'booting' | 'reporting' | 'finished';

/** One key for all stations: a client proves nothing to itself with a random one, and hashing costs as much as a frame. */
const { key, accept } = createUpgradeKey();
const endOfHead = Buffer.from('\r\n\r\n');
const maxMessageBytes = 65_536;

/** Read by one socket at a time: Node.js fills it and calls back in the same turn. */
const readBuffer = Buffer.allocUnsafeSlow(65_536);

/**
 * Station for connect storms: upgrade, BootNotification, one StatusNotification, and pongs. It costs a fraction of a
 * `SimulatedStation`, so that a storm measures the server.
 */
export class LightStation {
  readonly milestones: Milestones = { upgradedAt: 0, bootedAt: 0, reportedAt: 0 };
  readonly #listener: LightStationListener;
  readonly #options: LightStationOptions;
  readonly #host: string;
  readonly #port: number;
  readonly #request: Buffer;
  #state: State = 'idle';
  #socket: Socket | null = null;
  #parser: FrameParser | null = null;

  constructor(options: LightStationOptions, listener: LightStationListener) {
    this.#options = options;
    this.#listener = listener;
    const { ocppUrl, uid, password, protocol, offersCompression } = options;
    const extensions = offersCompression ? offeredCompression : undefined;
    const url = new URL(`${ocppUrl}/${encodeURIComponent(uid)}`);
    this.#host = url.hostname;
    this.#port = Number(url.port);
    this.#request = Buffer.from(
      encodeUpgradeRequest({ url, protocols: [protocol], username: uid, password, extensions }, key),
    );
  }

  /** Begins an attempt; `attempted` follows. */
  connect(): void {
    this.#state = 'upgrading';
    const socket = connect({
      host: this.#host,
      port: this.#port,
      localAddress: this.#options.localAddress,
      noDelay: true,
      onread: {
        buffer: readBuffer,
        callback: (bytes) => {
          this.#receive(readBuffer.subarray(0, bytes));
          return true;
        },
      },
    });
    this.#socket = socket;
    socket.once('connect', () => socket.write(this.#request));
    socket.on('error', () => undefined);
    socket.once('close', () => this.#closed());
  }

  /** Resets the connection; `lost` is not called. A usual close would keep its port for a minute, and the next run needs it. */
  close(): void {
    this.#state = 'idle';
    this.#socket?.resetAndDestroy();
  }

  #receive(chunk: Buffer): void {
    try {
      if (this.#state === 'upgrading') this.#readHead(chunk);
      else this.#parser?.push(chunk);
    } catch {
      this.#socket?.destroy();
    }
  }

  /** Reads the answer to the upgrade, which is one segment; anything else counts as failed. */
  #readHead(chunk: Buffer): void {
    const end = chunk.indexOf(endOfHead);
    const head = chunk.toString('latin1', 0, Math.max(0, end));
    if (!head.startsWith('HTTP/1.1 101') || !head.includes(accept)) {
      this.#socket?.destroy();
      return;
    }
    // The answers that it reads are too short to be compressed.
    this.#parser = new FrameParser(
      maxMessageBytes,
      (type, _, payload) => this.#onFrame(type, payload),
      this.#options.offersCompression,
    );
    this.milestones.upgradedAt = Date.now();
    this.#state = this.#options.boots ? 'booting' : 'finished';
    this.#listener.attempted(this, true);
    if (this.#options.boots) this.#send(bootCall(this.#options.protocol));
    else this.#listener.finished(this);
    if (chunk.length > end + 4) this.#parser.push(chunk.subarray(end + 4));
  }

  #onFrame(type: number, payload: Buffer): void {
    if (type === opcode.ping) this.#socket?.write(encodeFrame(opcode.pong, payload));
    else if (type === opcode.close) this.#socket?.destroy();
    else if (type === opcode.text) this.#onText(payload.toString('latin1'));
  }

  /** Takes the answer to its call; commands of the back end stay unanswered. */
  #onText(text: string): void {
    if (!text.startsWith('[3,')) {
      if (text.startsWith('[4,')) this.#socket?.destroy();
      return;
    }
    if (this.#state === 'booting') {
      if (!text.includes('"Accepted"')) return void this.#socket?.destroy();
      this.milestones.bootedAt = Date.now();
      this.#state = 'reporting';
      this.#send(statusCall(this.#options.protocol));
    } else if (this.#state === 'reporting') {
      this.milestones.reportedAt = Date.now();
      this.#state = 'finished';
      this.#listener.finished(this);
    }
  }

  #send(text: string): void {
    this.#socket?.write(encodeFrame(opcode.text, text));
  }

  #closed(): void {
    const state = this.#state;
    this.#state = 'idle';
    this.#parser = null;
    if (state === 'upgrading') this.#listener.attempted(this, false);
    else if (state !== 'idle') this.#listener.lost(this, state === 'finished');
  }
}

function bootCall(protocol: LightStationOptions['protocol']): string {
  return protocol === 'ocpp1.6'
    ? '[2,"1","BootNotification",{"chargePointVendor":"Bench","chargePointModel":"Bench"}]'
    : '[2,"1","BootNotification",{"reason":"PowerUp","chargingStation":{"model":"Bench","vendorName":"Bench"}}]';
}

function statusCall(protocol: LightStationOptions['protocol']): string {
  const now = new Date().toISOString();
  return protocol === 'ocpp1.6'
    ? `[2,"2","StatusNotification",{"connectorId":1,"errorCode":"NoError","status":"Available","timestamp":"${now}"}]`
    : `[2,"2","StatusNotification",{"timestamp":"${now}","connectorStatus":"Available","evseId":1,"connectorId":1}]`;
}
