import type { ClearCriteria } from './charging-profiles.ts';
import type { Payload } from './payload.ts';
import type { Answer, Call } from './rpc.ts';
import type { ConnectorPhase, Reading, Reservation, Session, StationOptions, StopReason } from './station.ts';

export type BootReason = 'powerUp' | 'remoteReset' | 'triggered';

/** A configuration key (1.6) or variable (2.0.1, `Component.Variable`). */
export interface Setting {
  value: string;
  readonly: boolean;
}

/** End of a session. */
export interface SessionEnd {
  reason: StopReason;
  meterStopWh: number;
  at: Date;
  /** Signed record of the register; undefined without a signing meter. */
  signed?: string | undefined;
}

/** Effects of the back end's commands on the station. None of them waits: the answer is sent first. */
export interface Controls {
  readonly connectors: number;
  readonly vendor: string;
  readonly settings: Map<string, Setting>;
  session(connector: number): Session | undefined;
  /** Running sessions. */
  sessions(): Session[];
  /** The wanted connector, or any, when a session with this token could start there now. */
  freeConnector(wanted: number | undefined, idToken: string): number | undefined;
  startRemotely(connector: number, idToken: string, remoteStartId?: number): void;
  stop(session: Session, reason: StopReason): void;
  /** Ends the sessions, disconnects, comes back and boots. */
  reset(reason: 'softReset' | 'hardReset'): void;
  /** The same, once no session runs. */
  resetWhenIdle(): void;
  /** Connector 0 is all of them. `pending` when a session has to end first. */
  changeAvailability(connector: number, operative: boolean): { pending: boolean; apply: () => void };
  /** Result of a request to keep a connector, and its effect when it is accepted. */
  reserve(connector: number, reservation: Reservation): { status: string; apply?: () => void };
  /** Returns the effect of the end of a reservation; undefined for an unknown id. */
  cancelReservation(id: number): (() => void) | undefined;
  /** Stores a charging profile; false: it is rejected. Connector 0 is the station as a whole. */
  setProfile(connector: number, profile: Payload): boolean;
  /** Forgets the charging profiles that match; false: it had none. */
  clearProfiles(criteria: ClearCriteria): boolean;
  /** Changes the limit of a Dynamic profile; false: it has no such profile. */
  changeLimit(profileId: number | undefined, limit: number | undefined): boolean;
  hasProfile(connector: number, purpose: string): boolean;
  heartbeatEvery(seconds: number): void;
  triggerBoot(): void;
  /** Connector 0 is all of them, here and below. */
  triggerStatus(connector: number): void;
  triggerMeterValues(connector: number): void;
  triggerTransactionEvents(sessions: readonly Session[]): void;
  send(call: Call): void;
  /** Sends a message without an answer (2.1 SEND); it is lost without a connection. */
  notify(call: Call): void;
}

/** Differences between the OCPP versions: notations and commands. */
export interface Dialect {
  readonly protocol: 'ocpp1.6' | 'ocpp2.0.1' | 'ocpp2.1';
  settings(options: StationOptions): Map<string, Setting>;
  boot(options: StationOptions, reason: BootReason): Call;
  statusName(phase: ConnectorPhase): string;
  status(connector: number, phase: ConnectorPhase, at: Date): Call;
  authorize(idToken: string): Call;
  /** The token's status in the answer to an authorization or a start; Accepted when it has none. */
  tokenStatus(answer: Payload): string;
  /** The id the station gives a new transaction; undefined when the back end gives it. */
  newTransactionId(): string | undefined;
  start(session: Session, sequence: number, offline: boolean): Call;
  started(session: Session, answer: Payload): void;
  /** Charging or suspended by the car, where the version says so in a message of its own. */
  chargingState:
    | ((session: Session, suspended: boolean, at: Date, sequence: number, offline: boolean) => Call)
    | undefined;
  meterValues(session: Session, readings: readonly Reading[], sequence: number, offline: boolean): Call;
  /** Takes the answer to readings; undefined: it has no content. */
  metered: ((session: Session, answer: Payload) => void) | undefined;
  /** MeterValues that a TriggerMessage asked for. */
  triggeredMeterValues(connector: number, session: Session | undefined, reading: Reading): Call;
  /** The event that a TriggerMessage asked for. */
  triggeredEvent: ((session: Session, reading: Reading, sequence: number) => Call) | undefined;
  stop(session: Session, end: SessionEnd, sequence: number, offline: boolean): Call;
  /** Answers a call of the back end; throws CallError for what it does not know. */
  command(controls: Controls, call: Call): Answer;
}
