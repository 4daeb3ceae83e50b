import type { DeviceEvent, DeviceVariable, VariableMonitor } from './device-model.ts';

/** Outcome of a download, an installation or an upload after a status. Null: it continues. */
type ProgressOutcome = 'succeeded' | 'failed' | null;

/** Progress status of work that a charger does in its own time (FirmwareStatusNotification and the like). */
interface ProgressReport {
  requestId: number | null;
  status: string;
  outcome: ProgressOutcome;
}

/** One part of a report that comes in several: `part` counts from 0. */
export interface ReportPart {
  action: string;
  requestId: number;
  generatedAt: Date;
  part: number;
  /** True for the last part (`tbc` false). */
  isLast: boolean;
}

/** A charging profile that is installed at a charger. */
interface InstalledProfile {
  profileId: number;
  purpose: string;
  stackLevel: number;
  /** The profile as the charger's OCPP version writes it. */
  profile: unknown;
}

/** Report of a charger, in either OCPP version, that is stored and answered without content. */
export type ChargerReport =
  | ({ type: 'firmware-status'; kind: 'Update' | 'Publish' } & ProgressReport)
  | ({ type: 'log-status'; kind: 'Diagnostics' | 'Log' } & ProgressReport)
  | {
      type: 'security-event';
      event: string;
      techInfo: string | null;
      occurredAt: Date;
      timeFlag: string | null;
    }
  | { type: 'device-variables'; report: ReportPart; variables: DeviceVariable[] }
  | { type: 'variable-monitors'; report: ReportPart; monitors: VariableMonitor[] }
  | { type: 'device-events'; events: DeviceEvent[] }
  | { type: 'charging-profiles'; evse: number; source: string; profiles: InstalledProfile[] }
  | { type: 'reservation-ended'; reservationId: number; status: 'Expired' | 'Removed' }
  | {
      type: 'notification';
      action: string;
      requestId: number | null;
      part: number | null;
      payload: unknown;
    };

export type ChargerReportType = ChargerReport['type'];

/** Report with its charger and the time of receipt. */
export type ReceivedReport<Type extends ChargerReportType = ChargerReportType> = Extract<
  ChargerReport,
  { type: Type }
> & {
  chargerId: number;
  receivedAt: Date;
};

/** Status for no work in progress, sent in response to TriggerMessage. */
export const idleStatus = 'Idle';

/** Status of an update that the charger reported as installed, or runs. */
export const installedStatus = 'Installed';

/** Statuses of an installation in progress: some chargers boot then, and report nothing more. */
export const installingStatuses = ['Installing', 'InstallRebooting'] as const;

/** Final statuses of firmware: FirmwareStatusEnumType and PublishFirmwareStatusEnumType of 2.0.1; those of 1.6 are among them. */
const firmwareOutcomes: Readonly<Record<string, ProgressOutcome>> = {
  [installedStatus]: 'succeeded',
  Published: 'succeeded',
  DownloadFailed: 'failed',
  InstallationFailed: 'failed',
  InstallVerificationFailed: 'failed',
  InvalidSignature: 'failed',
  InvalidChecksum: 'failed',
  PublishFailed: 'failed',
};

/** Returns the outcome that a status of firmware reports. */
export function firmwareOutcome(status: string): ProgressOutcome {
  return firmwareOutcomes[status] ?? null;
}

const logFailures = new Set([
  'BadMessage',
  'NotSupportedOperation',
  'PermissionDenied',
  'UploadFailure',
  'AcceptedCanceled',
]);

/** UploadLogStatusEnumType of 2.0.1. */
export function logOutcome(status: string): ProgressOutcome {
  if (status === 'Uploaded') return 'succeeded';
  return logFailures.has(status) ? 'failed' : null;
}
