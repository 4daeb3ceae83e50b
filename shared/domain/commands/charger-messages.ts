import type { ContractEvidence } from './contract-certificates.ts';
import type { ConnectorPosition, ConnectorStatus } from '#shared/domain/fleet/charger.ts';
import type { MeterSample } from '#shared/domain/charging/meter-sample.ts';
import type { Registration } from '#shared/domain/fleet/registration.ts';
import type { StationReport } from '#shared/domain/charging/station-transaction.ts';
import type { LiveValues, MeterReport, SessionStart, SessionStop } from '#shared/domain/charging/session.ts';

/** Authorization request of a charger: Authorize of either version. */
export interface AuthorizeRequest {
  idToken: string;
  /** Data of the contract certificate that came with it (2.0.1 C07); null: none. */
  contract: ContractEvidence | null;
}

/** A charger came up: BootNotification of either version. */
export interface BootNotice {
  vendor: string;
  model: string;
  serialNumber: string | null;
  firmwareVersion: string | null;
  /** Reason of the boot, in 2.0.1. */
  reason: string | null;
}

/** Reply to a boot. */
export interface BootAnswer {
  status: Registration;
  now: Date;
  /** Between heartbeats; of a charger that is not Accepted, until its next BootNotification. */
  intervalSeconds: number;
}

/** The state of a connector, or of the charger as a whole (`position` null: connector 0, EVSE 0). */
export interface StatusNotice {
  position: ConnectorPosition | null;
  status: ConnectorStatus;
  errorCode: string | null;
  vendorErrorCode: string | null;
  info: string | null;
  at: Date;
}

/** Contents of one transaction message of a charger: TransactionEvent of 2.0.1. */
export interface TransactionNotice {
  kind: 'Started' | 'Updated' | 'Ended';
  start: SessionStart & { transactionId: string };
  /** The charger sent a token without an identifier: any vehicle can charge (2.0.1 C02). */
  isFree: boolean;
  /** Null unless the event ends the transaction. */
  stop: SessionStop | null;
  /** Null: this event changes no connector (its EVSE is unknown or the event lacks a charging state). */
  connectorStatus: StatusNotice | null;
  meter: MeterReport;
  /** Limits and cost that the station reported (2.1). Null: none. */
  station: StationReport | null;
}

/** Use of a certificate that a charger requests; 2.1 adds the last. */
export type SigningUse = 'ChargingStationCertificate' | 'V2GCertificate' | 'V2G20Certificate';

/** Certificate request of a charger: SignCertificate of any version. */
export interface SigningRequest {
  /** PKCS #10 in PEM. */
  csr: string;
  /** Use of the certificate. Null: not stated, or the only use of 1.6. */
  certificateType: SigningUse | null;
  /** Number of the request, which CertificateSigned repeats (2.1). Null: none. */
  requestId: number | null;
}

/** Acceptance of a signing request; `refusal` is the reason against it. */
export interface SigningAnswer {
  refusal: string | null;
}

/** Vendor-specific message of a charger: DataTransfer of either version. */
export interface VendorMessage {
  vendorId: string;
  messageId: string | null;
  /** Text in 1.6, any JSON in 2.0.1; undefined: none. */
  data: unknown;
}

/** Reply to a vendor message (1.6 §4.3, 2.0.1 P02); `data` as above. */
export interface VendorAnswer {
  status: 'Accepted' | 'Rejected' | 'UnknownVendorId' | 'UnknownMessageId';
  data?: unknown;
}

/** Returns the newest live values in a set of readings. Null where no reading has a live value. */
export function latestLive(report: MeterReport): LiveValues | null {
  const [only] = report.samples;
  if (only !== undefined && report.samples.length === 1) return liveOf(only);
  const live = report.samples.filter(isLive).toSorted((a, b) => a.time.getTime() - b.time.getTime());
  const newest = live.at(-1);
  if (newest === undefined) return null;
  return {
    // Readings of one instant can be spread over several rows: the last row with a value counts.
    energyRegisterWh: live.findLast((sample) => sample.energyWh !== null)?.energyWh ?? null,
    powerW: live.findLast((sample) => sample.powerW !== null)?.powerW ?? null,
    socPercent: live.findLast((sample) => sample.socPercent !== null)?.socPercent ?? null,
    time: newest.time,
  };
}

function liveOf(sample: MeterSample): LiveValues | null {
  const { energyWh, powerW, socPercent, time } = sample;
  return isLive(sample) ? { energyRegisterWh: energyWh, powerW, socPercent, time } : null;
}

/** Returns true for a reading that changes the live values or the meter of its session. */
function isLive({ energyWh, intervalWh, isEnergySetAside, powerW, socPercent }: MeterSample): boolean {
  return (
    energyWh !== null || intervalWh !== null || powerW !== null || socPercent !== null || isEnergySetAside
  );
}
