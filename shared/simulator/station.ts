import type { FleetCounters } from './counters.ts';
import type { Backoff } from './link.ts';
import type { Random } from './random.ts';
import type { SigningMeter } from './signing-meter.ts';
import type { Call, RpcConnection } from './rpc.ts';

export interface StationOptions {
  /** ws://host:port/ocpp; the identity is appended. */
  ocppUrl: string;
  /** The station's identity, last part of the URL and user of Basic auth. */
  uid: string;
  /** Sent as Basic auth; without it no Authorization header is sent. */
  password?: string | Buffer;
  connectors: number;
  vendor: string;
  model: string;
  serialNumber?: string;
  firmwareVersion?: string;
  /** True to offer compression of messages; by default false. */
  offersCompression?: boolean;
  /** The loopback address to connect from, see WebSocketOptions. */
  localAddress?: string;
  /** Until a call must be answered; 30 s. */
  callDeadlineMs?: number;
  /** Delay between attempts to connect; 1 s doubling to 60 s. */
  backoff?: Backoff;
  /** Wait before a transaction message that was answered with CALLERROR is offered again; 10 s. */
  retryMs?: number;
  /** Initial register of all connectors, in Wh; by default 0. */
  registerWh?: number;
  /** True to send a BootNotification at each reconnect, as after a loss of power; by default false. */
  bootsOnReconnect?: boolean;
  /**
   * Called when the connection was lost, except by a reset of the station. The station is closed then; without it the station
   * reconnects.
   */
  onLost?: () => void;
  /** Meter that signs the register at start and end of each session; none by default. */
  meter?: SigningMeter | undefined;
  random?: Random;
  counters?: FleetCounters;
}

/** Values of the meter and the car at one moment. Undefined values are not sent. */
export interface Reading {
  time: Date;
  /** The import register since manufacture, not since the start of the session. */
  energyWh: number;
  powerW?: number | undefined;
  /** Per phase. */
  currentA?: number | undefined;
  voltageV?: number | undefined;
  socPercent?: number | undefined;
  /** Sent in 1.6 only: 2.0.1 has no such measurand. */
  temperatureC?: number | undefined;
}

export type ConnectorPhase =
  | 'available'
  | 'preparing'
  | 'charging'
  | 'reserved'
  | 'suspendedEv'
  | 'finishing'
  | 'unavailable';

export type StopReason =
  | 'local'
  | 'remote'
  | 'evDisconnected'
  | 'stoppedByEv'
  | 'deAuthorized'
  | 'softReset'
  | 'hardReset'
  | 'unlock'
  | 'powerLoss'
  | 'emergencyStop';

/** Connector that is kept for a token. */
export interface Reservation {
  readonly id: number;
  readonly idToken: string;
  readonly expiresAt: Date;
}

/** A transaction as the station sees it. */
export interface Session {
  readonly connector: number;
  readonly idToken: string;
  readonly startedAt: Date;
  readonly meterStartWh: number;
  /** Signed record of the register at the start; undefined without a signing meter. */
  readonly signedStart: string | undefined;
  /** Asked for by the back end. */
  readonly remote: boolean;
  /** 2.0.1: the id of the request that started it. */
  readonly remoteStartId: number | undefined;
  /** Reservation that the session uses. */
  readonly reservationId: number | undefined;
  /** 1.6: given by the back end's answer; 2.0.1: chosen by the station. */
  transactionId: number | string | undefined;
  /** 2.0.1: the number of the next TransactionEvent. */
  nextSequence: number;
  ended: boolean;
}

export interface StartRequest {
  /** Counted from 1; 1. */
  connector?: number;
  idToken: string;
  /** The register at the start; what the connector's meter shows. */
  meterStartWh?: number;
  /** Now. */
  at?: Date;
}

export interface StopRequest {
  connector?: number;
  /** 'local'. */
  reason?: StopReason;
  /** The register at the end; the last reading's. */
  meterStopWh?: number;
  /** Now. */
  at?: Date;
}

/** A session that ended while the station was offline. */
export interface PastSession extends Required<Omit<StartRequest, 'connector'>> {
  readings: readonly Reading[];
  end: Required<Omit<StopRequest, 'connector'>>;
}

/** The back end did not accept the token; `status` is its word for it. */
export class NotAuthorized extends Error {
  override name = 'NotAuthorized';
  readonly status: string;
  constructor(status: string) {
    super(`the token was not accepted: ${status}`);
    this.status = status;
  }
}

/** Asked for something the connector cannot do now: start while a session runs, send values without one. */
export class ConnectorState extends Error {
  override name = 'ConnectorState';
}

/** One simulated charging station, whichever OCPP version it speaks. */
export interface Station {
  readonly uid: string;
  readonly protocol: 'ocpp1.6' | 'ocpp2.0.1' | 'ocpp2.1';
  readonly connectors: number;
  /** The open connection, or undefined: the load bench sends prepared frames through it. */
  readonly rpc: RpcConnection | undefined;
  /** Called when a session runs that the back end asked for. */
  onRemoteStart: ((session: Session) => void) | undefined;
  /**
   * Opens the connection, in at most that many attempts (1), and keeps it up from then on.
   * Rejects with UpgradeRefused (HTTP status), ProtocolNotAccepted or the socket's error.
   */
  connect(attempts?: number): Promise<void>;
  /** BootNotification until it is accepted, then the status of every connector, then heartbeats. */
  boot(): Promise<void>;
  /** Resolves when the station is connected and accepted; rejects with StationClosed after close(). */
  ready(): Promise<void>;
  /** The running session of a connector. */
  session(connector: number): Session | undefined;
  /** Returns the register of a connector's meter, in Wh. */
  registerWh(connector: number): number;
  /** Returns the current in ampere that charging profiles allow on each phase of a connector; null without one. */
  limitAmps(connector: number): number | null;
  /** A cable is plugged in: Preparing / Occupied. */
  plugIn(connector?: number): Promise<void>;
  /**
   * Plugs in, authorizes, starts; resolves when the back end has acknowledged the start. Without a connection it
   * is authorized locally and the start waits. Rejects with NotAuthorized or ConnectorState.
   */
  startSession(request: StartRequest): Promise<Session>;
  /** Resolves when the readings (one message) are acknowledged, however many reconnects that takes. */
  sendMeterValues(connector: number, ...readings: Reading[]): Promise<void>;
  /** The car stops or resumes taking energy within the session. */
  suspend(connector: number, suspended: boolean): Promise<void>;
  /** Resolves when the back end has acknowledged the end. The cable stays in: see unplug. */
  stopSession(request?: StopRequest): Promise<void>;
  /** The cable is out: Available. */
  unplug(connector?: number): Promise<void>;
  /**
   * Sends the sessions that a free connector kept while the station was offline, with their own times, oldest first; then its
   * state. Resolves when all are acknowledged.
   */
  replaySessions(connector: number, past: readonly PastSession[]): Promise<void>;
  /** Resolves when every transaction message of the station so far is answered. */
  delivered(): Promise<void>;
  /** The message that would carry the readings, neither sent nor counted; `sequence` from noteReadings. */
  encodeMeterValues(session: Session, readings: readonly Reading[], sequence: number): Call;
  /** Takes readings that are sent without sendMeterValues as the meter's last; returns their number in the session. */
  noteReadings(session: Session, readings: readonly Reading[]): number;
  /** Closes the connection for good; what still waits for an answer is rejected. */
  close(): Promise<void>;
}
