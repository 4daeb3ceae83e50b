/** Conditions that need an operator's attention. */
export const alertKinds = [
  'charger-offline',
  'location-offline',
  'connection-rejected',
  'password-guessing',
  'charger-faulted',
  'connector-faulted',
  'clock-wrong',
  'starts-refused',
  'session-without-energy',
  'session-without-tariff',
  'session-estimated',
  'session-in-review',
  'unmatched-stop',
  'security-event',
  'firmware-failed',
  'gateway-spooling',
  'certificate-expiring',
  'api-key-expiring',
  'partner-unreachable',
  'partner-token-expiring',
  'ocpi-party-refused',
  'ocpi-object-refused',
  'payment-currency-mismatch',
  'load-overload',
  'load-limit-exceeded',
  'load-meter-lost',
  'load-fallback',
  'threshold',
] as const;
export type AlertKind = (typeof alertKinds)[number];

/** Titles of one alert of each kind, and of `{{count}}` of them, in one language. */
export interface AlertTitles {
  kind: Record<AlertKind, string>;
  kinds: Record<AlertKind, string>;
}

/** open until an operator acknowledges it; resolved when the condition is over, or by an operator. */
export const alertStatuses = ['open', 'acknowledged', 'resolved'] as const;
export type AlertStatus = (typeof alertStatuses)[number];

/**
 * State of the delivery of an alert. pending, grouped: its notification is being made. notified: recipients have notices. muted,
 * flapping: held. silent: no recipient is notified. cleared: its notification is over.
 */
export const alertDeliveries = [
  'pending',
  'grouped',
  'notified',
  'muted',
  'flapping',
  'silent',
  'cleared',
] as const;
export type AlertDelivery = (typeof alertDeliveries)[number];

export const alertSeverities = ['warning', 'critical'] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

export const alertResources = [
  'charger',
  'connector',
  'session',
  'gateway',
  'ocpi-partner',
  'wallet',
  'location',
  'certificate',
  'api-key',
  'threshold',
  'load-site',
] as const;
export type AlertResource = (typeof alertResources)[number];

/**
 * The security events that need a person: the critical ones of the specification (OCPP 2.0.1 part 2, appendix 1; 1.6
 * security whitepaper, chapter 5) but those of every restart, update and clock, and those that speak of an attack.
 */
export const alarmingSecurityEvents = [
  'SecurityLogWasCleared',
  'MemoryExhaustion',
  'TamperDetectionActivated',
  'MaintenanceLoginAccepted',
  'MaintenanceLoginFailed',
  'AttemptedReplayAttacks',
  'InvalidFirmwareSignature',
  'InvalidFirmwareSigningCertificate',
  'InvalidCsmsCertificate',
  'InvalidCentralSystemCertificate',
  'InvalidChargingStationCertificate',
  'InvalidChargePointCertificate',
] as const;
