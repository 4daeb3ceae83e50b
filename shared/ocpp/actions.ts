import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';

/**
 * Sender of the request of an action. Messages of chargers are validated by the tolerant rules, ours by the
 * standard's; `both` (DataTransfer) may come from a charger and is validated tolerantly. `send`: the charger sends it as a
 * SEND, which has no response (2.1 part 4 §4.2.4).
 */
export type Direction = 'charger' | 'csms' | 'both' | 'send';

/** OCPP 1.6 (edition 2, sections 4 and 5) and the actions of its security whitepaper (edition 3). */
const actions16 = {
  Authorize: 'charger',
  BootNotification: 'charger',
  CancelReservation: 'csms',
  CertificateSigned: 'csms',
  ChangeAvailability: 'csms',
  ChangeConfiguration: 'csms',
  ClearCache: 'csms',
  ClearChargingProfile: 'csms',
  DataTransfer: 'both',
  DeleteCertificate: 'csms',
  DiagnosticsStatusNotification: 'charger',
  ExtendedTriggerMessage: 'csms',
  FirmwareStatusNotification: 'charger',
  GetCompositeSchedule: 'csms',
  GetConfiguration: 'csms',
  GetDiagnostics: 'csms',
  GetInstalledCertificateIds: 'csms',
  GetLocalListVersion: 'csms',
  GetLog: 'csms',
  Heartbeat: 'charger',
  InstallCertificate: 'csms',
  LogStatusNotification: 'charger',
  MeterValues: 'charger',
  RemoteStartTransaction: 'csms',
  RemoteStopTransaction: 'csms',
  ReserveNow: 'csms',
  Reset: 'csms',
  SecurityEventNotification: 'charger',
  SendLocalList: 'csms',
  SetChargingProfile: 'csms',
  SignCertificate: 'charger',
  SignedFirmwareStatusNotification: 'charger',
  SignedUpdateFirmware: 'csms',
  StartTransaction: 'charger',
  StatusNotification: 'charger',
  StopTransaction: 'charger',
  TriggerMessage: 'csms',
  UnlockConnector: 'csms',
  UpdateFirmware: 'csms',
} as const satisfies Record<string, Direction>;

/** OCPP 2.0.1 (part 2, the chapter of messages). */
const actions201 = {
  Authorize: 'charger',
  BootNotification: 'charger',
  CancelReservation: 'csms',
  CertificateSigned: 'csms',
  ChangeAvailability: 'csms',
  ClearCache: 'csms',
  ClearChargingProfile: 'csms',
  ClearDisplayMessage: 'csms',
  ClearVariableMonitoring: 'csms',
  ClearedChargingLimit: 'charger',
  CostUpdated: 'csms',
  CustomerInformation: 'csms',
  DataTransfer: 'both',
  DeleteCertificate: 'csms',
  FirmwareStatusNotification: 'charger',
  Get15118EVCertificate: 'charger',
  GetBaseReport: 'csms',
  GetCertificateStatus: 'charger',
  GetChargingProfiles: 'csms',
  GetCompositeSchedule: 'csms',
  GetDisplayMessages: 'csms',
  GetInstalledCertificateIds: 'csms',
  GetLocalListVersion: 'csms',
  GetLog: 'csms',
  GetMonitoringReport: 'csms',
  GetReport: 'csms',
  GetTransactionStatus: 'csms',
  GetVariables: 'csms',
  Heartbeat: 'charger',
  InstallCertificate: 'csms',
  LogStatusNotification: 'charger',
  MeterValues: 'charger',
  NotifyChargingLimit: 'charger',
  NotifyCustomerInformation: 'charger',
  NotifyDisplayMessages: 'charger',
  NotifyEVChargingNeeds: 'charger',
  NotifyEVChargingSchedule: 'charger',
  NotifyEvent: 'charger',
  NotifyMonitoringReport: 'charger',
  NotifyReport: 'charger',
  PublishFirmware: 'csms',
  PublishFirmwareStatusNotification: 'charger',
  ReportChargingProfiles: 'charger',
  RequestStartTransaction: 'csms',
  RequestStopTransaction: 'csms',
  ReservationStatusUpdate: 'charger',
  ReserveNow: 'csms',
  Reset: 'csms',
  SecurityEventNotification: 'charger',
  SendLocalList: 'csms',
  SetChargingProfile: 'csms',
  SetDisplayMessage: 'csms',
  SetMonitoringBase: 'csms',
  SetMonitoringLevel: 'csms',
  SetNetworkProfile: 'csms',
  SetVariableMonitoring: 'csms',
  SetVariables: 'csms',
  SignCertificate: 'charger',
  StatusNotification: 'charger',
  TransactionEvent: 'charger',
  TriggerMessage: 'csms',
  UnlockConnector: 'csms',
  UnpublishFirmware: 'csms',
  UpdateFirmware: 'csms',
} as const satisfies Record<string, Direction>;

/** OCPP 2.1 (part 2, the chapter of messages): all actions of 2.0.1, and these. */
const actions21 = {
  ...actions201,
  AdjustPeriodicEventStream: 'csms',
  AFRRSignal: 'csms',
  BatterySwap: 'charger',
  ChangeTransactionTariff: 'csms',
  ClearDERControl: 'csms',
  ClearTariffs: 'csms',
  ClosePeriodicEventStream: 'charger',
  GetCertificateChainStatus: 'charger',
  GetDERControl: 'csms',
  GetPeriodicEventStream: 'csms',
  GetTariffs: 'csms',
  NotifyAllowedEnergyTransfer: 'csms',
  NotifyDERAlarm: 'charger',
  NotifyDERStartStop: 'charger',
  NotifyPeriodicEventStream: 'send',
  NotifyPriorityCharging: 'charger',
  NotifySettlement: 'charger',
  NotifyWebPaymentStarted: 'csms',
  OpenPeriodicEventStream: 'charger',
  PullDynamicScheduleUpdate: 'charger',
  ReportDERControl: 'charger',
  RequestBatterySwap: 'csms',
  SetDERControl: 'csms',
  SetDefaultTariff: 'csms',
  UpdateDynamicSchedule: 'csms',
  UsePriorityCharging: 'csms',
  VatNumberValidation: 'charger',
} as const satisfies Record<string, Direction>;

/** Every action of every version with the side that sends its request. */
export const actions = { '1.6': actions16, '2.0.1': actions201, '2.1': actions21 } as const;

/** The action names of one version. */
export type ActionOf<V extends OcppVersion> = keyof (typeof actions)[V] & string;

/** Actions that we may call on a charger. */
export type CsmsActionOf<V extends OcppVersion> = {
  [A in ActionOf<V>]: (typeof actions)[V][A] extends 'charger' | 'send' ? never : A;
}[ActionOf<V>];

/** Returns true when the version defines the action; otherwise the answer is NotImplemented. */
export function isKnownAction<V extends OcppVersion>(version: V, action: string): action is ActionOf<V> {
  return Object.hasOwn(actions[version], action);
}

/** The side that sends the request of a known action. */
export function directionOf<V extends OcppVersion>(version: V, action: ActionOf<V>): Direction {
  const directions: Record<string, Direction> = actions[version];
  return directions[action] as Direction;
}

/** Returns whether a central system sends requests of a known action. */
export function isSentByUs<V extends OcppVersion>(version: V, action: ActionOf<V>): boolean {
  const direction = directionOf(version, action);
  return direction === 'csms' || direction === 'both';
}

/** The actions of a version in alphabetical order. */
export function actionsOf<V extends OcppVersion>(version: V): ActionOf<V>[] {
  return Object.keys(actions[version]).toSorted() as ActionOf<V>[];
}
