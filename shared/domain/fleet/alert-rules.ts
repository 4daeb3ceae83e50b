import type { AlertKind, AlertSeverity } from './alert.ts';

/** Thresholds of alerts by name, with their unit in the name. */
export const alertThresholds = {
  offlineMinutes: { minimum: 1, maximum: 10_080 },
  offlineSharePercent: { minimum: 1, maximum: 100 },
  offlineChargers: { minimum: 2, maximum: 10_000 },
  windowMinutes: { minimum: 1, maximum: 60 },
  withoutEnergyMinutes: { minimum: 5, maximum: 1440 },
  refusedStarts: { minimum: 1, maximum: 100 },
  rejectedAttempts: { minimum: 1, maximum: 10_000 },
  expiresInDays: { minimum: 1, maximum: 365 },
  unreachableMinutes: { minimum: 1, maximum: 10_080 },
  spoolingMinutes: { minimum: 1, maximum: 1440 },
  clockOffMinutes: { minimum: 5, maximum: 1440 },
} as const;
export type AlertThreshold = keyof typeof alertThresholds;
type AlertThresholds = Partial<Record<AlertThreshold, number>>;

/** Recipient of notifications: an operator of the network, or an address. */
export interface AlertRecipient {
  operatorId: string | null;
  email: string | null;
  /** BCP 47; null: the network's. */
  language: string | null;
}

/** Daily period in which notices wait, in the network's time zone. It may pass midnight. */
export interface QuietHours {
  /** HH:MM */
  from: string;
  to: string;
}

/** Settings of one kind of alert in a network, or in the whole system. */
export interface AlertRule {
  isEnabled: boolean;
  severity: AlertSeverity;
  /** All thresholds of the kind. */
  thresholds: AlertThresholds;
  /** True when alerts are sent to the recipients. */
  notifies: boolean;
  /** Null: the owners and administrators of the network. */
  recipients: AlertRecipient[] | null;
  /** Time for which alerts of the kind at one location join one notification. */
  groupWindowSeconds: number;
  quietHours: QuietHours | null;
  /** Null: never. */
  escalateAfterMinutes: number | null;
  escalateTo: AlertRecipient[];
}

/** Configuration that defaults depend on. */
export interface AlertRuleSettings {
  offlineAlertMinutes: number;
}

/** Default severity of a kind, whether it is sent, and its thresholds. */
const kinds: Record<AlertKind, { severity: AlertSeverity; notifies: boolean; thresholds?: AlertThresholds }> =
  {
    'charger-offline': { severity: 'warning', notifies: true },
    // A gateway notices a lost connection up to two minutes after the power cut.
    'location-offline': {
      severity: 'critical',
      notifies: true,
      thresholds: { offlineMinutes: 5, offlineSharePercent: 50, offlineChargers: 3, windowMinutes: 5 },
    },
    'connection-rejected': { severity: 'warning', notifies: true, thresholds: { rejectedAttempts: 3 } },
    'password-guessing': { severity: 'critical', notifies: true },
    'charger-faulted': { severity: 'critical', notifies: true },
    'connector-faulted': { severity: 'warning', notifies: true },
    'clock-wrong': { severity: 'warning', notifies: true, thresholds: { clockOffMinutes: 10 } },
    'starts-refused': { severity: 'warning', notifies: true, thresholds: { refusedStarts: 5 } },
    'session-without-energy': {
      severity: 'warning',
      notifies: true,
      thresholds: { withoutEnergyMinutes: 20 },
    },
    'session-without-tariff': { severity: 'warning', notifies: true },
    'session-estimated': { severity: 'warning', notifies: false },
    'session-in-review': { severity: 'critical', notifies: true },
    'unmatched-stop': { severity: 'warning', notifies: false },
    'security-event': { severity: 'critical', notifies: true },
    'firmware-failed': { severity: 'warning', notifies: true },
    'gateway-spooling': { severity: 'critical', notifies: true, thresholds: { spoolingMinutes: 1 } },
    'certificate-expiring': { severity: 'warning', notifies: true, thresholds: { expiresInDays: 30 } },
    'api-key-expiring': { severity: 'warning', notifies: true, thresholds: { expiresInDays: 14 } },
    'partner-unreachable': { severity: 'warning', notifies: true, thresholds: { unreachableMinutes: 15 } },
    'partner-token-expiring': { severity: 'warning', notifies: true, thresholds: { expiresInDays: 7 } },
    'ocpi-party-refused': { severity: 'warning', notifies: true },
    'ocpi-object-refused': { severity: 'warning', notifies: true },
    'payment-currency-mismatch': { severity: 'critical', notifies: true },
    'load-overload': { severity: 'critical', notifies: true },
    'load-limit-exceeded': { severity: 'critical', notifies: true },
    'load-meter-lost': { severity: 'warning', notifies: true },
    'load-fallback': { severity: 'warning', notifies: true },
    // Each threshold has a severity of its own.
    threshold: { severity: 'warning', notifies: true },
  };

const groupWindowSeconds = 120;

/** Kinds that concern the whole system, in addition to networks. */
export const systemAlertKinds: readonly AlertKind[] = ['gateway-spooling', 'api-key-expiring'];

/** Returns the rule of a kind in a network that changed nothing. */
export function defaultAlertRule(kind: AlertKind, { offlineAlertMinutes }: AlertRuleSettings): AlertRule {
  const { severity, notifies, thresholds = {} } = kinds[kind];
  return {
    isEnabled: true,
    severity,
    thresholds: kind === 'charger-offline' ? { offlineMinutes: offlineAlertMinutes } : thresholds,
    notifies,
    recipients: null,
    groupWindowSeconds,
    quietHours: null,
    escalateAfterMinutes: null,
    escalateTo: [],
  };
}

/** Returns the rule in effect: the stored one, with the defaults of thresholds that it does not set. */
export function effectiveAlertRule(
  kind: AlertKind,
  stored: AlertRule | undefined,
  settings: AlertRuleSettings,
): AlertRule {
  const usual = defaultAlertRule(kind, settings);
  return stored === undefined
    ? usual
    : { ...stored, thresholds: { ...usual.thresholds, ...stored.thresholds } };
}
