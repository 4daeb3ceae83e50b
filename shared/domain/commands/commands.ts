import type { Availability, ConnectorPosition } from '#shared/domain/fleet/charger.ts';
import type { OcppVersion, RootCertificateUse } from '#shared/domain/fleet/ocpp-version.ts';
import type {
  CertificateHash,
  LocalListEntry,
  ChargerToken,
} from '#shared/domain/charging/charger-authorization.ts';
import type {
  ChargingProfile,
  CompositeSchedule,
  ProfileCriteria,
  RateUnit,
} from '#shared/domain/charging/charging-profile.ts';
import type { ErrorCode } from '#shared/domain/kernel/errors.ts';

/** A soft reset ends sessions gracefully and restarts the software; a hard one cycles the power. */
export type ResetKind = 'Soft' | 'Hard';

/**
 * Command of an operator or a driver to a charger, in either OCPP version. `position` is the connector's
 * position in OCPP (`evse_number` and `evse_connector` of the connector with the requested number).
 */
export type ChargerCommand =
  | RemoteStartCommand
  | { type: 'remote-stop'; transactionId: string }
  | { type: 'reset'; kind: ResetKind }
  | { type: 'trigger-message'; requestedMessage: string; position: ConnectorPosition | null }
  | { type: 'unlock-connector'; position: ConnectorPosition }
  /** `position` null: the whole charger. */
  | { type: 'change-availability'; position: ConnectorPosition | null; availability: Availability }
  /** No keys: all keys (1.6), or those that the standard requires (2.0.1). */
  | { type: 'get-configuration'; keys: readonly string[] }
  | { type: 'change-configuration'; key: string; value: string }
  | { type: 'get-variables'; variables: readonly VariableSelector[] }
  | { type: 'set-variables'; variables: readonly VariableSetting[] }
  | ({ type: 'update-firmware' } & FirmwareRequest)
  /** The Basic password that the charger shall present from its next connection on. */
  | { type: 'set-password'; password: string }
  /** `position` null: any connector. */
  | ({ type: 'reserve-now'; position: ConnectorPosition | null } & Reservation)
  | { type: 'cancel-reservation'; reservationId: number }
  /** Replaces the whole list, or adds and removes entries. */
  | { type: 'send-local-list'; version: number; isFull: boolean; entries: readonly LocalListEntry[] }
  /** Clears the charger's authorization cache. */
  | { type: 'clear-cache' }
  /** `evse` 0: the charger as a whole, as in the next three. */
  | { type: 'set-charging-profile'; evse: number; profile: ChargingProfile }
  | ({ type: 'clear-charging-profiles' } & ProfileCriteria)
  | { type: 'get-composite-schedule'; evse: number; durationSeconds: number; rateUnit: RateUnit | null }
  | { type: 'install-certificate'; use: RootCertificateUse; pem: string }
  | ({ type: 'delete-certificate' } & CertificateHash)
  /** Closes the socket of the charger, which receives no message and connects again. */
  | { type: 'disconnect' }
  /** Any action of the version that the charger speaks, with its payload as the standard has it. */
  | { type: 'ocpp'; action: string; payload: unknown };

/** Request of a session. `startUuid`: the remote start that the API stored; without it the gateway stores one. */
export interface RemoteStartCommand {
  type: 'remote-start';
  position: ConnectorPosition | null;
  idToken: string;
  remoteStartId: number;
  startUuid?: string;
}

/** Kinds of originators of a command: `system` is the product itself. */
export const commanderKinds = ['operator', 'api-key', 'driver', 'partner', 'system'] as const;
export type CommanderKind = (typeof commanderKinds)[number];

export type ChargerCommandType = ChargerCommand['type'];

/** Commands that the versions encode differently. */
export type NamedCommand = Exclude<ChargerCommand, { type: 'ocpp' | 'disconnect' }>;

/** Attribute of a variable (2.0.1 part 2, AttributeEnumType). */
export const attributeTypes = ['Actual', 'Target', 'MinSet', 'MaxSet'] as const;
export type AttributeType = (typeof attributeTypes)[number];

/** A variable of the device model of 2.0.1: of the charger, of an EVSE, or of one of its connectors. */
export interface VariableSelector {
  component: string;
  componentInstance: string | null;
  evseId: number | null;
  connectorId: number | null;
  variable: string;
  variableInstance: string | null;
  attributeType: AttributeType;
}

export interface VariableSetting extends VariableSelector {
  value: string;
}

/**
 * Result of one variable from a charger. `value` is null where it was set, or where the charger omitted it.
 */
export interface VariableResult extends VariableSelector {
  status: string;
  value: string | null;
}

/** Result of one setting from a charger. `key` is `Component.Variable` in 2.0.1, which omits `readonly`. */
export interface SettingResult {
  key: string;
  value: string | null;
  readonly: boolean | null;
  /** Accepted, or why there is no value. */
  status: string;
}

/** A connector that is kept free for a token until `expiresAt`. */
export interface Reservation {
  reservationId: number;
  token: ChargerToken;
  /** Tokens of this group may use it too. */
  groupId: string | null;
  expiresAt: Date;
}

/** A firmware image to fetch from `location`, from `retrieveAt` on. */
export interface FirmwareRequest {
  /** Names the update in the charger's reports; 1.6 has no place for it in an unsigned one. */
  requestId: number;
  location: string;
  retrieveAt: Date;
  /**
   * Time of the installation. Null: as soon as the image is there. 1.6 knows a time for signed images only.
   */
  installAt: Date | null;
  /** Certificate (PEM) and signature (base64) of a signed image. */
  signing: { certificate: string; signature: string } | null;
  retries: number | null;
  retryIntervalSeconds: number | null;
}

/**
 * The charger's answer: whether it accepted, its own status word (null where the answer has none), its raw payload,
 * and the transaction it named (2.0.1).
 */
export interface CommandResult {
  accepted: boolean;
  status: string | null;
  payload: unknown;
  transactionId: string | null;
  /** Settings, for get-configuration. */
  settings?: SettingResult[];
  /** Results of the variables, for get-variables and set-variables. */
  variables?: VariableResult[];
  /** Schedule from get-composite-schedule, when the charger sent one. */
  schedule?: CompositeSchedule | null;
}

/** A command as it travels on the bus to the shard that holds the charger's socket. */
export interface CommandRequest {
  uid: string;
  command: ChargerCommand;
  /** Milliseconds that the charger has to answer. */
  timeoutMs: number;
  /** Id of the API request that caused it, for the log. */
  requestId?: string;
  /** W3C `traceparent` of the span of its sender, while tracing is on. */
  traceparent?: string;
}

/** Reply of the shard on the bus. */
export type CommandReply =
  | { ok: true; ocppVersion: OcppVersion; action: string; result: CommandResult }
  | { ok: false; code: ErrorCode; message: string; details?: Record<string, unknown> };

/** The channel on which the gateway shard that is this member of the bus answers commands. */
export function gatewayChannel(node: string): string {
  return `gateway:${node}`;
}
