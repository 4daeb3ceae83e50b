import type { Availability } from '#shared/domain/fleet/charger.ts';
import type { AttributeType } from './commands.ts';
import type { DynamicLimit } from '#shared/domain/charging/charging-profile.ts';
import type { EventStream } from './event-stream.ts';
import type { ComponentVariable, VariableMonitor } from './device-model.ts';

/**
 * Change that a command makes at a charger, in either version. Stored when the charger accepts, wherever the
 * command came from.
 */
export type CommandEffect =
  | RemoteStartAsked
  | FirmwareUpdateAsked
  | LogAsked
  | ReservationMade
  | { type: 'reservation-cancelled'; reservationId: number }
  | { type: 'local-list-sent'; version: number }
  | ProfileInstalled
  | ProfilesCleared
  | AvailabilityWanted
  | PasswordSent
  | VariablesSent
  | { type: 'monitors-set'; monitors: MonitorSet[] }
  | ({ type: 'event-stream-adjusted' } & Omit<EventStream, 'monitorId'>)
  | { type: 'event-streams-requested' }
  | DynamicLimitChanged
  | PriorityCharging
  | { type: 'certificate-installed'; certificateType: string; pem: string }
  | CertificateDeleted;

/** A requested session. It begins when the charger reports it, or never (field note 21). */
export interface RemoteStartAsked {
  type: 'remote-start';
  idToken: string;
  /** Null: the charger chooses the EVSE. */
  evse: number | null;
  /** Null: a raw OCPP 1.6 command, which has no such number. */
  remoteStartId: number | null;
  /** The remote start that the API stored. */
  startUuid?: string | undefined;
}

/** Firmware to install, or to publish to other chargers (2.0.1 L03). */
export interface FirmwareUpdateAsked {
  type: 'firmware-update';
  kind: 'Update' | 'Publish';
  /** Null: an unsigned update of 1.6 has none. */
  requestId: number | null;
  location: string;
  retrieveAt: Date | null;
  installAt: Date | null;
}

/** A log to upload: diagnostics of 1.6, or one of the logs of its security extension and of 2.0.1. */
export interface LogAsked {
  type: 'log';
  kind: 'Diagnostics' | 'Log';
  logType: 'DiagnosticsLog' | 'SecurityLog' | 'DataCollectorLog' | null;
  requestId: number | null;
  location: string;
  oldestAt: Date | null;
  latestAt: Date | null;
}

export interface ReservationMade {
  type: 'reservation';
  reservationId: number;
  /** Null: any. */
  evse: number | null;
  idToken: string;
  groupIdToken: string | null;
  expiresAt: Date;
}

export interface ProfileInstalled {
  type: 'charging-profile';
  /** 0: the charger as a whole. */
  evse: number;
  profileId: number;
  purpose: string;
  stackLevel: number;
  /** The profile in the format of its OCPP version. */
  profile: unknown;
}

/** Cleared charging profiles: those that match every given criterion. */
export interface ProfilesCleared {
  type: 'charging-profiles-cleared';
  profileId: number | null;
  evse: number | null;
  purpose: string | null;
  stackLevel: number | null;
}

/** New limit of a Dynamic profile (2.1 K28). */
export interface DynamicLimitChanged {
  type: 'dynamic-limit';
  profileId: number;
  /** Changed fields of the schedule period (ChargingScheduleUpdateType). */
  update: DynamicLimit;
}

/** Priority charging of a transaction, switched on or off (2.1 K21). */
interface PriorityCharging {
  type: 'priority-charging';
  transactionId: string;
  isActive: boolean;
}

export interface AvailabilityWanted {
  type: 'availability';
  /** Null: the charger with all of its connectors; connector null: all of the EVSE's. */
  position: { evse: number; connector: number | null } | null;
  availability: Availability;
}

/** Deleted certificate, by its hash data (CertificateHashDataType) in hexadecimal. */
export interface CertificateDeleted {
  type: 'certificate-deleted';
  hashAlgorithm: 'SHA256' | 'SHA384' | 'SHA512';
  issuerNameHash: string;
  issuerKeyHash: string;
  serialNumber: string;
}

/** Basic password that the charger must use from now on, regardless of who chose it. */
interface PasswordSent {
  type: 'password-sent';
  password: string;
  /** False: the command sets other values too, and a refusal may be about those. */
  isAlone: boolean;
}

/** Variable of the device model of 2.0.1 with its new value. */
export interface VariableSet extends ComponentVariable {
  attribute: AttributeType;
  value: string;
}

/** Monitor that a command sets; the charger gives it its number. */
export type MonitorSet = Omit<VariableMonitor, 'monitorId'>;

/** Variables that a command sets, each of which the charger takes or refuses. */
interface VariablesSent {
  type: 'variables-sent';
  /** Without the password, which no report shows. */
  variables: VariableSet[];
  /** Null: the command sets none. */
  password: PasswordSent | null;
}
